import torch

x = torch.tensor([[1.0, 2.0, 0.0], [3.0, 0.0, 4.0]], requires_grad=True)
for f in (lambda: x.cumsum(0), lambda: x.cumsum(1), lambda: x.cumprod(1), lambda: x.cumprod(0), lambda: x.prod(1), lambda: x.prod(),
          lambda: torch.logcumsumexp(x, 1), lambda: torch.diff(x), lambda: torch.diff(x, dim=0), lambda: x.cummin(0).values):
    x.grad = None
    y = f()
    (y * torch.arange(1.0, 1 + y.numel()).reshape(y.shape)).sum().backward()
    print(y, x.grad)
print(torch.tensor([True, True]).cumsum(0), torch.tensor([1, 2, 3]).cumprod(0), torch.cumsum(torch.tensor([1, 2]), 0, dtype=torch.float64))
try:
    x.cumsum()
except TypeError as e:
    print(str(e).split("\n")[0])
