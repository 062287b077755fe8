import torch

base = torch.tensor([[1, 2, 3]], dtype=torch.int16)
print(torch.zeros_like(base), torch.ones_like(base, dtype=torch.float32), torch.full_like(base, 7))
print(base.new_zeros(2, 2), base.new_ones((1,)), base.new_full((2,), 9), base.new_tensor([1.9, 2.1]))
print(base.new_empty((0, 2)).shape, torch.empty_like(base).dtype)
x = torch.ones(2, requires_grad=True)
print(torch.zeros_like(x).requires_grad, x.new_tensor([1.0]).requires_grad, torch.ones_like(x, requires_grad=True))
print(torch.full((2, 2), True), torch.full((1,), 2), torch.full((1,), 2.0), torch.full((), 3.5))
for f in (lambda: torch.zeros(-1), lambda: torch.zeros("a"), lambda: torch.full((2,)), lambda: torch.ones(2.5),
          lambda: torch.ones([2, -3]), lambda: torch.zeros_like([1])):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
