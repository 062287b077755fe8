import torch


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


torch.manual_seed(0)
A = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
print(torch.geqrf(A))
h, tau = torch.geqrf(A)
attempt(lambda: h.sum().backward())
h, tau = h.detach(), tau.detach()
Q = torch.linalg.householder_product(h, tau)
print(Q, torch.allclose(Q, torch.linalg.qr(A.detach()).Q))
print(torch.allclose(Q @ h.triu()[:3], A.detach()))
x, y = h.clone().requires_grad_(), tau.clone().requires_grad_()
out = torch.linalg.householder_product(x, y)
print(out)
weight = torch.arange(12.0, dtype=torch.float64).reshape(4, 3)
(out * weight).sum().backward()
print(x.grad, y.grad)
print(torch.autograd.gradcheck(torch.linalg.householder_product, (x, y[:2].detach().requires_grad_())))
wide = torch.geqrf(torch.arange(6.0).reshape(2, 3))
print(wide, wide.a.shape, type(wide).__name__)
batch = torch.geqrf(torch.randn(2, 3, 2))
print(torch.linalg.householder_product(*batch), torch.orgqr(*batch).shape)
for args in [
    (torch.ones(3), torch.ones(1)), (torch.ones(2, 3), torch.ones(2)), (torch.ones(3, 2), torch.ones(3)),
    (torch.ones(3, 2), torch.ones(1, 2)), (torch.ones(2, 3, 2), torch.ones(3, 2)),
    (torch.ones(3, 2), torch.ones(2).double()), (torch.ones(3, 2).int(), torch.ones(2).int()),
]:
    attempt(lambda: torch.linalg.householder_product(*args))
attempt(lambda: torch.geqrf(torch.ones(3)))
attempt(lambda: torch.geqrf(torch.ones(3, 3, dtype=torch.int)))
