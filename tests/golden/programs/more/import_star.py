from torch import *

x = ones(2, requires_grad=True)
y = (x * 3).sum()
y.backward()
print(x.grad, y, float32, int, max(tensor([1, 2])), Tensor)
for name in ("nn", "optim", "autograd", "unique", "lu", "broadcast_shapes", "manual_seed", "pi"):
    print(name, name in globals())
