import torch
from torch.autograd.functional import jacobian, hessian

x = torch.tensor([1.0, 2.0])
y = torch.tensor([3.0])
print(jacobian(lambda t: t ** 2, x))
print(jacobian(lambda t: t.sum(), x), jacobian(lambda t: torch.stack([t, t * 2]), x).shape)
print(jacobian(lambda a, b: (a * b, b ** 2), (x, y)))
print(jacobian(lambda a, b: a * b, (x, y), create_graph=True))
print(hessian(lambda t: (t ** 3).sum(), x))
print(hessian(lambda a, b: (a ** 2 * b).sum(), (x, y)))
print(jacobian(lambda t: t * 2, x, vectorize=True), hessian(lambda t: t.prod(), x, vectorize=True))
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: jacobian(lambda t: torch.ones(2), x))
attempt(lambda: jacobian(lambda t: torch.ones(2), x, strict=True))
attempt(lambda: jacobian(lambda a, b: a * 2, (x, y), strict=True))
attempt(lambda: jacobian(lambda t: 3, x))
attempt(lambda: jacobian(lambda t: t, 3))
attempt(lambda: jacobian(lambda t: t, (x, 3)))
attempt(lambda: hessian(lambda t: t, x))
attempt(lambda: hessian(lambda t: t.sum(), x, strict=True))
attempt(lambda: hessian(lambda t: (t, t), x))
