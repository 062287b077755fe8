import torch
from torch.autograd import Function
class Exp(Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result
    @staticmethod
    def backward(ctx, grad_output):
        result, = ctx.saved_tensors
        return grad_output * result
class MyReLU(Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return input.clamp(min=0)
    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0
        return grad_input
x = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)
y = Exp.apply(x)
print(y, y.grad_fn.name())
y.sum().backward()
print(x.grad)
x.grad = None
MyReLU.apply(x).sum().backward()
print(x.grad)
print(torch.autograd.gradcheck(Exp.apply, torch.randn(3, dtype=torch.double, requires_grad=True)))
class LinearFunction(Function):
    @staticmethod
    def forward(ctx, input, weight, bias=None):
        ctx.save_for_backward(input, weight, bias)
        output = input.mm(weight.t())
        if bias is not None:
            output += bias.unsqueeze(0).expand_as(output)
        return output
    @staticmethod
    def backward(ctx, grad_output):
        input, weight, bias = ctx.saved_tensors
        gi = gw = gb = None
        if ctx.needs_input_grad[0]:
            gi = grad_output.mm(weight)
        if ctx.needs_input_grad[1]:
            gw = grad_output.t().mm(input)
        if bias is not None and ctx.needs_input_grad[2]:
            gb = grad_output.sum(0)
        print(ctx.needs_input_grad)
        return gi, gw, gb
torch.manual_seed(0)
inp = (torch.randn(4, 5, dtype=torch.double, requires_grad=True), torch.randn(3, 5, dtype=torch.double, requires_grad=True))
print(torch.autograd.gradcheck(LinearFunction.apply, inp, eps=1e-6, atol=1e-4))
class Bad(Function):
    @staticmethod
    def forward(ctx, a, b):
        return a * b
    @staticmethod
    def backward(ctx, g):
        return g
try:
    Bad.apply(x, x * 2).sum().backward()
except RuntimeError as e:
    print(e)
try:
    Exp()(x)
except Exception as e:
    print(type(e).__name__, e)
try:
    Exp.forward(x)
except Exception as e:
    print(type(e).__name__, e)
