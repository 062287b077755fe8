import torch

w = torch.ones(2, requires_grad=True)
v = torch.ones(1, requires_grad=True)
opt = torch.optim.SGD([{"params": [w]}, {"params": v, "lr": 0.5}], lr=0.1, momentum=0.9)
print(opt)
print(len(opt.param_groups), opt.param_groups[1]["lr"], opt.defaults["lr"], opt.state_dict()["param_groups"][0]["params"])
(w.sum() + v.sum()).backward()
opt.step()
print(w, v, len(opt.state), {k: list(s) for k, s in opt.state_dict()["state"].items()})
opt.zero_grad(set_to_none=False)
print(w.grad, v.grad)
opt.add_param_group({"params": torch.zeros(1, requires_grad=True)})
print(len(opt.param_groups))
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: torch.optim.SGD([w], lr=-1))
attempt(lambda: torch.optim.SGD([], lr=0.1))
attempt(lambda: torch.optim.SGD(w, lr=0.1))
attempt(lambda: torch.optim.SGD([w * 2], lr=0.1))
attempt(lambda: torch.optim.SGD([1.0], lr=0.1))
attempt(lambda: torch.optim.SGD([w, w], lr=0.1))
attempt(lambda: torch.optim.Adam([w], betas=(1.0, 0.9)))
attempt(lambda: torch.optim.Adam([w], eps=-1))
attempt(lambda: torch.optim.SGD([w], lr=0.1, nesterov=True))
attempt(lambda: torch.optim.RMSprop([w], alpha=-1))
attempt(lambda: opt.add_param_group({"params": [w]}))
def closure():
    opt.zero_grad()
    loss = (w ** 2).sum()
    loss.backward()
    return loss
print(opt.step(closure))
lb = torch.optim.LBFGS([w], lr=0.5, max_iter=3)
print(lb.step(closure), w)
