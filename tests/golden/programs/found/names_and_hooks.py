import torch
from torch.autograd import Function


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


x = torch.ones(2, requires_grad=True)


class Scaled(Function):
    @staticmethod
    def forward(ctx, x, k=2, m=3):
        ctx.save_for_backward(x)
        ctx.k = k
        print(k, m, ctx.needs_input_grad)
        return x * x * k

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (2 * x * g * ctx.k, None, None)[: len(ctx.needs_input_grad)]


for call in [
    lambda: Scaled.apply(x=x), lambda: Scaled.apply(x, k=5), lambda: Scaled.apply(k=7, x=x), lambda: Scaled.apply(x, m=1, k=2),
]:
    y = call()
    print(y, y.grad_fn.next_functions[0][0].name(), len(y.grad_fn.next_functions))
    print(torch.autograd.grad(y.sum(), x))
attempt(lambda: Scaled.apply(x, m=5))
attempt(lambda: Scaled.apply(x, q=5))
attempt(lambda: Scaled.apply(x, m=5, q=5))
attempt(lambda: Scaled.apply(k=1))
attempt(lambda: Scaled.apply(x, x=x))


class WithSetup(Function):
    @staticmethod
    def forward(x, k=2, *, z=4):
        return x * k

    @staticmethod
    def setup_context(ctx, inputs, output):
        print("inputs", inputs, ctx.needs_input_grad)
        ctx.k = inputs[1]

    @staticmethod
    def backward(ctx, g):
        return g * ctx.k, None


class Plain(Function):
    @staticmethod
    def forward(x, k=2):
        return x * k

    setup_context = staticmethod(WithSetup.setup_context)
    backward = staticmethod(WithSetup.backward)


attempt(lambda: WithSetup.apply(x))
for call in [lambda: Plain.apply(x), lambda: Plain.apply(x=x), lambda: Plain.apply(x, k=3), lambda: Plain.apply(x, 3)]:
    print(torch.autograd.grad(call().sum(), x))
attempt(lambda: Plain.apply(x, nope=3))
attempt(lambda: Plain.apply(k=3))
attempt(lambda: Plain.apply(x, 3, k=3))


def write(t):
    t.mul_(2)
    return t


def write_apart(t):
    t.detach().add_(1)
    return t


for hook in (write, write_apart):
    with torch.autograd.graph.saved_tensors_hooks(hook, lambda t: t):
        attempt(lambda: torch.ones(2, requires_grad=True).exp())
        attempt(lambda: torch.ones(2, requires_grad=True).clone() ** 2)
        attempt(lambda: x.detach() * torch.ones(2, requires_grad=True))
        attempt(lambda: Scaled.apply(torch.ones(2, requires_grad=True)))
        attempt(lambda: torch.ones(2, requires_grad=True) + 1)
with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone().mul_(2), lambda t: t):
    y = x.exp()
    y.sum().backward()
    print(y, x.grad)


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y, None, x)
        return y

    @staticmethod
    def backward(ctx, g):
        y, nothing, x = ctx.saved_tensors
        print("saved", y.detach(), nothing, x.detach())
        return g * y


def pack(t):
    print("pack", t.detach())
    return t.detach().numpy().copy()


def unpack(kept):
    print("unpack", kept)
    return torch.from_numpy(kept * 2)


x.grad = None
with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
    y = Exp.apply(x)
y.sum().backward()
print(x.grad)
