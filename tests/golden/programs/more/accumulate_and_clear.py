import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
for k in range(3):
    (w * (k + 1)).sum().backward()
    print(w.grad, w.grad.requires_grad)
kept = w.grad
w.grad.zero_()
(w ** 2).sum().backward()
print(kept is w.grad, kept)
w.grad = None
(w ** 2).sum().backward()
print(kept, w.grad)
w.grad = torch.tensor([100.0, 100.0])
w.sum().backward()
print(w.grad)
g = w.grad
w.sum().backward(create_graph=True)
print(g is w.grad, w.grad)
del w.grad
print(w.grad)
