import torch
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

calls = []
def block(x, w):
    calls.append(1)
    return torch.tanh(x * w) + x
x = torch.tensor([0.5, -0.5], requires_grad=True)
w = torch.tensor(2.0, requires_grad=True)
y = checkpoint(block, x, w, use_reentrant=False)
print(y, len(calls))
y.sum().backward()
print(x.grad, w.grad, len(calls))
x.grad = w.grad = None
y = checkpoint(block, x, w, use_reentrant=True)
print(len(calls))
y.sum().backward()
print(x.grad, w.grad, len(calls))
net = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Tanh(), torch.nn.Sigmoid())
x.grad = None
checkpoint_sequential(net, 2, x, use_reentrant=False).sum().backward()
print(x.grad)
