import torch
import torch.nn.functional as F

torch.manual_seed(0)
bag = torch.nn.EmbeddingBag(5, 3, mode="sum", padding_idx=0)
print(bag, bag(torch.tensor([[0, 1], [2, 3]])))
rows, starts = torch.tensor([0, 1, 2, 3, 1]), torch.tensor([0, 3, 5])
for mode in ("sum", "mean", "max"):
    W = torch.arange(12.0).reshape(4, 3).requires_grad_()
    y = F.embedding_bag(rows, W, starts, mode=mode)
    y.pow(2).sum().backward()
    print(mode, y, W.grad)
share = torch.tensor([[0.1, 0.2], [0.3, 0.4]], requires_grad=True)
y = F.embedding_bag(torch.tensor([[0, 1], [2, 3]]), W, mode="sum", per_sample_weights=share)
y.sum().backward()
print(y, share.grad)
for call in (
    lambda: F.embedding_bag(rows, W),
    lambda: F.embedding_bag(rows, W, torch.tensor([1])),
    lambda: F.embedding_bag(torch.tensor([0, 7]), W, torch.tensor([0])),
    lambda: F.embedding_bag(rows, W, starts, mode="most"),
):
    try:
        call()
    except (RuntimeError, ValueError) as e:
        print(type(e).__name__, e)
