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
    v1 = torch.tensor([[[-1.0], [float('nan')], [-3.0]], [[-1.0], [0.5], [-1.0]], [[float('nan')], [3.0], [-0.75]]], dtype=torch.float64)
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.inference_mode(): v3 = torch.ge(v1, torch.ones((3, 3, 1), dtype=torch.float64))
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v5 = v3.split([2, 1])
    show('v5', v5)
except Exception as error:
    print(type(error).__name__, error)
try:
    v6 = v5[0]
    show('v6', v6)
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
    show("end v5", v5)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v5'), torch.Tensor) and v5.is_leaf:
    print("   ", v5.grad)
try:
    show("end v6", v6)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v6'), torch.Tensor) and v6.is_leaf:
    print("   ", v6.grad)
