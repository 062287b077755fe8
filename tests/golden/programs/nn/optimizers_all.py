import torch

OPTIONS = {
    "SGD": [{"lr": 0.1}, {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01}, {"lr": 0.1, "momentum": 0.9, "nesterov": True},
            {"lr": 0.1, "momentum": 0.5, "dampening": 0.5, "maximize": True}],
    "Adam": [{}, {"lr": 0.1, "betas": (0.5, 0.9), "eps": 1e-3}, {"lr": 0.1, "weight_decay": 0.1, "amsgrad": True}, {"lr": 0.1, "maximize": True}],
    "AdamW": [{"lr": 0.1}, {"lr": 0.1, "weight_decay": 0.5, "amsgrad": True}],
    "RMSprop": [{"lr": 0.1}, {"lr": 0.1, "momentum": 0.9, "centered": True, "weight_decay": 0.1}],
    "Adagrad": [{"lr": 0.5}, {"lr": 0.5, "lr_decay": 0.1, "initial_accumulator_value": 0.5, "weight_decay": 0.1}],
    "Adadelta": [{}, {"lr": 0.5, "rho": 0.5, "weight_decay": 0.1}],
    "Adamax": [{"lr": 0.1}, {"lr": 0.1, "weight_decay": 0.1}],
    "NAdam": [{"lr": 0.1}, {"lr": 0.1, "weight_decay": 0.1, "decoupled_weight_decay": True}],
    "RAdam": [{"lr": 0.1}, {"lr": 0.1, "betas": (0.5, 0.75), "weight_decay": 0.1}],
    "ASGD": [{"lr": 0.1}, {"lr": 0.1, "lambd": 0.1, "t0": 2, "weight_decay": 0.1}],
    "Rprop": [{"lr": 0.1}, {"lr": 0.1, "etas": (0.25, 2.0), "step_sizes": (0.01, 0.5)}],
}
for name, kinds in OPTIONS.items():
    for options in kinds:
        w = torch.tensor([[1.0, -2.0], [0.5, 3.0]], requires_grad=True)
        b = torch.tensor(0.25, requires_grad=True)
        idle = torch.tensor([1.0], requires_grad=True)
        opt = getattr(torch.optim, name)([w, b, idle], **options)
        for step in range(4):
            opt.zero_grad()
            ((w * torch.tensor([1.0, 0.5])).sum() + b * w.mean() ** 2 + (w ** 2).sum() * 0.25).backward()
            opt.step()
        print(name, options, w.data, b.data, idle.data)
        print(list(opt.state[w]), [v for k, v in opt.state[b].items() if k != "step"][:1], len(opt.state))
        print(opt)
