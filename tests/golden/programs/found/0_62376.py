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
    v2 = torch.tensor([-2.0, 4.0, 0.1, 1.0], dtype=torch.float64).requires_grad_()
    show('v2', v2)
except Exception as error:
    print(type(error).__name__, error)
try:
    v3 = torch.tensor([[-1]], dtype=torch.int64)
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v4 = torch.logaddexp2(v2, v3)
    show('v4', v4)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.no_grad(): v11 = torch.addmv(v2, v4, v2)
    show('v11', v11)
except Exception as error:
    print(type(error).__name__, error)
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
    show("end v11", v11)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v11'), torch.Tensor) and v11.is_leaf:
    print("   ", v11.grad)
