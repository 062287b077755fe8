"""All parameters of a model as one vector."""

from __future__ import annotations

from collections.abc import Iterable

from engine.nn._torch import Tensor, TensorClass, torch


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Return all parameters, flattened and joined."""
    return torch.cat([p.view(-1) for p in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Let every parameter's data be its slice of a vector."""
    if not isinstance(vec, TensorClass):
        raise TypeError(f"expected torch.Tensor, but got: {torch.typename(vec)}")
    start = 0
    for parameter in parameters:
        count = parameter.numel()
        parameter.data = vec[start : start + count].view_as(parameter).data
        start += count
