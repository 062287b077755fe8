import torch

x = torch.tensor([[1.0, 2.0, 4.0], [0.0, 0.0, 0.0]], requires_grad=True)
for kw in ({}, {"dim": 1}, {"dim": 1, "unbiased": False}, {"dim": 0, "correction": 0}, {"dim": (0, 1), "keepdim": True}, {"correction": 2}):
    print(kw, x.var(**kw), x.std(**kw))
x.var().backward()
print(x.grad)
x.grad = None
x.std(1).sum().backward()
print(x.grad)
print(torch.var_mean(x, 1), torch.std_mean(x))
print(torch.tensor([1.0]).var(), torch.tensor([1.0]).std(unbiased=False), torch.zeros(0).var())
try:
    torch.tensor([1, 2]).var()
except RuntimeError as e:
    print(e)
