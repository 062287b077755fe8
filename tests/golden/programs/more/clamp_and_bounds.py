import torch

x = torch.tensor([-2.0, 0.0, 1.0, 3.0], requires_grad=True)
for f in (lambda: x.clamp(0, 1), lambda: x.clamp(min=1), lambda: x.clamp(max=torch.tensor([0.0, 0.0, 1.0, 5.0])), lambda: x.clip(1, 0),
          lambda: torch.clamp_min(x, 0.0), lambda: torch.clamp_max(x, 0.0), lambda: torch.clamp(x, min=torch.tensor(0.0), max=torch.tensor(2.0))):
    x.grad = None
    y = f()
    y.sum().backward()
    print(y, x.grad)
lo = torch.tensor(0.5, requires_grad=True)
x.grad = None
torch.clamp(x, min=lo).sum().backward()
print(x.grad, lo.grad)
print(torch.tensor([1, 5, 9]).clamp(2, 6), torch.tensor([1, 5]).clamp(min=2.5))
for f in (lambda: x.clamp(), lambda: x.clamp(None, None), lambda: torch.clamp(torch.tensor([True]), 0, 1), lambda: x.clamp("a")):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
