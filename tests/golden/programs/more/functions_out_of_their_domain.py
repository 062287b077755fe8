import torch

for name in ("log", "sqrt", "rsqrt", "asin", "acos", "log1p", "atanh", "acosh", "reciprocal", "log2", "tan", "lgamma"):
    x = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0], requires_grad=True)
    y = getattr(torch, name)(x)
    y.sum().backward()
    print(name, y.detach(), x.grad)
print(torch.sqrt(torch.tensor([4, 9])), torch.exp(torch.tensor(1)), torch.sin(torch.tensor([True])))
for name in ("exp", "sigmoid", "tanh"):
    x = torch.tensor([-1000.0, 1000.0, 88.0, -0.0], requires_grad=True)
    y = getattr(torch, name)(x)
    y.sum().backward()
    print(name, y.detach(), x.grad)
