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
    v1 = torch.tensor([-3.0, 1.0, 1.5], dtype=torch.float32).requires_grad_()
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v3 = torch.as_tensor(v1)
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v4 = torch.sgn(v3)
    show('v4', v4)
except Exception as error:
    print(type(error).__name__, error)
try:
    v4.sum().backward()
except Exception as error:
    print(type(error).__name__, error)
try:
    show("end v1", v1)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v1'), torch.Tensor) and v1.is_leaf:
    print("   ", v1.grad)
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
