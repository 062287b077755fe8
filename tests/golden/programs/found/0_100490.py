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
    torch.manual_seed(21)
except Exception as error:
    print(type(error).__name__, error)
try:
    v1 = torch.randn((3,), dtype=torch.float64).requires_grad_()
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v3 = F.hardsigmoid(v1)
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v5 = torch.autograd.grad([v3.sum(), v3.mean()], [v1], allow_unused=True)
    show('v5', v5)
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
