"""PyTorch 2.13's eager autograd in Python and numpy: `import engine as torch`.

What operations bind under "torch." comes from their declarations (engine/ops); the rest is here.
"""

from __future__ import annotations

import importlib as _importlib
import importlib.util as _util
from math import e, inf, nan, pi
from typing import Any as _Any

import numpy as _np

from engine import dtypes, ops
from engine.autograd.anomaly_mode import (
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_anomaly_enabled,
)
from engine.dtypes import (
    Size,
    channels_last,
    contiguous_format,
    device,
    dtype,
    float16,
    float32,
    float64,
    get_default_dtype,
    int8,
    int16,
    int32,
    int64,
    layout,
    memory_format,
    preserve_format,
    promote_types,
    set_default_dtype,
    strided,
    uint8,
)
from engine.errors import unsupported as _unsupported
from engine.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from engine.limits import finfo, iinfo
from engine.ops.conversions import check_device as _check_device
from engine.ops.data import LegacyType as _LegacyType
from engine.ops.record import public_names as _public_names
from engine.printing import set_printoptions
from engine.tensor import Tensor

__version__ = "2.13.0"

# Numbers that leave the range become inf or nan, as in PyTorch, without a word.
_np.seterr(all="ignore")

newaxis = None
_precision = "highest"
half, double, short, long = float16, float64, int16, int64
float, int, bool = float32, int32, dtypes.bool_
FloatTensor = _LegacyType(float32)
DoubleTensor = _LegacyType(float64)
HalfTensor = _LegacyType(float16)
LongTensor = _LegacyType(int64)
IntTensor = _LegacyType(int32)
ShortTensor = _LegacyType(int16)
CharTensor = _LegacyType(int8)
ByteTensor = _LegacyType(uint8)
BoolTensor = _LegacyType(dtypes.bool_)

ops.load()
_importlib.import_module("engine.protocols")
_importlib.import_module("engine.facts")
_importlib.import_module("engine.serialization")
globals().update(_public_names("torch"))

SUBMODULES = (
    "version", "cuda", "backends", "autograd", "linalg", "special", "random", "nn", "optim", "func",
    "utils",
    "testing", "return_types",
)  # fmt: skip
for _name in SUBMODULES:
    if _util.find_spec(f"engine.{_name}") is not None:
        _importlib.import_module(f"engine.{_name}")

# A module and its function share this name; importing the module would put it over the function.
_gradcheck = _importlib.import_module("engine.autograd.gradcheck")
_autograd = _importlib.import_module("engine.autograd")
_autograd.gradcheck = _gradcheck.gradcheck  # type: ignore[attr-defined]

# What a program sees of the engine is torch: <class 'torch.utils.data.dataset.Dataset'>.
_ELSEWHERE = {"engine.grad_mode": "torch.autograd.grad_mode"}
for _name in ("grad_mode", "autograd.anomaly_mode", "autograd.function", "autograd.graph",
    "utils.data.dataset", "utils.data.dataloader", "utils.data.sampler", "optim.swa_utils",
    "nn.utils.parametrize"):  # fmt: skip
    for _value in vars(_importlib.import_module(f"engine.{_name}")).values():
        if isinstance(_value, type) and _value.__module__ == f"engine.{_name}":
            _value.__module__ = _ELSEWHERE.get(_value.__module__, f"torch.{_name}")

# Parts of PyTorch the playground leaves out; anything else missing is an ordinary AttributeError.
LEFT_OUT = frozenset((
    "compile", "jit", "distributed", "sparse", "fft", "complex", "complex64", "complex128",
    "cfloat", "cdouble", "chalf", "bfloat16", "export", "onnx", "quantization",
    "quantize_per_tensor", "sparse_coo_tensor", "sparse_csr_tensor", "polar", "view_as_complex",
    "view_as_real", "hub", "multiprocessing", "profiler", "fx", "xpu", "mps", "mtia",
    "library", "classes", "distributions", "package", "uint16", "uint32", "uint64",
    "quint8", "qint8", "qint32",
    "stft", "istft", "nested", "masked", "vulkan", "futures", "_dynamo",
))  # fmt: skip


def __getattr__(name: str) -> _Any:
    if name in LEFT_OUT:
        raise _unsupported(f"torch.{name}")
    raise AttributeError(f"module 'torch' has no attribute '{name}'")


def vmap(func: _Any, *args: _Any, **kwargs: _Any) -> _Any:
    """Map a function over a dim of its arguments, as torch.func.vmap does."""
    return _importlib.import_module("engine.func").vmap(func, *args, **kwargs)


def set_default_tensor_type(t: _Any) -> None:
    """Choose the type of new floating tensors by the name of a tensor's type."""
    name = t if isinstance(t, str) else str(t)
    kinds = {"FloatTensor": float32, "DoubleTensor": float64, "HalfTensor": float16}
    set_default_dtype(kinds[name.rpartition(".")[2].removesuffix("'>")])


def set_float32_matmul_precision(precision: _Any) -> None:
    """Remember how exact products of matrices should be; here they always are."""
    global _precision
    if precision not in ("highest", "high", "medium"):
        raise RuntimeError(f"{precision} is not one of 'highest', 'high', or 'medium'")
    _precision = precision


def get_float32_matmul_precision() -> _Any:
    """Return what was asked for."""
    return _precision


def are_deterministic_algorithms_enabled() -> _Any:
    """Return False: nobody has to ask for it here."""
    return False


def is_storage(obj: _Any) -> _Any:
    """Whether something is a storage: never, here."""
    return False


def set_default_device(device: _Any) -> None:
    """Choose where tensors are made; only the CPU is there."""
    _check_device(device)


def get_default_device() -> device:
    """Return the CPU."""
    return dtypes.CPU


def use_deterministic_algorithms(mode: _Any, *, warn_only: _Any = False) -> None:
    """Do nothing: everything here is deterministic."""


def set_num_threads(n: _Any) -> None:
    """Do nothing: there is one thread."""


def get_num_threads() -> _Any:
    """Return 1."""
    return 1


def result_type(tensor1: _Any, tensor2: _Any) -> dtype:
    """Return the type an operation on two tensors or numbers has."""
    return dtypes.result_type([tensor1, tensor2])


def can_cast(from_: dtype, to: dtype) -> _Any:
    """Return whether an in-place result of one type may be written to another."""
    return dtypes.can_cast(from_, to)


__all__ = [
    "Size", "Tensor", "channels_last", "contiguous_format", "device", "dtype", "e", "enable_grad",
    "finfo",
    "get_default_dtype", "iinfo", "inf", "inference_mode", "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled", "is_grad_enabled", "is_inference_mode_enabled",
    "layout", "memory_format", "nan", "no_grad", "pi", "preserve_format", "promote_types",
    "set_anomaly_enabled", "set_default_dtype", "set_grad_enabled", "set_printoptions", "strided",
]  # fmt: skip
# What `from torch import *` gives besides.
__all__ += [
    "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor", "IntTensor",
    "LongTensor", "ShortTensor", "bool", "can_cast", "double", "float", "float16", "float32",
    "float64", "get_default_device", "get_num_threads", "half", "int", "int8", "int16", "int32",
    "int64", "is_storage", "long", "result_type", "set_default_device", "set_num_threads", "short",
    "uint8", "use_deterministic_algorithms",
]  # fmt: skip
__all__ += sorted({*_public_names("torch")} - {"broadcast_shapes", "lu", "unique"})
