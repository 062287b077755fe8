import torch

x = torch.tensor([1.0, 4.0], requires_grad=True)
w = torch.tensor([2.0, 0.5], requires_grad=True)
for y in (x * w, x / w, x ** 2, x.exp(), x.sqrt(), x.sum(), x.mean(), x.clamp(0, 2), x.max(), x.sum(0), x.view(2, 1), x[0], torch.cat([x, w]), x @ w, torch.where(x > 2, x, w)):
    print(y.grad_fn.name())
    for n in ("_saved_self", "_saved_other", "_saved_result"):
        v = getattr(y.grad_fn, n, None)
        if isinstance(v, torch.Tensor):
            print("   ", n, v.detach(), v is x, v is w, v is y)
