import torch
from torch import nn
torch.manual_seed(1)
def synthetic_data(w, b, n):
    X = torch.normal(0, 1, (n, len(w)))
    y = torch.matmul(X, w) + b
    y += torch.normal(0, 0.01, y.shape)
    return X, y.reshape((-1, 1))
true_w, true_b = torch.tensor([2, -3.4]), 4.2
features, labels = synthetic_data(true_w, true_b, 100)
print('features:', features[0], '\nlabel:', labels[0])
net = nn.Sequential(nn.Linear(2, 1))
net[0].weight.data.normal_(0, 0.01)
net[0].bias.data.fill_(0)
print(net)
loss = nn.MSELoss()
trainer = torch.optim.SGD(net.parameters(), lr=0.03)
idx = torch.randperm(100)
for epoch in range(3):
    for i in range(0, 100, 10):
        j = idx[i:i + 10]
        l = loss(net(features[j]), labels[j])
        trainer.zero_grad()
        l.backward()
        trainer.step()
    l = loss(net(features), labels)
    print(f'epoch {epoch + 1}, loss {l:f}')
w = net[0].weight.data
print('w error:', true_w - w.reshape(true_w.shape))
print('b error:', true_b - net[0].bias.data)
print(trainer)
