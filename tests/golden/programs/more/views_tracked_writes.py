import torch

x = torch.ones(2, 2, requires_grad=True)
y = x * 1
row = y[0]
row.mul_(3)
print(y, row)
print(row.grad_fn.next_functions[0][0].name(), y.grad_fn.next_functions[0][0].name())
col = y[:, 1]
col += torch.tensor([10.0, 20.0])
row.add_(1)
print(y, row, col)
y.sum().backward()
print(x.grad)
z = (x * 2).detach()
z[0, 0] = 100
print(z, z.requires_grad)
a, b = (x * 1).unbind()
try:
    a.add_(1)
except RuntimeError as e:
    print(e)
s = (x * 1).split(1)
try:
    s[0].zero_()
except RuntimeError as e:
    print(e)
w = (x * 1).diagonal()
w.fill_(7)
print(w, w._base)
