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
    v1 = torch.ones((1, 3), dtype=torch.int16)
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v9 = v1.flip(-2)
    show('v9', v9)
except Exception as error:
    print(type(error).__name__, error)
try:
    v10 = v9.fill_diagonal_(3)
    show('v10', v10)
except Exception as error:
    print(type(error).__name__, error)
try:
    show("end v1", v1)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v1'), torch.Tensor) and v1.is_leaf:
    print("   ", v1.grad)
try:
    show("end v9", v9)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v9'), torch.Tensor) and v9.is_leaf:
    print("   ", v9.grad)
try:
    show("end v10", v10)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v10'), torch.Tensor) and v10.is_leaf:
    print("   ", v10.grad)
