import torch

for sa, sb in (((3, 1), (1, 4)), ((2, 3), (3,)), ((), (2, 2)), ((1,), (2, 3)), ((2, 1, 3), (4, 1)), ((0, 3), (1, 3))):
    for name in ("add", "sub", "mul", "div", "maximum"):
        a = torch.full(sa, 2.0, requires_grad=True)
        b = torch.full(sb, 4.0, requires_grad=True)
        y = getattr(torch, name)(a, b)
        y.sum().backward()
        print(name, tuple(y.shape), a.grad.flatten()[:2].tolist(), tuple(a.grad.shape), b.grad.flatten()[:2].tolist(), tuple(b.grad.shape))
try:
    torch.ones(2, 3) + torch.ones(2)
except RuntimeError as e:
    print(e)
try:
    torch.ones(2).add_(torch.ones(2, 2))
except RuntimeError as e:
    print(e)
