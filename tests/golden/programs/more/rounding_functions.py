import torch

x = torch.tensor([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.49])
print(x.round(), x.floor(), x.ceil(), x.trunc(), x.frac(), x.fix())
print(torch.round(x * 1.111, decimals=2), torch.round(torch.tensor([1234.0]), decimals=-2))
print(torch.tensor([3, 4]).floor(), torch.tensor([3]).round().dtype, torch.sign(x), torch.sgn(x), torch.signbit(x))
w = x.clone().requires_grad_()
(w.round() + w.frac() + w.trunc() * 2).sum().backward()
print(w.grad)
print(torch.copysign(x, torch.tensor(-1.0)), torch.nan_to_num(torch.tensor([float("nan"), float("inf"), -float("inf")])))
print(torch.nan_to_num(torch.tensor([float("nan"), float("inf")]), nan=1.0, posinf=2.0), torch.heaviside(x, torch.tensor(0.5)))
