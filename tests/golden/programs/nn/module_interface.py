import copy

import torch
from torch import nn


def attempt(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__, error)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.tail = nn.Sequential(nn.ReLU(), nn.Linear(3, 1))
        self.scale = nn.Parameter(torch.tensor([2.0]))
        self.register_buffer("seen", torch.zeros(1))
        self.register_buffer("quiet", torch.zeros(1), persistent=False)

    def forward(self, x):
        return self.tail(self.first(x)) * self.scale


torch.manual_seed(0)
net = Net()
print(net)
print([(n, tuple(p.shape)) for n, p in net.named_parameters()])
print([n for n, _ in net.named_parameters(prefix="net", recurse=False)])
print([n for n, _ in net.named_buffers()], [n for n, _ in net.named_modules()], [n for n, _ in net.named_children()])
print([type(m).__name__ for m in net.modules()], [type(m).__name__ for m in net.children()])
print(list(net.state_dict()), list(net.state_dict(prefix="x.")))
print(net.state_dict()["scale"], net.state_dict(keep_vars=True)["scale"])
attempt(lambda: net.missing)
attempt(lambda: setattr(net, "first", 3))
attempt(lambda: setattr(net, "scale", torch.ones(1)))
attempt(lambda: setattr(net, "scale", [1]))
attempt(lambda: setattr(net, "seen", 3))
attempt(lambda: net.register_parameter("a.b", None))
attempt(lambda: net.register_parameter("", None))
attempt(lambda: net.register_parameter("first", None))
attempt(lambda: net.register_parameter("q", torch.ones(1)))
attempt(lambda: net.register_parameter(3, None))
attempt(lambda: net.register_buffer("a.b", None))
attempt(lambda: net.register_buffer("first", None))
attempt(lambda: net.register_buffer("q", 3))
attempt(lambda: net.add_module("q", 3))
attempt(lambda: net.add_module("a.b", nn.ReLU()))
attempt(lambda: net.add_module("", nn.ReLU()))
attempt(lambda: net.add_module("forward", nn.ReLU()))
attempt(lambda: net.get_submodule("tail.1"))
attempt(lambda: net.get_submodule("tail.7"))
attempt(lambda: net.get_submodule("scale"))
attempt(lambda: net.get_parameter("tail.1.bias").shape)
attempt(lambda: net.get_parameter("seen"))
attempt(lambda: net.get_buffer("seen"))
attempt(lambda: net.get_buffer("scale"))
attempt(lambda: net.train(3))
attempt(lambda: nn.Module()(1))
attempt(lambda: nn.Module(1))
attempt(lambda: nn.Module(a=1))
attempt(lambda: nn.Linear(2, 1)(torch.ones(1, 2), torch.ones(1)))


class Early(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(1, 1)


class EarlyParameter(nn.Module):
    def __init__(self):
        self.w = nn.Parameter(torch.ones(1))


attempt(Early)
attempt(EarlyParameter)
other = Net()
print(other.load_state_dict(net.state_dict()), other.load_state_dict({}, strict=False))
attempt(lambda: other.load_state_dict({}))
attempt(lambda: other.load_state_dict(3))
bad = dict(net.state_dict(), extra=torch.ones(1), scale=torch.ones(3))
attempt(lambda: other.load_state_dict(bad))
attempt(lambda: other.load_state_dict(bad, strict=False))
x = torch.tensor([[1.0, -1.0]])
print(torch.equal(net(x), copy.deepcopy(net)(x)), net(x))
net.tail[1].bias = None
print(net.tail[1], net(x))
del net.tail[1].bias
attempt(lambda: net.tail[1].bias)
net.first = nn.Identity()
print(net.first, len(list(net.parameters())))
net.extra = torch.ones(2)
print("extra" in dict(net.named_buffers()), net.extra)
net.seen = torch.tensor([5.0])
print(net.seen, dict(net.named_buffers()))
print(net.apply(lambda m: print(type(m).__name__)) is net)
print(net.eval().training, net.tail.training, net.train().tail[0].training)
print(net.double().scale.dtype, net.float().scale, net.to(torch.float64).seen.dtype)
attempt(lambda: net.to(torch.int64))
attempt(lambda: net.to("cpu") is net)
net.requires_grad_(False)
print([p.requires_grad for p in net.parameters()])
shared = nn.Linear(2, 2)
twice = nn.Sequential(shared, shared)
print(len(list(twice.parameters())), len(list(twice.modules())), list(twice.state_dict()), twice)
print([n for n, _ in twice.named_parameters(remove_duplicate=False)])
print(sorted(n for n in dir(nn.Linear(1, 1)) if n in ("weight", "bias", "forward", "training")))
a, b = nn.Parameter(torch.ones(1)), nn.Buffer(torch.zeros(1))
print(type(a), type(b), isinstance(b, nn.Buffer), isinstance(b, nn.Parameter), a, b)
m = nn.Module()
m.b = b
m.c = nn.Buffer(torch.ones(1), persistent=False)
print(dict(m.state_dict()), [n for n, _ in m.named_buffers()])
