import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(4)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.pool = nn.MaxPool2d(2)
        self.drop = nn.Dropout(0.25)
        self.fc1 = nn.Linear(4 * 4 * 4, 16)
        self.fc2 = nn.Linear(16, 10)
    def forward(self, x):
        x = self.pool(F.relu(self.bn(self.conv1(x))))
        x = self.drop(torch.flatten(x, 1))
        return F.log_softmax(self.fc2(F.relu(self.fc1(x))), dim=1)
net = Net()
print(net)
x = torch.randn(2, 1, 8, 8)
out = net(x)
print(out.shape, out.grad_fn)
loss = F.nll_loss(out, torch.tensor([3, 7]))
loss.backward()
print(f"{loss.item():.4f}")
for n, p in net.named_parameters():
    print(n, tuple(p.shape), f"{p.grad.norm().item():.4f}")
net.eval()
with torch.no_grad():
    print(net(x).argmax(1), net.training, net.bn.running_mean, net.bn.num_batches_tracked)
print([n for n, _ in net.named_modules()], len(list(net.children())))
sd = net.state_dict()
print(list(sd.keys())[:4], sd["bn.num_batches_tracked"])
print(net.load_state_dict(sd))
rnn = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)]); print(rnn, len(rnn))
print(nn.ModuleDict({"a": nn.ReLU(), "b": nn.Sigmoid()}))
print(nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1, bias=False), nn.Softmax(dim=1), nn.LeakyReLU(0.1), nn.Embedding(5, 2), nn.LayerNorm(4), nn.GELU(), nn.Flatten(), nn.Identity()))
def init(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight); nn.init.zeros_(m.bias)
m = nn.Sequential(nn.Linear(2, 2), nn.ReLU()); m.apply(init); print(m[0].weight, m[0].bias)
print(nn.utils.clip_grad_norm_(net.parameters(), 1.0), nn.utils.parameters_to_vector(m.parameters()))
for l in (nn.L1Loss(), nn.SmoothL1Loss(), nn.HuberLoss(), nn.BCEWithLogitsLoss(), nn.KLDivLoss(reduction="batchmean"), nn.HingeEmbeddingLoss(), nn.CosineEmbeddingLoss(), nn.MarginRankingLoss(), nn.TripletMarginLoss(), nn.PoissonNLLLoss(), nn.GaussianNLLLoss()):
    print(l)
net.train(False); print(net.training, net.drop.training)
for p in net.fc1.parameters(): p.requires_grad = False
print(sum(p.numel() for p in net.parameters() if p.requires_grad))
