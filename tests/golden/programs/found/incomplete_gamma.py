import torch


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


a = torch.tensor([0.5, 2.0, 5.0])
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
for f in (torch.igamma, torch.igammac):
    y = f(a, x)
    print(y, y.grad_fn.name(), y.grad_fn.next_functions[0], y.grad_fn._saved_self, y.grad_fn._saved_other)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    print(g, torch.autograd.grad(g.sum(), x))
    special = torch.tensor([0.0, 0.0, -1.0, 1, float("inf"), float("inf"), 2, 300, 1e5, float("nan"), 3.0, 1e-3])
    print(f(special, torch.tensor([0.0, 1, 1, -1, 1, float("inf"), float("inf"), 310, 1e5 + 100, 1.0, 0.0, 1e-4])))
    grid = torch.linspace(0.1, 40, 9, dtype=torch.float64)
    torch.set_printoptions(precision=7)
    print(f(grid[:, None], grid[None, ::2]))
    torch.set_printoptions(profile="default")
    b = a.clone().requires_grad_()
    attempt(lambda: f(b, x).sum().backward())
    attempt(lambda: f(b, a).grad_fn.name())
    attempt(lambda: f(torch.tensor(2), torch.tensor(3)))
    attempt(lambda: f(torch.tensor([2]), torch.tensor(3.0)))
    attempt(lambda: f(a, a.double()))
    attempt(lambda: f(2.0, a))
    attempt(lambda: f(a, 2.0))
    attempt(lambda: f(a, torch.ones(2)))
print(torch.special.gammainc(a, a), torch.special.gammaincc(a, a))
print(a.clone().igamma_(a), a.igammac(a))
for f in (torch.igamma, torch.igammac, torch.logaddexp, torch.logaddexp2):
    for _ in range(4):
        f(a, a)
    attempt(lambda: f(a, 2.0))
    attempt(lambda: f(2.0, a))
