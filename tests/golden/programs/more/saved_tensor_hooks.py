import torch
from torch.autograd.graph import saved_tensors_hooks, disable_saved_tensors_hooks, save_on_cpu, increment_version, get_gradient_edge

x = torch.tensor([1.0, 2.0], requires_grad=True)
def pack(t):
    print("pack", t.tolist())
    return t.tolist()
def unpack(v):
    print("unpack", v)
    return torch.tensor(v)
with saved_tensors_hooks(pack, unpack):
    y = x ** 2 * x.exp()
y.sum().backward()
print(x.grad)
with save_on_cpu():
    z = (x * x).sum()
z.backward()
print(x.grad)
v = x._version
increment_version(x)
print(x._version - v)
e = get_gradient_edge(x * 2)
print(type(e).__name__, e.node.name(), e.output_nr)
try:
    with disable_saved_tensors_hooks("not here"):
        with saved_tensors_hooks(pack, unpack):
            x ** 2
except RuntimeError as err:
    print(err)
print(torch.autograd.grad(x.pow(2).sum(), get_gradient_edge(x)))
