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
    v1 = torch.ones((1,), dtype=torch.float32).requires_grad_()
    show('v1', v1)
except Exception as error:
    print(type(error).__name__, error)
try:
    v3 = F.nll_loss(F.log_softmax(v1, dim=-1), torch.tensor(0))
    show('v3', v3)
except Exception as error:
    print(type(error).__name__, error)
try:
    with torch.no_grad(): v5 = v3.var(-1)
    show('v5', v5)
except Exception as error:
    print(type(error).__name__, error)
try:
    v8 = torch.where(v3 > 0, 0, v5)
    show('v8', v8)
except Exception as error:
    print(type(error).__name__, error)
try:
    v9 = v8.std(-1, correction=0)
    show('v9', v9)
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
try:
    show("end v8", v8)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v8'), torch.Tensor) and v8.is_leaf:
    print("   ", v8.grad)
try:
    show("end v9", v9)
except Exception as error:
    print(type(error).__name__, error)
if isinstance(globals().get('v9'), torch.Tensor) and v9.is_leaf:
    print("   ", v9.grad)
