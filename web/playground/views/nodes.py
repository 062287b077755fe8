"""Nodes of the graph: leaves with their .grad slot, operations with their result, folded groups.

Every function draws one node around (cx, cy), the middle of the leaf's box or of the pill.
"""

from __future__ import annotations

from playground.state import State
from playground.trace import Op, Tensor, Trace, Value

from . import labels, numbers, symbols
from .geometry import HALF
from .inside import badge, content, heading, heat, short_row, signed, tabs
from .measures import GATE_R, LEAF_H, NODE_W, PILL_H, PLATE_H, SLOT_H
from .pen import Pen
from .spots import Mark, Spot
from .writing import TINY, cut_mono, fitted, wrap

PIPS = 8
KEPT_H = 20


def leaf(pen: Pen, state: State, tensor: Tensor, spot: Spot, mark: Mark) -> None:
    """A leaf's box, its slot when it takes a gradient, its version when it was written to."""
    theme = pen.theme
    x, y = spot.cx - HALF, spot.cy - LEAF_H / 2
    # What a hook was given has no step of its own: it is there as soon as something uses it.
    if not state.exists(tensor.id) and tensor.id in state.index.born:
        pen.box("leaves", x, y, NODE_W, LEAF_H, None, theme.line, 1)
        return
    needs = state.requires_grad(tensor.id)
    _around(pen, x, y, LEAF_H, mark, "box")
    if needs:
        pen.box("leaves", x, y, NODE_W, LEAF_H, theme.accent_soft, theme.accent, 1.5)
    else:
        pen.box("constants", x, y, NODE_W, LEAF_H, theme.bg, theme.edge, 1.25)
    value = state.value(tensor.id)
    name = tensor.name or tensor.expression
    heading(pen, x, y, name, value, theme.accent if needs else theme.ink2, bool(tensor.name), 22)
    content(pen, x, y, LEAF_H, value, theme.ink if needs else theme.ink2)
    badge(pen, x, y, state.version(tensor.id))
    if needs or state.grad(tensor.id) is not None:
        slot(pen, state, tensor.id, spot, mark)


def slot(pen: Pen, state: State, tensor: int, spot: Spot, mark: Mark) -> None:
    """The .grad slot: dotted and None, or the value tinted by its sign, with a pip per write."""
    theme, grad = pen.theme, state.grad(tensor)
    x, y = spot.slot
    _around(pen, x, y, SLOT_H, mark, "slot")
    if grad is None:
        pen.box("empty", x, y, NODE_W, SLOT_H, theme.paper, theme.edge, 1)
        pen.text("mono", x + 10, y + _base(pen, spot), "None", theme.ink3, keep=True)
    else:
        sign = numbers.sign(grad)
        line = theme.edge if sign == "zero" else theme.sign(sign)
        pen.box("plates", x, y, NODE_W, SLOT_H, theme.soft(sign), line, 1)
        _grad(pen, x, y, y + _base(pen, spot), grad, sign)
        _pips(pen, state, tensor, x, y, sign)
    pen.text("mono", x + 10, y + (14 if spot.vertical else 18), ".grad", theme.ink3, 11)


def _base(pen: Pen, spot: Spot) -> float:
    """The value's base line in a slot; top down, the gate lies on the slot's lower edge."""
    return 29 if pen.overview or spot.vertical else 35


def _grad(pen: Pen, x: float, y: float, base: float, grad: Value, sign: str) -> None:
    theme = pen.theme
    text = short_row(pen, grad)
    if text is None:
        heat(pen, x + 10, base - 11, NODE_W - 20, 10, grad)
        return
    color = theme.ink2 if sign == "zero" else theme.sign(sign)
    if sign == "mixed" and grad.data is not None:
        signed(pen, "mono", x + 10, base, grad, text)
        return
    pen.text("mono", x + 10, base, text or "[ ]", color, keep=True)


def _pips(pen: Pen, state: State, tensor: int, x: float, y: float, sign: str) -> None:
    count = sum(1 for entry in state.ledger(tensor) if entry.how not in ("zero", "none"))
    color = pen.theme.ink3 if sign == "zero" else pen.theme.sign(sign)
    right = x + NODE_W - 10
    if count > PIPS:
        pen.text("mono", right, y + 18, f"×{count}", color, 11, "right")
        return
    for i in range(count):
        pen.box("pips", right - 5 * (count - i), y + 9, 3, 10, color)


def gate(pen: Pen, spot: Spot, live: bool) -> None:
    """AccumulateGrad: the round + where a message ends."""
    theme = pen.theme
    x, y = spot.gate
    line, ink = (theme.ink2, theme.ink) if live else (theme.edge, theme.ink3)
    pen.circle("gates", x, y, GATE_R, theme.paper, line, 1.25)
    pen.segment("pluses", (x - 4.5, y), (x + 4.5, y), ink, 1.5)
    pen.segment("pluses", (x, y - 4.5), (x, y + 4.5), ink, 1.5)


def operation(pen: Pen, state: State, op: Op, spot: Spot, mark: Mark) -> None:
    """A pill with its saved tensors, and the plate of its result."""
    theme = pen.theme
    x, y = spot.cx - HALF, spot.cy - PILL_H / 2
    if not state.applied(op.index):
        pen.box("pills", x, y, NODE_W, PILL_H, theme.paper, theme.line, 1)
        return
    freed = bool(op.saved) and state.freed(op.index)
    tabs(pen, state, op, spot, mark)
    _around(pen, x, y, PILL_H, mark, "pill")
    ink, small = theme.ink, theme.ink3
    if mark.bad:
        pen.box("pills", x, y, NODE_W, PILL_H, theme.err_soft, theme.err, 2)
        ink = small = theme.err
    elif freed:
        pen.box("hollow", x, y, NODE_W, PILL_H, theme.paper, theme.edge, 1.25)
        ink = theme.ink2
    else:
        line = theme.ink2 if op.grad_fn else theme.edge
        pen.box("pills", x, y, NODE_W, PILL_H, theme.paper, line, 1.25)
    if mark.ring == "box" and not mark.bad:
        small = theme.accent
    text = symbols.symbol(op)
    high = y + (PILL_H / 2 + 6 * pen.grow if pen.overview else 24)
    size = symbols.size(text, NODE_W - 20, pen.grow)
    pen.text("math", spot.cx, high, text, ink, size, "center", keep=True)
    pen.text(
        "mono", spot.cx, y + 41, cut_mono(under(state, op), NODE_W - 14, TINY), small, 11, "center"
    )
    plate(pen, state, op, spot, mark)


def under(state: State, op: Op) -> str:
    """The small line of a pill: grad_fn; without one, what was computed or written."""
    if op.grad_fn:
        return op.grad_fn
    output = op.outputs[0]
    name = labels.tensor(state.trace, output)
    if op.inplace:
        version = next((o.version for o in op.operands if o.tensor == output), None)
        return f"{name}: v{version} → v{(version or 0) + 1}"
    return name


def plate(pen: Pen, state: State, op: Op, spot: Spot, mark: Mark) -> None:
    """The result of an operation; in-place operations have none, theirs is the tensor written."""
    tensor = shown_output(state, op)
    if tensor is None:
        return
    theme = pen.theme
    x, y = spot.plate
    records = op.grad_fn is not None
    if records:
        pen.box("plates", x, y, NODE_W, PLATE_H, theme.sunk)
    else:
        pen.box("dashed", x, y, NODE_W, PLATE_H, theme.bg, theme.edge, 1.25)
    if mark.pick == "plate":
        _around(pen, x, y, PLATE_H, Mark(ring="plate"), "plate")
    value = state.value(tensor.id)
    ink = theme.ink if records else theme.ink2
    more = f" +{len(op.outputs) - 1}" if len(op.outputs) > 1 else ""
    name = (tensor.name or tensor.expression) + more
    color = ink if tensor.name else theme.ink2
    heading(pen, x, y, name, value, color, bool(tensor.name), 19)
    content(pen, x, y, PLATE_H, value, ink)
    badge(pen, x, y, state.version(tensor.id))
    _kept(pen, state, tensor, x, y + PLATE_H + 4, mark)


def _kept(pen: Pen, state: State, tensor: Tensor, x: float, y: float, mark: Mark) -> None:
    """A .grad that a result has: by retain_grad(), or because it became a leaf of its own."""
    grad = state.grad(tensor.id)
    asks = state.is_leaf(tensor.id) and state.requires_grad(tensor.id)
    if grad is None and not asks:
        return
    theme = pen.theme
    _around(pen, x, y, KEPT_H, mark, "slot")
    if grad is None:
        pen.box("empty", x, y, NODE_W, KEPT_H, theme.paper, theme.edge, 1)
        said, color = "None", theme.ink3
    else:
        sign = numbers.sign(grad)
        line = theme.edge if sign == "zero" else theme.sign(sign)
        pen.box("plates", x, y, NODE_W, KEPT_H, theme.soft(sign), line, 1)
        row = numbers.row(grad.data, 9) if grad.data is not None else None
        said = row if row is not None else numbers.shape(grad.shape)
        color = theme.ink2 if sign in ("zero", "mixed") else theme.sign(sign)
    pen.text("mono", x + 10, y + 14, ".grad", theme.ink3, 11)
    pen.text("mono", x + NODE_W - 8, y + 14, said, color, 11, "right")


def shown_output(state: State, op: Op) -> Tensor | None:
    """The result a plate shows: the first one with a name, else the first."""
    if not has_plate(state.trace, op):
        return None
    found = [state.trace.tensors[index] for index in op.outputs]
    return next((tensor for tensor in found if tensor.name), found[0])


def has_plate(trace: Trace, op: Op) -> bool:
    """Whether a result is shown: not for writes in place, nor nameless and unrecorded."""
    if op.inplace or not op.outputs:
        return False
    return op.grad_fn is not None or any(trace.tensors[index].name for index in op.outputs)


def _around(pen: Pen, x: float, y: float, height: float, mark: Mark, part: str) -> None:
    """Ring and halo of the cursor or the learner's choice; the keyboard's ring lies 2 px away."""
    kind = "pill" if part == "pill" else "box"
    theme = pen.theme
    wanted = "box" if part == "pill" else part
    if wanted in (mark.ring, mark.pick) and not mark.bad:
        d = 4 if kind == "pill" else 3
        pen.box(
            f"halo_{kind}",
            x - d,
            y - d,
            NODE_W + 2 * d,
            height + 2 * d,
            None,
            theme.accent,
            7,
            0.16,
        )
        e = 0 if kind == "pill" else 1
        pen.box(f"ring_{kind}", x - e, y - e, NODE_W + 2 * e, height + 2 * e, None, theme.accent, 2)
    if mark.focus and wanted == "box":
        pen.box(f"ring_{kind}", x - 4, y - 4, NODE_W + 8, height + 8, None, theme.accent, 2)


def folded(pen: Pen, title: str, note: str, spot: Spot, mark: Mark, done: bool) -> None:
    """A folded group: a second outline behind, what it is, how much it holds."""
    theme = pen.theme
    x, y = spot.cx - HALF, spot.cy - PILL_H / 2
    if not done:
        pen.box("pills", x, y, NODE_W, PILL_H, theme.paper, theme.line, 1)
        return
    pen.box("stack", x + 6, y - 6, NODE_W - 8, PILL_H - 4, theme.paper, theme.edge, 1.25)
    _around(pen, x, y, PILL_H, mark, "pill")
    pen.box("pills", x, y, NODE_W, PILL_H, theme.paper, theme.ink2, 1.25)
    if pen.overview:
        lines = wrap(title, NODE_W - 12, 12 * pen.grow)[:2]
        for k, words in enumerate(lines):
            high = spot.cy + (4 + 13 * (k - (len(lines) - 1) / 2)) * pen.grow
            pen.text("sans", spot.cx, high, words, theme.ink, 12, "center", keep=True)
        return
    pen.text("sans", spot.cx, y + 23, fitted(title, NODE_W - 20), theme.ink, 12, "center")
    pen.text("sans", spot.cx, y + 39, note, theme.ink3, 11 if note.isascii() else 12, "center")


def reduction(pen: Pen, x: float, y: float, label: str, ring: bool, focus: bool = False) -> None:
    """The hexagon of a broadcast reduction."""
    theme, w, h = pen.theme, 20.0, 12.0
    shape = [
        (x - 12, y - h),
        (x + 12, y - h),
        (x + w, y),
        (x + 12, y + h),
        (x - 12, y + h),
        (x - w, y),
    ]
    if ring:
        pen.box("halo_box", x - 24, y - 16, 48, 32, None, theme.accent, 7, 0.16)
    line, weight = (theme.accent, 2.0) if ring or focus else (theme.ink2, 1.25)
    pen.polygon("sums", shape, theme.paper, line, weight)
    pen.text("chip_sans", x, y + 4 * pen.grow, label, theme.ink, 12, "center", keep=True)
