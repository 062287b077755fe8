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
    v1 = torch.randn((0,))
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v2 = torch.where((v1 > 0.5), v1, 4.0)
    show('v2', v2)
except Exception as error:
    print(type(error).__name__, error)
try:
    v3 = torch.outer(v2, v2)
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v7 = F.glu(v3)
    show('v7', v7)
except Exception as error:
    print(type(error).__name__, error)
try:
    v8 = torch.log2(v7)
    show('v8', v8)
except Exception as error:
    print(type(error).__name__, error)
try:
    v14 = F.mse_loss(v7, v8)
    show('v14', v14)
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
try:
    show("end v14", v14)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v14'), torch.Tensor) and v14.is_leaf:
    print("   ", v14.grad)
