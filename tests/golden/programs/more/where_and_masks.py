import torch

x = torch.tensor([1.0, -2.0, 3.0, 0.0], requires_grad=True)
for f in (lambda: torch.where(x > 0, x, x * 10), lambda: torch.where(x > 0, x, 0.0), lambda: x.masked_fill(x < 0, 5), lambda: x.where(x > 0, torch.tensor(7.0)), lambda: torch.where(torch.tensor(True), x, -x),
          lambda: x.masked_select(x != 0), lambda: x[x > 0], lambda: x * (x > 0), lambda: torch.where(x > 0, x.sqrt(), x)):
    x.grad = None
    y = f()
    y.sum().backward()
    print(y, x.grad)
print(torch.where(torch.tensor([[True, False]])), torch.nonzero(x), torch.nonzero(x, as_tuple=True), torch.argwhere(x > 0), torch.where(torch.tensor([True]), 1, 2.5), torch.count_nonzero(x))
for f in (lambda: torch.where(x, x, x), lambda: x.masked_fill(torch.ones(3, dtype=torch.bool), 0), lambda: x.masked_fill(x, 0), lambda: torch.where(x > 0, x), lambda: x.masked_fill(x > 0, torch.ones(2)), lambda: torch.where(x > 0, "a", x)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
