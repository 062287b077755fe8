import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x ** 2
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: y.backward())
attempt(lambda: y.backward(torch.ones(2)))
attempt(lambda: y.backward(torch.ones(3, 1)))
attempt(lambda: y.backward(1.0))
attempt(lambda: y.backward(torch.ones(3, dtype=torch.int64), retain_graph=True))
attempt(lambda: y.backward(torch.ones(3, dtype=torch.float64), retain_graph=True))
attempt(lambda: torch.autograd.backward([y, y.sum()], [torch.ones(3)]))
attempt(lambda: torch.autograd.backward([y], grad_variables=[torch.ones(3)], retain_graph=True))
attempt(lambda: y.backward([1.0, 1.0, 1.0]))
attempt(lambda: y.sum().backward(inputs=[]))
attempt(lambda: y.sum().backward(inputs=[torch.ones(1)], retain_graph=True))
attempt(lambda: y.sum().backward(inputs=x, retain_graph=True))
attempt(lambda: torch.autograd.backward(y.sum(), torch.tensor(2.0), retain_graph=True))
attempt(lambda: y.sum().backward(torch.tensor([1.0])))
attempt(lambda: torch.ones(1).backward())
print(x.grad)
