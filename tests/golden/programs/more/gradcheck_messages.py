import torch
from torch.autograd import gradcheck, gradgradcheck

x = torch.tensor([0.5, -1.0], dtype=torch.float64, requires_grad=True)
print(gradcheck(torch.exp, (x,)), gradcheck(lambda a, b: a * b, (x, x.detach() * 2)), gradgradcheck(torch.sin, (x,)))
class Bad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        return t * 2
    @staticmethod
    def backward(ctx, g):
        return g * 3
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: gradcheck(Bad.apply, (x,)))
attempt(lambda: gradcheck(Bad.apply, (x,), raise_exception=False))
attempt(lambda: gradcheck(torch.exp, (x.detach(),)))
attempt(lambda: gradcheck(torch.exp, x, eps=1e-6, atol=1e-5, rtol=1e-3))
attempt(lambda: gradcheck(lambda t: t.detach(), (x,)))
attempt(lambda: gradcheck(lambda t: t * 2, (x,), fast_mode=True))
attempt(lambda: gradgradcheck(Bad.apply, (x,)))
attempt(lambda: gradcheck(lambda t: (t > 0), (x,)))
