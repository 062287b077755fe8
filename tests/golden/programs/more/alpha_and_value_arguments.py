import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
y = torch.add(a, b, alpha=3) + torch.sub(a, b, alpha=0.5)
y.sum().backward()
print(y, a.grad, b.grad)
a.grad = b.grad = None
y = torch.addcmul(a, b, b, value=2) + torch.addcdiv(a, a, b, value=-1)
y.sum().backward()
print(y, a.grad, b.grad)
y = torch.lerp(a, b, 0.25)
print(y, y.grad_fn.name(), torch.lerp(a, b, torch.tensor([0.0, 1.0])))
print(torch.rsub(a, b), torch.rsub(a, 10, alpha=2), torch.true_divide(a, 2), torch.multiply(a, b), torch.subtract(a, b))
for f in (lambda: torch.add(torch.tensor([1]), 1, alpha=0.5), lambda: torch.add(a, "x"), lambda: torch.add(a), lambda: torch.add([1], 2),
          lambda: torch.mul(a, b, alpha=2)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
