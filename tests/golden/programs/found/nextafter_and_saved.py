"""nextafter's gradient, numbers that were saved, views that may not be used."""
import torch
import torch.nn.functional as F

def show(number, source):
    try:
        exec(source, {"torch": torch, "F": F})
    except Exception as error:
        print(number, type(error).__name__, error)


PARTS = """\
a=torch.tensor([1.,2.,float('nan'),1.,-0.,0.],requires_grad=True); b=torch.tensor([1.,3.,1.,float('nan'),0.,0.],requires_grad=True)
r=torch.nextafter(a,b)
g=torch.autograd.grad(r.sum(),(a,b),create_graph=True); print(g, g[0].grad_fn.next_functions if g[0].grad_fn else 0)
print(r.grad_fn._saved_self, r.grad_fn._saved_other)
gg=torch.tensor(2.,requires_grad=True)
r=torch.nextafter(a,b)
g=torch.autograd.grad(r.sum(),(a,b),grad_outputs=gg,create_graph=True); print(g)
def show(n,d=0):
    print(' '*d, n.name() if n else None)
    if n:
        for m,_ in n.next_functions: show(m,d+1)
print(show(g[1].grad_fn))
###
a=torch.ones(2,1,requires_grad=True); b=torch.ones(3,dtype=torch.float64,requires_grad=True)
r=torch.nextafter(a,b); print(r); r.sum().backward(); print(a.grad,b.grad)
###
a=torch.ones(2,1,requires_grad=True)
b=a*1
b.nextafter_(torch.zeros(2,1)); print(b); b.sum().backward(); print(a.grad)
###
a=torch.randn(3,requires_grad=True); b=torch.randn(3)
r=torch.nextafter(a*2,b*1); print(r.grad_fn, r.grad_fn.next_functions)
r.sum().backward(); print(a.grad)
###
a=torch.ones(3,requires_grad=True); b=torch.zeros(3,requires_grad=True)
r=torch.nextafter(a,b); print(r.grad_fn, r.grad_fn.next_functions)
r.sum().backward()
print(a.grad,b.grad)
###
a=torch.ones(3,requires_grad=True); b=torch.zeros(3)
r=torch.nextafter(b,a); print(r.grad_fn, r.grad_fn.next_functions)
r.sum().backward()
print(a.grad,b.grad)
###
x=torch.ones(3,requires_grad=True)
g=(x*3).grad_fn
print(g._saved_other, g._saved_self)
y=torch.ones(3); g=(x*y).grad_fn
print(g._saved_other, g._saved_self)
g=(x/3).grad_fn
print(g._saved_other, g._saved_self)
###
x=torch.ones(3,requires_grad=True)
with torch.inference_mode():
    y=torch.tensor([1.,2.])
try: y.add_(1)
except RuntimeError as e: print(e)
print(y)
###
x=torch.ones(2,3,requires_grad=True)
y=(x*2).unbind()
z=y[0]
y0=(x*2)
u=y0.unbind()
y0.add_(1)
print(u[0])
"""
for number, part in enumerate(PARTS.split("###\n")):
    show(number, part)
