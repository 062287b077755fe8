import torch
from torch import nn

KINDS = [
    ("Adafactor", {}), ("Adafactor", {"lr": 0.1, "weight_decay": 0.1, "maximize": True}),
    ("Adafactor", {"lr": 0.5, "eps": (1e-6, 0.1), "d": 2.0, "beta2_decay": -0.5}),
    ("Muon", {}), ("Muon", {"lr": 0.1, "nesterov": False, "weight_decay": 0.0}),
    ("Muon", {"lr": 0.05, "momentum": 0.4, "adjust_lr_fn": "match_rms_adamw", "ns_steps": 3}),
]
for name, options in KINDS:
    for shape in [(2, 2), (3, 2), (2, 4)]:
        torch.manual_seed(1)
        w = torch.randn(shape, requires_grad=True)
        idle = torch.ones(1, 1, requires_grad=True)
        others = [torch.tensor([0.5, -1.0], requires_grad=True), torch.tensor(2.0, requires_grad=True)]
        if name == "Muon":
            others = []
        opt = getattr(torch.optim, name)([w, idle, *others], **options)
        for step in range(3):
            opt.zero_grad()
            loss = (w * torch.arange(w.numel()).reshape(shape)).sum() + (w ** 3).sum() * 0.25
            for other in others:
                loss = loss + (other ** 2 * w.mean()).sum()
            loss.backward()
            opt.step()
        print(name, options, w.data, [o.data for o in others], idle.data, w._version)
        print(opt.state[w])
        print(opt.state[others[0]] if others else len(opt.state))
    print(opt)

batch = torch.arange(12.0).reshape(2, 3, 2).requires_grad_()
opt = torch.optim.Adafactor([batch])
(batch ** 2).sum().backward()
opt.step()
print(batch, opt.state[batch])


def attempt(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)


w = torch.ones(2, 2, requires_grad=True)
attempt(lambda: torch.optim.Adafactor([w], lr=-1))
attempt(lambda: torch.optim.Adafactor([w], beta2_decay=0.5))
attempt(lambda: torch.optim.Adafactor([w], eps=(-1, 0.1)))
attempt(lambda: torch.optim.Adafactor([w], eps=(None, -0.1)))
attempt(lambda: torch.optim.Adafactor([w], d=0.5))
attempt(lambda: torch.optim.Adafactor([w], weight_decay=-1))
attempt(lambda: torch.optim.Adafactor([w], lr=torch.ones(2)))
attempt(lambda: torch.optim.Muon([w], lr=-1))
attempt(lambda: torch.optim.Muon([w], momentum=-1))
attempt(lambda: torch.optim.Muon([w], weight_decay=-1))
attempt(lambda: torch.optim.Muon([w], adjust_lr_fn="none"))
attempt(lambda: torch.optim.Muon(nn.Linear(2, 3).parameters()))
w.sum().backward()
attempt(lambda: torch.optim.Muon([w], ns_steps=100).step())
attempt(lambda: torch.optim.Muon([w], ns_coefficients=(1.0, 2.0)).step())
opt = torch.optim.Muon([w], lr=torch.tensor(0.1))
print(opt.step(lambda: w.sum()), w)
