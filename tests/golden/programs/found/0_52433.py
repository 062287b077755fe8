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
    v2 = torch.zeros((1,), dtype=torch.float32)
    show('v2', v2)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.inference_mode(): v4 = torch.diag_embed(v2)
    show('v4', v4)
except Exception as error:
    print(type(error).__name__, error)
try:
    v5 = v4.to(v4)
    show('v5', v5)
except Exception as error:
    print(type(error).__name__, error)
try:
    v9 = torch.exp2(v5)
    show('v9', v9)
except Exception as error:
    print(type(error).__name__, error)
try:
    v9.scatter_add_(0, torch.tensor([[0], [0]]), v9)
except Exception as error:
    print(type(error).__name__, error)
try:
    show("end v2", v2)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v2'), torch.Tensor) and v2.is_leaf:
    print("   ", v2.grad)
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
    show("end v9", v9)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v9'), torch.Tensor) and v9.is_leaf:
    print("   ", v9.grad)
