import torch
from torch.autograd import Function

class Options(Function):
    @staticmethod
    def forward(ctx, x, scale=2.0, flag=None):
        ctx.scale = scale
        ctx.save_for_backward(x, None)
        print("forward", x.requires_grad, torch.is_grad_enabled(), ctx.needs_input_grad)
        return x * scale
    @staticmethod
    def backward(ctx, g):
        x, nothing = ctx.saved_tensors
        print("backward", nothing, type(ctx).__name__, ctx.needs_input_grad)
        return g * ctx.scale, None, None

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Options.apply(x, 3.0)
try:
    y.sum().backward()
except Exception as e:
    print(type(e).__name__, e)
y = Options.apply(x, 3.0, "flag")
print(y, y.grad_fn, y.requires_grad) if False else print(y)
y.sum().backward()
print(x.grad)
print(Options.apply(torch.ones(1), 1.0, None))
with torch.no_grad():
    print(Options.apply(x, 1.0, None).requires_grad)
for f in (lambda: Options(), lambda: Options.apply(x, bad=1), lambda: Options.apply()):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
