"""The graph as a table, for reading instead of looking."""

from __future__ import annotations

from . import labels, numbers
from .frame import Frame
from .html import HtmlView, button, text
from .leaves import brief
from .plan import Plan
from .scene import node_label, ring_of

HEADS = ("node", "line", "inputs", "result", "shape", "value", "gradient")


class Table(HtmlView):
    """`show` draws a frame."""

    def __init__(self) -> None:
        super().__init__("table")

    def show(self, frame: Frame, plan: Plan, wanted: bool) -> None:
        """Draw a row per node that exists at the cursor; nothing while the table is closed."""
        if not wanted:
            self.write("")
            return
        current, _ = ring_of(plan, frame)
        heads = "".join(f"<th scope=col>{text(frame.say(f'table.{head}'))}</th>" for head in HEADS)
        rows = "".join(_row(frame, plan, key, key == current) for key in plan.spots)
        at = text(frame.say("leaves.at", step=frame.cursor))
        caption = f'<caption class="small faint">{at}</caption>'
        self.write(
            f'<div class="table"><table>{caption}<thead><tr>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>"
        )


def _row(frame: Frame, plan: Plan, key: str, current: bool) -> str:
    state, trace = frame.state, frame.trace
    if key in plan.leaves:
        tensor, inputs, what = plan.leaves[key], "", "tensor"
        if not state.exists(tensor):
            return ""
        index, line = tensor, trace.tensors[tensor].line
        received = state.grad(tensor)
    elif key in plan.ops:
        op = trace.ops[plan.ops[key]]
        if not state.applied(op.index) or not op.outputs:
            return ""
        tensor, what, index, line = op.outputs[0], "op", op.index, op.line
        names = (labels.tensor(trace, o.tensor) for o in op.operands if o.tensor is not None)
        inputs = ", ".join(names)
        arrived = state.arrival(op.index)
        received = arrived.incoming if arrived else None
    else:
        return ""
    value = state.value(tensor)
    select = {"intent": "select", "what": what, "index": index}
    cells = (
        button(text(node_label(frame, plan, key)), select, class_="link mono small", data_card=key),
        text(line if line is not None else ""),
        text(inputs),
        text(labels.tensor(trace, tensor)),
        text(numbers.shape(value.shape)),
        text(brief(value)),
        text(brief(received)) if received is not None else "",
    )
    inside = "".join(f'<td class="mono small cut">{cell}</td>' for cell in cells)
    return f'<tr aria-current="{"true" if current else "false"}">{inside}</tr>'
