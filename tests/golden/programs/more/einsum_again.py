import torch

a = torch.arange(6.0).reshape(2, 3).requires_grad_()
b = torch.arange(12.0).reshape(3, 4).requires_grad_()
y = torch.einsum("ij,jk->k", a, b)
y.sum().backward()
print(y, a.grad, b.grad)
print(torch.einsum("ij", a), torch.einsum("ji", a), torch.einsum("ij->", a), torch.einsum("i...->...", a))
print(torch.einsum("ij,ij->i", a, a), torch.einsum("ii->", torch.eye(3) * 2), torch.einsum("i,i,i->i", a[0], a[1], a[0]))
print(torch.einsum("bi,ij,bj->b", a, torch.ones(3, 3), a))
for eq, ops in (("ij,jk", (a, a)), ("ij->ik", (a,)), ("i", (a,)), ("ij,", (a,)), ("ij->ii", (a,)), ("i1", (a,))):
    try:
        print(torch.einsum(eq, *ops))
    except Exception as e:
        print(type(e).__name__, e)
