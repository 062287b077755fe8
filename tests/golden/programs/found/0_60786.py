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
    v1 = torch.tensor([[[4.0, -0.5], [3.0, 0.1], [-1.0, -0.5]]], dtype=torch.float32).requires_grad_()
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v7 = torch.mul(v1, 0)
    show('v7', v7)
except Exception as error:
    print(type(error).__name__, error)
try:
    v7.cumsum_(-1)
except Exception as error:
    print(type(error).__name__, error)
try:
    show("end v1", v1)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v1'), torch.Tensor) and v1.is_leaf:
    print("   ", v1.grad)
try:
    show("end v7", v7)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v7'), torch.Tensor) and v7.is_leaf:
    print("   ", v7.grad)
