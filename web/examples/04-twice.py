import torch

x = torch.tensor([1., 2., 3.], requires_grad=True)
y = x ** 2
loss = y.sum()

loss.backward()
loss.backward()
