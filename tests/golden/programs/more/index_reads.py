import torch

x = torch.arange(24.0).reshape(2, 3, 4)
print(x[0], x[-1, 0], x[0, 1, 2], x[:, 0], x[..., -1], x[None, 0, 0], x[0, ..., 0], x[:, ::2, 1:3])
print(x[[0, 1], [0, 2]], x[:, [0, 2]].shape, x[[0]].shape, x[torch.tensor([1]), :, torch.tensor([0])], x[x > 21], x[x[:, 0, 0] > 5].shape)
print(x[torch.tensor(1)].shape, x[True].shape, x[False].shape, x[0:0].shape, x[1:5].shape, x[:, None].shape, x[torch.tensor([[0, 1], [1, 0]])].shape)
for f in (lambda: x[2], lambda: x[0, 3], lambda: x[0, 0, 0, 0], lambda: x[[0, 2]], lambda: x[::-1], lambda: x["a"], lambda: x[1.5],
          lambda: x[torch.tensor([True])], lambda: x[torch.tensor([0.5])], lambda: torch.tensor(1)[0], lambda: x[:, torch.tensor([7])], lambda: x[-3],
          lambda: x[[0, 1], [0, 1, 2]], lambda: x[torch.ones(2, 2, dtype=torch.bool)]):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
