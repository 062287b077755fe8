import torch

kinds = [torch.bool, torch.uint8, torch.int8, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64]
for a in kinds:
    print(str(a)[6:], [str(torch.promote_types(a, b))[6:] for b in kinds])
one = {k: torch.ones(2, dtype=k) for k in kinds}
zero_dim = {k: torch.ones((), dtype=k) for k in kinds}
for a in kinds:
    print(str(a)[6:], [str((one[a] + zero_dim[b]).dtype)[6:] for b in kinds])
for a in kinds:
    print(str(a)[6:], str((one[a] * 2).dtype)[6:], str((one[a] * 2.5).dtype)[6:], str((one[a] * True).dtype)[6:])
print(torch.can_cast(torch.float32, torch.int64), torch.can_cast(torch.int64, torch.float16))
