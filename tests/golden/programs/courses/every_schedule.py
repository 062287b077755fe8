import torch
from torch.optim import lr_scheduler as L
def run(make, n=8, **kw):
    p = torch.nn.Parameter(torch.ones(1))
    o = torch.optim.SGD([p], lr=0.1, momentum=0.9)
    s = make(o)
    out = []
    for i in range(n):
        o.step()
        s.step(*([1.0] if isinstance(s, L.ReduceLROnPlateau) else []))
        out.append(round(o.param_groups[0]["lr"], 6))
    print(type(s).__name__, out)
    return s
run(lambda o: L.StepLR(o, 3, gamma=0.5))
run(lambda o: L.MultiStepLR(o, [2, 5]))
run(lambda o: L.ExponentialLR(o, 0.9))
run(lambda o: L.ConstantLR(o, 0.5, 3))
run(lambda o: L.LinearLR(o, 0.1, 1.0, 4))
run(lambda o: L.CosineAnnealingLR(o, 5))
run(lambda o: L.CosineAnnealingWarmRestarts(o, 3, 2))
run(lambda o: L.PolynomialLR(o, 5, 2.0))
run(lambda o: L.LambdaLR(o, lambda e: 0.95 ** e))
run(lambda o: L.MultiplicativeLR(o, lambda e: 0.9))
run(lambda o: L.CyclicLR(o, 0.01, 0.1, step_size_up=2))
run(lambda o: L.OneCycleLR(o, 0.5, total_steps=10))
run(lambda o: L.ReduceLROnPlateau(o, patience=1))
run(lambda o: L.SequentialLR(o, [L.ConstantLR(o, 0.1, 2), L.ExponentialLR(o, 0.9)], [3]))
run(lambda o: L.ChainedScheduler([L.ConstantLR(o, 0.1, 2), L.ExponentialLR(o, 0.9)]))
s = run(lambda o: L.StepLR(o, 3))
print(s.get_last_lr(), s.state_dict())
print(s.last_epoch)
