import torch
import torch.nn.functional as F

p = torch.tensor([[0.2, -1.0, 3.0], [1.0, 0.0, -0.5]], requires_grad=True)
t = torch.tensor([[0.0, -1.0, 1.0], [2.0, 0.5, -0.5]])
for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "soft_margin_loss", "poisson_nll_loss", "hinge_embedding_loss"):
    for r in ("mean", "sum", "none"):
        p.grad = None
        y = getattr(F, name)(p, t, reduction=r)
        y.sum().backward()
        print(name, r, y.detach(), p.grad[0], y.grad_fn.name())
for f in (lambda: F.mse_loss(p, t, reduction="avg"), lambda: F.mse_loss(p, t[0]).item(), lambda: F.mse_loss(p, torch.ones(2, 2)), lambda: F.l1_loss(p, 3.0), lambda: F.mse_loss(torch.tensor([1, 2]), torch.tensor([1, 3]))):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
