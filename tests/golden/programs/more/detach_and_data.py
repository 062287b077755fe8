import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
d = y.detach()
d[0] = 100
print(y, d, d.requires_grad, y._version, d._version)
try:
    (y * y).sum().backward()
    print(x.grad)
except RuntimeError as e:
    print(e)
z = x.exp()
z.data[0] = 0
z.sum().backward()
print(x.grad, z._version)
z = x.exp()
z.detach().zero_()
try:
    z.sum().backward()
except RuntimeError as e:
    print(str(e)[:200])
q = x * 2
q.detach_()
print(q.is_leaf, q.requires_grad, q.grad_fn)
try:
    (x * 2)[0].detach_()
except RuntimeError as e:
    print(e)
x.data = torch.tensor([5.0])
print(x, x.grad.shape)
n = x.detach().numpy()
n[0] = 9
print(x)
try:
    x.numpy()
except RuntimeError as e:
    print(e)
