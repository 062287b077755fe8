import torch

z = torch.tensor([0.0, 2.0, 0.0, 3.0], requires_grad=True)
at = torch.tensor([0, 0, 1, 1])
for own in (True, False):
    x = torch.tensor([2.0, 0.0, 5.0], requires_grad=True)
    y = x.scatter_reduce(0, at, z, "prod", include_self=own)
    (y * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    print(y, x.grad, z.grad)
    z.grad = None

x = torch.tensor([[1.0, -2.0, 3.0], [4.0, 0.5, -6.0]], requires_grad=True)
for way in ("prod", "mean", "amax", "amin"):
    y = x.index_reduce(0, torch.tensor([0, 0]), x.detach() + 1, way)
    x.grad = None
    y.sum().backward()
    print(way, y, x.grad)
places = torch.tensor([[0, 1, 0]])
y = x.scatter(0, places, 2.0, reduce="multiply")
print(y)
try:
    y.sum().backward()
except RuntimeError as e:
    print(e)

points = torch.tensor([1.0, 4.0, 9.0, 16.0])
uneven = torch.tensor([0.0, 1.0, 3.0, 4.0])
print(torch.gradient(points, spacing=[uneven], edge_order=2))
print(torch.gradient(points, spacing=2.0, edge_order=2))
try:
    torch.gradient(points, edge_order=3)
except RuntimeError as e:
    print(e)

t = torch.ones(2, 3)
print(t.resize_(3, 2), t.resize_(2, 2), t.resize_as_(torch.zeros(3)), t.resize_(0))
try:
    x.resize_(2)
except RuntimeError as e:
    print(e)
for call in (lambda: torch.matmul(t, 1), lambda: t @ 1, lambda: 1 @ t, lambda: t.matmul("a")):
    try:
        call()
    except TypeError as e:
        print(e)
