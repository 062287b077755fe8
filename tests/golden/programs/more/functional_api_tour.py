import torch
from torch.autograd.functional import jacobian, hessian, vjp, jvp, hvp, vhp
from torch.func import grad, vmap, jacrev, jacfwd, functional_call, grad_and_value
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e)[:300])
x = torch.tensor([1., 2., 3.])
f = lambda x: (x ** 3).sum()
print(jacobian(f, x), hessian(f, x))
print(vjp(lambda x: x * 2, x, torch.ones(3)))
print(jvp(lambda x: x ** 2, x, torch.ones(3)))
print(hvp(f, x, torch.ones(3)), vhp(f, x, torch.ones(3)))
print(grad(f)(x), grad(grad(torch.sin))(torch.tensor(1.0)))
print(grad_and_value(f)(x))
print(jacrev(lambda x: x ** 2)(x))
attempt(lambda: jacfwd(lambda x: x ** 2)(x))
attempt(lambda: vmap(lambda v: v.sum())(torch.ones(2, 3)))
attempt(lambda: grad(lambda x: x ** 2)(x))
attempt(lambda: jacobian(lambda x: 3, x))
lin = torch.nn.Linear(3, 1)
params = {k: torch.ones_like(v) for k, v in lin.named_parameters()}
attempt(lambda: functional_call(lin, params, (x,)))
attempt(lambda: jacobian(lambda a, b: a * b, (x, x), create_graph=True))
attempt(lambda: vjp(lambda x: x * 2, x))
