"""A weight whose columns, or rows, are orthonormal whatever its parameter is."""

from __future__ import annotations

from typing import Any

from engine.nn._torch import Tensor, TensorClass, torch

from ..modules.module import Module
from . import parametrize

MAPS = ("matrix_exp", "cayley", "householder")


class _Orthogonal(Module):
    """An orthogonal matrix from an unconstrained one, by one of three maps."""

    base: Tensor

    def __init__(
        self, weight: Tensor, orthogonal_map: str, *, use_trivialization: bool = True
    ) -> None:
        super().__init__()
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Tensor) -> Tensor:
        transposed = X.size(-2) < X.size(-1)
        Q = self._tall(X.mT if transposed else X)
        if hasattr(self, "base"):
            Q = self.base @ Q
        return Q.mT if transposed else Q

    def _tall(self, X: Tensor) -> Tensor:
        n, k = X.size(-2), X.size(-1)
        if self.orthogonal_map == "householder":
            A = X.tril(diagonal=-1)
            tau = 2.0 / (1.0 + (A * A).sum(dim=-2))
            Q = torch.linalg.householder_product(A, tau)
            return Q * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        X = X.tril()
        if n != k:
            X = torch.cat([X, X.new_zeros(n, n - k).expand(*X.shape[:-2], -1, -1)], dim=-1)
        A = X - X.mH
        if self.orthogonal_map == "matrix_exp":
            Q = torch.matrix_exp(A)
        else:
            eye = torch.eye(n, dtype=A.dtype, device=A.device)
            Q = torch.linalg.solve(torch.add(eye, A, alpha=-0.5), torch.add(eye, A, alpha=0.5))
        return Q if n == k else Q[..., :k]

    def right_inverse(self, Q: Tensor) -> Tensor:
        """Return a parameter that gives an orthogonal matrix, or the one nearest at hand."""
        if Q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. "
                f"Got a tensor of shape {Q.shape}."
            )
        with torch.no_grad():
            return self._based(Q) if hasattr(self, "base") else self._reflected(Q)

    def _reflected(self, Q: Tensor) -> Tensor:
        if self.orthogonal_map != "householder":
            raise NotImplementedError(
                "It is not possible to assign to the matrix exponential "
                "or the Cayley parametrizations when use_trivialization=False."
            )
        transposed = Q.size(-2) < Q.size(-1)
        A, tau = torch.geqrf(Q.mT if transposed else Q)
        A.diagonal(dim1=-2, dim2=-1).sign_()
        A.diagonal(dim1=-2, dim2=-1)[tau == 0.0] *= -1
        return A.mT if transposed else A

    def _based(self, given: Tensor) -> Tensor:
        """Keep an orthogonal matrix as the base, and return what the maps send to the identity."""
        Q = given.mT if given.size(-2) < given.size(-1) else given
        n, k = Q.size(-2), Q.size(-1)
        if n != k:
            rest = torch.randn(*Q.size()[:-2], n, n - k, dtype=Q.dtype, device=Q.device)
            Q = _make_orthogonal(torch.cat([Q, rest], dim=-1))
        else:
            Q = Q.clone() if _is_orthogonal(Q) else _make_orthogonal(Q)
        self.base = Q
        negative = torch.zeros_like(given)
        negative.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return negative


def _is_orthogonal(Q: Tensor) -> bool:
    eye = torch.eye(Q.size(-1), dtype=Q.dtype, device=Q.device)
    close: bool = torch.allclose(Q.mH @ Q, eye, atol=10.0 * Q.size(-2) * torch.finfo(Q.dtype).eps)
    return close


def _make_orthogonal(A: Tensor) -> Tensor:
    """Return the Q of A = QR with a positive diagonal of R."""
    X, tau = torch.geqrf(A)
    Q = torch.linalg.householder_product(X, tau)
    Q *= X.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)
    return Q


def orthogonal(
    module: Module,
    name: str = "weight",
    orthogonal_map: str | None = None,
    *,
    use_trivialization: bool = True,
) -> Module:
    """Make a weight orthogonal: by matrix_exp where it is square, else by householder.

    Lezcano Casado, "Trivializations for Gradient-Based Optimization on Manifolds" (2019).
    """
    weight: Any = getattr(module, name, None)
    if not isinstance(weight, TensorClass):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(
            f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions."
        )
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.size(-2) == weight.size(-1) else "householder"
    if orthogonal_map not in MAPS:
        raise ValueError(
            'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". '
            f"Got: {orthogonal_map}"
        )
    made = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    return parametrize.register_parametrization(module, name, made, unsafe=True)
