import torch

x = torch.tensor([1.0, 4.0], requires_grad=True)
w = torch.tensor([2.0, 0.5], requires_grad=True)
for y in (x * w, x / w, x ** 2, x.exp(), x.sqrt(), x.sum(), x.mean(), x.clamp(0, 2), x.max(), x.sum(0), x.view(2, 1), x[0], torch.cat([x, w]), x @ w, torch.where(x > 2, x, w)):
    names = [n for n in dir(y.grad_fn) if n.startswith("_saved")]
    print(y.grad_fn.name(), names)
    for n in names:
        v = getattr(y.grad_fn, n)
        print("   ", n, v if not isinstance(v, torch.Tensor) else (v.detach(), v is x, v is w, v is y))
