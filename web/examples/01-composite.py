import torch

x = torch.tensor([1., 2., 3.], requires_grad=True)
y = x + 2
q = y ** 2
v = 3 * q
z = v.mean()

z.backward()
print(x.grad)
