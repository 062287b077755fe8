"""Specialised forms for two floating tensors of one type whose shapes differ: `x @ w + b`.

fast.py hands on to them what it has looked at already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.ops.expressions import source_of
from engine.ops.recording import recording

if TYPE_CHECKING:
    from engine.ops.record import Op

FORM = """\
def {name}({x}, {y}):
    try:
        result = {compute}
    except ValueError:  # shapes that do not fit: the general way says so as PyTorch does
        return general({x}, {y})
    shape = result.shape
    t = new(Tensor)
    t._array = result
    t.shape = SIZES[shape] if shape in SIZES else sized(shape)
    t.dtype = {x}.dtype
    t._meta = None
"""


def build(op: Op, general: Callable[..., Any], scope: dict[str, Any]) -> Callable[..., Any]:
    """Make the form of an op whose node always has the same name."""
    x, y = (p.name for p in op.tensors)
    own = {**scope, **{p.name: p.default for p in op.params[2:]}, "general": general}
    compute = source_of(op.forward, [f"{x}._array", f"{y}._array"], own)
    form = FORM.format(name=op.name, x=x, y=y, compute=compute)
    form += recording(op, [x, y], own, f"{x}, {y}", floating=True)
    exec(compile(form, f"<broadcasting form of {op.name}>", "exec"), own)
    return own[op.name]  # type: ignore[no-any-return]
