"""What intents do: selecting, zooming, asking why; editing the program is in rewriting.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from playground.explain import why_none

from . import labels
from .camera import STEP
from .desk import Desk
from .frame import Selection
from .hit import fold_at, folds_around, hit
from .ledger_data import Column
from .rewriting import Rewriting, Send
from .scene import neighbours

Hit = tuple[Column, int | None] | None


class Actions:
    """`do` answers one intent by changing the desk or by sending the page a message."""

    def __init__(self, desk: Desk, send: Send) -> None:
        self.desk, self.send = desk, send
        self.ledger_hit: Callable[[float, float], Hit] | None = None
        self.latex: Callable[[], str] = str
        self.picture: Callable[[], str] = str
        self.rewriting = Rewriting(desk, send)
        self.table: Mapping[str, Callable[[dict[str, Any]], None]] = {
            "select": self._select,
            "why": self._why,
            "value": self._value,
            "show-grad": self._show_grad,
            "ledger": self._ledger,
            "ledger-key": self._ledger_key,
            "graph-key": self._graph_key,
            "graph-tool": self._graph_tool,
            "copy-latex": self._copy_latex,
            "step-size": self._step_size,
            "line": self._line,
            "close": self._close,
            "fold": self._fold,
            "goto": lambda given: self.desk.goto(int(given["step"])),
            **self.rewriting.table,
        }

    def do(self, given: dict[str, Any]) -> None:
        """Do what an intent asks; one nobody knows is no error, it may be another view's."""
        action = self.table.get(str(given.get("intent")))
        if action is not None:
            action(given)

    # selecting

    def _select(self, given: dict[str, Any]) -> None:
        what, index = str(given.get("what")), int(given.get("index", 0))
        if what == "step":
            self.desk.goto(index)
            return
        if what in ("op", "tensor", "message", "write"):
            self.desk.selection = Selection(what, index, int(given.get("operand", 0)))  # type: ignore[arg-type]
        self.desk.extra.pop("why", None)

    def _close(self, given: dict[str, Any]) -> None:
        self.desk.extra.pop("why", None)
        self.desk.selection = None

    def _line(self, given: dict[str, Any]) -> None:
        """A line of the program was picked: the last operation or leaf made there."""
        line = int(given["line"])
        state = self.desk.state()
        for step in reversed(state.trace.steps[: state.cursor]):
            if step.line == line and step.kind in ("op", "inplace", "leaf"):
                plan = self.desk.plan()
                self._pick(plan.of_op(step.op) or plan.of_leaf(step.tensor))
                return

    def _pick(self, key: str) -> None:
        plan = self.desk.plan()
        self.desk.extra.pop("why", None)
        if key in plan.leaves:
            self.desk.selection = Selection("tensor", plan.leaves[key])
            self._show_ledger(plan.leaves[key])
        elif key in plan.ops:
            self.desk.selection = Selection("op", plan.ops[key])
        elif key in plan.folds:
            self._unfold(key)

    def _unfold(self, key: str) -> None:
        """Open a folded group."""
        fold = self.desk.plan().folds[key]
        self.desk.opened |= {fold.key}
        self.desk.closed -= {fold.key}

    def _fold(self, given: dict[str, Any]) -> None:
        """Fold a group again."""
        key = str(given.get("key"))
        if key in self.desk.plan().foldable:
            self.desk.closed |= {key}
            self.desk.opened -= {key}
            self.desk.selection = None

    def _fold_around(self, key: str) -> None:
        """Fold the smallest group round a node, else unfold it if it is one."""
        plan = self.desk.plan()
        if key in plan.folds:
            self._unfold(key)
            return
        around = folds_around(plan, plan.ops.get(key))
        if around:
            self._fold({"key": around[0].key})

    def _show_ledger(self, tensor: int) -> None:
        leaf = labels.with_ledger(self.desk.state(), tensor)
        if leaf is not None and leaf != self.desk.leaf:
            self.desk.leaf, self.desk.element = leaf, None

    def tap_graph(self, x: float | None, y: float | None) -> None:
        """A click into the graph: what is there is selected, nothing there lets go."""
        if x is None or y is None:
            return
        folded = fold_at(self.desk.plan(), x, y)
        if folded:
            self._unfold(folded)
            return
        found = hit(self.desk.plan(), self.desk.state(), x, y)
        self.desk.extra.pop("why", None)
        self.desk.selection = found
        if found is not None and found.what == "tensor":
            self._show_ledger(found.index)

    def enter_graph(self, x: float | None, y: float | None) -> None:
        """A double click moves the cursor to the step of what is there."""
        if x is None or y is None:
            return
        found = hit(self.desk.plan(), self.desk.state(), x, y)
        index = self.desk.state().index
        step = None
        if found is not None:
            step = {
                "op": index.done.get(found.index),
                "tensor": index.born.get(found.index),
            }.get(found.what, found.index)
        if step is not None:
            self.desk.goto(step)

    def tap_ledger(self, x: float | None, y: float | None) -> None:
        found = self._column(x, y)
        if found is None:
            return
        column, element = found
        self.desk.selection = Selection("write", column.entry.step)
        if element is not None and len(column.total) > 1:
            self.desk.element = element

    def enter_ledger(self, x: float | None, y: float | None) -> None:
        found = self._column(x, y)
        if found is not None:
            self.desk.goto(found[0].entry.step)

    def _column(self, x: float | None, y: float | None) -> Hit:
        if x is None or y is None or self.ledger_hit is None:
            return None
        return self.ledger_hit(x, y)

    # keys

    def _graph_key(self, given: dict[str, Any]) -> None:
        """Arrows go along edges; Enter selects; w asks why."""
        desk, plan, key = self.desk, self.desk.plan(), str(given.get("key"))
        if not plan.spots:
            return
        if desk.focus not in plan.spots:
            desk.focus = next(iter(plan.spots))
            return
        if key == "Enter":
            self._pick(desk.focus)
        elif key == "w":
            self._why({"name": self._name_at(desk.focus)})
        elif key == "f":
            self._fold_around(desk.focus)
        elif key == "d":
            self.rewriting.detach(given)
        elif key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
            self._move_focus(key)

    def _move_focus(self, key: str) -> None:
        desk, plan = self.desk, self.desk.plan()
        along = ("ArrowUp", "ArrowDown") if plan.vertical else ("ArrowLeft", "ArrowRight")
        if key in along:
            found = neighbours(plan.links, desk.focus, upstream=key == along[0])
            if found:
                desk.focus = found[0]
            return
        here = plan.spots[desk.focus]
        beside = sorted(
            (spot.cx if plan.vertical else spot.cy, spot.key)
            for spot in plan.spots.values()
            if abs((spot.cy - here.cy) if plan.vertical else (spot.cx - here.cx)) < 1
        )
        order = [name for _, name in beside]
        step = -1 if key in ("ArrowUp", "ArrowLeft") else 1
        desk.focus = order[(order.index(desk.focus) + step) % len(order)]

    def _name_at(self, key: str) -> str:
        plan, trace = self.desk.plan(), self.desk.trace
        if key in plan.leaves:
            return labels.tensor(trace, plan.leaves[key])
        op = plan.ops.get(key)
        return labels.tensor(trace, trace.ops[op].outputs[0]) if op is not None else ""

    def _ledger_key(self, given: dict[str, Any]) -> None:
        """Arrows go from write to write."""
        if self.desk.leaf is None:
            return
        entries = self.desk.state().ledger(self.desk.leaf)
        if not entries:
            return
        steps = [entry.step for entry in entries]
        chosen = self.desk.selection
        at = steps.index(chosen.index) if chosen and chosen.index in steps else len(steps) - 1
        move = {"ArrowLeft": -1, "ArrowRight": 1, "Home": -len(steps), "End": len(steps)}
        at = max(0, min(len(steps) - 1, at + move.get(str(given.get("key")), 0)))
        self.desk.selection = Selection("write", steps[at])

    # the graph's tools

    def _graph_tool(self, given: dict[str, Any]) -> None:
        desk, tool = self.desk, given.get("tool")
        if tool == "table":
            desk.table_open = not desk.table_open
        elif tool == "flip":
            desk.flip()
        elif tool == "zoomin":
            desk.zoom(STEP)
        elif tool == "zoomout":
            desk.zoom(1 / STEP)
        elif tool == "save":
            self._save(given)
        elif tool == "fit":
            desk.flipped = None
            desk.fit(whole=True)

    def _step_size(self, given: dict[str, Any]) -> None:
        self.desk.step_size = str(given.get("size", "operation"))

    # ledger, expression box, why

    def _ledger(self, given: dict[str, Any]) -> None:
        for tensor in labels.with_grad(self.desk.trace):
            if (tensor.name or tensor.expression) == given.get("name"):
                self.desk.leaf, self.desk.element = tensor.id, None

    def _value(self, given: dict[str, Any]) -> None:
        asked = {key: given.get(key) for key in ("expression", "text", "error")}
        self.desk.extra["asked"] = {**asked, "step": self.desk.cursor}

    def _show_grad(self, given: dict[str, Any]) -> None:
        self._ledger(given)
        self.desk.extra.pop("why", None)
        if self.desk.leaf is not None:
            self.desk.selection = Selection("tensor", self.desk.leaf)

    def _why(self, given: dict[str, Any]) -> None:
        name = str(given.get("name", "")).removesuffix(".grad")
        found = why_none(self.desk.state(), name)
        if found is None:
            return
        self.desk.extra["why"] = name
        self.desk.selection = Selection("tensor", found.tensor)
        self.desk.look_at(found.tensor)

    def _save(self, given: dict[str, Any]) -> None:
        """The graph as a file."""
        text = self.picture()
        if text:
            message = {"type": "download", "name": "graph.svg", "mime": "image/svg+xml"}
            self.send({**message, "text": text})

    def _copy_latex(self, given: dict[str, Any]) -> None:
        self.send({"type": "copy", "text": self.latex()})
