import torch

x = torch.arange(6.0).reshape(2, 3).requires_grad_()
weights = torch.arange(1.0, 7.0)
for f in (lambda: x.t(), lambda: x.reshape(3, 2), lambda: x.flatten(), lambda: x.permute(1, 0), lambda: x.unsqueeze(1), lambda: x.flip(1), lambda: x.roll(1, 1), lambda: x.repeat(1, 1), lambda: x[:, [2, 0, 1]], lambda: x.narrow(1, 0, 3), lambda: x.expand(1, 2, 3),
          lambda: torch.movedim(x, 0, 1), lambda: x.swapaxes(0, 1), lambda: x.ravel(), lambda: x.unflatten(1, (3, 1)), lambda: torch.rot90(x), lambda: x.tril(), lambda: x.T, lambda: x.view(-1), lambda: x.contiguous(), lambda: x.clone(), lambda: torch.atleast_3d(x)):
    x.grad = None
    y = f()
    (y.reshape(-1) * weights).sum().backward()
    print(y.grad_fn.name() if y.grad_fn else None, tuple(y.shape), x.grad.tolist())
