import torch

x = torch.tensor([[1.0, 3.0, 3.0], [2.0, 2.0, 0.0]], requires_grad=True)
for f in (lambda: x.max(), lambda: x.min(), lambda: x.max(1).values.sum(), lambda: x.min(dim=0)[0].sum(), lambda: x.amax(1).sum(),
          lambda: x.median(), lambda: x.median(1).values.sum(), lambda: x.kthvalue(2, 1).values.sum(), lambda: x.topk(2, 1).values.sum(),
          lambda: x.sort(1).values[:, 0].sum(), lambda: torch.maximum(x[0], x[1]).sum(), lambda: x.cummax(1).values.sum(),
          lambda: x.aminmax()[1], lambda: x.mode(1).values.sum(), lambda: torch.max(x, torch.tensor(2.0)).sum()):
    x.grad = None
    y = f()
    y.backward()
    print(y, x.grad, y.grad_fn.name())
print(x.max(1), x.min(0), x.argmax(), x.argmax(1), x.argmin(0, keepdim=True))
m = x.max(dim=1)
print(m.values, m.indices, type(m).__name__, m[0] is m.values, len(m))
