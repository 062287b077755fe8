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
    torch.manual_seed(60)
except Exception as error:
    print(type(error).__name__, error)
try:
    v1 = torch.tensor([[-2.0, 4.0], [-1.0, 0.5], [10.0, 0.1]], dtype=torch.float32)
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.enable_grad(): v2 = torch.trace(v1)
    show('v2', v2)
except Exception as error:
    print(type(error).__name__, error)
try:
    v3 = torch.digamma(v2.abs() + 0.3)
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v4 = v3 // v3
    show('v4', v4)
except Exception as error:
    print(type(error).__name__, error)
try:
    v5 = v4.squeeze(0)
    show('v5', v5)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.no_grad(): print(v5.is_floating_point(), v4.is_signed())
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
    show("end v4", v4)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v4'), torch.Tensor) and v4.is_leaf:
    print("   ", v4.grad)
try:
    show("end v5", v5)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v5'), torch.Tensor) and v5.is_leaf:
    print("   ", v5.grad)
