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
    v2 = torch.tensor(-1.0, dtype=torch.float64).requires_grad_()
    show('v2', v2)
except Exception as error:
    print(type(error).__name__, error)
try:
    v5 = v2.mT
    show('v5', v5)
except Exception as error:
    print(type(error).__name__, error)
try:
    show("end v2", v2)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v2'), torch.Tensor) and v2.is_leaf:
    print("   ", v2.grad)
try:
    show("end v5", v5)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v5'), torch.Tensor) and v5.is_leaf:
    print("   ", v5.grad)
