"""Writing parts, changing shapes in place, and gradients that are passed on as they are."""
import torch
import torch.nn.functional as F

def show(number, source):
    try:
        exec(source, {"torch": torch, "F": F})
    except Exception as error:
        print(number, type(error).__name__, error)


PARTS = """\
w=torch.ones(1,3).expand(3,3)
w.fill_diagonal_(3); print(w)
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
with torch.no_grad(): v=y.view(3,2)
print(v.fill_diagonal_(1))
###
w=torch.ones(1,3).expand(3,3)
w.unsqueeze_(0); print(w.shape)
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
v=y.view(6)
v.unsqueeze_(0)
print(v.grad_fn, v.grad_fn.next_functions, y.grad_fn)
w=y[0]
v.squeeze_()
print(v.grad_fn, y.grad_fn, w.grad_fn, y._version)
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
v=y.view(6)
u=y.view(3,2)
y.unsqueeze_(0)
print(y.grad_fn, v.grad_fn, u.grad_fn, y.shape, v.shape)
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
v=y.view(6)
y.t_()
print(y.grad_fn, v.grad_fn)
v.sum().backward(); print(x.grad)
###
y=torch.ones(2,3)
y.t_()
v=y[0]
print(v, v._base is y)
###
w=torch.ones(3).long()
print(w.masked_fill(w > 0, torch.ones((), requires_grad=True)))
###
w=torch.ones(3).long()
print(w.index_fill(0, torch.tensor([0]), torch.ones((), requires_grad=True)))
###
w=torch.ones(())
w%= torch.ones(5,2)
###
w=torch.ones(()).int()
w%= torch.zeros(5,2).int()
###
w=torch.ones(0)
w//= torch.zeros(3,2,0)
###
w=torch.ones(0).int()
w//= torch.zeros(3,2,0).int()
###
w=torch.ones(3).bool()
print(torch.add(w, 1, out=w))
###
w=torch.ones(3,2)
w[:, 0]=torch.ones(2,5)
###
w=torch.ones(0,3)
w[:]=torch.ones(2,9)
###
w=torch.ones(5,0,4)
w[:]=torch.ones(1,5)
###
w=torch.ones(5,0,4)
w[:]=torch.ones(1,1,5)
###
w=torch.ones(2,3,requires_grad=True)
w[torch.tensor([[True,False]])]=1
###
w=torch.ones(0,3,requires_grad=True)
w.view(-1)[[0]]=torch.ones(1)
###
w=torch.ones(3)
w[[0],...]=w
###
w=torch.ones(0)
w[[0],...]=w
###
w=torch.ones(3)
w[[0,1,2]]=w
print(w)
###
w=torch.ones(3)
w[torch.tensor([0,1,2])]=w[:]
print(w)
###
w=torch.arange(3.)
w[[2,1,0]]=w[[0,1,2]]
print(w)
###
w=torch.arange(6.).view(2,3)
w[[1]]=w[:1]
print(w)
###
w=torch.arange(6.).view(2,3)
w[[1]]=w[0]
print(w)
###
w=torch.arange(6.).view(2,3)
w[torch.tensor(True)]=w
print(w)
###
print(torch.ones(())[-1])
###
print(torch.ones(())[0])
###
print(torch.ones(2, 0)[..., 0])
###
print(torch.ones(3, 2, 0)[..., 0])
###
print(torch.ones(2)[..., -5])
###
x=torch.ones(2,3,requires_grad=True)
print(torch.autograd.grad((x * 2).sum(), [x, torch.ones(2, requires_grad=True)], allow_unused=True, materialize_grads=True))
###
x=torch.ones(2,3,requires_grad=True)
g=torch.ones(2,3,requires_grad=True)
print(torch.autograd.grad(x.clone(), x, g))
print(torch.autograd.grad(x*1, x, g))
x.register_hook(lambda g: print("hook",g))
x.clone().backward(g)
y=x*2
y.register_hook(lambda g: print("hook2",g, g.requires_grad))
y.backward(g)
y=x*2
z=y+1
y.register_hook(lambda g: print("hook3",g, g.requires_grad))
z.backward(g)
print(x.grad)
###
x=torch.ones(2,requires_grad=True)
g=torch.ones(2,requires_grad=True)
y=x*1
y.retain_grad()
y.backward(g)
print(y.grad, x.grad)
###
x=torch.ones(2,requires_grad=True)
g=torch.ones(2,requires_grad=True)
y=x.clone()
y.backward(g)
print(x.grad)
###
x=torch.ones(2,requires_grad=True)
g=torch.ones(2,requires_grad=True)*2
x.backward(g)
print(x.grad)
###
v1=torch.tensor([0.1,-3.],requires_grad=True)
v2=v1.gather(0,torch.tensor([1]))
v2.sum().backward(inputs=[v2])
print(v2.grad, v2.retains_grad)
v2.relu_()
torch.autograd.backward(v2, grad_tensors=torch.ones(1))
print(v2.grad, v2.retains_grad)
###
v1=torch.tensor([0.1,-3.],requires_grad=True)
v2=v1*2
v2.sum().backward(inputs=[v2])
v2.sum().backward()
print(v2.grad)
###
x=torch.tensor([2.,3.],requires_grad=True)
y=torch.vander(x); print(y)
print(y.sum().backward())
###
print(torch.vander(torch.tensor([2,3,4]),2), torch.vander(torch.tensor([2.,3,4]),5,True), torch.vander(torch.tensor([2.,3]),0), torch.vander(torch.tensor([2.,3],requires_grad=True),1))
###
print(torch.ones(0, dtype=torch.int64).median())
###
print(torch.ones(0, dtype=torch.int32).median())
###
print(torch.ones(0, dtype=torch.uint8).median())
###
print(torch.ones(0, dtype=torch.int16).median())
###
print(torch.vander(torch.ones(2, 2)))
"""
for number, part in enumerate(PARTS.split("###\n")):
    show(number, part)
