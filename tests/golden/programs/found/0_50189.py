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
    v1 = torch.tensor([[0.25, 3.0], [1.5, 0.25], [-0.75, 10.0]], dtype=torch.float64).requires_grad_()
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v2 = (torch.arange(18).reshape((3, 2, 3)) % 5).to(torch.float32).requires_grad_()
    show('v2', v2)
except Exception as error:
    print(type(error).__name__, error)
try:
    v3 = torch.rsub(v1, -1)
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v4 = v3.swapaxes(0, 1)
    show('v4', v4)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.inference_mode(): v6 = torch.autograd.grad(v4, v2, torch.eye(2), is_grads_batched=True)
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
    show("end v6", v6)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v6'), torch.Tensor) and v6.is_leaf:
    print("   ", v6.grad)
