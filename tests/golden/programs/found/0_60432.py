import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")
torch.manual_seed(0)


def show(name, value):
    print(name, value)
    if isinstance(value, torch.Tensor) and not value.is_inference():
        flags = value.requires_grad, value.is_leaf, value._version
        print("   ", tuple(value.shape), value.dtype, *flags)


try:
    torch.manual_seed(14)
except Exception as error:
    print(type(error).__name__, error)
try:
    v2 = torch.randn((1, 2, 4), dtype=torch.float64).requires_grad_()
    show('v2', v2)
except Exception as error:
    print(type(error).__name__, error)
try:
    v3 = F.gaussian_nll_loss(v2, v2, torch.randn((1, 2, 4), dtype=torch.float64).abs() + 1)
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v4 = v3.var()
    show('v4', v4)
except Exception as error:
    print(type(error).__name__, error)
try:
    v4.sum().backward(create_graph=True)
except Exception as error:
    print(type(error).__name__, error)
try:
    show("end v2", v2)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v2'), torch.Tensor) and v2.is_leaf:
    print("   ", v2.grad)
try:
    show("end v3", v3)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v3'), torch.Tensor) and v3.is_leaf:
    print("   ", v3.grad)
try:
    show("end v4", v4)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v4'), torch.Tensor) and v4.is_leaf:
    print("   ", v4.grad)
