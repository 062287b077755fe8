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
    v3 = torch.tensor([[1.0], [1.5], [4.0]], dtype=torch.float64)
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.inference_mode(): v7 = v3.abs().sqrt()
    show('v7', v7)
except Exception as error:
    print(type(error).__name__, error)
try:
    v8 = v7.mT
    show('v8', v8)
except Exception as error:
    print(type(error).__name__, error)
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
