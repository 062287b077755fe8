import torch

print(torch.tensor([[1, 2], [3, 4]]), torch.tensor(((1.0, 2.0), (3.0, 4.0))))
print(torch.tensor([torch.tensor(1.0), torch.tensor(2.0)]))
print(torch.tensor([[1, 2.5], [True, 0]]), torch.tensor([[]]).shape)
for bad in ([[1, 2], [3]], [1, [2]], ["a"], [None], "abc", {1: 2}, [[1], [[2]]]):
    try:
        print(torch.tensor(bad))
    except Exception as e:
        print(type(e).__name__, e)
for bad in ("float", float, torch.float16, torch.int8, int, bool):
    try:
        print(torch.tensor([1, 0], dtype=bad))
    except Exception as e:
        print(type(e).__name__, e)
