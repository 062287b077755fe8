import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.tensor([[1.0, 2.0, 6.0], [0.0, -1.0, 1.0]], requires_grad=True)
for m in (nn.LayerNorm(3), nn.LayerNorm(3, elementwise_affine=False), nn.BatchNorm1d(3), nn.BatchNorm1d(3, momentum=0.5, affine=False), nn.RMSNorm(3)):
    x.grad = None
    y = m(x)
    (y * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    print(y, x.grad, [p.grad for p in m.parameters()], [b for b in m.buffers()])
m.eval()
bn = nn.BatchNorm1d(3).eval()
print(bn(x))
print(F.group_norm(torch.arange(8.0).reshape(1, 4, 2), 2), F.instance_norm(torch.arange(6.0).reshape(1, 2, 3)), F.normalize(x, dim=1), F.rms_norm(x, (3,)))
for f in (lambda: nn.LayerNorm(2)(x), lambda: nn.BatchNorm1d(2)(x), lambda: nn.BatchNorm1d(3)(x[:1]), lambda: nn.BatchNorm1d(3)(x[0]), lambda: F.group_norm(torch.ones(1, 3), 2)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
