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
    torch.manual_seed(75)
except Exception as error:
    print(type(error).__name__, error)
try:
    v1 = torch.tensor([[10.0], [float('nan')], [-2.0]], dtype=torch.float64).requires_grad_()
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v3 = torch.randn((3, 1, 3), dtype=torch.float64).requires_grad_()
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v4 = F.leaky_relu(v3)
    show('v4', v4)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.inference_mode(): v5 = torch.addcdiv(v4, torch.tensor([[[-2, 0, -2]], [[-4, -1, 6]], [[6, 2, 2]]], dtype=torch.int32), v1)
    show('v5', v5)
except Exception as error:
    print(type(error).__name__, error)
try:
    v12 = v5.reshape((3, 9))
    show('v12', v12)
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
    show("end v4", v4)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v4'), torch.Tensor) and v4.is_leaf:
    print("   ", v4.grad)
try:
    show("end v5", v5)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v5'), torch.Tensor) and v5.is_leaf:
    print("   ", v5.grad)
try:
    show("end v12", v12)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v12'), torch.Tensor) and v12.is_leaf:
    print("   ", v12.grad)
