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
    v1 = torch.tensor([0.5, -1.0, 3.0], dtype=torch.float32)
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v2 = torch.tensor([0.5, 3.0, 0.0], dtype=torch.float32)
    show('v2', v2)
except Exception as error:
    print(type(error).__name__, error)
try:
    v3 = torch.addcdiv(v2, v1, v1)
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v6 = torch.aminmax(v3)
    show('v6', v6)
except Exception as error:
    print(type(error).__name__, error)
try:
    v7 = v6[0]
    show('v7', v7)
except Exception as error:
    print(type(error).__name__, error)
try:
    torch.nn.init.zeros_(v7)
except Exception as error:
    print(type(error).__name__, error)
try:
    v8 = torch.round(v7, decimals=1)
    show('v8', v8)
except Exception as error:
    print(type(error).__name__, error)
try:
    v8 %= -1.5
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
    show("end v3", v3)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v3'), torch.Tensor) and v3.is_leaf:
    print("   ", v3.grad)
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
