import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
z = y * 3
log = []
x.register_hook(lambda g: log.append(("x", g.tolist())))
y.register_hook(lambda g: log.append(("y", g.tolist())))
y.register_hook(lambda g: g * 10)
y.register_hook(lambda g: log.append(("y again", g.tolist())))
y.retain_grad()
y.register_hook(lambda g: g + 1)
z.grad_fn.register_hook(lambda gi, go: log.append(("z node", [t is not None and t.tolist() for t in gi], [t.tolist() for t in go])))
z.grad_fn.register_prehook(lambda go: (go[0] * 2,))
x.register_post_accumulate_grad_hook(lambda t: log.append(("post", t.grad.tolist())))
h = z.register_hook(lambda g: log.append("removed"))
h.remove()
z.sum().backward()
for entry in log:
    print(entry)
print(x.grad, y.grad)
