import torch
from torch.autograd import Function

class Three(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a + b, a * b, 7
    @staticmethod
    def backward(ctx, gs, gp, g_extra):
        a, b = ctx.saved_tensors
        print("got", gs, gp, g_extra)
        return gs + gp * b, gs + gp * a

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(5.0, requires_grad=True)
s, p, k = Three.apply(a, b)
print(s, p, k, s.grad_fn is p.grad_fn, s.output_nr, p.output_nr)
p.backward(retain_graph=True)
print(a.grad, b.grad)
(s + 2 * p).backward()
print(a.grad, b.grad)
s, p, k = Three.apply(a, b.detach())
ga, = torch.autograd.grad(s * p, a, create_graph=True)
print(ga, torch.autograd.grad(ga, a))
print(type(s.grad_fn).__name__, type(s.grad_fn).__mro__[1].__name__, s.grad_fn.name(), [n[0].name() if n[0] else None for n in s.grad_fn.next_functions])
