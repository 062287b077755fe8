# A session at the prompt: what each line shows, or the error it ends in.
SESSION = r"""
import torch

import torch.nn as nn

import torch.nn.functional as F

x = torch.arange(6.).reshape(2, 3)

y = torch.ones(2, 3)

v = torch.tensor([1., 2., 3.])

i = torch.tensor([0, 1])

w = torch.ones(2, requires_grad=True)

x.backward()

w.backward()

(w * 2).backward()

(w * 2).backward("a")

(w * 2).backward(1)

(w * 2).backward([1, 1])

(w * 2).backward(torch.ones(3))

(w * 2).backward(gradient=torch.ones(2, dtype=torch.float64))

(w * 2).backward(torch.ones(2, dtype=torch.int64))

(w * 2).sum().backward(foo=1)

(w * 2).sum().backward(inputs=[])

(w * 2).sum().backward(inputs=3)

(w * 2).sum().backward(inputs=[3])

(w * 2).sum().backward(inputs=w)

(w * 2).sum().backward(inputs=[x])

torch.autograd.backward()

torch.autograd.backward(3)

torch.autograd.backward([w.sum()], [1])

torch.autograd.backward([w * 2, w * 3])

torch.autograd.backward([w * 2, w * 3], [torch.ones(2)])

torch.autograd.backward((w * 2).sum(), grad_variables=torch.tensor(1.))

torch.autograd.backward((w * 2).sum(), torch.tensor(1.), grad_variables=torch.tensor(1.))

torch.autograd.backward([])

torch.autograd.grad()

torch.autograd.grad(w.sum())

torch.autograd.grad(w.sum(), 3)

torch.autograd.grad(3, w)

torch.autograd.grad(w.sum(), [])

torch.autograd.grad(w.sum(), "a")

torch.autograd.grad(w.sum(), w, "a")

torch.autograd.grad([w.sum(), w.sum()], w)

torch.autograd.grad([w.sum(), w.sum()], w, [torch.tensor(1.), None])

torch.autograd.grad(w.sum(), w, foo=1)

torch.autograd.grad(w.sum(), x)

torch.autograd.grad((w*2).sum(), [w, torch.ones(1, requires_grad=True)])

torch.autograd.grad((w*2).sum(), [w, torch.ones(1, requires_grad=True)], allow_unused=True)

torch.autograd.grad((w*2).sum(), [w, torch.ones(1, requires_grad=True)], materialize_grads=True)

torch.autograd.grad((w*2).sum(), [w, torch.ones(1, requires_grad=True)], allow_unused=False, materialize_grads=True)

torch.autograd.grad(w * 2, w)

torch.autograd.grad(w * 2, w, torch.ones(3))

torch.autograd.grad(w * 2, w, is_grads_batched=True, grad_outputs=torch.eye(2))

w.register_hook(3)

x.register_hook(lambda g: g)

x.retain_grad()

w.register_post_accumulate_grad_hook(3)

(w*2).register_post_accumulate_grad_hook(lambda p: None)

w.numpy()

w.detach().numpy()

(w * 2).numpy()

w.data.numpy()

import numpy as np

np.asarray(w * 2)

w.item()

w.tolist()

w += 1

w[0] = 5

w.add_(1)

w.zero_()

w.fill_(0)

w.copy_(w)

w.data.add_(1)

w.requires_grad = False

w.requires_grad = True

(w * 2).requires_grad = False

(w * 2).requires_grad_(False)

(w * 2).requires_grad_()

(w * 2).detach_()

w.detach_()

w = torch.ones(2, requires_grad=True)

w.view(2).add_(1)

w[0].mul_(2)

w[:1].fill_(3)

w.unbind()[0].add_(1)

(w*2).unbind()[0].add_(1)

w.split(1)[0].add_(1)

w.resize_(3)

w.t_()

torch.ones(2, 3, 4).T

torch.ones(2, 3, 4).mT.shape

v.mT

v.H

w.grad_fn

(w * 2).grad_fn

(w * 2).grad

(w*2).grad_fn.next_functions

(w*2).grad_fn.foo

(w*2).grad_fn._saved_other

(w*2).grad_fn._saved_self

(w**2).grad_fn._saved_exponent

w.exp().grad_fn._saved_result

w.exp().grad_fn._raw_saved_result

(w*2).grad_fn(torch.ones(2))

(w*2).grad_fn.name()

(w*2).grad_fn.metadata

(w*2).grad_fn.register_hook(lambda a, b: None)

(w*2).grad_fn.register_prehook(lambda a: None)

(w*2).grad_fn.next_functions[0][0].variable

torch.set_grad_enabled()

torch.set_grad_enabled("a")

torch.set_grad_enabled(1)

torch.autograd.set_detect_anomaly()

torch.autograd.detect_anomaly("a")

torch.autograd.Function()

torch.autograd.Function.apply(x)

class F1(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

F1.apply(w)

F1.apply(w).sum().backward()

F1(w)

F1()(w)

F1.forward(w)

F1.apply()

F1.apply(w, w)

class F2(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return g, g

F2.apply(w).sum().backward()

class F3(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x * y
    @staticmethod
    def backward(ctx, g):
        return g

F3.apply(w, w).sum().backward()

class F4(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return torch.ones(5)

F4.apply(w).sum().backward()

class F5(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 3
    @staticmethod
    def backward(ctx, g):
        return g

F5.apply(w)

class F6(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(3)
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return g

F6.apply(w)

class F7(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return "a"

F7.apply(w).sum().backward()

class F8(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return None

F8.apply(w).sum().backward()

class F9(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return x

F9.apply(w).sum().backward()

class F10(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2
    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return x * g

torch.autograd.grad(F10.apply(w).sum(), w, create_graph=True)[0].sum().backward()

a = F10.apply(w).sum(); a.backward(); a.backward()

class F11(torch.autograd.Function):
    def forward(self, x):
        return x * 2
    def backward(self, g):
        return g

F11.apply(w)

F11()(w)

torch.autograd.gradcheck(lambda x: x * 2, w)

torch.autograd.gradcheck(lambda x: x * 2, torch.ones(2, dtype=torch.float64))

torch.autograd.gradcheck(lambda x: x.detach() * 2, torch.ones(2, dtype=torch.float64, requires_grad=True))

torch.autograd.gradcheck(lambda x: x * 2, torch.ones(2, dtype=torch.float64, requires_grad=True))

torch.autograd.gradcheck(F4.apply, torch.ones(2, dtype=torch.float64, requires_grad=True))

torch.autograd.gradcheck(F8.apply, torch.ones(2, dtype=torch.float64, requires_grad=True))

torch.autograd.gradcheck(lambda x: F10.apply(x), torch.ones(2, dtype=torch.float64, requires_grad=True))

torch.autograd.gradcheck(F10.apply, torch.ones(2, dtype=torch.float64, requires_grad=True), raise_exception=False)

torch.autograd.gradgradcheck(torch.sin, torch.ones(2, dtype=torch.float64, requires_grad=True))

torch.autograd.functional.jacobian(lambda x: x ** 2, 3)

torch.autograd.functional.jacobian(lambda x: 3, w)

torch.autograd.functional.hessian(lambda x: x ** 2, w)

torch.autograd.functional.hessian(lambda x: (x ** 2).sum(), w, strict=True)

torch.autograd.functional.hessian(lambda x: (2*x).sum(), w, strict=True)

torch.autograd.functional.jacobian(lambda x: torch.ones(2), w, strict=True)

torch.autograd.functional.jacobian(lambda x: torch.ones(2), w)

torch.autograd.functional.vjp(lambda x: x ** 2, w)

torch.autograd.functional.vjp(lambda x: x ** 2, w, torch.ones(3))

torch.autograd.functional.jvp(lambda x: x ** 2, w)

torch.autograd.functional.jvp(lambda x: x ** 2, w, torch.ones(2))

torch.autograd.functional.hvp(lambda x: x ** 2, w, torch.ones(2))

torch.autograd.functional.vhp(lambda x: (x ** 3).sum(), w, torch.ones(2))

torch.func.grad(lambda x: x ** 2)(w)

torch.func.grad(lambda x: (x ** 2).sum())(3.0)

torch.func.grad(lambda x: 3)(w)

torch.func.grad(lambda x: (x ** 2).sum(), argnums=1)(w)

torch.func.grad(3)(w)

torch.func.vjp(lambda x: x ** 2, w)[1](torch.ones(3))

torch.func.jvp(lambda x: x ** 2, w, torch.ones(2))

torch.func.jacrev(lambda x: x ** 2)(3.0)

torch.func.vmap(lambda x: x.sum())(3.0)

torch.func.vmap(lambda x, y: x + y)(torch.ones(2), torch.ones(3))
"""

names = {}
for block in SESSION.strip().split("\n\n"):
    print(">>>", block.splitlines()[0])
    try:
        try:
            value = eval(compile(block, "session", "eval"), names)
            if value is not None:
                print(repr(value))
        except SyntaxError:
            exec(block, names)
    except Exception as error:
        print(type(error).__name__, error)
