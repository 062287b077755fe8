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
    v1 = torch.tensor([1.0, -1.0, -2.0], dtype=torch.float64)
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.enable_grad(): v4 = v1 % torch.tensor([-1.0], dtype=torch.float64)
    show('v4', v4)
except Exception as error:
    print(type(error).__name__, error)
try:
    show("end v1", v1)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v1'), torch.Tensor) and v1.is_leaf:
    print("   ", v1.grad)
try:
    show("end v4", v4)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v4'), torch.Tensor) and v4.is_leaf:
    print("   ", v4.grad)
