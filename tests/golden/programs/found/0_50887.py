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
    v7 = torch.zeros((0,), requires_grad=True)
    show('v7', v7)
except Exception as error:
    print(type(error).__name__, error)
try:
    v10 = F.smooth_l1_loss(v7, v7)
    show('v10', v10)
except Exception as error:
    print(type(error).__name__, error)
try:
    show("end v7", v7)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v7'), torch.Tensor) and v7.is_leaf:
    print("   ", v7.grad)
try:
    show("end v10", v10)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v10'), torch.Tensor) and v10.is_leaf:
    print("   ", v10.grad)
