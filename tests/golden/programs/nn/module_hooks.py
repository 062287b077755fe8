import torch
from torch import nn

lin = nn.Linear(2, 1)
with torch.no_grad():
    lin.weight.copy_(torch.tensor([[1.0, 2.0]]))
    lin.bias.fill_(0.5)
x = torch.tensor([[3.0, 4.0]], requires_grad=True)
h1 = lin.register_forward_pre_hook(lambda m, args: print("pre", args))
h2 = lin.register_forward_hook(lambda m, args, out: print("post", out))
h3 = lin.register_forward_hook(lambda m, args, out: out * 10)
h4 = lin.register_forward_hook(lambda m, args, out: print("first", out), prepend=True)
print(lin(x))
for h in (h1, h2, h3, h4):
    h.remove()
print(lin(x))
lin.register_forward_pre_hook(lambda m, args, kwargs: (args, {}), with_kwargs=True)
lin.register_forward_hook(lambda m, args, kwargs, out: print("kwargs", kwargs), with_kwargs=True)
print(lin(x, nonsense=1))
net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.5)


def watch(name):
    def hook(module, grad_input, grad_output):
        print(name, grad_input, grad_output)

    return hook


for i, layer in enumerate(net):
    layer.register_full_backward_hook(watch(i))
net[1].register_full_backward_pre_hook(lambda m, g: print("pre", g))
y = net(x)
print(y.grad_fn.name())
y.sum().backward()
print(x.grad)
doubled = nn.Linear(2, 1)
with torch.no_grad():
    for p in doubled.parameters():
        p.fill_(1.0)
doubled.register_full_backward_hook(lambda m, gi, go: tuple(g * 2 for g in gi))
x.grad = None
doubled(x).sum().backward()
print(x.grad, doubled.weight.grad)
plain = nn.Linear(2, 1)
plain.register_full_backward_hook(watch("no input grad"))
plain(torch.ones(1, 2)).sum().backward()
handle = nn.modules.module.register_module_forward_hook(lambda m, a, o: print("global", type(m).__name__))
nn.Sequential(nn.ReLU(), nn.Tanh())(torch.ones(1))
handle.remove()
nn.ReLU()(torch.ones(1))
always = nn.Linear(2, 1)
always.register_forward_hook(lambda m, a, o: print("always", o), always_call=True)
try:
    always(torch.ones(1, 3))
except RuntimeError as error:
    print(error)
state = nn.Linear(1, 1, bias=False)
state.register_state_dict_post_hook(lambda m, sd, prefix, meta: print("saved", list(sd), repr(prefix)))
state.register_state_dict_pre_hook(lambda m, prefix, keep: print("saving", repr(prefix), keep))
state.register_load_state_dict_post_hook(lambda m, keys: print("loaded", keys))
state.load_state_dict(state.state_dict())
