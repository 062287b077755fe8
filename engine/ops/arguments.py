"""What PyTorch's argument parser accepts and says: every public function's signatures, and a call.

The signatures are recorded from PyTorch (tests/golden/signatures.py) into `signatures.txt`, one
form of a function a line. `[n]` after a list's type says that one integer will do, `?` that None
will, and `|hidden` that the form is not listed in messages.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from typing import Any

from engine.ops.argument_kinds import (
    CHECKS,
    anything,
    contents,
    is_index,
    is_ints,
    is_tensor_or_number,
    kind_of,
    type_name,
)  # fmt: skip
from engine.tensor import Tensor

NUMPY_NAMES = {
    "dim": ("axis",), "keepdim": ("keepdims",), "input": ("x", "a", "x1"), "other": ("x2",),
}  # fmt: skip
# Functions whose tensors may be numbers; the others have a form of their own for numbers.
TAKES_NUMBERS = frozenset(
    name + form
    for name in (
        "add", "div", "divide", "mul", "multiply", "sub", "subtract", "true_divide", "copy",
        "floor_divide",
    )
    for form in ("", "_")
)  # fmt: skip


class Parameter:
    """One parameter of a form: its type as messages name it, and what else it takes."""

    def __init__(self, text: str, keyword_only: bool, numbers: bool) -> None:
        head, _, default = text.partition(" = ")
        kind, _, self.name = head.rpartition(" ")
        self.none = kind.endswith("?") or default == "None"
        kind = kind.removesuffix("?")
        self.one = kind.endswith("]")
        self.kind = kind.partition("[")[0]
        self.optional = bool(default)
        self.keyword_only = keyword_only
        self.names = (self.name, *NUMPY_NAMES.get(self.name, ()))
        self.text = f"{self.kind} {self.name}" + (f" = {default}" if default else "")
        self.takes = CHECKS.get(self.kind, anything)
        if numbers and self.kind == "Tensor":
            self.takes = is_tensor_or_number

    def accepts(self, value: Any) -> bool:
        """Whether a value is of the parameter's type."""
        return self.takes(value) or (self.one and is_index(value))


class Mismatch(Exception):
    """A call that does not fit a form; the text is what PyTorch says when there is only this."""


class Form:
    """One way to call a function."""

    def __init__(self, name: str, text: str) -> None:
        text, _, mark = text.partition("|")
        self.name = name
        self.hidden = bool(mark)
        self.parameters: list[Parameter] = []
        keyword_only = False
        for part in text[1:-1].split(", ") if text != "()" else ():
            if part == "*":
                keyword_only = True
            else:
                self.parameters.append(Parameter(part, keyword_only, name in TAKES_NUMBERS))
        self.most = sum(not p.keyword_only for p in self.parameters)
        self.least = sum(not p.optional for p in self.parameters)
        self.spread = self.most == 1 and self.parameters[0].kind == "tuple of ints"
        parts = [p.text for p in self.parameters]
        starred = next((i for i, p in enumerate(self.parameters) if p.keyword_only), None)
        if starred is not None:
            parts.insert(starred, "*")
        self.text = f"({', '.join(parts)})"

    def match(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raise Mismatch where a call does not fit."""
        spread = self.spread and (not args or is_index(args[0]) or is_ints(args))
        if len(args) > self.most and not spread:
            raise Mismatch(self.too_many(len(args)))
        at, used = 0, 0
        for i, p in enumerate(self.parameters):
            by_name = at >= len(args)
            if by_name:
                found = [n for n in p.names if n in kwargs]
                if not found and p.optional:
                    continue
                if not found:
                    raise Mismatch(self.missing(i))
                value = kwargs[found[0]]
                used += 1
            elif p.keyword_only:
                raise Mismatch(self.too_many(len(args)))
            else:
                value = args[at]
            if not ((value is None and p.none) or p.accepts(value)):
                if by_name or not (at == 0 and spread and is_ints(args)):
                    raise Mismatch(self.wrong(p, value, None if by_name else at + 1))
                at = len(args)  # all of them are this one parameter
            elif not by_name:
                at += 1
        if used < len(kwargs):
            raise Mismatch(self.unexpected(len(args), kwargs))

    def too_many(self, count: int) -> str:
        """Say that there are too many arguments."""
        takes = f"{self.most} positional argument{'s' * (self.most != 1)}"
        if self.least != self.most:
            return (
                f"{self.name}() takes from {self.least} to {self.most} positional arguments but"
                f" {count} were given"
            )
        return f"{self.name}() takes {takes} but {count} {'was' if count == 1 else 'were'} given"

    def missing(self, first: int) -> str:
        """Say which arguments are missing; PyTorch has the plural the wrong way round."""
        names = [f'"{p.name}"' for p in self.parameters[first:] if not p.optional]
        count = len(names)
        plural = "s" * (count == 1)
        return f"{self.name}() missing {count} required positional argument{plural}: " + ", ".join(
            names
        )

    def wrong(self, p: Parameter, value: Any, position: int | None) -> str:
        """Say that an argument is of another type."""
        place = "" if position is None else f" (position {position})"
        begin = f"{self.name}(): argument '{p.name}'{place} must be {p.kind}"
        if p.kind == "tuple of ints" and isinstance(value, (tuple, list)) and position is not None:
            return f"{begin}, but found element of type {type_name(value[0])} at pos 0"
        return f"{begin}, not {type_name(value)}"

    def unexpected(self, count: int, kwargs: dict[str, Any]) -> str:
        """Say which keyword is unknown or given twice."""
        names = [p.name for p in self.parameters]
        for key in kwargs:
            if key not in names:
                return f"{self.name}() got an unexpected keyword argument '{key}'"
            if names.index(key) < count:
                return f"{self.name}() got multiple values for argument '{key}'"
        return "invalid keyword arguments"


class Signature:
    """All forms of one function, and the calls already found good."""

    def __init__(self, spelling: str, name: str, forms: list[str]) -> None:
        self.method = spelling.startswith("Tensor.")
        self.name = name
        self.alone = forms == ["none"]
        self.forms = [] if self.alone else [Form(name, text) for text in forms]
        self.takes_out = any(p.name == "out" for form in self.forms for p in form.parameters)
        self.good: set[Any] = set()

    def check(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raise the TypeError that PyTorch raises for a call it does not take."""
        key = (*map(kind_of, args), *kwargs, *map(kind_of, kwargs.values()))
        if key in self.good:
            return
        given = args[1:] if self.method else args
        if self.method and not (args and isinstance(args[0], Tensor)):
            return  # `Tensor.exp(3)`: Python's own affair
        self.check_alone(given, kwargs) if self.alone else self.check_forms(given, kwargs)
        if not any(isinstance(v, Tensor) and not v.shape for v in (*given, *kwargs.values())):
            self.good.add(key)

    def check_alone(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Refuse any argument to a method that takes none."""
        if kwargs:
            raise TypeError(f"TensorBase.{self.name}() takes no keyword arguments")
        if args:
            raise TypeError(f"TensorBase.{self.name}() takes no arguments ({len(args)} given)")

    def check_forms(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Refuse what fits none of the forms."""
        count = len(args) + len(kwargs)
        said = ""
        plausible = 0
        for form in self.forms:
            try:
                form.match(args, kwargs)
                return
            except Mismatch as error:
                if not form.hidden and form.least <= count <= len(form.parameters):
                    plausible += 1
                    said = str(error)
                elif len(self.forms) == 1:
                    raise TypeError(str(error)) from None
        if plausible == 1:
            raise TypeError(said)
        raise TypeError(invalid(self.name, [f for f in self.forms if not f.hidden], args, kwargs))


def invalid(name: str, forms: list[Form], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Say that none of several forms fits."""
    begin = f"{name}() received an invalid combination of arguments - got "
    if len(forms) == 1:
        reason = why_not(forms[0], args, kwargs)
        if "keywords" in reason:
            return f"{begin}unrecognized keyword arguments: {reason.partition(': ')[2]}"
        given = reason.partition(": ")[2] or described(args, kwargs)
        return f"{begin}{given}, but expected {forms[0].text}"
    lines = [f"{begin}{described(args, kwargs)}, but expected one of:"]
    for form in forms:
        lines.append(f" * {form.text}")
        reason = why_not(form, args, kwargs)
        if reason:
            lines.append(f"      didn't match because some of the {reason}")
    return "\n".join(lines) + "\n"


def why_not(form: Form, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Return which part of a call with as many arguments as the form has pieces is wrong.

    PyTorch cuts the form's text at its commas, and a piece at its last blank: so `*` counts, and
    the name of what has a default is that default.
    """
    pieces = [piece.rpartition(" ") for piece in form.text[1:-1].split(", ")]
    if len(pieces) != len(args) + len(kwargs):
        return ""
    names = [name for _, _, name in pieces]
    unknown = [k for k in kwargs if k not in names[len(args) :]]
    if unknown:
        return f"keywords were incorrect: {', '.join(unknown)}"
    parts = []
    for i, (kind, _, name) in enumerate(pieces):
        value = args[i] if i < len(args) else kwargs[name]
        text = ("" if i < len(args) else name + "=") + contents(value)
        kinds = {"float": ("float", "int")}.get(kind, (kind,))
        parts.append(text if type_name(value) in kinds else f"!{text}!")
    return f"arguments have invalid types: ({', '.join(parts)}{', ' * (not args)})"


def described(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Return the types of a call's arguments."""
    parts = [type_name(a) for a in args] + [f"{k}={type_name(v)}" for k, v in kwargs.items()]
    return f"({', '.join(parts)}{', ' if kwargs and not args else ''})"


@cache
def table() -> dict[str, tuple[str, list[str]]]:
    """Read the recorded signatures: by spelling, the name in messages and the forms."""
    data = pkgutil.get_data(__name__, "signatures.txt")
    assert data is not None
    found: dict[str, tuple[str, list[str]]] = {}
    for line in data.decode().splitlines():
        spelling, name, text = line.split(" ", 2)
        found.setdefault(spelling, (name, []))[1].append(text)
    return found


def name_of(spelling: str) -> str | None:
    """Return the name by which PyTorch's parser refuses calls of a public spelling."""
    known = table().get(spelling)
    return None if known is None else known[0]


def signature(spelling: str) -> Signature | None:
    """Return what PyTorch's parser knows about a public spelling, None where there is no parser."""
    known = table().get(spelling)
    return None if known is None else Signature(spelling, *known)
