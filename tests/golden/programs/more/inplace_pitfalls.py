import torch
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
x = torch.tensor([1., 2., 3.], requires_grad=True)
def a():
    y = x.exp(); y += 1; y.sum().backward()
attempt(a)
def b():
    y = x.sigmoid(); y.mul_(2); y.sum().backward()
attempt(b)
def c():
    y = x * 1; y.mul_(2); y.sum().backward(); return x.grad
attempt(c)
def d():
    x[0] = 5
attempt(d)
def e():
    y = x.clone(); y[0] = 5; y.sum().backward(); return x.grad, y.grad_fn
attempt(e)
def f():
    x.zero_()
attempt(f)
def g():
    x.data.zero_(); return x
attempt(g)
def h():
    y = x.relu(); y.add_(1); return y
attempt(h)
def i():
    a, b, c = x.clone().unbind(); a.mul_(2); return a
attempt(i)
def j():
    w = torch.ones(2, 2, requires_grad=True); v = w ** 2; v.t_(); v.sqrt_(); v.sum().backward(); return w.grad
attempt(j)
def k():
    y = x + 1; z = y.pow(2); y.relu_(); z.sum().backward()
attempt(k)
def l():
    y = x + 1; v = y.view(3, 1); v.mul_(3); return y, v, y._version, v._version
attempt(l)
