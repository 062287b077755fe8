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
    v1 = torch.tensor([[-2.0, 3.0, -2.0], [3.0, 10.0, 1.5], [4.0, 0.25, 0.5]], dtype=torch.float64).requires_grad_()
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v2 = +v1
    show('v2', v2)
except Exception as error:
    print(type(error).__name__, error)
try:
    v8 = F.hardsigmoid(v1)
    show('v8', v8)
except Exception as error:
    print(type(error).__name__, error)
try:
    v10 = torch.sqrt(v8)
    show('v10', v10)
except Exception as error:
    print(type(error).__name__, error)
try:
    v11 = torch.autograd.grad(v10.sum(), [v2, v2], allow_unused=True, retain_graph=True)
    show('v11', v11)
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
    show("end v8", v8)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v8'), torch.Tensor) and v8.is_leaf:
    print("   ", v8.grad)
try:
    show("end v10", v10)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v10'), torch.Tensor) and v10.is_leaf:
    print("   ", v10.grad)
try:
    show("end v11", v11)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v11'), torch.Tensor) and v11.is_leaf:
    print("   ", v11.grad)
