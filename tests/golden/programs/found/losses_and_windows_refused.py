"""What losses, windows, sums and products refuse, and in which order."""
import torch
import torch.nn.functional as F

def show(number, source):
    try:
        exec(source, {"torch": torch, "F": F})
    except Exception as error:
        print(number, type(error).__name__, error)


PARTS = """\
print(F.bilinear(torch.ones(3, 1), torch.ones(3, 1), torch.ones(2, 2, 2)))
###
print(F.bilinear(torch.ones(3, 2), torch.ones(2, 2), torch.ones(2, 2, 2)))
###
print(F.bilinear(torch.ones(3, 2).double(), torch.ones(3, 2).double(), torch.ones(2, 2, 2)))
###
print(F.cross_entropy(torch.tensor([1.5]), torch.tensor(0), reduction='none'))
###
print(F.cross_entropy(torch.ones(0, requires_grad=True), torch.ones(0)))
###
print(F.cross_entropy(torch.ones(2, 0), torch.tensor([0, 0]), ignore_index=0))
###
print(torch.nn.LayerNorm(3)(torch.ones(2, 2).double()))
###
print(torch.nn.LayerNorm(3)(torch.ones(2, 3).half()).shape)
###
print(F.max_pool1d(torch.ones(1, 1), 2))
###
print(F.max_pool1d(torch.ones(2, 0, 3), 2))
###
print(F.avg_pool1d(torch.ones(0, 2), 2))
###
print(F.avg_pool1d(torch.ones(2, 2).to(torch.uint8), 2))
###
print(F.conv1d(torch.ones(3, 3).double(), torch.ones(2, 1, 2)))
###
print(torch.aminmax(torch.zeros(0, 2), dim=-2))
###
print(torch.zeros(0).amax(-1))
###
print(torch.cumsum(torch.ones(2, 3, dtype=torch.int32), -2, dtype=torch.bool))
###
print(torch.cumsum(torch.ones(2, 0), -1, dtype=torch.bool))
###
print(F.multi_margin_loss(torch.ones(3, 1), torch.tensor([0, 1, 0])))
###
print(F.multi_margin_loss(torch.ones(2, 0), torch.tensor([0, 0])))
###
print(F.soft_margin_loss(torch.tensor(1.0), torch.ones(4)))
###
print(F.soft_margin_loss(torch.tensor(6), torch.tensor(1)))
###
print(F.soft_margin_loss(torch.tensor([0.5]), torch.tensor([1.0]).double()).dtype)
###
print(F.binary_cross_entropy(torch.ones(3), torch.tensor([0.0, 2.0, 0.0])))
###
print(F.binary_cross_entropy(torch.tensor([0.5, 3.0]), torch.tensor([2.0, 2.0])))
###
print(F.pad(torch.ones(1, 1), (-2, 2)))
###
print(torch.addmv(torch.ones(3).half(), torch.ones(3, 3), torch.ones(3).half()))
###
print(torch.baddbmm(torch.ones(1), torch.ones(1, 2, 3).double(), torch.ones(1, 3, 2).double()))
###
print(torch.chain_matmul(torch.ones(2, 3), torch.ones(2, 3)))
###
print(torch.ones(4, 2, 0).mode(-2).values)
###
print(torch.ones(2, 0, 3).var(1, correction=-1, keepdim=True))
###
print(torch.ones(2, 4, 3).expand(1, 1, 1))
###
print(F.binary_cross_entropy_with_logits(torch.ones(2).long(), torch.ones(2)))
###
print(torch.tensor([4.0, 5.0], requires_grad=True).clone().index_fill_(0, torch.tensor([[0]]), 1.0))
"""
for number, part in enumerate(PARTS.split("###\n")):
    show(number, part)
