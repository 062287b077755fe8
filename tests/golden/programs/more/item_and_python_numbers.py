import torch

print(torch.tensor(2).item(), torch.tensor([[3.5]]).item(), torch.tensor(False).item(), torch.tensor(1e-3).item())
print(int(torch.tensor(2.9)), float(torch.tensor(3)), bool(torch.tensor(0.0)), complex(torch.tensor(1.0)))
print([10, 20, 30][torch.tensor(1)], list(range(torch.tensor(3))))
for f in (lambda: torch.ones(2).item(), lambda: float(torch.ones(2)), lambda: int(torch.ones(0)), lambda: bool(torch.ones(2)),
          lambda: bool(torch.ones(0)), lambda: [1, 2][torch.tensor(1.0)], lambda: [1, 2][torch.tensor([0, 1])],
          lambda: torch.tensor(3.0).__index__(), lambda: round(torch.tensor(2.567), 1)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
x = torch.tensor(4.0, requires_grad=True)
print(x.item(), float(x), x.tolist(), abs(-x), round(x.item()), divmod(7, 2), sum([x, x]), max(x, x * 2))
