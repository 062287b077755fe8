"""Tensor: an array, its flags, and its place in the graph.

Methods that compute are not here: operations bind themselves to the class (engine/ops/record.py).
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from engine import dtypes, events, grad_mode, shown, stand_ins
from engine.dtypes import Size, dtype, sized
from engine.errors import fail
from engine.graph import LEAF, Node
from engine.storage import Meta, Storage

new = object.__new__
GRAD_OF_RESULT = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad"
    " attribute"
    " won't be populated during autograd.backward(). If you indeed want the .grad field to be"
    " populated"
    " for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf"
    " Tensor by mistake, make sure you access the leaf Tensor instead. See"
    " github.com/pytorch/pytorch/pull/30531 for more information."
)


class Tensor:
    """An array of numbers that may remember how it was computed."""

    # `_fn` is None (no gradient needed), LEAF, or the node that made the tensor.
    __slots__ = ("__dict__", "__weakref__", "_array", "_fn", "_meta", "dtype", "shape")

    _array: Any  # np.ndarray, or a numpy scalar when there are no dims (see docs/notes/speed.md)
    shape: Size
    dtype: dtype
    _fn: Node | None
    _meta: Meta | None

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make an empty tensor from sizes, or a float32 one from data, as the old constructor."""
        from engine.ops.data import legacy_tensor

        return legacy_tensor(cls, *args, **kwargs)

    # --- rare attributes -------------------------------------------------------------------------

    def _more(self) -> Meta:
        if self._meta is None:
            self._meta = Meta()
        return self._meta

    def _shared(self) -> Storage:
        """Return the version counter, made at first need; the memory becomes a real array."""
        meta = self._more()
        if meta.storage is None:
            meta.storage = Storage()
            if not isinstance(self._array, np.ndarray):
                self._array = np.array(self._array)
            fn = self._fn
            if fn is not None and fn is not LEAF:
                fn.more().storage = meta.storage
                fn.run.rule.replace_result(fn, self._array)  # type: ignore[attr-defined]
        return meta.storage

    def _version_now(self) -> int:
        meta = self._meta
        return 0 if meta is None or meta.storage is None else meta.storage.version

    def _node(self) -> Node | None:
        """Return the node that made this tensor: for one of several outputs, the common node."""
        fn = self._fn
        if fn is None or fn is LEAF or fn.run is stand_ins.go_nowhere:
            return None
        extra = fn.extra
        return extra.parent if extra is not None and extra.parent is not None else fn

    # --- autograd --------------------------------------------------------------------------------

    @property
    def grad_fn(self) -> Node | None:
        """The node that made this tensor, None for a leaf."""
        node = self._node()
        if node is None:
            return None
        if self._meta is not None and self._meta.view_kind is not None:
            from engine.views import check_fresh

            check_fresh(node)
        return shown.public(node)

    @property
    def output_nr(self) -> int:
        """Which output of its node this tensor is."""
        fn = self._fn
        return 0 if fn is None or fn is LEAF or fn.extra is None else fn.extra.index

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation made this tensor."""
        fn = self._fn
        if self._meta is not None and self._meta.view_kind is not None:
            from engine.views import check_fresh

            check_fresh(fn)
        return fn is None or fn is LEAF or fn.run is stand_ins.go_nowhere

    @is_leaf.setter
    def is_leaf(self, _value: Any) -> None:
        raise AttributeError("attribute 'is_leaf' of 'torch._C.TensorBase' objects is not writable")

    @property
    def requires_grad(self) -> bool:
        """Whether gradients are computed with respect to this tensor."""
        if self._fn is not None:
            return True
        base = self._base  # a view made within no_grad has no history of its own
        return base is not None and base._fn is not None

    @requires_grad.setter
    def requires_grad(self, on: bool) -> None:
        if not isinstance(on, bool):
            raise RuntimeError("requires_grad must be a bool")
        if on and not self.dtype.is_floating_point:
            raise fail(
                "requires-grad-of-integers",
                "only Tensors of floating point and complex dtype can require gradients",
                dtype=self.dtype.name,
            )
        if on and not self.is_leaf:
            raise fail(
                "requires-grad-of-result",
                "you can only change requires_grad flags of leaf variables.",
                tensor=events.identify(self),
            )
        self.requires_grad_(on)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Start or stop tracking a leaf; in place."""
        if not isinstance(requires_grad, bool):
            raise TypeError(
                "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not"
                f" {type(requires_grad).__name__}"
            )
        if not self.is_leaf:
            if not requires_grad:
                raise fail(
                    "requires-grad-of-result",
                    "you can only change requires_grad flags of leaf variables. If you want to use"
                    " a computed variable in a subgraph that doesn't require differentiation use"
                    " var_no_grad = var.detach().",
                    tensor=events.identify(self),
                )
            return self
        if requires_grad and not self.dtype.is_floating_point:
            raise fail(
                "requires-grad-of-integers",
                "only Tensors of floating point dtype can require gradients",
                dtype=self.dtype.name,
            )
        if requires_grad and not grad_mode.inference and self.is_inference():  # type: ignore[attr-defined]
            raise fail(
                "inference-requires-grad",
                "Setting requires_grad=True on inference tensor outside InferenceMode is not"
                " allowed.",
            )
        self._fn = LEAF if requires_grad else None
        if events.observer is not None:
            line = events.learner_line()
            events.observer(events.RequiresGradChanged(line, events.facts_of(self)))
        return self

    @property
    def grad(self) -> Tensor | None:
        """What backward passes have added up for this tensor."""
        meta = self._meta
        if self._fn is LEAF:  # what is asked most
            return None if meta is None else meta.grad
        if self._fn is not None and (meta is None or not meta.retains):
            warnings.warn(GRAD_OF_RESULT, UserWarning, stacklevel=2)
        return None if meta is None else meta.grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is None and not events.careful:
            if self._meta is not None:
                self._meta.grad = None
            return
        from engine.leaves import assign_grad

        assign_grad(self, value)

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    # --- size and kind ---------------------------------------------------------------------------

    @property
    def device(self) -> dtypes.device:
        """Always the CPU."""
        return dtypes.CPU

    @property
    def layout(self) -> dtypes.layout:
        """Always torch.strided."""
        return dtypes.strided

    @property
    def ndim(self) -> int:
        """The number of dims."""
        return len(self.shape)

    @property
    def is_cuda(self) -> bool:
        """Always False."""
        return False

    @property
    def _version(self) -> int:
        if self._meta is not None and self._meta.inference:
            raise fail("inference-version", "Inference tensors do not track version counter.")
        return self._version_now()

    @property
    def _base(self) -> Tensor | None:
        return None if self._meta is None else self._meta.base

    __array_priority__ = 1000  # numpy lets a tensor answer first

    def __hash__(self) -> int:
        return id(self)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]  # type: ignore[no-any-return]


def make(array: Any, requires_grad: bool = False, how: str | None = None) -> Tensor:
    """Wrap an array (not copied) as a tensor nothing computed.

    `how` is the public name of the factory, for the observer; None keeps quiet.
    """
    t: Tensor = new(Tensor)
    if array.__class__ is np.ndarray and array.ndim == 0:
        array = array[()]
    t._array = array
    t.shape = sized(array.shape)
    t.dtype = dtypes.BY_NUMPY[array.dtype]
    t._fn = None
    t._meta = None
    if requires_grad:
        if not t.dtype.is_floating_point:
            raise fail(
                "requires-grad-of-integers",
                "Only Tensors of floating point and complex dtype can require gradients",
                dtype=t.dtype.name,
            )
        t._fn = LEAF
    if grad_mode.inference:
        t._more().inference = True
    if how is not None and events.observer is not None:
        line = events.learner_line()
        events.observer(events.TensorCreated(line, events.facts_of(t), how))
    return t


def read_only(name: str, read: property) -> property:
    """Return a property that refuses to be set as PyTorch does."""

    def refuse(self: Any, value: Any) -> None:
        raise AttributeError(f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable")

    return property(read.fget, refuse, read.fdel, read.__doc__)


for _name, _read in list(vars(Tensor).items()):
    if isinstance(_read, property) and _read.fset is None:
        setattr(Tensor, _name, read_only(_name, _read))
Tensor.__module__ = "torch"
