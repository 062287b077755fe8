import torch
import torch.nn as nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
acts = {}
def get(name):
    def hook(module, inp, out):
        acts[name] = out.detach()
        print(name, type(module).__name__, [tuple(i.shape) for i in inp], tuple(out.shape))
    return hook
handles = [m.register_forward_hook(get(n)) for n, m in model.named_children()]
x = torch.ones(2, 3, requires_grad=True)
out = model(x)
print(acts['1'])
for h in handles:
    h.remove()
def bw(module, gin, gout):
    print(type(module).__name__, [None if g is None else tuple(g.shape) for g in gin], [tuple(g.shape) for g in gout])
hs = [m.register_full_backward_hook(bw) for m in model]
model(x).sum().backward()
for h in hs: h.remove()
pre = model.register_forward_pre_hook(lambda m, args: (args[0] * 2,))
print(model(x))
pre.remove()
g = []
t = torch.tensor([1., 2.], requires_grad=True)
h = t.register_hook(lambda gr: gr * 10)
(t * 3).sum().backward()
print(t.grad)
h.remove()
u = t * 2
u.register_hook(lambda gr: print("u grad", gr))
u.retain_grad()
(u ** 2).sum().backward()
print(u.grad, t.grad)
u2 = (t * 2)
u2.grad_fn.register_hook(lambda gi, go: print("node", gi, go))
u2.grad_fn.register_prehook(lambda go: print("pre", go))
u2.sum().backward()
p = nn.Parameter(torch.ones(2))
p.register_post_accumulate_grad_hook(lambda q: print("acc", q.grad))
(p * 3).sum().backward()
h1 = torch.autograd.graph.register_multi_grad_hook([t, p], lambda gs: print("multi", gs))
(t.sum() + p.sum()).backward()
with torch.autograd.graph.save_on_cpu():
    (t.exp()).sum().backward()
print(torch.autograd.graph.get_gradient_edge(t * 2))
print(torch.autograd.graph.get_gradient_edge(t).node.name())
