import torch
from torch.autograd import Function

class AddOne(Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x
    @staticmethod
    def backward(ctx, g):
        return g * 5

class SortIt(Function):
    @staticmethod
    def forward(ctx, x):
        values, index = x.sort()
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(index)
        return values, index
    @staticmethod
    def backward(ctx, gv, gi):
        (index,) = ctx.saved_tensors
        print("grads", gv, gi)
        out = torch.zeros_like(gv)
        out[index] = gv
        return out

a = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
b = a * 1
c = AddOne.apply(b)
print(b is c, b.grad_fn.name(), b._version)
c.sum().backward()
print(a.grad)
v, i = SortIt.apply(a)
print(v, i, i.requires_grad, v.grad_fn is not None)
a.grad = None
(v * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
print(a.grad)
try:
    AddOne.apply(a)
except RuntimeError as e:
    print(e)
class Same(Function):
    @staticmethod
    def forward(ctx, x):
        return x
    @staticmethod
    def backward(ctx, g):
        return g * 7
s = Same.apply(a)
print(s is a, s.grad_fn.name())
a.grad = None
s.sum().backward()
print(a.grad)
