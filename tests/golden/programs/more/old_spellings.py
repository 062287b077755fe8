import torch
from torch.autograd import Variable

v = Variable(torch.ones(2), requires_grad=True)
print(v, type(v).__name__, v.data, isinstance(v, Variable))
(v * 2).sum().backward()
print(v.grad, v.grad.data)
print(torch.autograd.Variable(torch.tensor([1.0])).requires_grad)
torch.autograd.backward([v.sum()], grad_variables=[torch.tensor(3.0)])
print(v.grad)
print(torch.ger(torch.ones(2), torch.ones(2)), torch.clip(torch.ones(1), 0, 0.5), torch.range(0, 2) if False else "", torch.ones(2).new(3).shape, torch.absolute(-torch.ones(1)), torch.arctan(torch.ones(1)))
print(torch.nn.functional.tanh(torch.ones(1)), torch.nn.functional.sigmoid(torch.zeros(1)), torch.special.expit(torch.zeros(1)), torch.concat([torch.ones(1)]), torch.greater(torch.ones(1), 0))
