import torch
torch.manual_seed(11)
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
import torch.nn.functional as F
x=torch.randn(3,4)
for n in range(5):
    y=torch.ones([2]*n)
    attempt(lambda: F.avg_pool1d(y,2)); attempt(lambda: F.max_pool1d(y,2)); attempt(lambda: F.adaptive_avg_pool1d(y,1)); attempt(lambda: y.clone().t_()); attempt(lambda: torch.baddbmm(y,y,y) if y.ndim < 4 else None); attempt(lambda: torch.cross(y,y,dim=-1));
attempt(lambda: +torch.tensor(True)); attempt(lambda: F.prelu(x.double(), torch.tensor([0.25])))
r=torch.ones(2,requires_grad=True)
attempt(lambda: F.soft_margin_loss(r, r.sign()))
attempt(lambda: r.sum(dtype=torch.int64)); attempt(lambda: r.cumsum(0,dtype=torch.int64))
for a in (torch.float32,torch.float64):
    for b in (torch.float32,torch.float64,torch.int64):
        z=torch.tensor([0.5,-1.],dtype=a,requires_grad=True)
        def g():
            l=F.binary_cross_entropy_with_logits(z,torch.tensor([1,0],dtype=b)); l.backward(); return l,z.grad
        attempt(g)
        attempt(lambda: F.binary_cross_entropy_with_logits(z,torch.tensor([1,0],dtype=b),reduction="none",pos_weight=torch.tensor([2.,3.])))
attempt(lambda: F.binary_cross_entropy_with_logits(torch.tensor(0.3),torch.tensor(1.)))
attempt(lambda: F.elu(torch.tensor([-0.,0.,-1.])))
attempt(lambda: torch.zeros(2,dtype=torch.int64).clamp_(min=0.5)); attempt(lambda: torch.zeros(2,dtype=torch.bool).clamp_(min=1))
attempt(lambda: F.cosine_similarity(x, x>0)); attempt(lambda: torch.dist(x,x>0)); attempt(lambda: torch.lerp(x,x,x>0))
attempt(lambda: torch.nn.LayerNorm(4)(x.double())); attempt(lambda: torch.sub(torch.ones(2,dtype=torch.int64),torch.ones(2,dtype=torch.int64),alpha=0.5))
attempt(lambda: torch.ones(2).reshape()); attempt(lambda: torch.addmm(x,x,x.T)); attempt(lambda: x.clone().addmm_(torch.randn(2,2),torch.randn(2,2)))
attempt(lambda: torch.linalg.cholesky(-torch.eye(2))); attempt(lambda: torch.nextafter(x,torch.ones(3,4,dtype=torch.int64)).dtype); attempt(lambda: torch.tensor([True])^1.5)
attempt(lambda: 3 % r); attempt(lambda: (3 % r).grad_fn.next_functions)
attempt(lambda: F.conv2d(torch.ones(1,1,3),torch.ones(1,1,2,2)))
