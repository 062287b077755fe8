import torch

x = torch.ones(4, requires_grad=True)
y = (2 * x + 1).sum()
z = (2 * x).sum()

y.backward()
z.backward()
print(x.grad)
x.grad.zero_()
print(x.grad)
