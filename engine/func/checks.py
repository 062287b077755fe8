"""What the transforms refuse: results that are no tensors, vectors that do not go with them."""

from __future__ import annotations

from typing import Any

from engine.func.tree import leaves, structure
from engine.tensor import Tensor

JVP = "jvp(f, primals, tangents)"


def only_tensors(output: Any, where: str = "vjp(f, *primals)") -> None:
    """Refuse other results than tensors."""
    for o in leaves(output):
        if not isinstance(o, Tensor):
            raise RuntimeError(
                f"{where}: expected f(*primals) to return only tensors, got unsupported type"
                f" {type(o)}"
            )


def check_tangents(primals: Any, tangents: Any) -> None:
    """Refuse tangents that do not go with the primals."""
    if structure(primals) != structure(tangents):
        raise RuntimeError(
            f"{JVP}: Expected primals and tangents to have the same python structure. For example,"
            " if primals is a tuple of 3 tensors, tangents also must be. Got primals with structure"
            f" {structure(primals)} and tangents with structure {structure(tangents)}"
        )
    for tangent in leaves(tangents):
        if not isinstance(tangent, Tensor):
            raise RuntimeError(
                f"{JVP}: Expected tangents to only contain Tensors, got {type(tangent)}"
            )
    for primal, tangent in zip(leaves(primals), leaves(tangents), strict=True):
        if not primal.dtype.is_floating_point:
            raise ValueError(
                "Expected primal to be floating point or complex, but got: " + str(primal.dtype)
            )
        if primal.shape != tangent.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the"
                f" original Tensor, this is not supported. Tensor is of size {list(primal.shape)}"
                f" while the given forward gradient is of size {list(tangent.shape)}."
            )


def check_cotangents(cotangents: Any, output: Any) -> None:
    """Refuse vectors of another structure than the results they go with."""
    if structure(cotangents) != structure(output):
        raise RuntimeError(
            "Expected pytree structure of cotangents to be the same as pytree structure of outputs"
            f" to the function. cotangents: {sketch(cotangents)}, primal output: {sketch(output)}"
        )


def sketch(tree: Any) -> str:
    """Return a structure as Python would write it, a star for each value."""
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{k!r}: {sketch(v)}" for k, v in tree.items()) + "}"
    if not isinstance(tree, tuple | list):
        return "*"
    inside = ", ".join(map(sketch, tree))
    if isinstance(tree, list):
        return f"[{inside}]"
    return f"({inside},)" if len(tree) == 1 else f"({inside})"
