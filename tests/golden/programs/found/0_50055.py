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
    v1 = torch.tensor(2.0, dtype=torch.float32).requires_grad_()
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v2 = torch.tensor(1.0, dtype=torch.float32).requires_grad_()
    show('v2', v2)
except Exception as error:
    print(type(error).__name__, error)
try:
    v6 = torch.nn.Parameter(v1.detach())
    show('v6', v6)
except Exception as error:
    print(type(error).__name__, error)
try:
    v13 = torch.logit(v6)
    show('v13', v13)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.no_grad(): torch.autograd.backward(v13, grad_tensors=v2)
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
    show("end v6", v6)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v6'), torch.Tensor) and v6.is_leaf:
    print("   ", v6.grad)
try:
    show("end v13", v13)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v13'), torch.Tensor) and v13.is_leaf:
    print("   ", v13.grad)
