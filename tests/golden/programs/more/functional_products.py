import torch
from torch.autograd.functional import vjp, jvp, hvp, vhp

x = torch.tensor([1.0, 2.0])
v = torch.tensor([1.0, 0.5])
print(vjp(lambda t: t ** 2, x, v))
print(vjp(lambda t: (t ** 2).sum(), x))
print(jvp(lambda t: t ** 2, x, v), jvp(lambda t: t.sum() * t, x, v, create_graph=True))
print(jvp(lambda t: t * 3, torch.tensor(2.0)))
print(hvp(lambda t: (t ** 3).sum(), x, v), vhp(lambda t: (t ** 3).sum(), x, v))
print(vjp(lambda a, b: (a * b, a + b), (x, v), (v, v)))
print(hvp(lambda a, b: (a * b ** 2).sum(), (x, v), (v, v)))
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: vjp(lambda t: t ** 2, x))
attempt(lambda: vjp(lambda t: t ** 2, x, torch.ones(3)))
attempt(lambda: vjp(lambda t: t ** 2, x, (v, v)))
attempt(lambda: jvp(lambda t: t ** 2, x))
attempt(lambda: hvp(lambda t: t ** 2, x, v))
attempt(lambda: hvp(lambda t: t.sum(), x))
attempt(lambda: vjp(lambda t: torch.ones(2), x, v, strict=True))
attempt(lambda: jvp(lambda t: torch.ones(2), x, v))
attempt(lambda: vhp(lambda t: torch.tensor(1.0), x, v))
