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
    v3 = torch.zeros((2, 0), dtype=torch.float32).requires_grad_()
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v5 = F.mse_loss(v3, v3, reduction="none")
    show('v5', v5)
except Exception as error:
    print(type(error).__name__, error)
try:
    v6 = F.binary_cross_entropy(v5, torch.randn((2, 0)))
    show('v6', v6)
except Exception as error:
    print(type(error).__name__, error)
try:
    show("end v3", v3)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v3'), torch.Tensor) and v3.is_leaf:
    print("   ", v3.grad)
try:
    show("end v5", v5)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v5'), torch.Tensor) and v5.is_leaf:
    print("   ", v5.grad)
try:
    show("end v6", v6)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v6'), torch.Tensor) and v6.is_leaf:
    print("   ", v6.grad)
