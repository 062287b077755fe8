import torch

for base, exp in ((0.0, 0.0), (0.0, 2.0), (0.0, 0.5), (-2.0, 3.0), (-2.0, 0.5), (2.0, -1.0), (0.0, -1.0)):
    x = torch.tensor(base, requires_grad=True)
    p = torch.tensor(exp, requires_grad=True)
    y = x ** p
    y.backward()
    print(base, exp, y.item(), x.grad.item(), p.grad.item(), y.grad_fn.name())
    x.grad = None
    (x ** exp).backward()
    print("  const exp", x.grad.item())
    p.grad = None
    (base ** p).backward()
    print("  const base", p.grad.item())
for f in (lambda: torch.tensor([2]) ** -1, lambda: torch.tensor([2, 3]) ** torch.tensor([2, 0]), lambda: torch.tensor(True) ** 2,
          lambda: torch.pow(2, 3), lambda: torch.pow(2, torch.tensor([1.0, 3.0])), lambda: torch.tensor([0]) ** 0):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
