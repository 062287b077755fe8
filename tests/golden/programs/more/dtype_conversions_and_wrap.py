import torch

x = torch.tensor([-1.7, 0.0, 2.5, 300.9])
for d in (torch.int8, torch.int16, torch.int32, torch.int64, torch.bool, torch.float64, torch.float16):
    print(d, x[:3].to(d))
print(torch.tensor([255, 256, -1]).to(torch.uint8), torch.tensor([128, -129]).to(torch.int8))
print(x.long(), x.bool(), x.int(), x.short(), x.half(), x.double(), x.type(torch.int64))
print(x.type(), x.long().type(), x.bool().type(), x.type("torch.DoubleTensor"))
print(x.to(torch.float32) is x, x.to(x.double()).dtype, x.to("cpu", torch.int32), x.float() is x)
print(torch.float32.is_floating_point, torch.int64.is_signed, torch.uint8.is_signed, torch.float16.itemsize)
y = torch.tensor([1.5], requires_grad=True)
z = y.double() * 2
z.backward()
print(z, y.grad, y.to(torch.int64))
try:
    y.foo(torch.int8)
except AttributeError as e:
    print(e)
