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
    torch.manual_seed(85)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.inference_mode(): v8 = torch.randperm(3)
    show('v8', v8)
except Exception as error:
    print(type(error).__name__, error)
try:
    v11 = v8.view((-1,))
    show('v11', v11)
except Exception as error:
    print(type(error).__name__, error)
try:
    show("end v8", v8)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v8'), torch.Tensor) and v8.is_leaf:
    print("   ", v8.grad)
try:
    show("end v11", v11)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v11'), torch.Tensor) and v11.is_leaf:
    print("   ", v11.grad)
