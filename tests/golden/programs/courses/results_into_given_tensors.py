"""Results written into tensors given with `out=`, and functions that end in `_`."""

import torch


def show(source):
    try:
        print(source, "->", eval(source))
    except Exception as error:
        print(source, "!", type(error).__name__, error)


a = torch.arange(4.0).reshape(2, 2)
c = torch.zeros(2, 2)
torch.manual_seed(1729)
show("torch.matmul(a, a, out=c) is c")
show("torch.rand(2, 2, out=c)")
show("torch.zeros(2, 2, out=c)")
show("torch.ones(3, out=torch.empty(0))")
show("torch.arange(5, out=torch.empty(0))")
show("torch.full((2, 2), 3.0, out=c)")
show("torch.eye(2, out=c)")
show("torch.randperm(4, out=torch.empty(0, dtype=torch.long))")
show("torch.sort(a, out=(torch.empty(0), torch.empty(0, dtype=torch.long)))")
show("torch.topk(a, 1, out=(torch.empty(0), torch.empty(0, dtype=torch.long)))")
show("torch.linalg.qr(torch.eye(2), out=(torch.empty(0), torch.empty(0)))[1]")
show("torch.linalg.qr(a, out=3)")
show("torch.pow(a, 2, out=c)")
show("torch.where(a > 1, a, -a, out=c)")
show("torch.vstack([a, a], out=torch.empty(0))")
show("torch.matmul(a.clone().requires_grad_(), a, out=c)")
show("torch.add(a, 1, out=torch.empty(0, dtype=torch.long))")
for name in "sin_ cos_ exp_ neg_ reciprocal_ erf_ relu_ abs_ sqrt_ log_ tanh_ sigmoid_ square_".split():
    x = torch.tensor([0.5, 0.25])
    print(name, getattr(torch, name)(x) is x, x)
x = torch.tensor([1.0, 2.0], requires_grad=True)
show("torch.sin_(x)")
for name in "greater_ less_equal_ not_equal_ negative_ arctan2_".split():
    x = torch.tensor([0.5, 2.0])
    print(name, getattr(x, name)(*() if name == "negative_" else (torch.ones(2),)))

# what may be asked for a second time, and what may not
for name, function in {
    "sgn": torch.sgn,
    "div trunc": lambda t: torch.div(t, t, rounding_mode="trunc"),
    "lerp": lambda t: torch.lerp(t, t * 1.0, 0.5),
    "xlogy": lambda t: torch.xlogy(t, 4.0),
    "index_put": lambda t: t.index_put((torch.tensor([0]),), torch.tensor(3.0)),
    "avg_pool": lambda t: torch.nn.functional.avg_pool1d(t[None], 2),
    "matrix_power": lambda t: torch.linalg.matrix_power(t[:, None] * 1.0 + t, 1),
}.items():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = function(x)
    y.sum().backward()
    print(name, y.grad_fn.name(), x.grad)
    try:
        y.sum().backward()
        print("again", x.grad)
    except RuntimeError as error:
        print(str(error)[:70])
