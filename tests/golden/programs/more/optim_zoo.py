import torch
from torch import nn, optim
def run(make, n=4):
    torch.manual_seed(0)
    w = nn.Parameter(torch.tensor([1.0, -2.0, 0.5]))
    b = nn.Parameter(torch.tensor(0.3))
    o = make([w, b])
    for i in range(n):
        def closure():
            o.zero_grad()
            loss = ((w * torch.tensor([1., 2., 3.])).sum() + b - 1) ** 2 + (w ** 2).sum() * 0.1
            loss.backward()
            return loss
        loss = o.step(closure)
    print(type(o).__name__, w.data, b.data, f"{loss.item():.5f}")
    return o
run(lambda p: optim.SGD(p, lr=0.01))
run(lambda p: optim.SGD(p, lr=0.01, momentum=0.9, nesterov=True, weight_decay=0.1))
run(lambda p: optim.Adam(p, lr=0.1))
run(lambda p: optim.Adam(p, lr=0.1, amsgrad=True, weight_decay=0.01))
run(lambda p: optim.AdamW(p, lr=0.1))
run(lambda p: optim.RMSprop(p, lr=0.05, momentum=0.5, centered=True))
run(lambda p: optim.Adagrad(p, lr=0.1))
run(lambda p: optim.Adadelta(p))
run(lambda p: optim.Adamax(p, lr=0.1))
run(lambda p: optim.NAdam(p, lr=0.1))
run(lambda p: optim.RAdam(p, lr=0.1))
run(lambda p: optim.ASGD(p, lr=0.01))
run(lambda p: optim.Rprop(p, lr=0.01))
o = run(lambda p: optim.LBFGS(p, lr=0.5, max_iter=3))
print(o)
o = run(lambda p: optim.SGD([{"params": [p[0]], "lr": 0.1}, {"params": [p[1]]}], lr=0.01, momentum=0.9))
print(o, o.state_dict()["param_groups"], len(o.state_dict()["state"]))
for g in o.param_groups:
    print(g["lr"], len(g["params"]), sorted(k for k in g))
s = optim.lr_scheduler.StepLR(o, step_size=2, gamma=0.5)
for i in range(4):
    o.step(); s.step(); print(s.get_last_lr(), o.param_groups[0]["lr"])
print(s.state_dict())
for mk in (lambda o: optim.lr_scheduler.ExponentialLR(o, 0.9), lambda o: optim.lr_scheduler.CosineAnnealingLR(o, 5), lambda o: optim.lr_scheduler.LambdaLR(o, lambda e: 0.95 ** e), lambda o: optim.lr_scheduler.MultiStepLR(o, [1, 3]), lambda o: optim.lr_scheduler.LinearLR(o), lambda o: optim.lr_scheduler.OneCycleLR(o, 0.1, total_steps=5), lambda o: optim.lr_scheduler.ReduceLROnPlateau(o, patience=0)):
    o = optim.SGD([nn.Parameter(torch.ones(1))], lr=0.1)
    s = mk(o); out = []
    for i in range(4):
        o.step()
        s.step(1.0) if isinstance(s, optim.lr_scheduler.ReduceLROnPlateau) else s.step()
        out.append(round(o.param_groups[0]["lr"], 6))
    print(type(s).__name__, out)
