import torch
from torch.autograd import Function

def make(back, fwd=lambda ctx, x: x * 2):
    return type("Odd", (Function,), {"forward": staticmethod(fwd), "backward": staticmethod(back)})
x = torch.ones(2, requires_grad=True)
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
def run(cls):
    cls.apply(x).sum().backward()
    return x.grad
attempt(lambda: run(make(lambda ctx, g: (g, g))))
attempt(lambda: run(make(lambda ctx, g: (g, None, None))))
attempt(lambda: run(make(lambda ctx, g: ())))
attempt(lambda: run(make(lambda ctx, g: None)))
attempt(lambda: run(make(lambda ctx, g: g[:1])))
attempt(lambda: run(make(lambda ctx, g: g.sum())))
attempt(lambda: run(make(lambda ctx, g: 3.0)))
attempt(lambda: run(make(lambda ctx, g: 1 / 0)))
attempt(lambda: run(make(lambda ctx, g: g, lambda ctx, x: 5)))
attempt(lambda: make(lambda ctx, g: g, lambda ctx, x: [x * 2]).apply(x))
attempt(lambda: make(lambda ctx, g: g, lambda ctx, x: None).apply(x))
class NoBackward(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
attempt(lambda: run(NoBackward))
class NoForward(Function):
    pass
attempt(lambda: NoForward.apply(x))
class Saves(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 1
    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0]
y = Saves.apply(x)
y.sum().backward()
attempt(lambda: y.sum().backward())
y = Saves.apply(x)
with torch.no_grad():
    x.add_(1)
attempt(lambda: y.sum().backward())
class SavesNumber(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(3)
        return x * 1
    @staticmethod
    def backward(ctx, g):
        return g
attempt(lambda: run(SavesNumber))
