import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
def twice(f):
    y = f(x)
    y.backward()
    try:
        y.backward()
        print("second pass worked", x.grad)
    except RuntimeError as e:
        print(str(e)[:60])
    x.grad = None
for f in (lambda t: t.sum(), lambda t: (t * 2).sum(), lambda t: (t + t).sum(), lambda t: (t * t).sum(), lambda t: t.exp().sum(), lambda t: t.mean(), lambda t: (-t).sum(),
          lambda t: t[0], lambda t: t[[0]].sum(), lambda t: torch.cat([t, t]).sum(), lambda t: t.max(), lambda t: t.norm(), lambda t: t.view(1, 2).sum(), lambda t: (t / 2).sum(), lambda t: t.relu().sum(),
          lambda t: torch.stack([t, t]).mean(), lambda t: t.clamp(0, 1).sum(), lambda t: t.softmax(0)[0], lambda t: t.prod(), lambda t: (t ** 2).sum(), lambda t: torch.where(t > 2, t, 0).sum()):
    twice(f)
y = (x ** 3).sum()
for _ in range(3):
    y.backward(retain_graph=True)
print(x.grad)
