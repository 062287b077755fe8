import torch
x1 = torch.Tensor([2.0]).double(); x1.requires_grad = True
x2 = torch.Tensor([0.0]).double(); x2.requires_grad = True
w1 = torch.Tensor([-3.0]).double(); w1.requires_grad = True
w2 = torch.Tensor([1.0]).double(); w2.requires_grad = True
b = torch.Tensor([6.8813735870195432]).double(); b.requires_grad = True
n = x1 * w1 + x2 * w2 + b
o = torch.tanh(n)
print(o.data.item(), o)
print(o.grad_fn, o.grad_fn.next_functions)
o.backward()
print("---")
for name, v in (("x2", x2), ("w2", w2), ("x1", x1), ("w1", w1)):
    print(name, v.grad.item(), v.grad)
try:
    o.backward()
except RuntimeError as e:
    print(type(e).__name__, e)
print(n.grad_fn.name(), n.is_leaf, n.requires_grad)
print(repr(torch.Tensor([1, 2])), torch.Tensor(2, 3).shape, torch.Tensor().shape)
