import torch
import torch.nn as nn

torch.manual_seed(1)
w = torch.empty(3, 4)
for name, args in (("uniform_", (-2, 2)), ("normal_", (1, 0.1)), ("trunc_normal_", ()), ("xavier_uniform_", (2.0,)), ("xavier_normal_", ()), ("kaiming_uniform_", (5 ** 0.5,)), ("kaiming_normal_", ()), ("orthogonal_", ()), ("sparse_", (0.5,)), ("dirac_", ())):
    t = torch.empty(3, 4, 2) if name == "dirac_" else w
    try:
        print(name, getattr(nn.init, name)(t, *args).sum() if name == "orthogonal_" else getattr(nn.init, name)(t, *args))
    except Exception as e:
        print(name, type(e).__name__, e)
for f in (lambda: nn.init.xavier_uniform_(torch.empty(3)), lambda: nn.init.kaiming_normal_(w, mode="fan"), lambda: nn.init.kaiming_normal_(w, nonlinearity="nope"), lambda: nn.init.eye_(torch.empty(2))):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print([round(nn.init.calculate_gain(n), 4) for n in ("linear", "relu", "tanh", "sigmoid", "selu")], nn.init.calculate_gain("leaky_relu", 0.2))
