import torch


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


a, b = torch.zeros(2, 3), torch.arange(4.0)
print(a.set_(b) is a, a, a.shape, a._version, b._version)
a[0] = 9
print(b, a._version, b._version)
print(a.set_(b, 1, (2,), (2,)), a.set_(b, 0, (2, 2)), a.is_contiguous(), a._version)
print(a.set_(), a.shape, a.dtype)
for kind in (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool, torch.float16, torch.float64):
    attempt(lambda: torch.ones(1).set_(torch.ones(1).to(kind)))
w = torch.ones(2, requires_grad=True)
attempt(lambda: w.set_(b))
attempt(lambda: w[:1].set_(b))
print(w.detach().set_(b), w)
with torch.no_grad():
    w.set_(b)
print(w, w._version, w.is_leaf, w.requires_grad)
y = w * 1
print(y.set_(b), y.grad_fn.name(), y._version)
attempt(lambda: y.sum().backward())
z = torch.ones(4)
print(z.set_(w), z.requires_grad, z.is_leaf, [e[0].name() for e in z.grad_fn.next_functions if e[0]])
attempt(lambda: z.sum().backward())
c = torch.ones(3, requires_grad=True)
d = c.clone()
e = (d * d).sum()
with torch.no_grad():
    d.set_(torch.zeros(3))
attempt(lambda: e.backward())
