import torch

x = torch.tensor([[3.0, -4.0], [0.0, 0.0]], requires_grad=True)
for f in (lambda: x.norm(), lambda: x.norm(1), lambda: x.norm(3), lambda: x.norm(float("inf")), lambda: x.norm(p=2, dim=1).sum(),
          lambda: x.norm(dim=(0, 1)), lambda: torch.norm(x, "fro"), lambda: torch.linalg.vector_norm(x, float("-inf")), lambda: x.norm(0),
          lambda: torch.linalg.vector_norm(x, 2, dim=0, keepdim=True).sum(), lambda: torch.dist(x, torch.zeros(2, 2)), lambda: x.norm(0.5)):
    x.grad = None
    y = f()
    try:
        y.backward()
    except RuntimeError as e:
        print(e)
    print(y, x.grad)
