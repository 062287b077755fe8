import torch

def attempt(f):
    try:
        print("fine", f())
    except Exception as e:
        print(type(e).__name__, e)

w = torch.tensor([1.0, 2.0], requires_grad=True)
attempt(lambda: w.add_(1))
attempt(lambda: w[0].zero_())
attempt(lambda: w.view(-1).mul_(2))
attempt(lambda: w.detach().add_(0))
for name in ("exp", "sigmoid", "sqrt", "tanh", "log", "sin", "square", "relu", "abs"):
    def run():
        y = getattr(torch, name)(w * 1)
        y.mul_(2)
        y.sum().backward()
    attempt(run)
def overwritten_input():
    y = w * 1
    z = y * y
    y.add_(1)
    z.sum().backward()
attempt(overwritten_input)
def overwritten_weight():
    y = w * w
    with torch.no_grad():
        w.sub_(0.1)
    y.sum().backward()
attempt(overwritten_weight)
attempt(lambda: torch.tensor([1]).add_(1.5))
attempt(lambda: torch.tensor([1]).div_(2))
attempt(lambda: torch.tensor([True]).add_(True))
attempt(lambda: torch.ones(2).copy_(torch.ones(3)))
attempt(lambda: torch.tensor([1]).sqrt_())
print(w)
