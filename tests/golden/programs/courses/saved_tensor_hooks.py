import torch
x = torch.randn(5, requires_grad=True)
y = x.pow(2)
print(x.equal(y.grad_fn._saved_self))
print(x is y.grad_fn._saved_self)
y = x.exp()
print(y.equal(y.grad_fn._saved_result))
print(y is y.grad_fn._saved_result)
def pack_hook(x):
    print("Packing", tuple(x.shape))
    return x
def unpack_hook(x):
    print("Unpacking", tuple(x.shape))
    return x
a = torch.ones(5, requires_grad=True)
b = torch.ones(5, requires_grad=True) * 2
with torch.autograd.graph.saved_tensors_hooks(pack_hook, unpack_hook):
    y = a * b
y.sum().backward()
print(a.grad)
x = torch.ones(3, requires_grad=True)
y = x.pow(2)
y.grad_fn._raw_saved_self.register_hooks(lambda t: t * 4, lambda t: t / 2)
y.sum().backward()
print(x.grad)
x = torch.ones(3, requires_grad=True)
y = x.pow(2)
try:
    y.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)
    y.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)
except RuntimeError as e:
    print(e)
print(type(y.grad_fn._raw_saved_self))
with torch.autograd.graph.disable_saved_tensors_hooks("no hooks please"):
    try:
        with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x):
            pass
    except RuntimeError as e:
        print(e)
