import torch

class Scale(torch.autograd.Function):
    @staticmethod
    def forward(x, k):
        return x * k, x + k
    @staticmethod
    def setup_context(ctx, inputs, output):
        x, k = inputs
        first, second = output
        ctx.save_for_backward(x, first)
        ctx.k = k
        ctx.set_materialize_grads(False)
    @staticmethod
    def backward(ctx, g1, g2):
        x, first = ctx.saved_tensors
        print(g1, g2, first is not None)
        total = 0
        if g1 is not None:
            total = total + g1 * ctx.k
        if g2 is not None:
            total = total + g2
        return total, None

x = torch.tensor([1.0, -1.0], requires_grad=True)
y, z = Scale.apply(x, 4)
z.sum().backward(retain_graph=True)
print(x.grad)
(y * z).sum().backward()
print(x.grad)
print(Scale.apply(torch.ones(2), 2))
