import torch

x = torch.tensor([[3.0, 1.0, 2.0], [1.0, 1.0, 0.0]], requires_grad=True)
print(x.sort(), x.sort(0, descending=True), x.argsort(1), torch.sort(x, stable=True, dim=1))
print(x.topk(2), x.topk(1, dim=0, largest=False), x.kthvalue(2), torch.msort(x))
v, i = x.sort(1, descending=True)
(v * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(x.grad)
s = torch.tensor([1.0, 3.0, 5.0])
print(torch.searchsorted(s, torch.tensor([0.0, 3.0, 6.0])), torch.searchsorted(s, torch.tensor([3.0]), right=True), torch.bucketize(torch.tensor([2.0, 9.0]), s))
print(torch.unique(torch.tensor([2, 1, 2, 3])), torch.unique(torch.tensor([2, 1, 2]), return_inverse=True, return_counts=True), torch.unique_consecutive(torch.tensor([1, 1, 2, 1])))
print(torch.bincount(torch.tensor([0, 1, 1, 4])), torch.bincount(torch.tensor([0, 1]), weights=torch.tensor([0.5, 2.0])), torch.histc(torch.tensor([1.0, 2.0, 1.0]), 4, 0, 3), torch.isin(torch.tensor([1, 2]), torch.tensor([2])))
print(torch.quantile(torch.tensor([1.0, 2.0, 4.0]), 0.5), torch.quantile(torch.tensor([1.0, 2.0, 4.0]), torch.tensor([0.25, 0.75])), torch.nanmedian(torch.tensor([1.0, float("nan"), 3.0])))
for f in (lambda: x.topk(4), lambda: x.kthvalue(4), lambda: x.sort(2), lambda: torch.quantile(x, 2.0), lambda: torch.bincount(torch.tensor([-1])), lambda: x.topk(1, 5)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
