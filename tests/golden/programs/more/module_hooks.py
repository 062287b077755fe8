import torch
import torch.nn as nn

torch.manual_seed(0)
lin = nn.Linear(2, 1)
nn.init.ones_(lin.weight)
nn.init.zeros_(lin.bias)
h1 = lin.register_forward_pre_hook(lambda m, args: (args[0] + 1,))
h2 = lin.register_forward_hook(lambda m, args, out: out * 10)
h3 = lin.register_full_backward_hook(lambda m, gi, go: print("back", gi, go))
x = torch.tensor([[1.0, 2.0]], requires_grad=True)
y = lin(x)
print(y)
y.sum().backward()
print(x.grad, lin.weight.grad, lin.bias.grad)
for h in (h1, h2, h3):
    h.remove()
print(lin(x))
def count(m):
    print("apply", type(m).__name__)
nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.ReLU())).apply(count)
