"""Weight and spectral normalisation by hooks, the older forms (torch.nn.utils)."""

from __future__ import annotations

import warnings
from typing import Any

from engine.nn._torch import Tensor, torch

from .. import functional as F
from ..modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from ..modules.module import Module
from ..parameter import Parameter


class WeightNorm:
    """The hook that makes the weight of its length g and direction v before each forward."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Tensor:
        """Return the weight."""
        g, v = (getattr(module, self.name + end) for end in ("_g", "_v"))
        return torch._weight_norm(v, g, self.dim)

    def __call__(self, module: Module, inputs: Any) -> None:
        """Compute the weight anew."""
        setattr(module, self.name, self.compute_weight(module))


class SpectralNorm:
    """The hook that divides the weight by its largest singular value before each forward."""

    def __init__(self, name: str, n_power_iterations: int, dim: int, eps: float) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got"
                f" n_power_iterations={n_power_iterations}"
            )
        self.name = name
        self.n_power_iterations = n_power_iterations
        self.dim = dim
        self.eps = eps

    def matrix(self, weight: Tensor) -> Tensor:
        """Return the weight as a matrix whose rows are slices of the dim."""
        if self.dim:
            others = [d for d in range(weight.dim()) if d != self.dim]
            weight = weight.permute(self.dim, *others)
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module: Module, iterate: bool) -> Tensor:
        """Return the weight; `iterate` improves the singular vectors first, in place."""
        weight, u, v = (getattr(module, self.name + end) for end in ("_orig", "_u", "_v"))
        matrix = self.matrix(weight)
        if iterate:
            with torch.no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(F.normalize(torch.mv(matrix.t(), u), dim=0, eps=self.eps))
                    u.copy_(F.normalize(torch.mv(matrix, v), dim=0, eps=self.eps))
                u, v = u.clone(), v.clone()
        return weight / torch.dot(u, torch.mv(matrix, v))

    def __call__(self, module: Module, inputs: Any) -> None:
        """Compute the weight anew."""
        setattr(module, self.name, self.compute_weight(module, module.training))


def _hook_of(module: Module, kind: type, name: str) -> int | None:
    """Return the number of a module's hook of a kind for a parameter."""
    for number, entry in module._table().forward_pre.items():
        if isinstance(entry.hook, kind) and entry.hook.name == name:  # type: ignore[attr-defined]
            return number
    return None


def _refuse_second(module: Module, kind: type, name: str, what: str) -> None:
    if _hook_of(module, kind, name) is not None:
        raise RuntimeError(f"Cannot register two {what} hooks on the same parameter {name}")


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Split a weight into length `name_g` and direction `name_v`; return the module."""
    warnings.warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of"
        " `torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    _refuse_second(module, WeightNorm, name, "weight_norm")
    hook = WeightNorm(name, dim)
    weight = getattr(module, name)
    del module._parameters[name]
    length = torch.norm_except_dim(weight, 2, hook.dim)
    module.register_parameter(name + "_g", Parameter(length.data))
    module.register_parameter(name + "_v", Parameter(weight.data))
    setattr(module, name, hook.compute_weight(module))
    module.register_forward_pre_hook(hook)
    return module


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """Make the weight a plain parameter again; return the module."""
    number = _hook_of(module, WeightNorm, name)
    if number is None:
        raise ValueError(f"weight_norm of '{name}' not found in {module}")
    hook: Any = module._table().forward_pre.pop(number).hook
    weight = hook.compute_weight(module)
    for spare in (name, name + "_g", name + "_v"):
        delattr(module, spare)
    setattr(module, name, Parameter(weight.data))
    return module


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Divide a weight by its largest singular value before each forward; return the module."""
    if dim is None:
        transposed = (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)
        dim = 1 if isinstance(module, transposed) else 0
    _refuse_second(module, SpectralNorm, name, "spectral_norm")
    hook = SpectralNorm(name, n_power_iterations, dim, eps)
    weight: Any = module._parameters[name]
    if weight is None:
        raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
    with torch.no_grad():
        drawn = [torch.empty(n).normal_(0, 1) for n in hook.matrix(weight).size()]
        u, v = (F.normalize(x, dim=0, eps=eps) for x in drawn)
    delattr(module, name)
    module.register_parameter(name + "_orig", weight)
    setattr(module, name, weight.data)
    module.register_buffer(name + "_u", u)
    module.register_buffer(name + "_v", v)
    module.register_forward_pre_hook(hook)
    return module


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Make the weight a plain parameter again; return the module."""
    number = _hook_of(module, SpectralNorm, name)
    if number is None:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    hook: Any = module._table().forward_pre.pop(number).hook
    with torch.no_grad():
        weight = hook.compute_weight(module, False)
    for spare in (name, name + "_u", name + "_v", name + "_orig"):
        delattr(module, spare)
    module.register_parameter(name, Parameter(weight.detach()))
    return module
