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
    v1 = torch.ones((), dtype=torch.bool)
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v2 = torch.tensor([2.0, 1.0], dtype=torch.float32).requires_grad_()
    show('v2', v2)
except Exception as error:
    print(type(error).__name__, error)
try:
    v4 = torch.prod(v1)
    show('v4', v4)
except Exception as error:
    print(type(error).__name__, error)
try:
    v6 = torch.fmin(v4, v2)
    show('v6', v6)
except Exception as error:
    print(type(error).__name__, error)
try:
    v6.requires_grad = True
except Exception as error:
    print(type(error).__name__, error)
try:
    show("end v1", v1)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v1'), torch.Tensor) and v1.is_leaf:
    print("   ", v1.grad)
try:
    show("end v2", v2)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v2'), torch.Tensor) and v2.is_leaf:
    print("   ", v2.grad)
try:
    show("end v4", v4)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v4'), torch.Tensor) and v4.is_leaf:
    print("   ", v4.grad)
try:
    show("end v6", v6)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v6'), torch.Tensor) and v6.is_leaf:
    print("   ", v6.grad)
