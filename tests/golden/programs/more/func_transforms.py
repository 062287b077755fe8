import torch
from torch.func import grad, grad_and_value, vjp, jvp, jacrev, jacfwd, hessian, vmap

x = torch.tensor([1.0, 2.0, 3.0])
print(grad(lambda t: (t ** 2).sum())(x), grad_and_value(lambda t: t.prod())(x))
print(grad(lambda a, b: (a * b).sum(), argnums=1)(x, x * 2), grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, x * 2))
print(grad(lambda t: ((t ** 2).sum(), t * 2), has_aux=True)(x))
print(grad(grad(lambda t: t ** 3))(torch.tensor(2.0)))
out, pull = vjp(lambda t: t.sin(), x)
print(out, pull(torch.ones(3)))
print(jvp(lambda t: t ** 2, (x,), (torch.ones(3),)))
print(jacrev(lambda t: t ** 2)(x), jacfwd(lambda t: t.cumsum(0))(x), hessian(lambda t: (t ** 3).sum())(x))
print(vmap(lambda t: t * 2)(x), vmap(lambda a, b: a * b)(x, x), vmap(torch.dot)(x.reshape(3, 1), x.reshape(3, 1)))
print(vmap(lambda t: t.sum())(x.reshape(3, 1)), vmap(grad(lambda t: t ** 2))(x))
print(grad(lambda p: sum(v.sum() ** 2 for v in p.values()))({"w": x, "b": torch.tensor(1.0)}))
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: grad(lambda t: t)(x))
attempt(lambda: grad(lambda t: 3.0)(x))
attempt(lambda: grad(lambda t: t.sum())(3.0))
attempt(lambda: grad(lambda t: t.sum(), argnums=2)(x))
w = torch.tensor(3.0, requires_grad=True)
y = grad(lambda t: (t * w) ** 2)(torch.tensor(2.0))
print(y)
