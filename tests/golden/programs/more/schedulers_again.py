import torch
from torch.optim import lr_scheduler as S

def trace(make, steps=6, **kw):
    w = torch.ones(1, requires_grad=True)
    opt = torch.optim.SGD([w], lr=1.0)
    s = make(opt)
    out = []
    for k in range(steps):
        out.append(round(opt.param_groups[0]["lr"], 5))
        opt.step()
        s.step(*((1.0,) if isinstance(s, S.ReduceLROnPlateau) else ()))
    print(type(s).__name__, out, getattr(s, "last_epoch", None))
trace(lambda o: S.StepLR(o, 2, gamma=0.5))
trace(lambda o: S.MultiStepLR(o, [1, 4], gamma=0.1))
trace(lambda o: S.ExponentialLR(o, 0.9))
trace(lambda o: S.CosineAnnealingLR(o, 5, eta_min=0.1))
trace(lambda o: S.LambdaLR(o, lambda e: 1 / (1 + e)))
trace(lambda o: S.LinearLR(o, start_factor=0.5, total_iters=4))
trace(lambda o: S.ConstantLR(o, factor=0.3, total_iters=2))
trace(lambda o: S.PolynomialLR(o, total_iters=4, power=2))
trace(lambda o: S.ReduceLROnPlateau(o, patience=1, factor=0.5))
trace(lambda o: S.OneCycleLR(o, 2.0, total_steps=8))
trace(lambda o: S.CyclicLR(o, 0.1, 1.0, step_size_up=2))
trace(lambda o: S.SequentialLR(o, [S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.5)], [2]))
trace(lambda o: S.CosineAnnealingWarmRestarts(o, 3))
opt = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
s = S.StepLR(opt, 2)
print(s.get_last_lr(), s.state_dict()["step_size"])
