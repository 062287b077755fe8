import torch

x = torch.tensor([1., 2., 3.], requires_grad=True)
y = x * 2
y = y * x

v = torch.tensor([0.1, 1.0, 10.0])
y.backward(v)
print(x.grad)
