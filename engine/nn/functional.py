"""The functions behind the modules (torch.nn.functional).

Operations come from the registry; here are those made of several, and those whose arguments choose
between operations (`inplace`, `training`, `return_indices`).
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from engine.nn._torch import Tensor, torch
from engine.ops.record import public_names as _public_names

from ._attention import scaled_dot_product_attention
from ._bound import bound
from ._distribution_losses import gaussian_nll_loss, kl_div, poisson_nll_loss
from ._dropout import (
    alpha_dropout,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    feature_alpha_dropout,
)
from ._grids import affine_grid, grid_sample
from ._losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cross_entropy,
    huber_loss,
    l1_loss,
    mse_loss,
    nll_loss,
    smooth_l1_loss,
)
from ._margin_losses import (
    cosine_embedding_loss,
    hinge_embedding_loss,
    margin_ranking_loss,
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
    soft_margin_loss,
    triplet_margin_loss,
    triplet_margin_with_distance_loss,
)
from ._norms import (
    batch_norm,
    group_norm,
    instance_norm,
    layer_norm,
    local_response_norm,
)
from ._resample import interpolate, upsample, upsample_bilinear, upsample_nearest

__all__ = [
    "affine_grid",
    "alpha_dropout",
    "batch_norm",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cosine_embedding_loss",
    "cross_entropy",
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "feature_alpha_dropout",
    "gaussian_nll_loss",
    "grid_sample",
    "group_norm",
    "hinge_embedding_loss",
    "huber_loss",
    "instance_norm",
    "interpolate",
    "kl_div",
    "l1_loss",
    "layer_norm",
    "local_response_norm",
    "margin_ranking_loss",
    "mse_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "nll_loss",
    "poisson_nll_loss",
    "scaled_dot_product_attention",
    "smooth_l1_loss",
    "soft_margin_loss",
    "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
    "upsample",
    "upsample_bilinear",
    "upsample_nearest",
]

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
else:

    def __getattr__(name: str) -> None:
        raise AttributeError(f"module 'torch.nn.functional' has no attribute '{name}'")


# -- activations that may work in place


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return max(0, x)."""
    return input.relu_() if inplace else torch.relu(input)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Return min(max(0, x), 6)."""
    return hardtanh(input, 0.0, 6.0, inplace)


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """Cut to [min_val, max_val]."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    chosen = bound.hardtanh_ if inplace else bound.hardtanh
    return chosen(input, min_val, max_val)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Keep what is above `threshold`, and put `value` elsewhere."""
    chosen = bound.threshold_ if inplace else bound.threshold
    return chosen(input, threshold, value)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Return x where positive, negative_slope * x elsewhere."""
    chosen = bound.leaky_relu_ if inplace else bound.leaky_relu
    return chosen(input, negative_slope)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Return x where positive, alpha * (exp(x) - 1) elsewhere."""
    return (bound.elu_ if inplace else bound.elu)(input, alpha)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Return x where positive, alpha * (exp(x / alpha) - 1) elsewhere."""
    return (bound.celu_ if inplace else bound.celu)(input, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return the scaled ELU."""
    return (bound.selu_ if inplace else bound.selu)(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return x * sigmoid(x)."""
    return (bound.silu_ if inplace else bound.silu)(input)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Return x * tanh(softplus(x))."""
    return (bound.mish_ if inplace else bound.mish)(input)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """Return x * relu6(x + 3) / 6."""
    return (bound.hardswish_ if inplace else bound.hardswish)(input)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """Return relu6(x + 3) / 6."""
    return (bound.hardsigmoid_ if inplace else bound.hardsigmoid)(input)


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """Scale the negative part; while training each slope is drawn from [lower, upper)."""
    chosen = bound.rrelu_ if inplace else bound.rrelu
    return chosen(input, lower, upper, training)


def sigmoid(input: Tensor) -> Tensor:
    """Return 1 / (1 + exp(-x))."""
    return torch.sigmoid(input)


def tanh(input: Tensor) -> Tensor:
    """Return the hyperbolic tangent."""
    return torch.tanh(input)


# -- softmax


def _softmax_dim(name: str, dims: int, stacklevel: int) -> int:
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. "
        "Change the call to include dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if dims in (0, 1, 3) else 1


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """Return exp(x) over its sum along a dim."""
    dim = _softmax_dim("softmax", input.dim(), _stacklevel) if dim is None else dim
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """Return softmax(-x) along a dim."""
    dim = _softmax_dim("softmin", input.dim(), _stacklevel) if dim is None else dim
    return (-input).softmax(dim) if dtype is None else (-input).softmax(dim, dtype=dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """Return the logarithm of softmax along a dim."""
    dim = _softmax_dim("log_softmax", input.dim(), _stacklevel) if dim is None else dim
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """Draw softly from the distribution of logits; `hard` one-hot, with the soft one's gradient.

    Jang et al., "Categorical Reparameterization with Gumbel-Softmax" (2016).
    """
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    noise = -torch.empty_like(logits).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    one_hot = torch.zeros_like(logits).scatter_(dim, index, 1.0)
    return one_hot - soft.detach() + soft


# -- the rest of the namespace is bound by the operations themselves

for _name, _function in _public_names("torch.nn.functional").items():
    globals().setdefault(_name, _function)
