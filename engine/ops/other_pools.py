"""Pooling by norms, and putting pooled elements back."""

from __future__ import annotations

import math
from typing import Any

from engine.ops.avg_pool import _avg_pool, avg_pool1d
from engine.ops.convolution import spread
from engine.ops.gather import scatter_add
from engine.ops.record import function
from engine.ops.roots import abs, sign
from engine.ops.zeros import fresh_zeros
from engine.tensor import Tensor, make


def _lp(n: int) -> Any:
    def call(
        input: Any, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> Tensor:
        from engine.ops.activation import relu

        powers = input.pow(norm_type)
        pool = avg_pool1d if n == 1 else _avg_pool(n)
        out = pool(powers, kernel_size, stride, 0, ceil_mode)
        elements = math.prod(spread(kernel_size, n))
        result: Tensor = (sign(out) * relu(abs(out)) * elements).pow(1.0 / norm_type)
        return result

    call.__name__ = call.__qualname__ = f"lp_pool{n}d"
    call.__doc__ = f"Take the p-norm of each window over {n} spatial dims."
    return call


for _n in (1, 2, 3):
    function(f"torch.nn.functional.lp_pool{_n}d")(_lp(_n))


def _unpool(n: int) -> Any:
    def call(
        input: Any,
        indices: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        output_size: Any = None,
    ) -> Tensor:
        kernel = spread(kernel_size, n)
        steps = kernel if stride is None else spread(stride, n)
        pads = spread(padding, n)
        size = input.shape[-n:]
        spans = zip(size, steps, kernel, pads, strict=True)
        default = tuple((m - 1) * s + k - 2 * p for m, s, k, p in spans)
        full = default if output_size is None else tuple(output_size)[-n:]
        lead = tuple(input.shape[:-n])
        flat = fresh_zeros(input, (*lead, math.prod(full)))
        places = make(indices._array.reshape((*lead, -1)))
        spread_out: Any = scatter_add(flat, len(lead), places, input.reshape((*lead, -1)))
        result: Tensor = spread_out.view((*lead, *full))
        return result

    call.__name__ = call.__qualname__ = f"max_unpool{n}d"
    call.__doc__ = f"Put pooled elements back where they were, over {n} spatial dims."
    return call


for _n in (1, 2, 3):
    function(f"torch.nn.functional.max_unpool{_n}d")(_unpool(_n))
