import torch
import torch.nn.functional as F

for f in (lambda x: F.leaky_relu(x, 0.2), lambda x: F.elu(x, alpha=0.5), F.selu, lambda x: F.celu(x, 2.0), F.gelu,
          lambda x: F.gelu(x, approximate="tanh"), F.silu, F.mish, lambda x: F.softplus(x, beta=2, threshold=3), F.softsign,
          F.logsigmoid, lambda x: F.hardtanh(x, -0.5, 0.5), F.hardsigmoid, F.hardswish, F.tanhshrink, F.softshrink,
          lambda x: F.hardshrink(x, 1.0), lambda x: F.threshold(x, 0.5, -1), F.relu6, lambda x: F.glu(x, 0)):
    x = torch.tensor([-2.5, -0.5, 0.0, 0.5, 3.0, 7.0], requires_grad=True)
    y = f(x)
    y.sum().backward()
    print(y)
    print("  ", x.grad)
