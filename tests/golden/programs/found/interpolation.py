import torch
import torch.nn.functional as F


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


ONLY = {"linear": 1, "bilinear": 2, "trilinear": 3, "bicubic": 2}
for d in (1, 2, 3):
    for mode in ("nearest", "nearest-exact", "linear", "bilinear", "trilinear", "bicubic", "area"):
        if ONLY.get(mode, d) != d:
            continue
        x = torch.arange(2.0 * 3**d, dtype=torch.float64).reshape(1, 2, *[3] * d).requires_grad_()
        for options in ({"scale_factor": 2}, {"size": 4}, {"size": 2}, {"scale_factor": 1.7}):
            for corners in ((None, True) if mode in ONLY else (None,)):
                y = F.interpolate(x, mode=mode, align_corners=corners, **options)
                print(d, mode, options, corners, y.grad_fn.name(), y[0, 1].reshape(-1)[:8])
                (g,) = torch.autograd.grad((y**2).sum(), x, create_graph=True)
                print(g[0, 0].reshape(-1)[:9], torch.autograd.grad(g.sum(), x)[0].sum().round(decimals=3))
                if "area" not in mode:
                    v = torch.ones_like(y, requires_grad=True)
                    print(torch.autograd.grad(y, x, v, create_graph=True)[0].grad_fn.name())
print(F.interpolate(torch.tensor([[[1.0, float("inf"), float("nan")]]]), scale_factor=2))
print(F.interpolate(torch.arange(4).to(torch.uint8).view(1, 1, 4), size=7))
attempt(lambda: F.interpolate(torch.ones(2, 3), 2))
attempt(lambda: F.interpolate(torch.ones(2, 3), scale_factor=2))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4)))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4), 2, 2))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4), size=(2, 3)))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4), scale_factor=(2, 3)))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4), size=0))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4, 5), size=(0, 2)))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4, 5, 6), size=(0, 2, 1)))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4).int(), size=2))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4).bool(), size=2))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4), scale_factor=2, mode="bilinear"))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4, 5), scale_factor=2, mode="trilinear"))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4), scale_factor=2, mode="bicubic"))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4), scale_factor=2, mode="foo"))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4, 5, 6, 7), scale_factor=2))
attempt(lambda: F.interpolate(torch.ones(2, 3, 4), 2, mode="nearest", align_corners=True))
