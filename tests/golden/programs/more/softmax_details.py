import torch
import torch.nn.functional as F

x = torch.tensor([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]], requires_grad=True)
for d in (0, 1, -1):
    print(d, torch.softmax(x, d), F.log_softmax(x, dim=d))
p = x.softmax(1)
g, = torch.autograd.grad(p[0, 0], x, create_graph=True)
print(g)
print(torch.autograd.grad(g[0, 0], x))
print(torch.autograd.functional.jacobian(lambda t: t.softmax(0), torch.tensor([0.0, 1.0])))
print(torch.softmax(torch.tensor([1, 2]), 0, dtype=torch.float64), torch.softmax(torch.tensor(3.0), 0))
for f in (lambda: torch.softmax(x, 2), lambda: torch.softmax(torch.tensor([1, 2]), 0), lambda: torch.softmax(x), lambda: F.softmax(x).shape):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
print(torch.softmax(torch.tensor([float("-inf"), 0.0]), 0), torch.softmax(torch.tensor([float("-inf")]), 0))
