import torch
from torch import nn


def run(title, module, *inputs):
    for p in module.parameters():
        with torch.no_grad():
            p.copy_((torch.arange(p.numel()) % 5).reshape(p.shape) * 0.25 - 0.375)
    out = module(*inputs)
    print(title, out)
    total = out.sum() if out.requires_grad else None
    if total is not None:
        module.zero_grad()
        (out * (torch.arange(out.numel()) % 4 + 1).reshape(out.shape)).sum().backward()
        print([p.grad for p in module.parameters()])
        for x in inputs:
            if x.requires_grad and x.is_leaf:
                print("input", x.grad)
                x.grad = None


x = torch.tensor([[1.0, -2.0, 0.5], [0.25, 3.0, -1.5]], requires_grad=True)
x3 = ((torch.arange(12) * 5 % 7) - 2.25).reshape(2, 2, 3).requires_grad_()
x4 = ((torch.arange(32) * 7 % 11) / 2 - 2.25).reshape(1, 2, 4, 4).requires_grad_()
run("linear", nn.Linear(3, 2), x)
run("no bias", nn.Linear(3, 2, bias=False), x)
run("linear 3d", nn.Linear(3, 2), x3)
run("bilinear", nn.Bilinear(3, 3, 2), x, x)
run("embedding", nn.Embedding(4, 2, padding_idx=1), torch.tensor([[0, 1], [3, 3]]))
run("layer norm", nn.LayerNorm(3), x)
run("rms norm", nn.RMSNorm(3), x)
run("group norm", nn.GroupNorm(1, 2), x3)
run("instance norm", nn.InstanceNorm1d(2, affine=True), x3)
run("prelu", nn.PReLU(), x)
run("conv1d", nn.Conv1d(2, 2, 2, padding=1), x3)
run("conv2d", nn.Conv2d(2, 1, 3, stride=2, padding=1), x4)
run("conv same", nn.Conv2d(2, 1, 3, padding="same", groups=1), x4)
run("conv circular", nn.Conv1d(2, 2, 3, padding=1, padding_mode="circular"), x3)
run("transposed", nn.ConvTranspose1d(2, 1, 2, stride=2), x3)
run("max pool", nn.MaxPool2d(2), x4)
run("avg pool", nn.AvgPool2d(2, padding=1), x4)
run("adaptive", nn.AdaptiveAvgPool2d(2), x4)
run("flatten", nn.Flatten(), x4)
run("unflatten", nn.Unflatten(1, (1, 3)), x)
run("zero pad", nn.ZeroPad2d(1), x3)
run("reflect", nn.ReflectionPad1d(1), x3)
run("shuffle", nn.PixelShuffle(1), x4)
run("cosine", nn.CosineSimilarity(), x, x.detach() + 1)
run("distance", nn.PairwiseDistance(), x, x.detach() + 1)
run("softmax", nn.Softmax(dim=1), x)
run("softmin", nn.Softmin(dim=1), x)
run("rnn cell", nn.RNNCell(3, 2), x)
run("gru cell", nn.GRUCell(3, 2), x)
bn = nn.BatchNorm1d(2)
for _ in range(3):
    print(bn(x3))
print(bn.running_mean, bn.running_var, bn.num_batches_tracked)
bn(x3)[0, 0, 0].backward()
print(x3.grad, bn.weight.grad, bn.bias.grad)
print(bn.eval()(x3))
x3.grad = None
bn(x3).sum().backward()
print(x3.grad, dict(bn.state_dict()))
print(nn.BatchNorm1d(3, momentum=None)(x), nn.BatchNorm1d(3, affine=False, track_running_stats=False)(x))
bn2 = nn.BatchNorm2d(2)
print(bn2(x4)[0, 0], bn2.running_mean, bn2.running_var)
torch.manual_seed(0)
for kind in (nn.RNN, nn.GRU, nn.LSTM):
    net = kind(2, 3, num_layers=2, bidirectional=kind is nn.GRU, batch_first=kind is nn.LSTM)
    out, state = net(torch.linspace(-1, 1, 12).reshape(3, 2, 2))
    print(kind.__name__, out.data, (state[0] if kind is nn.LSTM else state).data[-1])
    out.sum().backward()
    print(net.weight_ih_l0.grad, net.bias_hh_l1.grad, [n for n, _ in net.named_parameters()][:4])
out, state = nn.RNN(2, 3)(torch.ones(4, 2))
print(out.shape, state.shape)
h, c = nn.LSTMCell(2, 3)(torch.ones(1, 2))
print(h, c)
