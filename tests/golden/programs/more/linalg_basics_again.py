import torch

m = torch.tensor([[4.0, 1.0], [2.0, 3.0]], requires_grad=True)
for f in (torch.linalg.det, lambda t: torch.linalg.inv(t).sum(), lambda t: torch.linalg.solve(t, torch.tensor([1.0, 2.0])).sum(),
          torch.linalg.norm, torch.trace, torch.logdet, lambda t: torch.linalg.slogdet(t)[1], lambda t: torch.linalg.matrix_power(t, 3).sum(),
          lambda t: torch.linalg.vector_norm(t, 3), lambda t: torch.diagonal(t).prod()):
    m.grad = None
    y = f(m)
    y.backward()
    print(y, m.grad)
for f in (lambda: torch.linalg.inv(torch.zeros(2, 2)), lambda: torch.linalg.inv(torch.zeros(2, 3)), lambda: torch.linalg.det(torch.ones(2)),
          lambda: torch.linalg.solve(torch.zeros(2, 2), torch.ones(2)), lambda: torch.inverse(torch.ones(2, 2, dtype=torch.int64))):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
