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
    v1 = torch.tensor([[0.0, -3.0, -3.0], [-3.0, 10.0, float('inf')], [-3.0, -0.5, 0.5]], dtype=torch.float32).requires_grad_()
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v8 = torch.linalg.norm(v1, "fro")
    show('v8', v8)
except Exception as error:
    print(type(error).__name__, error)
try:
    v9 = -1 % v8
    show('v9', v9)
except Exception as error:
    print(type(error).__name__, error)
try:
    show("end v1", v1)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v1'), torch.Tensor) and v1.is_leaf:
    print("   ", v1.grad)
try:
    show("end v8", v8)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v8'), torch.Tensor) and v8.is_leaf:
    print("   ", v8.grad)
try:
    show("end v9", v9)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v9'), torch.Tensor) and v9.is_leaf:
    print("   ", v9.grad)
