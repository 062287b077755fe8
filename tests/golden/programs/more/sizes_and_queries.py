import torch

x = torch.zeros(2, 3, 4)
print(x.shape, x.size(), x.size(1), x.size(-1), x.dim(), x.ndim, x.numel(), x.nelement(), len(x), x.shape[1:], x.shape + (5,), x.stride(), x.stride(0), x.element_size(), x.nbytes)
print(x.shape.numel(), x.shape == (2, 3, 4), x.shape == [2, 3, 4], list(x.shape), torch.Size([1, 2])[0], x.shape.count(3), torch.Size([2]) * 2, isinstance(x.shape[0:1], torch.Size))
a, b, c = x.shape
print(a, b, c, x.is_contiguous(), x.transpose(0, 1).is_contiguous(), x.storage_offset(), x[1].storage_offset(), x.is_floating_point(), x.is_complex(), x.is_signed())
for f in (lambda: x.size(3), lambda: x.shape[5], lambda: len(torch.tensor(1)), lambda: torch.Size(["a"]), lambda: x.size("a"), lambda: iter(torch.tensor(1)), lambda: [v.shape for v in x], lambda: x.stride(4)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(1 in torch.tensor([1, 2]), torch.tensor([1, 2]).contains if False else "", bool(torch.tensor([[1]])))
