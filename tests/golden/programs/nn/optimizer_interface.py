import torch
from torch import nn, optim

w = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0], requires_grad=True)


def attempt(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__, error)


attempt(lambda: optim.SGD([w], lr=-1.0))
attempt(lambda: optim.SGD([w], momentum=-1.0))
attempt(lambda: optim.SGD([w], weight_decay=-1.0))
attempt(lambda: optim.SGD([w], nesterov=True))
attempt(lambda: optim.SGD([]))
attempt(lambda: optim.SGD(w))
attempt(lambda: optim.SGD([w * 2]))
attempt(lambda: optim.SGD([1.0]))
attempt(lambda: optim.SGD({w, b}))
attempt(lambda: optim.SGD([{"params": {w}}]))
attempt(lambda: optim.SGD([{"params": [w]}, {"params": [w]}]))
attempt(lambda: optim.SGD([("a", w), b]))
attempt(lambda: optim.SGD([("a", w), ("b", b)]))
attempt(lambda: optim.Adam([w], lr=-1.0))
attempt(lambda: optim.Adam([w], betas=(1.0, 0.9)))
attempt(lambda: optim.Adam([w], betas=(0.9, -0.5)))
attempt(lambda: optim.Adam([w], eps=-1.0))
attempt(lambda: optim.Adam([w], weight_decay=-1.0))
attempt(lambda: optim.Adam([w], betas=(0, 0)))
attempt(lambda: optim.RMSprop([w], alpha=-1.0))
attempt(lambda: optim.Adagrad([w], lr_decay=-1.0))
attempt(lambda: optim.Adadelta([w], rho=2.0))
attempt(lambda: optim.Rprop([w], etas=(2.0, 1.0)))
attempt(lambda: optim.NAdam([w], momentum_decay=-1.0))
attempt(lambda: optim.LBFGS([{"params": [w]}, {"params": [b]}]))
attempt(lambda: optim.Optimizer([w], {}).step())

opt = optim.SGD([{"params": w, "lr": 0.5}], lr=0.1, momentum=0.9)
opt.add_param_group({"params": [b], "momentum": 0.0})
attempt(lambda: opt.add_param_group([b]))
attempt(lambda: opt.add_param_group({"params": [b]}))
print(opt)
(w.sum() * b).sum().backward()
opt.step()
state = opt.state_dict()
print(state)
w2 = torch.tensor([1.0, 2.0], requires_grad=True)
b2 = torch.tensor([3.0], requires_grad=True)
other = optim.SGD([{"params": [w2]}, {"params": [b2]}], lr=9.0)
other.load_state_dict(state)
print(other.param_groups[0]["lr"], other.state[w2])
attempt(lambda: optim.SGD([w2], lr=1.0).load_state_dict(state))
attempt(lambda: optim.SGD([{"params": [w2, b2]}, {"params": [w]}], lr=1.0).load_state_dict(state))
for g in other.param_groups:
    g["lr"] = 0.25
w2.grad = torch.tensor([1.0, 1.0])
other.step()
print(w2, b2, other.step())


class Halve(optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {"rate": 0.5})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                p.mul_(group["rate"])


h = Halve([w])
handle = h.register_step_pre_hook(lambda o, args, kwargs: print("before", type(o).__name__, len(args), kwargs))
h.register_step_post_hook(lambda o, args, kwargs: print("after"))
h.step()
handle.remove()
h.step()
print(h, w)


def closure():
    opt.zero_grad()
    loss = ((w - 1) ** 2).sum() + (b ** 2).sum()
    loss.backward()
    return loss


print(opt.step(closure))
with torch.no_grad():
    print(opt.step(closure).requires_grad)
version = w._version
opt.step()
print(w._version - version, w.is_leaf, w.grad_fn)
p = nn.Parameter(torch.tensor(2.0))
o = optim.SGD([p], lr=0.5)
(p * p).backward()
o.step()
print(p, p.item(), o.state)
loss = p * 3
o2 = optim.SGD([p], lr=1.0)
y = p * p
y.backward(retain_graph=True)
o2.step()
attempt(lambda: y.backward())
