"""The introduction to tensors of PyTorch's video series."""

import torch
import math
x = torch.empty(3, 4)
print(type(x))
zeros = torch.zeros(2, 3)
print(zeros)
ones = torch.ones(2, 3)
print(ones)
torch.manual_seed(1729)
random = torch.rand(2, 3)
print(random)
random1 = torch.rand(2, 3)
print(random1)
x = torch.empty(2, 2, 3)
print(x.shape)
for f in (torch.empty_like, torch.zeros_like, torch.ones_like, torch.rand_like):
    print(f(x).shape)
some_constants = torch.tensor([[3.1415926, 2.71828], [1.61803, 0.0072897]])
print(some_constants)
some_integers = torch.tensor((2, 3, 5, 7, 11, 13, 17, 19))
print(some_integers)
more_integers = torch.tensor(((2, 4, 6), [3, 6, 9]))
print(more_integers)
a = torch.ones((2, 3), dtype=torch.int16)
print(a)
b = torch.rand((2, 3), dtype=torch.float64) * 20.
print(b)
c = b.to(torch.int32)
print(c)
twos = torch.ones(2, 2) * 2
powers2 = twos ** torch.tensor([[1, 2], [3, 4]])
print(powers2)
fives = ones[:, :2] * 5
dozens = twos * 6
print(dozens, fives)
try:
    a = torch.rand(2, 3)
    b = torch.rand(3, 2)
    print(a * b)
except RuntimeError as e:
    print(e)
a = torch.ones(4, 3, 2)
b = a * torch.rand(3, 2)
print(b)
c = a * torch.rand(3, 1)
print(c)
d = a * torch.rand(1, 2)
print(d)
for sh in ((4, 3), (2, 3), (0,)):
    try:
        a * torch.rand(*sh)
    except RuntimeError as e:
        print(e)
a = torch.rand(2, 4) * 2 - 1
print(torch.abs(a)); print(torch.ceil(a)); print(torch.floor(a)); print(torch.clamp(a, -0.5, 0.5))
angles = torch.tensor([0, math.pi / 4, math.pi / 2, 3 * math.pi / 4])
sines = torch.sin(angles)
inverses = torch.asin(sines)
print(angles); print(sines); print(inverses)
b = torch.tensor([1, 5, 11]); c = torch.tensor([2, 7, 10])
print(torch.bitwise_xor(b, c))
d = torch.tensor([[1., 2.], [3., 4.]])
e = torch.ones(1, 2)
print(torch.eq(d, e))
print(torch.max(d)); print(torch.max(d).item()); print(torch.mean(d)); print(torch.std(d)); print(torch.prod(d))
print(torch.unique(torch.tensor([1, 2, 1, 2, 1, 2])))
v1 = torch.tensor([1., 0., 0.]); v2 = torch.tensor([0., 1., 0.])
m1 = torch.rand(2, 2); m2 = torch.tensor([[3., 0.], [0., 3.]])
print(torch.linalg.cross(v2, v1)); print(m1)
m3 = torch.linalg.matmul(m1, m2)
print(m3)
s = torch.linalg.svd(m3)
print(s.S, type(s).__name__)
a = torch.rand(2, 2); b = torch.rand(2, 2); c = torch.zeros(2, 2)
old_id = id(c)
d = torch.matmul(a, b, out=c)
assert c is d
print(id(c) == old_id)
torch.rand(2, 2, out=c)
print(c)
a = torch.ones(2, 2)
b = a
a[0][1] = 561
print(b)
b = a.clone()
assert b is not a
print(torch.eq(a, b))
a[0][1] = 562
print(b)
a = torch.rand(3, 226, 226)
b = a.unsqueeze(0)
print(a.shape); print(b.shape)
c = torch.rand(1, 1, 1, 1, 1)
print(c)
b = torch.rand(1, 20).squeeze(0)
print(b.shape); print(b)
c = torch.rand(2, 2)
print(c.squeeze(0).shape)
output3d = torch.rand(6, 20, 20)
print(output3d.shape, output3d.reshape(6 * 20 * 20).shape, torch.reshape(output3d, (6 * 20 * 20,)).shape)
import numpy as np
numpy_array = np.ones((2, 3))
pytorch_tensor = torch.from_numpy(numpy_array)
print(pytorch_tensor)
numpy_array[1, 1] = 23
print(pytorch_tensor)
pytorch_tensor[0, 0] = 17
print(numpy_array)
print(torch.rand(2, 2).numpy())
