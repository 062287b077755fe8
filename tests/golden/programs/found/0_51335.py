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
    v3 = torch.tensor([-0.75, -0.75, -0.75, -0.75], dtype=torch.float32).requires_grad_()
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v4 = v3 % v3
    show('v4', v4)
except Exception as error:
    print(type(error).__name__, error)
try:
    v4.relu_()
except Exception as error:
    print(type(error).__name__, error)
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
