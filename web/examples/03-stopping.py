import torch

x = torch.tensor([1., 2., 3.], requires_grad=True)
w = torch.tensor([2., 2., 2.])

y = x * x
c = y.detach()
with torch.no_grad():
    n = 10 * x

z = (y * c + w * x + n).sum()
z.backward()
print(x.grad)
print(c.requires_grad, n.requires_grad, w.grad)
