"""Why is this `.grad` None? The causes in a fixed order, up to the one that holds."""

from __future__ import annotations

from dataclasses import dataclass

from playground import edits
from playground.explain.naming import title
from playground.explain.remedy import Remedy, remedy
from playground.explain.sentences import Sentence, few
from playground.state import State
from playground.trace import Op, Trace


@dataclass(frozen=True, slots=True)
class Check:
    """One possible cause: passed, or the one that holds (always the last)."""

    sentence: Sentence
    passed: bool


@dataclass(frozen=True, slots=True)
class WhyNone:
    title: Sentence
    lead: Sentence
    detail: Sentence | None
    checks: tuple[Check, ...]
    line: int | None  # the guilty one
    remedies: tuple[Remedy, ...]
    show: tuple[str, ...]  # names whose .grad is worth a look instead
    tensor: int


@dataclass(slots=True)
class _Case:
    state: State
    tensor: int
    name: str
    checks: list[Check]

    @property
    def trace(self) -> Trace:
        return self.state.trace

    def ok(self, key: str, **facts: object) -> None:
        self.checks.append(Check(Sentence(key, {"name": self.name, **facts}), True))

    def end(
        self,
        cause: str,
        line: int | None,
        detail: Sentence | None = None,
        remedies: list[Remedy] | None = None,
        show: tuple[str, ...] = (),
        **facts: object,
    ) -> WhyNone:
        known = {"name": self.name, "line": line if line is not None else "?", **facts}
        self.checks.append(Check(Sentence(f"none.{cause}.check", known), False))
        return WhyNone(
            Sentence("none.title", {"name": self.name}),
            Sentence(f"none.{cause}", known),
            detail,
            tuple(self.checks),
            line,
            tuple(remedies or ()),
            show,
            self.tensor,
        )


def why_none(state: State, name: str) -> WhyNone | None:
    """Explain `name.grad`; None when the name means no tensor or its .grad is not None."""
    found = state.tensor_named(name)
    return why_tensor(state, found.id, name) if found is not None else None


def why_tensor(state: State, tensor: int, name: str = "") -> WhyNone | None:
    if state.grad(tensor) is not None or not state.exists(tensor):
        return None
    case = _Case(state, tensor, name or title(state.trace, tensor), [])
    if not state.requires_grad(tensor):
        return _no_gradient(case)
    case.ok("none.requires.ok")
    case.ok("none.no_grad.ok")
    case.ok("none.detach.ok")
    return _not_arrived(case) or _not_leaf(case) or _cleared(case)


# --- no gradient is wanted -----------------------------------------------------------------------


def _no_gradient(case: _Case) -> WhyNone:
    """The tensor does not require grad: since it was made so, under no_grad, or behind a cut."""
    state, trace, tensor = case.state, case.trace, case.trace.tensors[case.tensor]
    origin = _why_constant(state, case.tensor)
    source = trace.source
    if origin is not None and origin.mode is not None:
        line = origin.line or 0
        fix = remedy(
            source,
            "none.fix.no_grad",
            lambda: edits.set_no_grad(source, line, line, False),
            {"line": line},
        )
        return case.end("no_grad", origin.line, None, fix, mode=origin.mode)
    case.ok("none.no_grad.ok")
    if origin is not None and origin.op in ("detach", "detach_"):
        line = origin.line or 0
        used = next((title(trace, o.tensor) for o in origin.operands if o.tensor is not None), "")
        fix = remedy(
            source,
            "none.fix.detach",
            lambda: edits.set_detach(source, line, used, False),
            {"line": line, "source": used},
        )
        return case.end("detach", origin.line, None, fix, source=used)
    case.ok("none.detach.ok")
    if not tensor.dtype.startswith("float"):
        return case.end("integer", tensor.line, None, None, dtype=tensor.dtype)
    if tensor.op is not None:
        inputs = _constants_behind(trace, tensor.op)
        return case.end("inputs", tensor.line, None, None, inputs=", ".join(inputs) or "…")
    line = tensor.line or 0
    fix = remedy(
        source,
        "none.fix.requires",
        lambda: edits.set_requires_grad(source, case.name, line, True),
        {"name": case.name, "line": line},
    )
    return case.end("requires", tensor.line, None, fix)


def _why_constant(state: State, tensor: int) -> Op | None:
    """The operation that kept a result from being recorded: under no_grad, or a detach."""
    trace = state.trace
    seen: set[int] = set()
    waiting = [tensor]
    while waiting:
        op = trace.tensors[waiting.pop(0)].op
        if op is None or op in seen:
            continue
        seen.add(op)
        made = trace.ops[op]
        wanted = [o.tensor for o in made.operands if o.tensor is not None]
        cut = made.op in ("detach", "detach_") and any(map(state.requires_grad, wanted))
        if cut or made.mode is not None:
            return made
        waiting += [item for item in wanted if not state.requires_grad(item)]
    return None


def _constants_behind(trace: Trace, op: int) -> list[str]:
    """The named tensors a result was computed from that ask for no gradient."""
    names = [
        title(trace, operand.tensor)
        for operand in trace.ops[op].operands
        if operand.tensor is not None
    ]
    return list(dict.fromkeys(names))


# --- no gradient came ----------------------------------------------------------------------------


def _not_arrived(case: _Case) -> WhyNone | None:
    state, trace = case.state, case.trace
    begun = [call for call in state.calls_begun() if trace.calls[call - 1].kind == "backward"]
    coming = _arrivals(case, len(trace.steps))
    if not begun:
        returned = [call for call in state.calls_begun() if call not in begun]
        if returned:
            call = trace.calls[returned[-1] - 1]
            return case.end("returned", call.line)
        step = coming[0] if coming else None
        detail = Sentence("none.coming", {"name": case.name, "step": step}) if step else None
        return case.end("not_called", None, detail)
    line = trace.calls[begun[-1] - 1].line
    arrived = _arrivals(case, state.cursor)
    if arrived:
        number = trace.steps[arrived[-1] - 1].call
        called = trace.calls[number - 1].line if number is not None else None
        case.ok("none.reached.ok", line=called if called is not None else "?")
        return None
    if coming and state.call is not None and state.index.calls[state.call].last > state.cursor:
        detail = Sentence("none.coming", {"name": case.name, "step": coming[0]})
        return case.end("running", line, detail)
    return _not_reached(case, begun[-1], line)


def _arrivals(case: _Case, cursor: int) -> list[int]:
    """The steps at which a gradient arrived: written at a leaf, on its way at a result."""
    index = case.state.index
    maker = case.state.recorder(case.tensor)
    if maker is None:
        history = index.ledger.get(case.tensor)
        entries = history.until(cursor) if history else []
        return [entry.step for entry in entries if entry.how in ("set", "add")]
    begun = [
        index.calls[call.number].first
        for call in case.trace.calls
        if case.tensor in call.roots and call.number in index.calls
    ]
    found = {*begun, *index.reached.get(("op", maker), ())}
    return sorted(step for step in found if step <= cursor)


def _not_reached(case: _Case, call: int, line: int | None) -> WhyNone:
    """Backward ran and no message came: the root does not depend on it, or a cut lies between."""
    trace = case.trace
    roots = trace.calls[call - 1].roots
    root = title(trace, roots[0]) if roots else "?"
    cut = _cut_between(case, roots)
    if cut is None:
        return case.end("not_reached", line, None, None, root=root)
    source = trace.source
    at = cut.line or 0
    if cut.mode is not None:
        fix = remedy(
            source,
            "none.fix.no_grad",
            lambda: edits.set_no_grad(source, at, at, False),
            {"line": at},
        )
        return case.end("cut.no_grad", cut.line, None, fix, root=root, mode=cut.mode)
    used = next((title(trace, o.tensor) for o in cut.operands if o.tensor is not None), "")
    fix = remedy(
        source,
        "none.fix.detach",
        lambda: edits.set_detach(source, at, used, False),
        {"line": at, "source": used},
    )
    return case.end("cut.detach", cut.line, None, fix, root=root, source=used)


def _cut_between(case: _Case, roots: tuple[int, ...]) -> Op | None:
    """The operation that stops gradients on the way of the data from the tensor to a root."""
    trace = case.trace
    after = {case.tensor}
    cuts: dict[int, Op] = {}  # tensor -> the cut that lies before it
    for op in trace.ops:
        inputs = [o.tensor for o in op.operands if o.tensor in after]
        if not inputs:
            continue
        stops = op.mode is not None or op.op in ("detach", "detach_")
        known = next((cuts[item] for item in inputs if item in cuts), None)
        for output in op.outputs:
            after.add(output)
            if stops or known is not None:
                cuts.setdefault(output, known if known is not None else op)
    return next((cuts[root] for root in roots if root in cuts), None)


def _not_leaf(case: _Case) -> WhyNone | None:
    state, trace = case.state, case.trace
    made_by = state.recorder(case.tensor)
    if made_by is None:
        return None
    op = trace.ops[made_by]
    line = op.line or 0
    inputs = _constants_behind(trace, made_by)
    step = state.arrival(made_by)
    passed = None
    if step is not None and step.incoming is not None:
        facts = {"name": case.name, "value": few(step.incoming), "step": step.index}
        passed = Sentence("none.passed", facts)
    source = trace.source
    fix = remedy(
        source,
        "none.fix.retain",
        lambda: edits.insert_retain_grad(source, case.name, line),
        {"name": case.name, "line": line},
    )
    leaves = [leaf.name for leaf in state.leaves() if state.grad(leaf.id) is not None]
    show = tuple(name for name in leaves if name is not None)[:3]
    return case.end("not_leaf", op.line, passed, fix, show, inputs=", ".join(inputs) or "…")


def _cleared(case: _Case) -> WhyNone | None:
    entries = case.state.ledger(case.tensor)
    if not case.state.is_leaf(case.tensor) or not entries:
        return None
    case.ok("none.leaf.ok")
    last = entries[-1]
    return case.end("cleared", last.line, None, None, step=last.step)
