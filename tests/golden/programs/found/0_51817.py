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
    torch.manual_seed(79)
except Exception as error:
    print(type(error).__name__, error)
try:
    v6 = torch.rand((2, 2, 3))
    show('v6', v6)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.no_grad(): v7 = torch.div(v6, torch.tensor([[[3, -1, -1], [4, 2, -4]]], dtype=torch.int32), rounding_mode="trunc")
    show('v7', v7)
except Exception as error:
    print(type(error).__name__, error)
try:
    v8 = F.relu(v7)
    show('v8', v8)
except Exception as error:
    print(type(error).__name__, error)
try:
    show("end v6", v6)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v6'), torch.Tensor) and v6.is_leaf:
    print("   ", v6.grad)
try:
    show("end v7", v7)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v7'), torch.Tensor) and v7.is_leaf:
    print("   ", v7.grad)
try:
    show("end v8", v8)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v8'), torch.Tensor) and v8.is_leaf:
    print("   ", v8.grad)
