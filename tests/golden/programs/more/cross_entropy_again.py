import torch
import torch.nn.functional as F

x = torch.tensor([[2.0, 0.5, -1.0], [0.0, 0.0, 0.0]], requires_grad=True)
t = torch.tensor([0, 2])
for kw in ({}, {"reduction": "sum"}, {"reduction": "none"}, {"label_smoothing": 0.2}, {"weight": torch.tensor([1.0, 2.0, 3.0])}, {"ignore_index": 2}):
    x.grad = None
    y = F.cross_entropy(x, t, **kw)
    y.sum().backward()
    print(list(kw), y, x.grad)
print(F.cross_entropy(x, torch.tensor([[0.1, 0.2, 0.7], [1.0, 0.0, 0.0]])), F.nll_loss(F.log_softmax(x, 1), t), F.cross_entropy(x[0], torch.tensor(1)))
z = torch.tensor([0.3, -2.0], requires_grad=True)
b = torch.tensor([1.0, 0.0])
print(F.binary_cross_entropy_with_logits(z, b), F.binary_cross_entropy(z.sigmoid(), b), F.binary_cross_entropy_with_logits(z, b, pos_weight=torch.tensor(3.0)))
for f in (lambda: F.cross_entropy(x, torch.tensor([0, 3])), lambda: F.cross_entropy(x, torch.tensor([0])), lambda: F.cross_entropy(x, torch.tensor([0.0, 1.0])), lambda: F.binary_cross_entropy(z, b),
          lambda: F.binary_cross_entropy(z.sigmoid(), torch.ones(3)), lambda: F.nll_loss(x, torch.tensor([[0], [1]])), lambda: F.cross_entropy(x, t, ignore_index=0, reduction="mean"), lambda: F.cross_entropy(x, t.int())):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
