"""Ways to choose which elements of a parameter are set to zero (torch.nn.utils.prune).

A pruned parameter `weight` becomes `weight_orig`, its mask the buffer `weight_mask`; a hook before
each forward call computes `weight` from both.
"""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from typing import Any

from engine.nn._torch import Tensor, torch

from ..modules.module import Module


class BasePruningMethod(ABC):
    """A way to compute masks; the object is the hook that keeps the parameter pruned."""

    _tensor_name: str
    PRUNING_TYPE = "unstructured"

    def __call__(self, module: Module, inputs: Any) -> None:
        """Compute the pruned parameter before the module runs."""
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask for a tensor, given the mask it has."""

    def apply_mask(self, module: Module) -> Any:
        """Return the original parameter times its mask."""
        name = self._tensor_name
        mask, original = getattr(module, name + "_mask"), getattr(module, name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(
        cls, module: Module, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any
    ) -> BasePruningMethod:
        """Prune a parameter of a module, beside what pruned it before."""
        method: Any = cls(*args, **kwargs)
        method._tensor_name = name
        before = remove_hook(module, name)
        if before is not None:
            container = PruningContainer(before)
            container.add_pruning_method(method)
            method = container
        original: Any = getattr(module, name)
        if importance_scores is None:
            importance_scores = original
        elif importance_scores.shape != original.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter {name} of {module}"
            )
        if before is None:
            module.register_parameter(name + "_orig", original)
            del module._parameters[name]
            default = torch.ones_like(original)
        else:
            default = getattr(module, name + "_mask").detach().clone()
        try:
            mask = method.compute_mask(importance_scores, default_mask=default)
        except Exception:
            if before is None:
                module.register_parameter(name, module._parameters[name + "_orig"])
                del module._parameters[name + "_orig"]
            raise
        module.register_buffer(name + "_mask", mask)
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method  # type: ignore[no-any-return]

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """Return a tensor pruned by this method."""
        scores = t if importance_scores is None else importance_scores
        start = torch.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(scores, default_mask=start)

    def remove(self, module: Module) -> None:
        """Make the pruned values the parameter itself; nothing is undone."""
        name = self._tensor_name
        weight = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters[name + "_orig"]
        original.data = weight.data  # type: ignore[union-attr]
        del module._parameters[name + "_orig"]
        del module._buffers[name + "_mask"]
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """Several methods, one after the other, on one parameter."""

    def __init__(self, *args: BasePruningMethod) -> None:
        self._pruning_methods: tuple[BasePruningMethod, ...] = ()
        for method in args:
            self._tensor_name = method._tensor_name
            inner = getattr(method, "_pruning_methods", (method,))
            self._pruning_methods += inner

    def add_pruning_method(self, method: Any) -> None:
        """Add another method for the same parameter."""
        if not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if self._tensor_name != method._tensor_name:
            raise ValueError(
                "Can only add pruning methods acting on the parameter named"
                f" '{self._tensor_name}' to PruningContainer {self}. Found"
                f" '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Any:
        return iter(self._pruning_methods)

    def __getitem__(self, index: int) -> BasePruningMethod:
        return self._pruning_methods[index]

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Let the last method choose among what the others left."""
        method: Any = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        left: Any
        if method.PRUNING_TYPE == "unstructured":
            left = mask == 1
        elif method.PRUNING_TYPE == "structured":
            others = [d for d in range(t.dim()) if d != method.dim % t.dim()]
            left = [slice(None)] * t.dim()
            left[method.dim] = mask.sum(dim=others) != 0
            left = tuple(left)
        elif method.PRUNING_TYPE == "global":
            left = (slice(None),) * t.dim()
        else:
            raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        chosen = method.compute_mask(t[left], default_mask=mask[left])
        new = mask.clone()
        new[left] = chosen.to(dtype=mask.dtype)
        return new


class Identity(BasePruningMethod):
    """Prune nothing."""

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask there is."""
        return default_mask


class RandomUnstructured(BasePruningMethod):
    """Prune some elements, drawn at random."""

    def __init__(self, amount: Any) -> None:
        check_amount(amount)
        self.amount = amount

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Set drawn places to zero."""
        count = how_many(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count:
            drawn = torch.topk(torch.rand_like(t).view(-1), k=count)
            mask.view(-1)[drawn.indices] = 0
        return mask


class L1Unstructured(BasePruningMethod):
    """Prune the elements that are smallest."""

    def __init__(self, amount: Any) -> None:
        check_amount(amount)
        self.amount = amount

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Set the smallest to zero."""
        count = how_many(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count:
            smallest = torch.topk(torch.abs(t).view(-1), k=count, largest=False)
            mask.view(-1)[smallest.indices] = 0
        return mask


class _Structured(BasePruningMethod):
    """Prune whole slices along a dim: those whose scores are smallest."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, dim: int = -1) -> None:
        check_amount(amount)
        self.amount, self.dim = amount, dim

    def scores(self, t: Any) -> Any:
        """Return one number per slice."""
        raise NotImplementedError

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Keep the slices of the largest scores."""
        check_dims(t, self.dim)
        size = t.shape[self.dim]
        count = how_many(self.amount, size)
        if not count:
            return default_mask
        kept = torch.topk(self.scores(t), k=size - count, largest=True)
        mask = torch.zeros_like(t)
        place: list[Any] = [slice(None)] * t.dim()
        place[self.dim] = kept.indices
        mask[tuple(place)] = 1
        return mask * default_mask.to(dtype=mask.dtype)


class RandomStructured(_Structured):
    """Prune whole slices along a dim, drawn at random."""

    def scores(self, t: Any) -> Any:
        """Draw one number per slice."""
        return torch.rand(t.shape[self.dim])


class LnStructured(_Structured):
    """Prune the slices along a dim whose n-norm is smallest."""

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        super().__init__(amount, dim)
        self.n = n

    def scores(self, t: Any) -> Any:
        """Return the norm of each slice."""
        others = [d for d in range(t.dim()) if d != self.dim % t.dim()]
        return torch.norm(t, p=self.n, dim=others)


class CustomFromMask(BasePruningMethod):
    """Prune by a mask that is given."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Add the given mask to the one there is."""
        return default_mask * self.mask.to(dtype=default_mask.dtype)


for _kind in [v for v in vars().values() if isinstance(v, type) and v.__module__ == __name__]:
    _kind.__module__ = "torch.nn.utils.prune"


def remove_hook(module: Module, name: str) -> Any:
    """Take the hook off that keeps a parameter pruned, and return it."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            del module._forward_pre_hooks[key]
            return hook
    return None


def check_amount(amount: Any) -> None:
    """Refuse what is neither a fraction nor a number of elements."""
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if (isinstance(amount, numbers.Integral) and int(amount) < 0) or (
        not isinstance(amount, numbers.Integral) and not 0.0 <= float(amount) <= 1.0
    ):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative"
            " integer"
        )


def how_many(amount: Any, size: int) -> int:
    """Return how many of `size` elements to prune."""
    if isinstance(amount, numbers.Integral):
        if int(amount) > size:
            raise ValueError(
                f"amount={amount} should be smaller than the number of parameters to prune={size}"
            )
        return int(amount)
    return round(float(amount) * size)


def check_dims(t: Tensor, dim: int) -> None:
    """Refuse to prune slices of what has one dim, or a dim there is not."""
    if t.ndim <= 1:
        raise ValueError(
            "Structured pruning can only be applied to multidimensional tensors. Found tensor of"
            f" shape {t.shape} with {t.ndim} dims"
        )
    if dim >= t.ndim:
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")
