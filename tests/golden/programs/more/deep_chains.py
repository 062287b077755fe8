import torch

x = torch.tensor(1.0, requires_grad=True)
y = x
for i in range(3000):
    y = y * 1.0001 if i % 2 else y + 0.001
y.backward()
print(y, x.grad)
x.grad = None
parts = [x * k for k in range(50)]
torch.stack(parts).sum().backward()
print(x.grad)
z = sum(x for _ in range(200))
z.backward()
print(z, x.grad)
w = torch.ones(3, requires_grad=True)
u = w
for _ in range(20):
    u = u.view(3, 1).squeeze(1).unsqueeze(0)[0]
u.sum().backward()
print(w.grad, u._base is w)
