import torch, copy, io, pickle
from torch.utils.data import DataLoader, TensorDataset, Dataset, random_split
from torch.autograd import Variable, gradcheck, gradgradcheck
import torch.nn as nn
torch.manual_seed(0)
ds = TensorDataset(torch.arange(10.).view(5, 2), torch.arange(5))
for xb, yb in DataLoader(ds, batch_size=2, shuffle=True):
    print(xb, yb)
a, b = random_split(ds, [3, 2])
print(len(a), a.indices, b[0])
class Sq(Dataset):
    def __len__(self): return 4
    def __getitem__(self, i): return {"x": torch.tensor(i), "y": i * 1.5}
for batch in DataLoader(Sq(), batch_size=3, drop_last=False):
    print(batch)
v = Variable(torch.ones(2), requires_grad=True)
print(v, type(v))
print(gradcheck(torch.sigmoid, torch.rand(3, dtype=torch.double, requires_grad=True)), gradgradcheck(torch.sin, torch.rand(2, dtype=torch.double, requires_grad=True)))
m = nn.Linear(2, 1)
buf = io.BytesIO()
torch.save(m.state_dict(), buf)
buf.seek(0)
sd = torch.load(buf)
print(dict(sd))
m2 = copy.deepcopy(m)
print(m2.load_state_dict(sd), m2.weight is m.weight)
opt = torch.optim.Adam(m.parameters(), lr=0.1)
m(torch.ones(1, 2)).sum().backward()
opt.step()
print(opt.state_dict())
with torch.autograd.set_detect_anomaly(True):
    x = torch.tensor([-1.], requires_grad=True)
    try:
        torch.sqrt(x).sum().backward()
        (torch.sqrt(x) * 0).sum().backward()
    except RuntimeError as e:
        print(e)
print(torch.is_inference_mode_enabled(), torch.is_grad_enabled())
x = torch.ones(3, requires_grad=True)
from torch.utils.checkpoint import checkpoint, checkpoint_sequential
y = checkpoint(lambda t: (t * 2).exp(), x, use_reentrant=False)
y.sum().backward()
print(x.grad)
print(checkpoint_sequential(nn.Sequential(nn.Linear(2, 2), nn.ReLU()), 1, torch.ones(1, 2), use_reentrant=False).shape)
for n, p in m.named_parameters(): print(n, p.shape, p.requires_grad, p.is_leaf)
print(sum(p.numel() for p in m.parameters() if p.requires_grad))
print(torch.nn.utils.parameters_to_vector(m.parameters()))
print(m)
