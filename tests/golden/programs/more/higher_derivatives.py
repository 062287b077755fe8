import torch

x = torch.tensor(0.5, requires_grad=True)
for name in ("sin", "exp", "tanh", "sigmoid", "sqrt", "log", "reciprocal", "atan", "erf", "rsqrt", "log1p", "expm1", "cosh", "asin"):
    d = getattr(torch, name)(x)
    values = [d.item()]
    for _ in range(4):
        d, = torch.autograd.grad(d, x, create_graph=True)
        values.append(d.item())
    print(name, ["%.4f" % v for v in values])
y = x ** 5
for k in range(6):
    y, = torch.autograd.grad(y, x, create_graph=True, allow_unused=True)
    print(k, y)
    if y is None or not y.requires_grad:
        break
