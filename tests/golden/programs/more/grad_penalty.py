import torch

torch.manual_seed(3)
w = torch.randn(2, 2, requires_grad=True)
x = torch.tensor([[1.0, -1.0], [0.5, 2.0]], requires_grad=True)
out = torch.tanh(x @ w).sum()
g, = torch.autograd.grad(out, x, create_graph=True)
penalty = ((g.norm(dim=1) - 1) ** 2).mean()
print(g)
print(penalty)
penalty.backward()
print(w.grad)
print(x.grad)
