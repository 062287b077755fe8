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
    v1 = torch.tensor(2, dtype=torch.uint8)
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v2 = torch.tensor([[0.5], [1.0], [3.0]], dtype=torch.float64).requires_grad_()
    show('v2', v2)
except Exception as error:
    print(type(error).__name__, error)
try:
    v3 = torch.logaddexp(v2, v1)
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v6 = torch.isfinite(v3)
    show('v6', v6)
except Exception as error:
    print(type(error).__name__, error)
try:
    v11 = torch.log10(v6)
    show('v11', v11)
except Exception as error:
    print(type(error).__name__, error)
try:
    v12 = torch.nn.BCEWithLogitsLoss()(v11, (v3 > 0).double())
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
    show("end v6", v6)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v6'), torch.Tensor) and v6.is_leaf:
    print("   ", v6.grad)
try:
    show("end v11", v11)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v11'), torch.Tensor) and v11.is_leaf:
    print("   ", v11.grad)
try:
    show("end v12", v12)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v12'), torch.Tensor) and v12.is_leaf:
    print("   ", v12.grad)
