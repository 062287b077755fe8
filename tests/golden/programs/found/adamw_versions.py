"""AdamW writes its parameter twice a step: its version counter says so."""

import torch

for kind, options in (("AdamW", {}), ("AdamW", {"weight_decay": 0}), ("Adam", {}), ("SGD", {})):
    p = torch.ones(2, requires_grad=True)
    optimizer = getattr(torch.optim, kind)([p], lr=0.1, **options)
    for _ in range(2):
        (p * p).sum().backward()
        optimizer.step()
    print(kind, options, p._version, p)
