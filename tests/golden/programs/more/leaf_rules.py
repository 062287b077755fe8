import torch

a = torch.ones(2)
print(a.is_leaf, a.requires_grad, a.grad_fn)
a.requires_grad_()
b = a * 2
print(b.is_leaf, b.retains_grad, b.requires_grad)
c = b.detach()
print(c.is_leaf, c.requires_grad)
for f in (lambda: b.requires_grad_(False), lambda: setattr(b, "requires_grad", False), lambda: torch.tensor([1]).requires_grad_(), lambda: torch.ones(1, dtype=torch.int32, requires_grad=True),
          lambda: a.backward(), lambda: c.sum().backward(), lambda: setattr(a, "grad", torch.ones(3)), lambda: setattr(a, "grad", torch.ones(2, dtype=torch.float64)), lambda: setattr(a, "grad", 1.0),
          lambda: setattr(a, "is_leaf", True), lambda: b.retain_grad(), lambda: torch.ones(1).retain_grad(), lambda: setattr(a, "requires_grad", "yes")):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
with torch.no_grad():
    d = a * 2
    e = a.view(2)
print(d.requires_grad, e.requires_grad, e.is_leaf)
a.requires_grad = False
print((a * 2).requires_grad)
