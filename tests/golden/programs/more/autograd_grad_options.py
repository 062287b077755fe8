import torch

x = torch.tensor(2.0, requires_grad=True)
y = torch.tensor(3.0, requires_grad=True)
z = torch.tensor(1.0, requires_grad=True)
f = x ** 2 * y
print(torch.autograd.grad(f, [x, y], retain_graph=True))
print(torch.autograd.grad(f, x, retain_graph=True), torch.autograd.grad(f, (x, z), allow_unused=True, retain_graph=True))
print(torch.autograd.grad(f, (x, z), materialize_grads=True, retain_graph=True))
print(torch.autograd.grad(f, f, retain_graph=True), torch.autograd.grad([f, x * y], [x], grad_outputs=[torch.tensor(1.0), torch.tensor(10.0)], retain_graph=True))
def attempt(g):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: torch.autograd.grad(f, z, retain_graph=True))
attempt(lambda: torch.autograd.grad(f, torch.tensor(1.0), retain_graph=True))
attempt(lambda: torch.autograd.grad(torch.tensor(1.0), x))
attempt(lambda: torch.autograd.grad(torch.stack([f, f]), x, retain_graph=True))
attempt(lambda: torch.autograd.grad(f, x, torch.ones(2), retain_graph=True))
attempt(lambda: torch.autograd.grad(f, x, only_inputs=False))
attempt(lambda: torch.autograd.grad(f, [], retain_graph=True))
attempt(lambda: torch.autograd.grad(f, (x, z), allow_unused=False, materialize_grads=True))
print(x.grad, y.grad)
attempt(lambda: torch.autograd.grad(torch.stack([f, f * 2]), x, torch.eye(2), is_grads_batched=True))
