"""Tensors in the making: what becomes known about them while the program runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from engine import events
from engine.ops.record import REGISTRY
from playground.session import convert
from playground.session.names import Texts, shorten
from playground.session.scene import Scene
from playground.trace import Operand, Tensor, Value

Site = tuple[int, int, int]  # frame's code, instruction, execution


@dataclass(slots=True)
class Draft:
    id: int
    facts: events.TensorFacts
    line: int | None
    value: Value
    last: Value
    name: str | None = None
    global_name: bool = False
    text: str | None = None
    site: Site | None = None
    how: str = ""
    operands: tuple[Operand, ...] = ()
    op: int | None = None
    base: int | None = None
    grad_of: int | None = None
    module: str | None = None  # the module that returned it, `net.body.0`,
    given: tuple[int | None, ...] = ()  # and what that was called with

    @property
    def requires_grad(self) -> bool:
        return self.facts.requires_grad

    def call(self, name: str, is_global: bool) -> None:
        """Name the tensor; the first name stays, but a global one beats a method's `self.x`."""
        if self.grad_of is not None:
            return
        weak = self.name is not None and self.name.startswith("self.") and is_global
        if self.name is None or weak:
            self.name, self.global_name = name, is_global


@dataclass(slots=True)
class Drafts:
    texts: Texts
    _all: list[Draft] = field(default_factory=list)
    _ids: dict[int, int] = field(default_factory=dict)  # the engine's number -> ours
    _grads: dict[int, int] = field(default_factory=dict)  # number of a .grad -> its tensor
    _current: dict[int, int | None] = field(default_factory=dict)  # tensor -> number of its .grad
    _last_at: dict[Site, int] = field(default_factory=dict)
    _aliased: set[int] = field(default_factory=set)

    def __getitem__(self, index: int) -> Draft:
        return self._all[index]

    def known(self, number: int) -> int | None:
        return self._ids.get(number)

    def of(self, facts: events.TensorFacts, line: int | None) -> Draft:
        """The draft of a tensor, begun at first sight."""
        index = self._ids.get(facts.id)
        value = convert.value_of(facts.value)
        if index is not None:
            self._all[index].last = value
            return self._all[index]
        index = self._ids[facts.id] = len(self._all)
        draft = Draft(index, facts, line, value, value)
        self._all.append(draft)
        draft.grad_of = self._grads.get(facts.id)
        if facts.base is not None:
            draft.base = self._ids.get(facts.base)
            self._aliased |= {index} | ({draft.base} if draft.base is not None else set())
        return draft

    def describe(
        self,
        draft: Draft,
        scene: Scene,
        how: str,
        operands: tuple[Operand, ...] = (),
        call_frame: FrameType | None = None,
    ) -> None:
        """Keep what the tensor's expression is made from.

        What rules compute during backward has no text of the learner's; hooks and a Function's
        backward run in frames of their own and have.
        """
        draft.how, draft.operands = how, operands
        frame = scene.frame
        if frame is None or frame is call_frame:
            return
        draft.text = self.texts.at(frame.f_code, frame.f_lasti)
        draft.site = (id(frame.f_code), frame.f_lasti, scene.execution)
        self._last_at[draft.site] = draft.id

    def link_grad(self, number: int | None, owner: int) -> None:
        """Remember which tensor is the `.grad` of which."""
        self._current[owner] = number
        if number is not None:
            self._grads[number] = owner
            index = self._ids.get(number)
            if index is not None:
                self._all[index].grad_of = owner

    def current_grad(self, owner: int) -> int | None:
        return self._current.get(owner)

    def may_share(self, draft: Draft, facts: events.TensorFacts) -> bool:
        """Whether other tensors may lie on the memory of one that was written."""
        nameless = draft.name is None and draft.grad_of is None
        return nameless or draft.id in self._aliased or facts.base is not None

    def finish(self) -> tuple[Tensor, ...]:
        return tuple(self._finish(draft) for draft in self._all)

    def _finish(self, draft: Draft) -> Tensor:
        facts = draft.facts
        return Tensor(
            draft.id,
            draft.name,
            self.expression(draft.id),
            draft.value.shape,
            facts.dtype,
            draft.line,
            facts.requires_grad,
            facts.is_leaf,
            draft.op,
            draft.base,
            draft.value,
            draft.grad_of,
        )

    def expression(self, index: int, depth: int = 0) -> str:
        """The tensor's name, the text that made it, or a text made up of its operation."""
        draft = self._all[index]
        if draft.grad_of is not None:
            return f"{self.expression(draft.grad_of)}.grad"
        if draft.name is not None:
            return draft.name
        text = self._text(draft)
        if text:
            return text
        if draft.module is not None:
            return f"{draft.module}({', '.join(map(self._given, draft.given))})"
        if not draft.how:  # a number the engine made a tensor of
            return str((draft.value.data or "…")[0]) if draft.value.shape == () else "…"
        if depth:
            return f"{draft.how}(…)" if draft.operands else draft.how
        parts = [self._operand(draft, operand, depth) for operand in draft.operands]
        return shorten(f"{draft.how}({', '.join(part for part in parts if part)})")

    def _text(self, draft: Draft) -> str | None:
        """The learner's text where this tensor is all of what it computes."""
        whole = draft.site is None or self._last_at.get(draft.site) == draft.id
        return draft.text if whole else None

    def _given(self, index: int | None) -> str:
        draft = self._all[index] if index is not None else None
        return (draft and (draft.name or self._text(draft))) or "…"

    def _operand(self, draft: Draft, operand: Operand, depth: int) -> str:
        if operand.tensor is not None:
            return self.expression(operand.tensor, depth + 1)
        value: Any = operand.constant
        return "" if value is None or _is_default(draft.how, operand) else str(value)


def _is_default(op: str, operand: Operand) -> bool:
    record = REGISTRY.get(op)
    params = record.params if record is not None else ()
    return any(p.name == operand.name and p.default == operand.constant for p in params)
