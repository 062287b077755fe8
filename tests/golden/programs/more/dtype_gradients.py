import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
d = torch.tensor([3.0, 4.0], dtype=torch.float64, requires_grad=True)
h = torch.tensor([0.5, 0.25], dtype=torch.float16, requires_grad=True)
y = x * d + h
print(y, y.dtype)
y.sum().backward()
print(x.grad, d.grad, h.grad)
z = (x.half() * 3).float() + x.to(torch.float64)
z.sum().backward()
print(z, x.grad)
i = torch.tensor([1, 2])
print((x * i).grad_fn.next_functions[1][0], (i * 1.5).dtype, (x > 1) * x)
print(x.half(), (x.half() / 3), torch.tensor([60000.0], dtype=torch.float16) * 2)
print(torch.tensor([1.0], dtype=torch.float16).sum().dtype, torch.ones(2, dtype=torch.int32).sum().dtype, torch.ones(2, dtype=torch.bool).prod().dtype, torch.ones(2, dtype=torch.uint8).cumsum(0).dtype)
