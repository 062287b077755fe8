import torch
from torch import nn

torch.manual_seed(0)
MADE = [nn.Linear(3, 2), nn.Bilinear(2, 2, 1), nn.Embedding(3, 2), nn.Embedding(3, 2, padding_idx=0), nn.Conv1d(2, 3, 2), nn.Conv2d(1, 2, 3, bias=False),
        nn.ConvTranspose2d(2, 1, 2), nn.RNN(2, 2), nn.LSTM(1, 2), nn.GRUCell(2, 2), nn.PReLU(2), nn.LayerNorm(2), nn.BatchNorm1d(2), nn.GroupNorm(1, 2), nn.Linear(20, 1)]
for module in MADE:
    print(type(module).__name__, [(n, p.data) for n, p in module.named_parameters()])
print(torch.rand(1))
torch.manual_seed(1)
net = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Dropout(0.5), nn.Linear(4, 1))
print(dict(net.state_dict()), torch.randn(2))
net[0].reset_parameters()
print(net[0].bias)
w = torch.empty(3, 4)
torch.manual_seed(2)
for text in """uniform_(w) uniform_(w,-2.0,3.0) normal_(w) normal_(w,1.0,0.1) constant_(w,0.5) ones_(w) zeros_(w) eye_(w) xavier_uniform_(w) xavier_uniform_(w,gain=2.0)
xavier_normal_(w) kaiming_uniform_(w) kaiming_uniform_(w,mode='fan_out',nonlinearity='relu') kaiming_normal_(w) kaiming_normal_(w,a=0.1) trunc_normal_(w) trunc_normal_(w,0.0,1.0,-0.5,0.5)
trunc_normal_(w,0.0,1.0,1.0,1.5) sparse_(w,0.5) dirac_(torch.empty(2,2,3)) dirac_(torch.empty(4,2,3,3),2)[:,:,1,1] xavier_uniform_(torch.empty(2)) kaiming_uniform_(w,mode='x') calculate_gain('x') calculate_gain('leaky_relu','a')
calculate_gain('leaky_relu',0.2) calculate_gain('selu') calculate_gain('tanh') calculate_gain('conv2d') eye_(torch.empty(2)) dirac_(w) sparse_(torch.empty(2),0.5) kaiming_normal_(torch.empty(0,3)) kaiming_uniform_(torch.empty(2,3,4))""".split():
    try:
        print(text, eval("nn.init." + text))
    except Exception as error:
        print(text, type(error).__name__, error)
p = nn.Parameter(torch.empty(3))
print(nn.init.uniform_(p), p.grad_fn, p._version)
