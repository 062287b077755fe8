import torch

torch.manual_seed(0)
x = torch.randn(3, requires_grad=True)

y = x * 2
while y.norm() < 10:
    y = y * 2
if y.sum() > 0:
    z = y.sum()
else:
    z = (3 * y).sum()

z.backward()
print(y)
print(x.grad)
