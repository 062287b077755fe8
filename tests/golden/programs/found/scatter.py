"""Scattering by an index: refusals, combinations and their gradients."""
import torch
import torch.nn.functional as F

def show(number, source):
    try:
        exec(source, {"torch": torch, "F": F})
    except Exception as error:
        print(number, type(error).__name__, error)


PARTS = """\
print(torch.zeros(3).long().masked_scatter(torch.tensor([True]), torch.ones(2)))
###
print(torch.zeros(3).long().masked_scatter_(torch.tensor([True]), torch.ones(2)))
###
print(torch.zeros(3).masked_scatter(torch.tensor([True]), torch.ones(2)))
###
print(torch.zeros(3).masked_scatter_(torch.tensor([1]), torch.ones(2)))
###
print(torch.zeros(3).masked_scatter(torch.tensor([1]), torch.ones(2)))
###
print(torch.zeros(3).masked_scatter(torch.tensor([1]), torch.ones(2).double()))
###
print(torch.zeros(3).masked_scatter(torch.tensor([True, False]), torch.ones(2).double()))
###
print(torch.zeros(3).masked_scatter(torch.tensor([True, False]), torch.ones(2)))
###
print(torch.zeros(3).scatter_add(0, torch.tensor([0.0]), torch.ones(2)))
###
print(torch.zeros(3).scatter(0, torch.tensor([0.0]), torch.ones(2)))
###
print(torch.zeros(3).scatter(0, torch.tensor([0.0]), 1))
###
print(torch.zeros(3, 2).scatter(0, torch.tensor([0]), 1))
###
print(torch.zeros(3, 2).scatter(0, torch.tensor([[0, 1, 2]]), 1))
###
print(torch.zeros(3, 2).gather(0, torch.tensor([[0, 1, 2]])))
###
print(torch.zeros(3, 2).scatter(0, torch.tensor([[0, 1]]), torch.ones(2)))
###
print(torch.zeros(3, 2).scatter(0, torch.tensor([[0, 1]]), torch.ones(())))
###
print(torch.zeros(3, 2).scatter(0, torch.tensor([[0, 7]]), torch.ones(1, 2)))
###
print(torch.zeros(3, 2).scatter(0, torch.tensor([], dtype=torch.int64), torch.ones(1, 2)))
###
print(torch.zeros(3, 2).gather(0, torch.tensor([], dtype=torch.int64)))
###
print(torch.zeros(3, 2).gather(0, torch.tensor([])))
###
print(torch.zeros(3, 2).scatter_reduce(0, torch.tensor([[0, 7]]), torch.ones(1, 2), 'foo'))
###
print(torch.zeros(3, 2).scatter_reduce(0, torch.tensor([[0]]), torch.ones(1, 2).double(), 'foo'))
###
print(torch.zeros(3, 2).scatter_reduce(0, torch.tensor([[0, 0, 0]]), torch.ones(1, 3), 'foo'))
###
print(torch.zeros(3, 2).scatter_reduce(0, torch.tensor([[0.0, 0]]), torch.ones(1, 3), 'sum'))
###
print(torch.zeros(3, 2).bool().scatter_reduce(0, torch.tensor([[0, 1]]), torch.ones(1, 3).bool(), 'mean'))
###
print(torch.tensor([7,2,3]).scatter_reduce(0, torch.tensor([0,0,1]), torch.tensor([-4,-4,2]), "mean"))
###
print(torch.tensor([7,2,3]).scatter_reduce(0, torch.tensor([0,0,1]), torch.tensor([-4,-4,2]), "mean", include_self=False))
###
a=torch.tensor([1.,2,3],requires_grad=True);b=torch.tensor([1.,0,0],requires_grad=True)
for r in ("sum","mean","amax","amin","prod"):
    for inc in (True,False):
        y=a.scatter_reduce(0, torch.tensor([0,0,1]),b, r, include_self=inc); g=torch.autograd.grad((y*y).sum(),(a,b),create_graph=True); print(r,inc,y,g)
        h=torch.autograd.grad(g[0].sum()+g[1].sum(),(a,b),allow_unused=True); print(h)
###
a=torch.tensor([1.,2,3],requires_grad=True);b=torch.tensor([1.,0,0],requires_grad=True)
print(a.scatter_reduce(0, torch.tensor([0, 0]), b, 'prod').sum().backward())
###
a=torch.tensor([1.,2,3],requires_grad=True);b=torch.tensor([1.,0,0],requires_grad=True)
a.scatter_reduce(0, torch.tensor([0]),b, "prod").sum().backward();print(a.grad,b.grad)
###
a=torch.tensor([1.,2,3],requires_grad=True);b=torch.tensor([1.,0,0],requires_grad=True)
a.scatter_reduce(0, torch.tensor([0]),b, "amax").sum().backward();print(a.grad,b.grad)
###
a=torch.tensor([1.,2,3],requires_grad=True);b=torch.tensor([1.,0,0],requires_grad=True)
a.scatter_reduce(0, torch.tensor([0,0]),b, "amax").sum().backward();print(a.grad,b.grad)
###
a=torch.tensor([1.,2,3],requires_grad=True);b=torch.tensor([1.,0,0],requires_grad=True)
a.scatter_reduce(0, torch.tensor([0,0]),b, "mean").sum().backward();print(a.grad,b.grad)
###
a=torch.tensor([1.,2,3],requires_grad=True);b=torch.tensor([1.,0,0],requires_grad=True)
a.scatter(0, torch.tensor([0]),b).sum().backward();print(a.grad,b.grad)
"""
for number, part in enumerate(PARTS.split("###\n")):
    show(number, part)
