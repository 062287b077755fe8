import warnings

import torch
from torch.optim import lr_scheduler as s

MADE = """
StepLR(o, 2, 0.5)
MultiStepLR(o, [2, 2, 5], 0.5)
ConstantLR(o, 0.5, 3)
LinearLR(o, 0.25, 0.75, 4)
ExponentialLR(o, 0.9)
PolynomialLR(o, 4, 2.0)
CosineAnnealingLR(o, 4, 0.01)
CosineAnnealingWarmRestarts(o, 3, 2, 0.01)
LambdaLR(o, lambda e: 1 / (e + 1))
LambdaLR(o, [lambda e: 0.5**e])
MultiplicativeLR(o, lambda e: 0.9)
MultiplicativeLR(o, 3)
OneCycleLR(o, 1.0, 8)
OneCycleLR(o, [1.0, 2.0], epochs=3, steps_per_epoch=3, anneal_strategy="linear", three_phase=True)
OneCycleLR(o, 1.0)
OneCycleLR(o, 1.0, 2)
CyclicLR(o, 0.1, 1.0, 3)
CyclicLR(o, 0.1, 1.0, 2, 4, mode="triangular2")
CyclicLR(o, 0.1, 1.0, 2, mode="exp_range", gamma=0.9)
SequentialLR(o, [s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.9)], [3])
SequentialLR(o, [s.LinearLR(o, 0.1, total_iters=2), s.CosineAnnealingLR(o, 5)], milestones=[2])
SequentialLR(o, [s.ExponentialLR(o, 0.9)], [3])
ChainedScheduler([s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.9)])
StepLR(3, 2)
LinearLR(o, 2.0)
ConstantLR(o, 2.0)
StepLR(o, 2, last_epoch=3)
CosineAnnealingWarmRestarts(o, 0)
ReduceLROnPlateau(o, factor=2)
ReduceLROnPlateau(o, "foo")
""".strip().split("\n")
for text in MADE:
    a = torch.tensor([1.0], requires_grad=True)
    b = torch.tensor([1.0], requires_grad=True)
    o = torch.optim.SGD([{"params": [a]}, {"params": [b], "lr": 0.5}], lr=0.1, momentum=0.9)
    print(text)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            schedule = eval("s." + text)
            seen = [schedule.get_last_lr()]
            for _ in range(7):
                schedule.step()
                o.step()
                seen.append(list(schedule.get_last_lr()))
            print(seen, [str(w.message) for w in caught], o.param_groups[0]["momentum"])
    except Exception as error:
        print(type(error).__name__, error)
for mode in ("min", "max"):
    o = torch.optim.SGD([a], lr=1.0)
    schedule = s.ReduceLROnPlateau(o, mode, factor=0.5, patience=1, cooldown=1, threshold=0.1, min_lr=0.1)
    for v in (3, 2, 2, 2, 1.95, 1.9, 5, 5, 5, 5, 5, 5, 5, 5):
        schedule.step(v)
        print(schedule.get_last_lr(), schedule.num_bad_epochs, schedule.cooldown_counter, schedule.best)
    print(schedule.state_dict())
print(s.StepLR(o, 3).state_dict())
