"""Views that a recorded write may not touch, and how it is refused."""
import torch
import torch.nn.functional as F

def show(number, source):
    try:
        exec(source, {"torch": torch, "F": F})
    except Exception as error:
        print(number, type(error).__name__, error)


PARTS = """\
x=torch.ones(3,requires_grad=True)
y=x*2
with torch.no_grad(): v=y.view(3)
w=v.T
print(w.mul_(2))
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
u=y.unbind()
w=u[0].T
print(w.mul_(2))
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
u=y.unbind()
w=u[0].view(3)
print(w.mul_(2))
###
x=torch.ones(2,3)
u=x.unbind()
w=u[0].view(3)
print(w.mul_(torch.ones(3, requires_grad=True)))
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
v=y[0]
print(v.detach_())
###
x=torch.ones(2,3)
v=x[0]
print(v.detach_())
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
with torch.no_grad(): v=y[0]
print(v.detach_(), v._is_view())
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
v=y.split(1)
w=v[1]
print(w.squeeze_())
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
v=y.split(1)
w=v[1]
with torch.no_grad(): w.squeeze_()
print(w.shape, w._version)
w.requires_grad
print(w.grad_fn)
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
with torch.no_grad(): v=y.split(1)
with torch.no_grad(): w=y[0]
y.add_(1)
print(v[0])
print(w, w.requires_grad,w.is_leaf)
print(w.grad_fn)
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
with torch.no_grad(): v=y.split(1)
y.add_(1)
print(v[0].grad_fn)
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
with torch.no_grad(): v=y.split(1)
print(v[0].add_(1))
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
with torch.no_grad(): v=y.split(1)[0].view(3)
print(v.add_(1))
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
with torch.no_grad(): v=y.split(1)[0]
print(v.view(3).add_(1))
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
with torch.no_grad(): v=y[0]
print(v.view(3).add_(1))
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
v=y.split(1)[0]
with torch.no_grad(): w=v.view(3)
print(w.add_(1))
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
v=y.split(1)[0]
with torch.no_grad(): w=v.view(3)
y.add_(1)
print(w.grad_fn)
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
with torch.inference_mode(): w=y.view(6)
y.add_(1)
print(w, w._is_view(), w.is_inference())
print(w.grad_fn)
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
with torch.inference_mode(): w=y.view(6)
print(w.add_(1))
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
with torch.inference_mode(): w=y.view(6)
w[0]=1
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
with torch.inference_mode(): w=y.split(1)
print(w[0].add_(1))
###
x=torch.ones(2,3,requires_grad=True)
y=x*2
with torch.inference_mode(): w=y.split(1)
y.add_(1)
print(w[0].grad_fn)
###
x=torch.ones(2,3)
with torch.inference_mode(): w=x.view(6)
print(w._is_view(), w.is_inference(), w._version)
w.add_(1)
print(x._version)
###
x=torch.ones(2,3)
with torch.no_grad(): w=x.view(6)
print(w.mul_(torch.ones(6, requires_grad=True)))
###
x=torch.ones(2,3)
with torch.no_grad(): w=x.view(6)
w.add_(1); print(w)
###
w=torch.ones(3).long()
w.copy_(torch.ones((3),requires_grad=True)); print(w, w.requires_grad)
###
w=torch.ones(3).long()
w[0]=torch.ones((),requires_grad=True); print(w, w.requires_grad)
###
w=torch.ones(3).bool()
w.index_put_((torch.tensor([0]),), torch.ones((),requires_grad=True).bool()); print(w, w.requires_grad)
"""
for number, part in enumerate(PARTS.split("###\n")):
    show(number, part)
