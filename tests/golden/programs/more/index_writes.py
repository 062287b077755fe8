import torch

x = torch.zeros(3, 4)
x[0] = 1
x[:, 1] = torch.tensor([5.0, 6.0, 7.0])
x[1, 2:] = torch.tensor([[8.0, 9.0]])
x[x == 0] = -1
x[[0, 2], [3, 3]] = torch.tensor([0.5, 0.25])
x[2] += 10
x[..., 0] *= 2
x[torch.tensor([1, 1])] = 3
print(x, x._version)
i = torch.zeros(3, dtype=torch.int64)
i[0] = 2.7
i[1] = True
i[2] = torch.tensor(3)
print(i)
for f in (lambda: x.__setitem__(5, 1), lambda: x.__setitem__((0, 0), torch.ones(2)), lambda: x.__setitem__(0, torch.ones(3)),
          lambda: x.__setitem__([0, 1], torch.ones(3, 4)), lambda: x.__setitem__(0, "a"), lambda: x.__setitem__(x > 0, torch.ones(2))):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
w = torch.ones(3, requires_grad=True)
y = w * 2
y[0] = 0
y[1:] *= w[1:]
y.sum().backward()
print(y, w.grad)
