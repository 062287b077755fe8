import torch

print(torch.tensor([[1.0, 1000.0], [0.001, 10.5]]))
print(torch.tensor([[1e-5, 1.0]]), torch.tensor([1e8, 1.0]), torch.tensor([99999.0, 0.5]))
print(torch.tensor([123456.0, 7.0]), torch.tensor([1.0, float("inf")]), torch.tensor([0.5, float("nan"), -float("inf")]))
print(torch.tensor([1, 100, -1000]), torch.tensor([[True], [False]]), torch.tensor([], dtype=torch.int32))
print(torch.zeros(2, 0), torch.zeros(0, 3, dtype=torch.bool), torch.zeros(()), torch.tensor(-0.0))
print(torch.arange(30.0), torch.arange(12).reshape(2, 2, 3))
print(torch.full((2, 20), 0.123456))
print(torch.tensor([1e-8, 2e-8]), torch.tensor(1e-8), torch.tensor([1e20]), torch.tensor(123456789.0))
print(torch.tensor([0.1, 0.22, 0.333], dtype=torch.float64), torch.tensor([0.1], dtype=torch.float16))
print(torch.ones(3, requires_grad=True) * 2, torch.ones(2, dtype=torch.float64, requires_grad=True))
