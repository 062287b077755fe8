"""Calls that PyTorch refuses, or takes where one would not think so, each on fresh tensors."""

import torch
import torch.nn.functional as F


def show(source):
    a = torch.arange(6.0).reshape(2, 3)
    names = {
        "torch": torch,
        "F": F,
        "a": a,
        "b": torch.tensor([True, False]),
        "x": torch.ones(2, 3, requires_grad=True),
    }
    try:
        if source.startswith("!"):
            exec(source[1:], names)
            print(source, "->", names["a"])
        else:
            print(source, "->", eval(source, names))
    except Exception as error:
        print(source, "!", type(error).__name__, error)


CALLS = r"""
a[0,0].unbind(-1)
a[0,0].unbind(1)
a[0,0].unbind(0)
!a[0,0]=b
!a[0,0]=torch.ones(2)
!a[0]=b
!a[0,0]=torch.ones(2).double()
!a*='a'
!a+='a'
!a-='a'
!a/='a'
!a//='a'
!a%='a'
!a**='a'
a*'a'
'a'*a
a-'a'
a/'a'
a//'a'
a%'a'
a**'a'
a<'a'
a=='a'
a@'a'
a&'a'
a+None
!a+=None
a+[1,2,3]
!a&='a'
!a|=1.5
!a<<='a'
None*a
[1,2]+a
torch.tensor([1.,'a'])
torch.tensor([1.,'a'],dtype=torch.float32)
torch.tensor(['a'],dtype=torch.float32)
torch.tensor('a',dtype=torch.float32)
torch.tensor([1,'a'],dtype=torch.int64)
torch.tensor([1,None],dtype=torch.int64)
torch.tensor([1,None])
torch.tensor([1.,None],dtype=torch.float32)
torch.tensor([True,'a'],dtype=torch.bool)
a.new_tensor([1.,'a'])
a.new_tensor([1.,None])
torch.tensor(None)
torch.tensor(None,dtype=torch.float32)
torch.tensor([None])
torch.tensor([[1,2],[3]])
torch.tensor({'a':1})
torch.tensor([1e10,None],dtype=torch.float32)
torch.tensor([torch.ones(2),torch.ones(2)])
torch.tensor(object())
torch.tensor([1.5],dtype=torch.int64)
torch.tensor(['1'],dtype=torch.int64)
x[-2:]
x[-3:]
x[:2]
x[0:]
x[:5]
x[:,-3:]
x[::1]
x[:]
x[...]
x[-2:, ...]
torch.ones(3,4)@torch.ones(1,2,4,4,requires_grad=True)
torch.ones(4)@torch.ones(1,2,4,4,requires_grad=True)
torch.ones(1,2,4,4,requires_grad=True)@torch.ones(4,3)
x.softmax(0,dtype=torch.float64).grad_fn.next_functions[0][0].name()
torch.ones(2,dtype=torch.long).nanmean()
torch.ones(2,2,dtype=torch.long).renorm(2,0,1.)
torch.linalg.slogdet(torch.tensor([[float('nan'),1.],[1.,2.]]))
torch.addmm(a,torch.ones(2,2),torch.ones(2))
torch.mm(a,torch.ones(3))
torch.mm(torch.ones(3),a)
torch.addmm(a,torch.ones(2),torch.ones(2,2))
torch.linalg.solve(torch.eye(2).double(),torch.ones(1,2))
F.binary_cross_entropy(a,a>1)
torch.cdist(a,a.double())
torch.cdist(a.double(),a)
torch.std(torch.tensor([float('inf'),float('inf')]))
torch.var(torch.tensor([1.,float('inf')]))
torch.lerp(a,a+1,torch.tensor(1))
torch.lerp(a,a+1,torch.tensor([1]))
torch.lerp(a,a+1,torch.tensor(.5).double())
F.mse_loss(a,a.double())
F.smooth_l1_loss(a.sum(),torch.tensor(1.).double()).dtype
!a.expand(2,2,3).zero_()
!a[:1].expand(2,3).zero_()
!a[:1].expand(2,3).fill_(2.)
!a[:1].expand(2,3).masked_fill_(torch.ones(2,3)>0,2.)
!a[:1].expand(2,3).add_(1)
!a[:1].expand(2,3).tril_()
!a[:1].expand(2,3).copy_(a)
!a[:1].expand(2,3).index_put_((torch.tensor([0]),),torch.tensor(1.))
!a[:1].expand(2,3).index_fill_(0,torch.tensor([0]),1.)
!a[:1].expand(2,3).uniform_()
!a[:1].expand(2,3).clamp_(0,1)
!a[:1].expand(2,3)[0]=5.
!a[:1].expand(2,3).diagonal().fill_(5.)
!a[:1].expand(2,3)[:,0]=9.
!a[:1].expand(2,3).scatter_(0,torch.tensor([[0]]),1.)
!a[:1].expand(2,3).exp_()
!a[:1].expand(2,3).requires_grad_()
!a[:1].expand(2,3).fill_(a)
!torch.nn.init.ones_(a[:1].expand(2,3))
!torch.nn.init.zeros_(a[:1].expand(2,3))
!a[:1].expand(2,3).squeeze_()
!a[:1].expand(2,3).t_()
!a[:1].expand(2,3).random_(5)
!x.grad=torch.ones(2,3).long()
torch.ones(0,dtype=torch.long)//0
torch.ones(0,dtype=torch.long)%0
torch.div(torch.ones(0,dtype=torch.long),0,rounding_mode='trunc')
torch.fmod(torch.ones(0,dtype=torch.long),0)
torch.ones(1,dtype=torch.long)//torch.ones(0,dtype=torch.long)
!x.transpose_(0,5)
torch.searchsorted(torch.tensor([1.,2.,float('nan')]),torch.tensor([float('nan'),1.5,3.]))
torch.searchsorted(torch.tensor([float('nan'),1.,2.,3.]),torch.tensor([1.5]))
torch.quantile(torch.ones(0),3)
torch.quantile(torch.ones(0),.5)
torch.quantile(torch.ones(3),3)
torch.quantile(torch.ones(3).long(),.3)
torch.logaddexp2(torch.tensor([1.,2.],requires_grad=True),torch.tensor([2.,float('inf')]))
torch.logaddexp2(torch.tensor([1.]),torch.tensor([True]))
"""
for line in CALLS.strip().splitlines():
    show(line)
