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
    torch.manual_seed(72)
except Exception as error:
    print(type(error).__name__, error)
try:
    v1 = torch.randn((1,))
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v2 = torch.logaddexp2(v1, v1)
    show('v2', v2)
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
