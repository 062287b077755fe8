import torch

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
x = torch.tensor([1.0, 2.0], requires_grad=True)
def with_hook(hook):
    y = x * 2
    y.register_hook(hook)
    y.sum().backward()
    return x.grad
attempt(lambda: with_hook(lambda g: g[:1]))
attempt(lambda: with_hook(lambda g: "no"))
attempt(lambda: with_hook(lambda g: g.double()))
attempt(lambda: with_hook(lambda: None))
attempt(lambda: with_hook(lambda g: 1 / 0))
attempt(lambda: with_hook(3))
attempt(lambda: (x * 2).register_post_accumulate_grad_hook(print))
attempt(lambda: torch.ones(1).register_post_accumulate_grad_hook(print))
attempt(lambda: x.register_hook())
def change_in_place(g):
    g.mul_(2)
y = x * 2
y.register_hook(change_in_place)
attempt(lambda: (y * torch.tensor([1.0, 5.0])).sum().backward())
print(x.grad)
y = x * 2
y.register_hook(change_in_place)
attempt(lambda: y.sum().backward())
