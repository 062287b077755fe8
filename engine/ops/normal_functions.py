"""Functions of the normal distribution and of entropy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.ops import numeric
from engine.ops.explog import log
from engine.ops.pointwise import exp
from engine.ops.powers import pow_number
from engine.ops.record import Array, op
from engine.ops.samples import any_shape, positive
from engine.ops.special_functions import _inside_unit


@op(
    "special_ndtri",
    latex=r"\val{result} = \Phi^{-1}(\val{input})",
    grad_fn="SpecialNdtriBackward0",
    binds=("torch.special.ndtri",),
    samples=_inside_unit,
    promote="float",
)
def ndtri(input: Array) -> Array:
    """Take the quantile of the standard normal distribution.

    >>> torch.special.ndtri(torch.tensor([0.5, 0.9]))
    tensor([0.0000, 1.2816])
    """
    return numeric.ndtri(input)


@ndtri.vjp("input", latex=r"\grad{input} = \grad{result} \odot \sqrt{2\pi}\, e^{\val{result}^2/2}")
def _(grad: Any, result: Any) -> Any:
    return grad * math.sqrt(2 * math.pi) * exp(pow_number(result, 2) / 2)


@op(
    "special_log_ndtr",
    latex=r"\val{result} = \ln \Phi(\val{input})",
    grad_fn="SpecialLogNdtrBackward0",
    binds=("torch.special.log_ndtr",),
    samples=any_shape,
    promote="float",
)
def log_ndtr(input: Array) -> Array:
    """Take the logarithm of the normal distribution function.

    >>> torch.special.log_ndtr(torch.tensor([0.]))
    tensor([-0.6931])
    """
    return numeric.log_ndtr(input)


@log_ndtr.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \tfrac{1}{\sqrt{2\pi}} e^{-\val{result} -"
    r" \val{input}^2/2}",
)
def _(grad: Any, input: Any, result: Any) -> Any:
    return grad / exp(result + pow_number(input, 2) / 2) * (1 / math.sqrt(2 * math.pi))


@op(
    "special_erfcx",
    latex=r"\val{result} = e^{\val{input}^2} \operatorname{erfc} \val{input}",
    grad_fn="SpecialErfcxBackward0",
    binds=("torch.special.erfcx",),
    samples=any_shape,
    promote="float",
)
def erfcx(input: Array) -> Array:
    """Take the scaled complementary error function.

    >>> torch.special.erfcx(torch.tensor([0., 1.]))
    tensor([1.0000, 0.4276])
    """
    return numeric.erfcx(input)


@erfcx.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot (2 \val{input} \val{result} - \tfrac{2}{\sqrt\pi})",
)
def _(grad: Any, input: Any, result: Any) -> Any:
    return (input * result * 2 - 2 / math.sqrt(math.pi)) * grad


@op(
    "special_entr",
    latex=r"\val{result} = -\val{input} \ln \val{input}",
    grad_fn="SpecialEntrBackward0",
    binds=("torch.special.entr",),
    samples=positive,
    promote="float",
)
def entr(input: Array) -> Array:
    """Take the entropy of each element.

    >>> torch.special.entr(torch.tensor([0., 0.5]))
    tensor([0.0000, 0.3466])
    """
    below = np.where(input < 0, -np.inf, -input * np.log(input))
    return np.where(input == 0, 0.0, below).astype(input.dtype)[()]


@entr.vjp("input", latex=r"\grad{input} = -\grad{result} \odot (\ln \val{input} + 1)")
def _(grad: Any, input: Any) -> Any:
    return grad * (-log(input) - 1)
