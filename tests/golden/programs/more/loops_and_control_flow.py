import torch

def power(x, n):
    out = torch.ones_like(x)
    while n:
        if n & 1:
            out = out * x
        x = x * x
        n >>= 1
    return out
x = torch.tensor([1.5, -2.0], requires_grad=True)
y = power(x, 5)
y.sum().backward()
print(y, x.grad, 5 * x.detach() ** 4)
x.grad = None
total = 0
for i, v in enumerate(x):
    total = total + v * (i + 1) if v > 0 else total - v ** 2
total.backward()
print(total, x.grad)
h = torch.zeros(2)
for step in range(4):
    h = torch.tanh(h + x * step)
h.sum().backward()
print(h, x.grad)
def newton(a):
    s = a / 2
    for _ in range(6):
        s = (s + a / s) / 2
    return s
a = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
r = newton(a)
r.backward()
print(r, a.grad)
