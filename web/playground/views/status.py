"""What the page is told after every change: the `state` message of docs/architecture.md."""

from __future__ import annotations

from typing import Any

from playground.explain.descent import descent
from playground.state import stops

from . import labels, numbers
from .frame import Frame
from .links import gradient_width
from .printing import printed
from .scene import Scene
from .timeline import margins

TOOLS = ["table", "flip", "zoomout", "zoomin", "fit", "pin", "save"]


def leaves(frame: Frame) -> list[dict[str, Any]]:
    """The contract's list of leaves."""
    state = frame.state
    found = []
    for tensor in frame.leaves:
        grad = state.grad(tensor.id)
        found.append(
            {
                "name": tensor.name,
                "shape": list(tensor.shape),
                "requires_grad": state.requires_grad(tensor.id),
                "is_leaf": state.is_leaf(tensor.id),
                "grad": None if grad is None else printed(grad),
            }
        )
    return found


def motion(frame: Frame, scene: Scene) -> dict[str, Any] | None:
    """What the last forward step of the cursor animates."""
    if not scene.flow.motion:
        return None
    path, value = scene.flow.motion[0]
    return {
        "path": [[round(x, 1), round(y, 1)] for x, y in path],
        "sign": numbers.sign(value),
        "width": round(gradient_width(value, frame.state.index.largest), 2),
        "text": numbers.row(value.data, 26) or "" if value.data is not None else "",
    }


def ticks(frame: Frame) -> list[dict[str, Any]]:
    return [{"step": step.index, "kind": step.kind} for step in frame.trace.steps]


def line_marks(frame: Frame) -> list[dict[str, Any]]:
    """Beside the line being executed: which version an in-place operation makes."""
    step = frame.state.step
    if step is None or step.kind != "inplace" or step.line is None or step.version is None:
        return []
    change = f"v{step.version - 1} → v{step.version}"
    return [{"line": step.line, "kind": "note", "text": change}]


def ledger(frame: Frame) -> dict[str, Any] | None:
    """Names for the ledger's header."""
    found = labels.with_grad(frame.trace)
    if not found:
        return None
    chosen = next((t for t in found if t.id == frame.leaf), found[0])
    names = [t.name or t.expression for t in found]
    return {"names": names, "selected": chosen.name or chosen.expression}


def contour(frame: Frame) -> bool | None:
    """Whether the loss is drawn; None when it is not one of two numbers."""
    return None if descent(frame.trace) is None else frame.extra.get("contour") is not None


def of_run(frame: Frame) -> dict[str, Any]:
    """What stays the same while the run does; sent with the first state of a run."""
    return {"ticks": ticks(frame), "sizes": stops(frame.trace)}


def basics(frame: Frame) -> dict[str, Any]:
    """Everything but what the inspector and the graph's camera say."""
    trace, state = frame.trace, frame.state
    left, right = margins(frame.layout)
    step = state.step
    return {
        "type": "state",
        "step": frame.cursor,
        "steps": len(trace.steps),
        "leaves": leaves(frame),
        "stdout": state.stdout(),
        "running_line": step.line if step else None,
        "status": {
            "ops": len(trace.ops),
            "steps": len(trace.steps),
            "seed": trace.seed,
        },
        "timeline": {"left": left, "right": right},
        "ledger": ledger(frame),
        "contour": contour(frame),
        "empty": not trace.steps,
    }
