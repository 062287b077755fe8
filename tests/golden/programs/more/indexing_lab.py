import torch
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
a = torch.arange(24).reshape(2, 3, 4)
print(a[0, 1], a[..., -1], a[:, ::2, 1:3])
print(a[a > 20], a[0][[True, False, True]], a[:, [0, 2]], a[[0, 1], [1, 2]])
print(a[None].shape, a[:, None].shape, a[..., None].shape, a[0, ..., 1])
attempt(lambda: a[5])
attempt(lambda: a[0, 0, 0, 0])
attempt(lambda: a[0, 3])
attempt(lambda: a["x"])
attempt(lambda: a[1.5])
attempt(lambda: a[torch.tensor([0, 5])])
attempt(lambda: a[torch.tensor([True, False, True])])
attempt(lambda: a[::-1])
w = torch.arange(4., requires_grad=True)
y = w[[0, 0, 3]]
y.sum().backward()
print(w.grad, y)
b = torch.zeros(3, 3)
b[1] = torch.tensor([1., 2., 3.]); b[:, 0] = 7; b[b == 7] = -1
print(b)
b[[0, 2], [1, 2]] = torch.tensor([9., 8.]); print(b)
attempt(lambda: b.__setitem__(0, torch.ones(2)))
attempt(lambda: b.__setitem__((slice(None), 5), 1))
print(b.index_select(0, torch.tensor([0, 2])), torch.take(b, torch.tensor([0, 8])))
print(b.gather(1, torch.tensor([[0], [1], [2]])), b.scatter(0, torch.tensor([[0, 1, 2]]), 5.0))
print(torch.nonzero(b > 0), torch.nonzero(b > 0, as_tuple=True))
print(b.diagonal(), torch.tril(b), b.masked_select(b < 0), b.masked_fill(b < 0, 0))
print(w[1], w[1:3], w[w > 1], w.unbind(), w.chunk(2))
