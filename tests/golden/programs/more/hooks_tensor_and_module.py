import torch
from torch import nn
torch.manual_seed(2)
x = torch.tensor([1., 2., 3.], requires_grad=True)
y = x * 2
h = y.register_hook(lambda g: print("y grad", g))
z = y.sum()
z.backward()
h.remove()
(x * 2).sum().backward()
print(x.grad)
net = nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1))
acts = {}
def get(name):
    def hook(module, inp, out):
        acts[name] = out.detach()
    return hook
for n, m in net.named_children():
    m.register_forward_hook(get(n))
def bw(module, gi, go):
    print(module.__class__.__name__, [None if g is None else tuple(g.shape) for g in gi], [tuple(g.shape) for g in go])
for m in net:
    m.register_full_backward_hook(bw)
out = net(torch.randn(4, 3))
print({k: tuple(v.shape) for k, v in acts.items()})
out.mean().backward()
w = torch.tensor([1., 2.], requires_grad=True)
w.register_hook(lambda g: g * 10)
w.register_post_accumulate_grad_hook(lambda p: print("acc", p.grad))
(w ** 2).sum().backward()
print(w.grad)
try:
    torch.ones(2).register_hook(print)
except RuntimeError as e:
    print(e)
try:
    (w * 2).register_post_accumulate_grad_hook(print)
except RuntimeError as e:
    print(e)
