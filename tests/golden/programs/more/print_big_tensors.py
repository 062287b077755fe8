import torch

print(torch.arange(1001))
print(torch.arange(2000.0).reshape(40, 50))
print(torch.zeros(10, 10, 11))
print(torch.ones(1001, requires_grad=True).exp())
torch.set_printoptions(threshold=6, edgeitems=2)
print(torch.arange(7), torch.arange(24).reshape(4, 6))
torch.set_printoptions(profile="short")
print(torch.tensor([1.23456789, 2.0]), torch.arange(2000))
torch.set_printoptions(profile="full")
print(torch.arange(5) / 3)
torch.set_printoptions(profile="default", linewidth=40)
print(torch.arange(15) * 1.5)
