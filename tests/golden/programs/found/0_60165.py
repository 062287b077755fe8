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
    v2 = torch.tensor([-0.5, 1.5, 0.5], dtype=torch.float32).requires_grad_()
    show('v2', v2)
except Exception as error:
    print(type(error).__name__, error)
try:
    v3 = torch.utils.checkpoint.checkpoint(lambda t: t.sin() * 2, v2, use_reentrant=False)
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    v5 = v3.min(-1)
    show('v5', v5)
except Exception as error:
    print(type(error).__name__, error)
try:
    v6 = v5[0]
    show('v6', v6)
except Exception as error:
    print(type(error).__name__, error)
try:
    v6[...] = 3
except Exception as error:
    print(type(error).__name__, error)
try:
    v6.sum().backward(inputs=[v3])
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
    show("end v5", v5)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v5'), torch.Tensor) and v5.is_leaf:
    print("   ", v5.grad)
try:
    show("end v6", v6)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v6'), torch.Tensor) and v6.is_leaf:
    print("   ", v6.grad)
