import torch

x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
for make in (lambda: 2 - x, lambda: 2 / x, lambda: 2 ** x, lambda: 2 // x, lambda: 2 % x, lambda: 2 * x, lambda: 2 + x,
             lambda: x ** 0, lambda: x ** 1, lambda: x ** 2, lambda: x ** -1, lambda: x ** 0.5, lambda: x // 2, lambda: x % 1.5):
    x.grad = None
    y = make()
    try:
        y.sum().backward()
    except RuntimeError as e:
        print(e)
    print(y, x.grad)
    print("   ", type(y.grad_fn).__name__, [type(f).__name__ for f, _ in y.grad_fn.next_functions])
