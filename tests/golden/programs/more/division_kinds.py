import torch

a = torch.tensor([7, -7, 8, -8])
b = torch.tensor([2, 2, -3, -3])
print(a / b, a // b, a % b, torch.fmod(a, b), torch.remainder(a, b))
print(torch.div(a, b, rounding_mode="trunc"), torch.div(a, b, rounding_mode="floor"), torch.floor_divide(a, b))
f = torch.tensor([7.5, -7.5, 0.0, 1.0])
print(f // 2, f % 2, f / 0, f // 0, f % 0, torch.fmod(f, 0))
for g in (lambda: a // 0, lambda: a % torch.tensor([0, 1, 1, 1]), lambda: torch.div(a, b, rounding_mode="up"),
          lambda: torch.div(f, b, rounding_mode=None), lambda: a.div_(2), lambda: a // "x"):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
print(a)
