import torch

x = torch.tensor([-1., 0., 1.])
w = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)

h = w * x + b
loss = (h ** 2).mean()
loss.backward()

with torch.no_grad():
    w -= 0.1 * w.grad
print(w)
