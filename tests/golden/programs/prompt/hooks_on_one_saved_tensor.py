# A session at the prompt: what each line shows, or the error it ends in.
SESSION = r"""
import torch

def hook(f, name):
    x = torch.full((3,), 2., requires_grad=True)
    w = torch.full((3,), 3., requires_grad=True)
    y = f(x, w)
    getattr(y.grad_fn, "_raw_saved_" + name).register_hooks(lambda t: t * 4, lambda t: t / 2)
    y.sum().backward()
    return x.grad, w.grad

[hook(lambda x, w: x.pow(2), "self") for _ in range(5)]

[hook(lambda x, w: x * w, "self") for _ in range(5)]

[hook(lambda x, w: x * w, "other") for _ in range(5)]

[hook(lambda x, w: x.exp(), "result") for _ in range(5)]

[hook(lambda x, w: x.sigmoid(), "result") for _ in range(5)]

[hook(lambda x, w: x / w, "other") for _ in range(5)]

[hook(lambda x, w: x / 4, "other") for _ in range(5)]

[hook(lambda x, w: x[:, None] @ w[None], "mat2") for _ in range(4)]

[hook(lambda x, w: x.softmax(0), "result") for _ in range(4)]

[hook(lambda x, w: x.sin(), "self") for _ in range(5)]
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
