import torch

x = torch.ones(2, requires_grad=True)
@torch.no_grad()
def quiet(t):
    return t * 2
@torch.enable_grad()
def loud(t):
    return t * 2
@torch.inference_mode()
def infer(t):
    return t * 2
@torch.no_grad
def bare(t):
    return t * 3
print(quiet(x).requires_grad, infer(x).is_inference(), bare(x).requires_grad, quiet.__name__)
with torch.no_grad():
    print(loud(x).requires_grad, torch.is_grad_enabled())
    with torch.enable_grad():
        print((x * 2).requires_grad)
    with torch.set_grad_enabled(True):
        print((x * 2).requires_grad)
    print(torch.is_grad_enabled(), torch.zeros(1, requires_grad=True).requires_grad)
torch.set_grad_enabled(False)
print((x * 2).requires_grad)
torch.set_grad_enabled(True)
@torch.set_grad_enabled(False)
def off(t):
    return (t * 2).requires_grad
print(off(x), torch.is_grad_enabled())
def gen():
    with torch.no_grad():
        yield torch.is_grad_enabled()
    yield torch.is_grad_enabled()
print(list(gen()))
try:
    with torch.no_grad():
        raise ValueError("inside")
except ValueError:
    print(torch.is_grad_enabled())
