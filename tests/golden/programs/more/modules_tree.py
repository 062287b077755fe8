import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.blocks = nn.ModuleList([nn.Linear(3, 3, bias=False), nn.ReLU()])
        self.heads = nn.ModuleDict({"a": nn.Linear(3, 1), "b": nn.Identity()})
        self.scale = nn.Parameter(torch.ones(1))
        self.register_buffer("count", torch.zeros(2))
        self.extra = None
    def forward(self, x):
        for b in self.blocks:
            x = b(self.first(x) if x.shape[-1] == 2 else x)
        return self.heads["a"](x) * self.scale
net = Net()
print(net)
print([n for n, _ in net.named_parameters()], [n for n, _ in net.named_buffers()], [n for n, _ in net.named_modules()])
print([type(c).__name__ for c in net.children()], sum(p.numel() for p in net.parameters()), len(list(net.modules())))
print({k: tuple(v.shape) for k, v in net.state_dict().items()})
print(net.training, net.eval().training, net.blocks[1].training, net.train() is net)
net.requires_grad_(False)
print(any(p.requires_grad for p in net.parameters()))
print(net.double().scale.dtype, net.float().count.dtype, net.get_parameter("first.bias").shape, net.get_submodule("heads.a"))
try:
    net.nothing
except AttributeError as e:
    print(e)
try:
    net.scale = torch.ones(1)
except TypeError as e:
    print(e)
try:
    print(net.load_state_dict({"scale": torch.ones(1)}))
except RuntimeError as e:
    print(e)
print(net.load_state_dict({"scale": torch.ones(1) * 2}, strict=False).missing_keys[:2], net.scale)
