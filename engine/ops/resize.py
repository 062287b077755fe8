"""Giving a tensor another shape in place, with as much of its memory as there is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import fail
from engine.ops.record import function
from engine.ops.sizes import sizes
from engine.tensor import Tensor


@function("Tensor.resize_")
def resize_(input: Tensor, *size: Any, memory_format: Any = None) -> Tensor:
    """Give a tensor another shape in place; elements that are new are not filled in a given way.

    Refuses tensors that require grad, since no gradient could be told where to go.
    """
    wanted = sizes(size)
    if input.requires_grad:
        raise fail("resize-with-grad", "cannot resize variables that require grad")
    count = math.prod(wanted)
    if input._base is not None and count > input.shape.numel():
        raise fail("resize-of-view", "cannot resize a view beyond the memory it looks at")
    flat = np.ravel(np.asarray(input._array))
    grown = np.zeros(count, flat.dtype)
    grown[: flat.size] = flat[:count]
    input._array = grown.reshape(wanted)
    input.shape = type(input.shape)(wanted)
    input._shared().wrote()
    return input


@function("Tensor.resize_as_")
def resize_as_(input: Tensor, the_template: Tensor, *, memory_format: Any = None) -> Tensor:
    """Give a tensor the shape of another, in place."""
    result: Tensor = resize_(input, tuple(the_template.shape))
    return result
