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
    torch.manual_seed(99)
except Exception as error:
    print(type(error).__name__, error)
try:
    v1 = torch.randn((1,))
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.inference_mode(): v6 = torch.einsum("i,j->ij", v1, v1)
    show('v6', v6)
except Exception as error:
    print(type(error).__name__, error)
try:
    v9 = v6[0]
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
    show("end v6", v6)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v6'), torch.Tensor) and v6.is_leaf:
    print("   ", v6.grad)
try:
    show("end v9", v9)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v9'), torch.Tensor) and v9.is_leaf:
    print("   ", v9.grad)
