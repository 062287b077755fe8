import torch
from torch import nn
from torch.nn.utils import parametrize
from torch.nn.utils.parametrizations import orthogonal

torch.set_printoptions(sci_mode=False)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


for shape in [(3, 3), (2, 4), (4, 2)]:
    for name in [None, "matrix_exp", "cayley", "householder"]:
        for trivial in (True, False):
            torch.manual_seed(0)
            m = orthogonal(nn.Linear(*shape), orthogonal_map=name, use_trivialization=trivial)
            print(shape, name, trivial, m.weight)
            W = m.weight.mT if shape[0] <= shape[1] else m.weight
            print(torch.allclose(W @ W.mT, torch.eye(min(shape)), atol=1e-5))
            opt = torch.optim.SGD(m.parameters(), lr=0.1)
            for _ in range(2):
                opt.zero_grad()
                m(torch.arange(2.0 * shape[0]).reshape(2, -1)).square().sum().mul(0.01).backward()
                opt.step()
            print(m.parametrizations.weight.original, m.weight.grad_fn.name())
            print(m.weight)
print(m)
m = orthogonal(nn.Linear(3, 3))
print([(n, tuple(p.shape)) for n, p in m.state_dict().items()])
with torch.no_grad():
    m.weight = torch.eye(3)
print(m.weight, parametrize.is_parametrized(m, "weight"))
attempt(lambda: setattr(m, "weight", torch.eye(2)))
attempt(lambda: orthogonal(nn.Linear(2, 2), "nothing"))
attempt(lambda: orthogonal(nn.Linear(2, 2), "bias"))
attempt(lambda: orthogonal(nn.Linear(2, 2), orthogonal_map="none"))
m = orthogonal(nn.Linear(2, 2), use_trivialization=False)
attempt(lambda: setattr(m, "weight", torch.eye(2)))
