"""A tour of torch.func, with what each transform refuses."""

import torch
from torch.func import grad, vmap, vjp, jvp, jacrev, jacfwd, functionalize, grad_and_value
x = torch.tensor(0.5)
cos_x = grad(lambda x: torch.sin(x))(x)
print(torch.allclose(cos_x, x.cos()), cos_x)
neg_sin_x = grad(grad(lambda x: torch.sin(x)))(x)
print(neg_sin_x)
batch_size, feature_size = 3, 5
weights = torch.arange(5.).requires_grad_()
def model(feature_vec):
    assert feature_vec.dim() == 1
    return feature_vec.dot(weights).relu()
examples = torch.ones(batch_size, feature_size)
result = vmap(model)(examples)
print(result.detach())
def model(weights, feature_vec):
    return feature_vec.dot(weights).relu()
def compute_loss(weights, example, target):
    y = model(weights, example)
    return ((y - target) ** 2).mean()
weights = torch.arange(5., requires_grad=True)
example = torch.ones(batch_size, feature_size); targets = torch.zeros(batch_size)
inputs = (weights, example, targets)
grad_weight_per_example = vmap(grad(compute_loss), in_dims=(None, 0, 0))(*inputs)
print(grad_weight_per_example.detach())
outputs, vjp_fn = vjp(torch.sin, torch.linspace(0, 1, 5))
print(vjp_fn(torch.ones(5)))
y, t = jvp(lambda x, y: x * y, (torch.ones(5), torch.arange(5.)), (torch.ones(5), torch.ones(5)))
print(y, t)
jac = jacrev(torch.sin)(torch.linspace(0, 1, 3)); print(jac)
print(vmap(jacrev(torch.sin))(torch.zeros(2, 3)).shape)
print(jacfwd(jacrev(torch.sin))(torch.ones(2)))
def f(x, y): return (x * y).sum()
print(grad(f, argnums=(0, 1))(torch.ones(2), torch.arange(2.)))
def g(x): y = x.sin(); return y.sum(), y
print(grad(g, has_aux=True)(torch.zeros(2)))
print(grad_and_value(f)(torch.ones(2), torch.arange(2.)))
for bad in (lambda: grad(lambda x: x)(torch.ones(2)), lambda: grad(lambda x: 3.)(torch.ones(())), lambda: vmap(lambda x: x)(torch.tensor(1.)),
            lambda: vmap(torch.dot)(torch.ones(2, 3), torch.ones(3, 3)), lambda: vmap(lambda x: x.sum().item())(torch.ones(3)),
            lambda: grad(torch.sin)(1.0), lambda: jacrev(lambda x: 2)(torch.ones(1)), lambda: vjp(lambda x: x, torch.ones(2))[1](torch.ones(3)),
            lambda: jvp(torch.sin, torch.ones(1), torch.ones(1)), lambda: vmap(torch.rand)(torch.ones(2)), lambda: vmap(lambda x: x + torch.randn(()))(torch.zeros(3)),
            lambda: jvp(torch.sin, (torch.ones(1),), (torch.ones(2),)), lambda: vmap(lambda x: x if x > 0 else -x)(torch.ones(2)),
            lambda: vmap(lambda x: [x, 3])(torch.ones(2)), lambda: vmap(torch.add, in_dims=(0,))(torch.ones(1), torch.ones(1))):
    try: print(bad())
    except Exception as e: print(type(e).__name__, str(e)[:220])
torch.manual_seed(0)
print(vmap(lambda x: x + torch.randn(()), randomness='different')(torch.zeros(3)).unique().numel(), vmap(lambda x: x + torch.randn(()), randomness='same')(torch.zeros(3)).unique().numel())
print(vmap(lambda a, b: a @ b, in_dims=(0, 1), out_dims=1)(torch.ones(2, 3), torch.ones(3, 2).unsqueeze(-1)).shape)
print(vmap(lambda d: d['a'] + d['b'], in_dims=({'a': 0, 'b': None},))({'a': torch.arange(3.), 'b': torch.tensor(1.)}))
x = torch.randn(3, requires_grad=True)
print(grad(lambda t: (t ** 3).sum())(x))
print(vmap(lambda t: (t, t * 2), out_dims=(0, 0))(torch.arange(2.)), vmap(torch.sum, chunk_size=2)(torch.ones(4, 2)))
