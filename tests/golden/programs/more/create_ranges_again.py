import torch

print(torch.arange(2, 11, 3), torch.arange(5, 0, -2), torch.arange(0.0, 1.0, 0.25))
print(torch.arange(4, dtype=torch.float64), torch.arange(1.5, 4), torch.arange(0).shape)
print(torch.linspace(-1, 1, 5), torch.linspace(3, 3, 3), torch.linspace(0, 1, 1), torch.linspace(5, 1, 3))
print(torch.logspace(0, 3, 4), torch.logspace(0, 4, 5, base=2))
print(torch.eye(2, 3), torch.eye(3, dtype=torch.int64))
for f in (lambda: torch.arange(5, 0), lambda: torch.arange(0, 5, 0), lambda: torch.linspace(0, 1, -1),
          lambda: torch.linspace(0, 1), lambda: torch.eye(-1), lambda: torch.arange("a")):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
