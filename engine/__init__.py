"""PyTorch 2.13's eager autograd in Python and numpy: `import engine as torch`.

What operations bind under "torch." comes from their declarations (engine/ops); the rest is here.
"""

from __future__ import annotations

import numpy as _np

from engine import autograd, dtypes, ops
from engine.dtypes import (
    Size,
    contiguous_format,
    device,
    dtype,
    finfo,
    float16,
    float32,
    float64,
    get_default_dtype,
    iinfo,
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
from engine.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from engine.ops.record import public_names as _public_names
from engine.printing import set_printoptions
from engine.random import Generator, default_generator
from engine.tensor import Tensor

__version__ = "2.13.0"

# Numbers that leave the range become inf or nan, as in PyTorch, without a word.
_np.seterr(all="ignore")

half, double, short, long = float16, float64, int16, int64
float, int, bool = float32, int32, dtypes.bool_

ops.load()
from engine import protocols as _protocols  # noqa: E402, F401  (binds methods)

globals().update(_public_names("torch"))
