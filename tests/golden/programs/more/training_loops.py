import torch
import torch.nn as nn

torch.manual_seed(4)
x = torch.linspace(-1, 1, 8).unsqueeze(1)
y = 3 * x - 0.5 + 0.1 * torch.randn(8, 1)
net = nn.Sequential(nn.Linear(1, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.05)
for epoch in range(30):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    if epoch % 10 == 0:
        print(epoch, f"{loss.item():.4f}")
print(f"{loss.item():.4f}", [f"{p.norm().item():.3f}" for p in net.parameters()])
from torch.utils.data import TensorDataset, DataLoader
ds = TensorDataset(x, y)
print(len(ds), ds[0])
for xb, yb in DataLoader(ds, batch_size=3):
    print(xb.shape, yb.sum().item().__class__.__name__)
torch.manual_seed(0)
print([b[0].flatten().tolist() for b in DataLoader(ds, batch_size=4, shuffle=True)])
