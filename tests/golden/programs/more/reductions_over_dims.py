import torch

x = torch.tensor([[[1.0, -2.0], [3.0, 0.5]], [[2.0, 2.0], [-1.0, 4.0]]], requires_grad=True)
for name in ("sum", "mean", "amax", "amin", "std", "var", "logsumexp"):
    for d in (0, -1, (0, 2), [1]):
        x.grad = None
        y = getattr(x, name)(d)
        y.sum().backward()
        print(name, d, y.detach().flatten(), x.grad.flatten())
print(x.sum((0, 1, 2)), x.sum(dim=()), x.mean((0,), keepdim=True).shape, x.sum(-1, keepdim=True).shape)
for f in (lambda: x.sum(3), lambda: x.sum((0, 0)), lambda: x.mean(-4), lambda: x.sum("a"), lambda: torch.tensor([1, 2]).mean(),
          lambda: torch.ones(2).sum(dim=1), lambda: torch.zeros(0).max(), lambda: torch.zeros(0, 2).max(0), lambda: torch.zeros(0).mean(),
          lambda: torch.zeros(0).sum(), lambda: torch.zeros(2, 0).amax(1), lambda: torch.zeros(0).prod(), lambda: torch.zeros(0).argmax()):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
