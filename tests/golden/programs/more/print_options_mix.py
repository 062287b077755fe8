import torch

x = torch.tensor([3.14159265, 2.71828, 1e-3])
for p in (0, 1, 2, 6):
    torch.set_printoptions(precision=p)
    print(x)
torch.set_printoptions(precision=4, sci_mode=True)
print(x, torch.tensor([1, 2]), torch.tensor(5.0))
torch.set_printoptions(sci_mode=False)
print(torch.tensor([1e-7, 1e5]))
torch.set_printoptions(profile="default")
print(torch.tensor([1e-7, 1e5]))
print(f"{x[0]:.2f}|{x[1]:8.3f}|{x[2]:e}|{torch.tensor(7):5d}|{torch.tensor(True)}")
try:
    print(f"{x:.2f}")
except Exception as e:
    print(type(e).__name__, e)
print("{} {}".format(x.sum(), x[0]), "%s" % x[2], str(x), repr(x[0]))
