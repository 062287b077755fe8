import torch
x = torch.tensor([1., 2.], requires_grad=True)
y = torch.tensor([3., 4.], requires_grad=True)
for f in (lambda: x * y, lambda: x.exp(), lambda: x.sigmoid(), lambda: x ** 2, lambda: x / y, lambda: x.sum(), lambda: x.relu(), lambda: x @ y, lambda: x.sin(), lambda: x.log(), lambda: x.tanh(), lambda: x.sqrt(), lambda: x.mean(), lambda: x.softmax(0), lambda: x.max(), lambda: x.clamp(0, 1), lambda: x.view(2, 1), lambda: x[0], lambda: x.abs(), lambda: torch.cat([x, y]), lambda: x.prod(), lambda: x.norm(), lambda: torch.nn.functional.mse_loss(x, y)):
    r = f()
    names = [n for n in dir(r.grad_fn) if n.startswith("_saved")]
    print(r.grad_fn.name(), names)
    for n in names:
        v = getattr(r.grad_fn, n)
        print("  ", n, v if not isinstance(v, torch.Tensor) else (v.tolist(), v.grad_fn is None))
r = x.exp(); r.sum().backward()
try:
    r.grad_fn._saved_result
except RuntimeError as e:
    print(e)
with torch.autograd.graph.saved_tensors_hooks(lambda t: (print("pack", t), t)[1], lambda t: (print("unpack", t), t)[1]):
    z = (x * y).exp().sum()
z.backward()
with torch.autograd.graph.save_on_cpu():
    (x * x).sum().backward()
print(x.grad)
