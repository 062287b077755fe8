"""The rows of one frame of the graph."""

from __future__ import annotations

from collections.abc import Iterable

from playground.trace import Value

from . import labels, nodes, numbers
from .chips import Chip, chip_text, chip_width, draw_chip, place_chips
from .edges import Edges
from .frame import Frame
from .geometry import HALF, Point
from .ground import Region
from .links import Flow, Link
from .measures import CHIP_H, CHIP_UP, GAP, LEAF_H, NODE_W, PILL_H, PLATE_H, SLOT_H, TAB_H
from .pen import Pen
from .plan import Plan, title
from .spots import Box, Mark, Spot, near
from .writing import fitted, width_of


class Scene:
    """The rows of one frame; of the whole graph, or of what is in or near a window on it."""

    def __init__(
        self,
        plan: Plan,
        frame: Frame,
        zoom: float = 1.0,
        focus: str = "",
        window: Box | None = None,
    ) -> None:
        self.plan, self.frame, self.state = plan, frame, frame.state
        self.focus = focus
        self.spots = {key: s for key, s in plan.spots.items() if near(s, s, window)}
        links = [link for link in plan.links if near(link.source, link.target, window)]
        self.pen = Pen(frame.theme, zoom)
        step = self.state.step
        self.bad = step.op if step is not None and step.kind == "error" else None
        self.ring_key, self.ring = ring_of(plan, frame)
        self.labels: list[tuple[float, float, float, float]] = []
        for spot in self.spots.values():
            self._claim(spot)
        for region in plan.regions:
            self._region(region)
        for link in links:
            if link.sums_at is not None and self.state.reduction(link.op, link.operand):
                x, y = link.sums_at
                self.pen.claim(x - 20, y - 12, 40, 24)
        edges = Edges(self.pen, self.state, plan.of_op(self.bad), picked_edge(frame))
        self.flow: Flow = edges.draw(links)
        self._nodes()
        self._starts()
        self._crosses(edges)
        self._hooks(edges, links)
        place_chips(self.pen, self.flow.chips)

    def areas(self, kind: str) -> list[tuple[object, ...]]:
        """Where the pointer is over a node of a kind, "box" or "pill", as invisible boxes."""
        accent = self.frame.theme.accent
        rows: list[tuple[object, ...]] = []
        for spot in self.spots.values():
            is_leaf = spot.key in self.plan.leaves
            if is_leaf == (kind == "box"):
                tall = LEAF_H if is_leaf else PILL_H
                rows.append((spot.cx, spot.cy, NODE_W, tall, accent, None, 0, 0))
        return rows

    def _claim(self, spot: Spot) -> None:
        """Keep chips off nodes."""
        tall = LEAF_H if spot.key in self.plan.leaves else PILL_H
        top = spot.cy - tall / 2 - (TAB_H - 2 if spot.key in self.plan.ops else 0)
        if spot.vertical:
            self.pen.claim(spot.cx - HALF, spot.cy - tall / 2, 2 * NODE_W + 10, tall)
            return
        low = SLOT_H if spot.key in self.plan.leaves else PLATE_H
        self.pen.claim(spot.cx - HALF, top, NODE_W, spot.cy + tall / 2 + GAP + low - top)

    def _region(self, region: Region) -> None:
        if not any(self.state.applied(op) for op in region.ops):
            return
        pen, theme, say = self.pen, self.frame.theme, self.frame.say
        x, y, w, h = region.x, region.y, region.width, region.height
        pen.box("regions", x, y, w, h, None, theme.edge, 1)
        pen.hatch("hatch", x, y, w, h)
        text = region.mode
        if region.first is not None and region.first == region.last:
            text += " · " + say("graph.line", line=region.first)
        elif region.first is not None:
            text += " · " + say("graph.lines", first=region.first, last=region.last)
        text = fitted(text, w - 32, 12 * pen.grow)
        wide = width_of(text, 12 * pen.grow) + 16
        left, middle = self._label_place(x, y, w, h, wide)
        self.labels.append((left, middle - 10, wide, 20))
        pen.box("region_back", left, middle - 10, wide, 20, theme.paper)
        pen.text("region_text", left + 8, middle + 4 * pen.grow, text, theme.ink2, keep=True)

    def _label_place(self, x: float, y: float, w: float, h: float, wide: float) -> Point:
        """In the border's upper left, else another corner that no other label has."""
        places = [(x + 12, y), (x + w - wide - 12, y), (x + 12, y + h), (x + w - wide - 12, y + h)]
        for left, middle in places:
            box = (left, middle - 10, wide, 20)
            if not any(_meet(box, other) for other in self.labels):
                return left, middle
        return places[0]

    def _mark(self, key: str) -> Mark:
        chosen = self.frame.selection
        pick = ""
        if chosen and chosen.what == "op" and key == self.plan.of_op(chosen.index):
            pick = "box"
        elif chosen and chosen.what == "tensor":
            pick = self._picked(key, chosen.index)
        elif chosen and chosen.what == "write":
            written = self.frame.trace.steps[chosen.index - 1].tensor
            pick = "slot" if written is not None and self._picked(key, written) else ""
        ring = self.ring if key == self.ring_key else ""
        bad = self.bad is not None and key == self.plan.of_op(self.bad)
        return Mark(ring, key == self.focus, pick, bad)

    def _picked(self, key: str, tensor: int) -> str:
        if self.plan.leaves.get(key) == tensor:
            return "box"
        op = self.plan.ops.get(key)
        return "plate" if op is not None and tensor in self.frame.trace.ops[op].outputs else ""

    def _nodes(self) -> None:
        pen, state, trace = self.pen, self.state, self.frame.trace
        for key, spot in self.spots.items():
            mark = self._mark(key)
            if key in self.plan.leaves:
                tensor = trace.tensors[self.plan.leaves[key]]
                nodes.leaf(pen, state, tensor, spot, mark)
                if state.exists(tensor.id) and state.requires_grad(tensor.id):
                    nodes.gate(pen, spot, tensor.id in self.flow.live)
                line = tensor.line
            elif key in self.plan.ops:
                op = trace.ops[self.plan.ops[key]]
                nodes.operation(pen, state, op, spot, mark)
                line = op.line
            else:
                self._fold(key, spot, mark)
                continue
            if self.plan.chain and not spot.vertical and line is not None:
                lit = bool(mark.ring or mark.pick) and key not in self.plan.leaves
                color = self.frame.theme.accent if lit else self.frame.theme.ink3
                text = self.frame.say("graph.line", line=line)
                pen.text("sans", spot.cx, spot.cy + 100, text, color, 12, "center")

    def _fold(self, key: str, spot: Spot, mark: Mark) -> None:
        fold = self.plan.folds[key]
        done = any(self.state.applied(op) for op in fold.ops)
        note = self.frame.say("graph.folded", n=len(fold.ops))
        nodes.folded(self.pen, title(fold, self.frame.say), note, spot, mark, done)

    def _starts(self) -> None:
        """Where each backward call began: its gradient above the root (below it when top down)."""
        pen, state = self.pen, self.state
        last: dict[str, tuple[Value, bool]] = {}
        for number in state.calls_begun():
            call = state.trace.calls[number - 1]
            for root, gradient in zip(call.roots, call.gradients, strict=False):
                op = state.recorder(root)
                if op is not None:
                    step = state.step
                    solid = step is not None and step.kind == "call" and step.call == number
                    last[self.plan.of_op(op)] = (gradient, solid)
        for key, (value, solid) in last.items():
            spot = self.spots.get(key)
            if spot is not None and (solid or key not in self.plan.folds):
                self._start(pen, spot, value, solid)

    def _start(self, pen: Pen, spot: Spot, value: Value, solid: bool) -> None:
        color = self.frame.theme.sign(numbers.sign(value))
        text = chip_text(value)
        width = chip_width(pen, text)
        chip = Chip(value, (), solid)
        x, y = spot.cx, spot.cy
        if spot.vertical:
            low = y + PILL_H / 2
            pen.head("start_heads", (x, low + 2), "up", 9, color)
            pen.segment("leads", (x, low + 10), (x, low + 22), color)
            draw_chip(pen, x + 20, low + 20, width, text, chip, x, 0)
            return
        if not pen.free(x - width / 2, y - CHIP_UP - CHIP_H / 2, width, CHIP_H):
            right = x + HALF  # something stands close above: from the side, then
            pen.head("start_heads", (right + 2, y), "left", 9, color)
            pen.segment("leads", (right + 10, y), (right + 18, y), color)
            draw_chip(pen, right + 18, y, width, text, chip, x, 0)
            return
        top = y - PILL_H / 2
        op = self.plan.ops.get(spot.key)
        if op is not None and self.state.trace.ops[op].saved:
            x += 34  # beside the tabs of what it saved
            top += 3
        pen.head("start_heads", (x, top - 1), "down", 9, color)
        pen.segment("leads", (x, y - CHIP_UP + 11), (x, top - 8), color)
        draw_chip(pen, x - width / 2, y - CHIP_UP, width, text, chip, x, 0)

    def _crosses(self, edges: Edges) -> None:
        """The ✕ where a message was stopped by an error."""
        spot = self.spots.get(self.plan.of_op(self.bad))
        if spot is None:
            return
        x, y = (
            (spot.cx, spot.cy + PILL_H / 2 + 12)
            if spot.vertical
            else (spot.cx + HALF + 12, spot.cy)
        )
        for d in (1, -1):
            self.pen.segment(
                "crosses", (x - 6, y - 6 * d), (x + 6, y + 6 * d), self.frame.theme.err, 2.5
            )

    def _hooks(self, edges: Edges, links: Iterable[Link]) -> None:
        """A small ƒ on every edge whose tensor has a hook that ran."""
        ran = {
            step.tensor
            for step in self.state.trace.steps[: self.state.cursor]
            if step.kind == "hook" and step.tensor is not None
        }
        if not ran:
            return
        theme = self.frame.theme
        for link in links:
            if link.tensor in ran and self.state.message(link.op, link.operand) is not None:
                course = edges.leaf_path(link) if link.from_leaf else edges.course(link)
                x, y = course.at(0.28)
                self.pen.box("hooks", x - 9, y - 9, 18, 18, theme.paper, theme.ink2, 1.25)
                self.pen.text("hook_text", x, y + 5, "ƒ", theme.ink, 14, "center", "italic")


def _meet(one: tuple[float, float, float, float], two: tuple[float, float, float, float]) -> bool:
    """Whether two boxes (left, top, width, height) overlap."""
    a, b, c, d = one
    e, f, g, h = two
    return a < e + g and e < a + c and b < f + h and f < b + d


def picked_edge(frame: Frame) -> tuple[int, int] | None:
    """The edge whose message the learner picked, as op and operand."""
    chosen = frame.selection
    if chosen is None or chosen.what != "message":
        return None
    message = frame.trace.steps[chosen.index - 1].messages[chosen.operand]
    return message.source, message.operand


def ring_of(plan: Plan, frame: Frame) -> tuple[str, str]:
    """The node the cursor is at, and which part of it."""
    step, state = frame.state.step, frame.state
    if step is None or step.kind == "reduce":
        return "", ""
    if step.kind in ("write", "zero", "none"):
        key = plan.of_leaf(step.tensor)
        return key or plan.of_op(_maker(frame, step.tensor)), "slot"
    if step.kind in ("leaf", "flag"):
        return plan.of_leaf(step.tensor), "box"
    if step.kind == "call" and step.call is not None:
        roots = frame.trace.calls[step.call - 1].roots
        return plan.of_op(state.recorder(roots[0]) if roots else None), "box"
    return plan.of_op(step.op) or plan.of_leaf(step.tensor), "box"


def _maker(frame: Frame, tensor: int | None) -> int | None:
    if tensor is None:
        return None
    recorder = frame.state.recorder(tensor)
    return frame.trace.tensors[tensor].op if recorder is None else recorder


def neighbours(links: Iterable[Link], key: str, upstream: bool) -> list[str]:
    """Keys of the inputs of a node, or of what uses it."""
    found: list[str] = []
    for link in links:
        here, there = (link.target, link.source) if upstream else (link.source, link.target)
        if here.key == key and there.key not in found:
            found.append(there.key)
    return found


def node_label(frame: Frame, plan: Plan, key: str) -> str:
    """What a node is called."""
    if key in plan.leaves:
        return labels.tensor(frame.trace, plan.leaves[key])
    if key in plan.ops:
        op = frame.trace.ops[plan.ops[key]]
        return op.grad_fn or op.op
    return title(plan.folds[key], frame.say) if key in plan.folds else ""
