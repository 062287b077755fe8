import torch

x = torch.arange(6.0).reshape(2, 3).requires_grad_()
idx = torch.tensor([[0, 0], [2, 1]])
y = x.gather(1, idx)
(y * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
print(y, x.grad)
src = torch.ones(2, 2, requires_grad=True)
z = torch.zeros(2, 3).scatter_add(1, idx, src * 3)
z.sum().backward()
print(z, src.grad)
print(torch.zeros(2, 3).scatter(1, idx, 5.0), torch.zeros(2, 3).scatter_(0, torch.tensor([[1, 0, 1]]), torch.tensor([[1.0, 2.0, 3.0]])))
print(x.index_select(1, torch.tensor([2, 0])), torch.take(x, torch.tensor([5, 0])), x.detach().index_add(0, torch.tensor([1, 1]), torch.ones(2, 3)))
print(torch.zeros(3).scatter_reduce(0, torch.tensor([0, 0, 2]), torch.tensor([1.0, 2.0, 3.0]), reduce="amax"))
for f in (lambda: x.gather(1, torch.tensor([0])), lambda: x.gather(2, idx), lambda: x.gather(1, idx + 2), lambda: x.gather(1, idx.float()),
          lambda: x.index_select(0, torch.tensor([[0]])), lambda: x.index_select(0, torch.tensor([9])), lambda: torch.take(x, torch.tensor([9]))):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
