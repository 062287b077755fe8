"""Edges of the graph: data flowing forward, gradients flowing back, and what stops them."""

from __future__ import annotations

from collections.abc import Iterable

from playground.state import Sent, State
from playground.trace import Value

from . import numbers, symbols
from .chips import Chip
from .geometry import HALF, Course, Point, flat_inset, into_sum, pill_inset, triangle
from .links import Flow, Link, gradient_width
from .measures import CHIP_UP, DOT_R, LEAF_H, PILL_H, SUM_W
from .nodes import reduction
from .pen import Pen

SHIFT = 22  # an arrow that is stopped ends that far before the node


class Edges:
    """Draws the links of one frame."""

    def __init__(
        self, pen: Pen, state: State, bad: str = "", picked: tuple[int, int] | None = None
    ) -> None:
        self.picked = picked
        self.pen, self.state, self.theme = pen, state, pen.theme
        self.bad = bad
        self.largest = state.index.largest
        self.latest = max(state.calls_begun(), default=0)
        self.flow = Flow()

    def draw(self, links: Iterable[Link]) -> Flow:
        for link in links:
            ops = [use[0] for use in link.uses] if link.folded else [link.op]
            if any(self.state.applied(op) for op in ops):
                self._link(link)
        return self.flow

    def _link(self, link: Link) -> None:
        operand = self.state.trace.ops[link.op].operands[link.operand]
        sent, _ = self._sent(link)
        if self.picked == (link.op, link.operand):
            course = self.leaf_path(link) if link.from_leaf else self.course(link)
            self.pen.course("edge_halo", course, self.theme.accent, 16, "", 0.16)
        if link.from_leaf:
            self._forward(link)
            if (operand.target is not None or sent is not None) and not link.cut:
                self._to_leaf(link)
        elif sent is None:
            self._forward(link)
        else:
            self._forward(link, 0)  # invisible, so that rows stay and a step sends little
            self._to_op(link)

    def ports(self, link: Link) -> tuple[Point, Point]:
        """Where the forward edge leaves and arrives."""
        a, b = link.source, link.target
        half = (LEAF_H if link.from_leaf else PILL_H) / 2
        if a.vertical:
            inset_a = 0 if link.from_leaf else flat_inset(link.leaves_at)
            return (
                (a.cx + link.leaves_at, a.cy + half + 1 - inset_a),
                (b.cx + link.arrives_at, b.cy - PILL_H / 2 - 1 + flat_inset(link.arrives_at)),
            )
        inset = 0 if link.from_leaf else pill_inset(link.leaves_at)
        return (
            (a.cx + HALF + 1 - inset, a.cy + link.leaves_at),
            (b.cx - HALF - 1 + pill_inset(link.arrives_at), b.cy + link.arrives_at),
        )

    def course(self, link: Link) -> Course:
        return Course.between(*self.ports(link), link.source.vertical, link.via)

    def _forward(self, link: Link, alpha: float = 1) -> None:
        pen, theme, vertical = self.pen, self.theme, link.source.vertical
        course = self.course(link)
        pen.course("forward", course, theme.paper, 5, "", alpha)
        if link.shared:
            pen.course("forward", course, theme.edge, 3.5, "", alpha)
            pen.course("forward", course, theme.paper, 1.25, "", alpha)
        else:
            pen.course("forward", course, theme.edge, 1.25, "", alpha)
        towards = "down" if vertical else "right"
        pen.head("forward_heads", course.end, towards, 6, theme.edge, alpha)
        if link.cut:
            self._cut(course.at(0.5), link.cut)

    def _under(self, link: Link) -> None:
        """The forward edge below a message that is still on its way."""
        course, theme = self.course(link), self.theme
        self.pen.course("unreached", course, theme.edge, 1.25)
        towards = "down" if link.source.vertical else "right"
        self.pen.head("under_heads", course.end, towards, 6, theme.edge)

    def _cut(self, at: Point, label: str) -> None:
        pen, (x, y) = self.pen, at
        pen.box("cut_back", x - 6, y - 8, 12, 16, self.theme.paper)
        for d in (-6, 1):
            pen.segment("cuts", (x + d, y + 7), (x + d + 5, y - 7), self.theme.ink, 2)
        pen.text("mono", x, y - 14, label, self.theme.ink2, 11, "center")

    # gradients

    def _to_op(self, link: Link) -> None:
        sent, red = self._sent(link)
        if sent is None:
            return
        course = self.course(link)
        if self.bad and link.source.key == self.bad:
            course = course.shortened(SHIFT, link.source.vertical)
        up = not link.source.vertical
        if self._reduces(link):
            middle = course.at(0.5)
            near, far = course.split(0.5)
            self._stroke(far.reversed(), sent.message.value, sent.step, sent.call, head=False)
            if red is not None:
                self._reduction(link, middle, red.step)
                self._stroke(near.reversed(), red.message.value, red.step, red.call)
                self._chip_over(near.at(0.5), red.message.value, red.step, up)
            self._chip_over(far.at(0.5), sent.message.value, sent.step, up)
            return
        if self._now(sent.step):
            self._under(link)
        self._stroke(course.reversed(), sent.message.value, sent.step, sent.call)
        self._chip_over(course.at(0.5), sent.message.value, sent.step, up)

    def _to_leaf(self, link: Link) -> None:
        sent, _ = self._sent(link)
        path = self.leaf_path(link)
        if sent is None:
            self.pen.course("unreached", path, self.theme.edge, 1.25, "1 4")
            return
        self.flow.live.add(link.tensor)
        if self._reduces(link):
            self._to_leaf_summed(link)
            return
        self._stroke(path.reversed(), sent.message.value, self._arrival(link, sent.step), sent.call)
        self._chip_under(path, sent.message.value, self._arrival(link, sent.step), link)

    def _to_leaf_summed(self, link: Link) -> None:
        sent, red = self._sent(link)
        assert sent is not None
        spot, value = link.source, sent.message.value
        x, y = link.sums_at or spot.gate
        gate = spot.gate
        start = self.leaf_path(link).end
        first = into_sum(start, (x, y), spot.vertical)
        self._stroke(first, value, sent.step, sent.call)
        if self._now(sent.step):
            self._chip_over(first.at(0.5), value, sent.step, not spot.vertical)
        if red is None:
            return
        self._reduction(link, (x, y), red.step)
        after, step = red.message.value, self._arrival(link, red.step)
        if spot.vertical:
            second = Course.between((x, y - 12), (gate[0], gate[1] + 10), True)
        else:
            second = Course.between((x - SUM_W / 2, y), (gate[0] + 10, gate[1]), False)
        self._stroke(second, after, step, red.call, short=True)
        below = (x + 30, y) if spot.vertical else (x, y + 28)
        self._chip(after, ((below, 0),), step, aside=spot.vertical)

    def _reduction(self, link: Link, at: Point, step: int) -> None:
        dims = self.state.trace.steps[step - 1].dims
        reduction(self.pen, *at, "Σ" + symbols.subscript(dims), self._now(step))

    def _reduces(self, link: Link) -> bool:
        return not link.folded and (link.op, link.operand) in self.state.index.reductions

    def _sent(self, link: Link) -> tuple[Sent | None, Sent | None]:
        """The last message along a link, before and after its reduction."""
        state = self.state
        if not link.folded:
            use = (link.op, link.operand)
            return state.message(*use), state.reduction(*use)
        every = [state.reduction(*use) or state.message(*use) for use in link.uses]
        found = [sent for sent in every if sent is not None]
        return max(found, key=lambda sent: sent.step, default=None), None

    def _arrival(self, link: Link, step: int) -> int:
        """The step a leaf's message counts as: the write's own while that is the current one."""
        now = self.state.step
        if now is not None and now.kind == "write" and now.tensor == link.tensor:
            between = self.state.trace.steps[step : now.index - 1]
            if not any(s.kind == "write" and s.tensor == link.tensor for s in between):
                return now.index
        return step

    def _now(self, step: int) -> bool:
        return step == self.state.cursor

    def leaf_path(self, link: Link) -> Course:
        """From a leaf's gate to the operation."""
        x, y = link.source.gate
        _, b = self.ports(link)
        if link.source.vertical:
            side = 24 if x >= b[0] else -24
            port = (link.target.cx + side + link.arrives_at / 2, b[1] + 1)
            return Course.between((x, y + 10), port, True)
        dy = 11 if y >= link.target.cy else -11
        dy = max(-20.0, min(20.0, link.arrives_at + dy))
        port = (link.target.cx - HALF + pill_inset(dy), link.target.cy + dy)
        return Course.between((x + 10, y), port, False)

    def _stroke(
        self,
        course: Course,
        value: Value,
        step: int,
        call: int,
        head: bool = True,
        short: bool = False,
    ) -> None:
        """A gradient along its course, from the operation towards its input."""
        now = self._now(step)
        written = now and self.state.trace.steps[step - 1].kind == "write"
        if now and not written:
            self._travelling(course, value, short)
            return
        if written:
            half = course.split(0.5)[1]
            self.flow.motion.append((half.points(), value))
        alpha = self.theme.pale if call < self.latest else 1.0
        self._band(course, value, alpha, head)

    def _band(self, course: Course, value: Value, alpha: float, head: bool) -> None:
        pen, sign = self.pen, numbers.sign(value)
        width = gradient_width(value, self.largest)
        color = self.theme.sign(sign)
        direction = course.direction()
        tip = course.end
        size = max(9.0, width + 5)
        body = course if not head else course.trimmed(size - 1)
        if sign == "mixed":
            o = width / 4 + 0.5
            dx, dy = (o, 0.0) if abs(direction[1]) > abs(direction[0]) else (0.0, o)
            pen.course("gradients", body.shifted(-dx, -dy), self.theme.pos, width / 2, "", alpha)
            pen.course("gradients", body.shifted(dx, dy), self.theme.neg, width / 2, "", alpha)
        elif sign == "nan":
            pen.course("gradients", body, color, 2, "6 3", alpha)
        else:
            dash = "2 3" if sign == "zero" else ""
            pen.course("gradients", body, color, width, dash, alpha)
        if head:
            pen.polygon("gradient_heads", triangle(tip, direction, size), color, alpha=alpha)

    def _travelling(self, course: Course, value: Value, short: bool) -> None:
        """Solid behind the dot, a quarter ahead of it."""
        pen, sign = self.pen, numbers.sign(value)
        color, width = self.theme.sign(sign), gradient_width(value, self.largest)
        behind, ahead = course.split(0.5)
        dash = "6 3" if sign == "nan" else "2 3" if sign == "zero" else ""
        pen.course("gradients", ahead, color, width, dash, 0.28)
        pen.course("gradients", behind, color, width, dash)
        x, y = behind.end
        if not short:
            pen.circle("dots", x, y, DOT_R + 4, color, alpha=0.2)
        pen.circle("dots", x, y, DOT_R, color)
        direction = behind.direction()
        tip = (x + direction[0] * 4, y + direction[1] * 4)
        pen.polygon("dot_heads", triangle(tip, direction, 6.5), self.theme.paper)
        self.flow.motion.append((behind.points(), value))

    # chips

    def _chip_over(self, at: Point, value: Value, step: int, up: bool) -> None:
        x, y = at
        gap = 17 if self._now(step) else 5
        if up:
            places = (((x, y - CHIP_UP), CHIP_UP - gap), ((x, y - 32), 32 - gap), ((x, y + 26), 0))
            self._chip(value, places, step)
        else:
            self._chip(value, (((x + 20, y), 0.0), ((x - 20, y), 0.0)), step, aside=True)

    def _chip_under(self, path: Course, value: Value, step: int, link: Link) -> None:
        if link.source.vertical:
            x, y = path.start
            places = (((x + 16, y + 18), 0.0), ((x + 16, y + 34), 0.0))
            self._chip(value, places, step, aside=True)
            return
        (x, y), (mx, my) = path.start, path.at(0.5)
        places = (((x + 33, y + 27), 0.0), ((mx + 10, my + 24), 0.0), ((mx, my - 24), 0.0))
        if path.end[1] > y:
            places = (((mx - 10, my + 24), 0.0), ((mx + 14, my - 22), 0.0))
        self._chip(value, places, step)

    def _chip(
        self,
        value: Value,
        places: tuple[tuple[Point, float], ...],
        step: int,
        aside: bool = False,
    ) -> None:
        self.flow.chips.append(Chip(value, places, self._now(step), aside))
