import torch

torch.manual_seed(0)
shapes = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((2, 2, 3), (3,)), ((3,), (2, 3, 2)), ((2, 2, 3), (2, 3, 1)),
          ((2, 3), (5, 3, 2)), ((1, 2, 3), (4, 3, 2)), ((2, 0), (0, 3)), ((0,), (0,))]
for sa, sb in shapes:
    a = torch.arange(1.0, 1 + torch.Size(sa).numel()).reshape(sa).requires_grad_()
    b = torch.ones(sb, requires_grad=True)
    y = a @ b
    y.sum().backward()
    print(sa, sb, tuple(y.shape), y.sum().item(), a.grad.sum().item(), b.grad.sum().item(), y.grad_fn.name())
for sa, sb in (((2, 3), (2, 3)), ((3,), (2,)), ((), (2,)), ((2, 2, 3), (3, 3, 2)), ((2, 3), (2,))):
    try:
        torch.ones(sa) @ torch.ones(sb)
    except RuntimeError as e:
        print(e)
for f in (torch.mm, torch.mv, torch.dot, torch.bmm):
    try:
        f(torch.ones(2, 2), torch.ones(3))
    except RuntimeError as e:
        print(e)
try:
    torch.ones(2, 2) @ torch.ones(2, 2, dtype=torch.float64)
except RuntimeError as e:
    print(e)
print(torch.tensor([[1, 2], [3, 4]]) @ torch.tensor([1, 1]))
