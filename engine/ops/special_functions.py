"""The error function, the gamma function and their kin."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.errors import fail
from engine.ops import numeric
from engine.ops.arithmetic import mul_number
from engine.ops.compare import where, zero_like
from engine.ops.pointwise import exp
from engine.ops.powers import pow_number
from engine.ops.record import Array, function, op
from engine.ops.samples import Sample, any_shape, inside_one, positive, t
from engine.tensor import Tensor


def _inside_unit() -> list[Sample]:
    return [Sample((t(2, 3, low=0.1, high=0.9),)), Sample((t(low=0.2, high=0.8),))]


@op(
    "erf",
    latex=r"\val{result} = \operatorname{erf} \val{input}",
    grad_fn="ErfBackward0",
    binds=("torch.erf", "torch.special.erf", "Tensor.erf", "Tensor.erf_", "torch.erf_"),
    samples=any_shape,
    promote="float",
)
def erf(input: Array) -> Array:
    """Take the error function of each element.

    >>> torch.erf(torch.tensor([0., 1.]))
    tensor([0.0000, 0.8427])
    """
    return numeric.erf(input)


@erf.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \tfrac{2}{\sqrt\pi} e^{-\val{input}^2}",
)
def _(grad: Any, input: Any) -> Any:
    return exp(-pow_number(input, 2)) * (2 / math.sqrt(math.pi)) * grad


@op(
    "erfc",
    latex=r"\val{result} = 1 - \operatorname{erf} \val{input}",
    grad_fn="ErfcBackward0",
    binds=("torch.erfc", "torch.special.erfc", "Tensor.erfc", "Tensor.erfc_", "torch.erfc_"),
    samples=any_shape,
    promote="float",
)
def erfc(input: Array) -> Array:
    """Take the complementary error function of each element.

    >>> torch.erfc(torch.tensor([0., 1.]))
    tensor([1.0000, 0.1573])
    """
    return numeric.erfc(input)


@erfc.vjp(
    "input",
    latex=r"\grad{input} = -\grad{result} \odot \tfrac{2}{\sqrt\pi} e^{-\val{input}^2}",
)
def _(grad: Any, input: Any) -> Any:
    return exp(-pow_number(input, 2)) * (-2 / math.sqrt(math.pi)) * grad


@op(
    "erfinv",
    latex=r"\val{result} = \operatorname{erf}^{-1} \val{input}",
    grad_fn="ErfinvBackward0",
    binds=("torch.erfinv", "torch.special.erfinv", "Tensor.erfinv", "Tensor.erfinv_"),
    samples=inside_one,
    promote="float",
)
def erfinv(input: Array) -> Array:
    """Invert the error function.

    >>> torch.erfinv(torch.tensor([0., 0.5]))
    tensor([0.0000, 0.4769])
    """
    return numeric.erfinv(input)


@erfinv.vjp(
    "input",
    latex=r"\grad{input} = \grad{result} \odot \tfrac{\sqrt\pi}{2} e^{(\operatorname{erf}^{-1}"
    r" \val{input})^2}",
)
def _(grad: Any, input: Any) -> Any:
    return exp(pow_number(erfinv(input), 2)) * (math.sqrt(math.pi) / 2) * grad


@op(
    "lgamma",
    latex=r"\val{result} = \ln |\Gamma(\val{input})|",
    grad_fn="LgammaBackward0",
    binds=("torch.lgamma", "torch.special.gammaln", "Tensor.lgamma", "Tensor.lgamma_"),
    samples=positive,
    promote="float",
)
def lgamma(input: Array) -> Array:
    """Take the logarithm of the gamma function.

    >>> torch.lgamma(torch.tensor([1., 4.]))
    tensor([0.0000, 1.7918])
    """
    return numeric.lgamma(input)


@lgamma.vjp("input", latex=r"\grad{input} = \grad{result} \odot \psi(\val{input})")
def _(grad: Any, input: Any) -> Any:
    return grad * digamma(input)


@op(
    "digamma",
    latex=r"\val{result} = \psi(\val{input})",
    grad_fn="DigammaBackward0",
    binds=(
        "torch.digamma",
        "torch.special.digamma",
        "torch.special.psi",
        "Tensor.digamma",
        "Tensor.digamma_",
    ),
    samples=positive,
    promote="float",
)
def digamma(input: Array) -> Array:
    """Take the derivative of lgamma.

    >>> torch.digamma(torch.tensor([1.]))
    tensor([-0.5772])
    """
    return numeric.digamma(input)


@digamma.vjp("input", latex=r"\grad{input} = \grad{result} \odot \psi'(\val{input})")
def _(grad: Any, input: Any) -> Any:
    return grad * polygamma(1, input)


def _over(result: Any, input: Any) -> Any:
    """Divide, with the limit 1/2 where both vanish."""
    return where(input == 0, zero_like(input) + 0.5, result / input)


@op(
    "polygamma",
    latex=r"\val{result} = \psi^{(\val{n})}(\val{input})",
    grad_fn="PolygammaBackward0",
    binds=("torch.polygamma", "torch.special.polygamma"),
    samples=lambda: [Sample((n, t(2, 3, low=0.4, high=3.0))) for n in (0, 1, 2)],
)
def polygamma(n: int, input: Array) -> Array:
    """Take the n-th derivative of digamma.

    >>> torch.polygamma(1, torch.tensor([1.]))
    tensor([1.6449])
    """
    return numeric.polygamma(n, input)


@polygamma.prepare
def _(n: int, input: Tensor) -> dict[str, Any] | None:
    if n < 0:
        raise fail("polygamma-order", "polygamma(n, x) does not support negative n.")
    if not input.dtype.is_floating_point:
        return {"input": input.to(dtypes.default)}  # type: ignore[attr-defined]
    return None


@polygamma.vjp(
    "input", latex=r"\grad{input} = \grad{result} \odot \psi^{(\val{n} + 1)}(\val{input})"
)
def _(grad: Any, n: int, input: Any) -> Any:
    return grad * polygamma(n + 1, input)


@function("Tensor.polygamma")
def polygamma_method(input: Tensor, n: int) -> Tensor:
    """Take the n-th derivative of digamma."""
    result: Tensor = polygamma(n, input)
    return result


@function("torch.special.ndtr")
def ndtr(input: Tensor) -> Tensor:
    """Take the distribution function of the standard normal distribution."""
    result: Tensor = mul_number(erf(mul_number(input, math.sqrt(0.5))) + 1, 0.5)
    return result


@function("torch.special.zeta")
def zeta(input: Tensor, other: Any) -> Tensor:
    """Take the Hurwitz zeta function."""
    from engine.tensor import make

    q = other._array if isinstance(other, Tensor) else other
    return make(np.asarray(numeric.zeta(input._array, q)))


@function("torch.mvlgamma", "torch.special.multigammaln", "Tensor.mvlgamma")
def mvlgamma(input: Tensor, p: int) -> Tensor:
    """Take the logarithm of the multivariate gamma function of dimension p."""
    total = lgamma(input)
    for j in range(1, p):
        total = total + lgamma(input - j / 2)  # type: ignore[operator]
    result: Tensor = total + p * (p - 1) / 4 * math.log(math.pi)
    return result
