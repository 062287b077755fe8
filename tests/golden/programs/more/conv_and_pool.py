import torch
import torch.nn.functional as F

x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
w = torch.tensor([[[[1.0, 0.0], [0.0, -1.0]]]], requires_grad=True)
for kw in ({}, {"stride": 2}, {"padding": 1}, {"bias": torch.tensor([0.5])}, {"dilation": 2}, {"padding": "same"}):
    x.grad = w.grad = None
    y = F.conv2d(x, w, **kw)
    y.sum().backward()
    print(list(kw), y.shape, y.flatten()[:3].detach(), x.grad.sum(), w.grad.flatten(), y.grad_fn.name())
for f in (lambda: F.max_pool2d(x, 2), lambda: F.avg_pool2d(x, 2), lambda: F.max_pool2d(x, 2, stride=1), lambda: F.adaptive_avg_pool2d(x, 1), lambda: F.avg_pool2d(x, 3, padding=1)):
    x.grad = None
    y = f()
    y.sum().backward()
    print(y.detach().flatten()[:4], x.grad.flatten()[:6], y.grad_fn.name())
c = F.conv1d(torch.ones(1, 2, 5), torch.ones(3, 2, 2), groups=1)
print(c.shape, c[0, 0], F.conv1d(torch.ones(1, 2, 5), torch.ones(2, 1, 2), groups=2)[0])
print(F.conv_transpose2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2)), F.max_pool1d(torch.tensor([[1.0, 3.0, 2.0, 4.0]]), 2))
for f in (lambda: F.conv2d(x, torch.ones(1, 2, 2, 2)), lambda: F.conv2d(torch.ones(2), w), lambda: F.conv2d(x, torch.ones(1, 1, 5, 5)), lambda: F.max_pool2d(torch.ones(2, 2), 2), lambda: F.conv1d(torch.ones(1, 1, 3), torch.ones(1, 1, 2, 2))):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
