"""Record the signatures that PyTorch's argument parser knows for every public spelling.

python -m tests.golden.signatures      (needs torch 2.13; writes engine/ops/signatures.txt)

What a wrong call says depends on them. A function with several says them itself when called with
far too many arguments; one with a single signature is looked up in the operators' schemas.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parents[2] / "engine/ops/signatures.txt"
TYPES = {
    "Tensor": "Tensor", "Scalar": "Number", "SymInt": "int", "int": "int", "float": "float",
    "bool": "bool", "str": "str", "ScalarType": "torch.dtype", "Layout": "torch.layout",
    "Device": "torch.device", "MemoryFormat": "torch.memory_format",
    "Generator": "torch.Generator",
}  # fmt: skip
# Deprecated forms, which PyTorch accepts and never lists.
HIDDEN = {
    name: ["(Number alpha, Tensor other)" if method else "(Tensor input, Number alpha, Tensor other)"]
    for name, method in (
        ("torch.add", 0), ("torch.sub", 0), ("Tensor.add", 1), ("Tensor.sub", 1),
        ("Tensor.add_", 1), ("Tensor.sub_", 1),
    )
}  # fmt: skip
# Parsers written by hand in PyTorch, which no schema knows.
BY_HAND = {
    "torch.tensor": "(object data, *, torch.dtype? dtype = None, torch.device? device = None,"
    " bool pin_memory = False, bool requires_grad = False, tuple of names? names = None)",
    "torch.as_tensor": "(object data, *, torch.dtype? dtype = None, torch.device? device = None)",
    "torch.nonzero": "(Tensor input, *, bool as_tuple = False, Tensor out = None)",
    "Tensor.nonzero": "(*, bool as_tuple = False)",
    "Tensor.requires_grad_": "(bool requires_grad = True)",
    "Tensor.numpy": "(*, bool force = False)",
    "Tensor.new_tensor": "(object data, *, torch.dtype? dtype = None, torch.device? device = None,"
    " bool requires_grad = False)",
    "Tensor.contiguous": "(*, torch.memory_format memory_format = torch.contiguous_format)",
    **{
        f"Tensor.{name}": "(*, torch.memory_format? memory_format = None)"
        for name in ("float", "double", "half", "int", "long", "short", "bool", "byte", "char")
    },
}


class Parameter:
    """One parameter of a schema."""

    def __init__(self, text: str, keyword_only: bool) -> None:
        self.keyword_only = keyword_only
        head, _, self.default = text.partition("=")
        kind, _, self.name = head.strip().rpartition(" ")
        kind = re.sub(r"\([^)]*\)", "", kind)
        self.none = kind.endswith("?")
        kind = kind.removesuffix("?")
        size = re.search(r"\[(\d*)\]$", kind)
        self.size = size[1] if size else ""
        plain = kind[: size.start()].removesuffix("?") if size else kind
        self.kind = TYPES.get(plain)
        if size and self.kind is not None:
            self.kind = f"tuple of {self.kind}s"

    def __str__(self) -> str:
        text = f"{self.kind}{f'[{self.size}]' * bool(self.size)}{'?' * self.none} {self.name}"
        default = self.default.replace(", ", ",")
        return f"{text} = {default}" if default else text


def schemas(name: str) -> list[tuple[str, list[Parameter]]]:
    """The overloads of an operator, as PyTorch writes them."""
    import torch

    found = []
    for schema in torch._C._jit_get_schemas_for_operator("aten::" + name):
        text = str(schema)
        overload, _, rest = text.partition("(")
        inner = rest[: rest.rindex(") ->")]
        parts = [p for p in re.split(r", (?![^\[(]*[\])])", inner) if p]
        keyword_only, parameters = False, []
        for part in parts:
            if part == "*":
                keyword_only = True
            else:
                parameters.append(Parameter(part, keyword_only))
        if all(p.kind for p in parameters):
            found.append((overload.partition(".")[2], parameters))
    return found


def is_out(overload: str) -> bool:
    return overload.endswith("out")


def written_to(name: str) -> int:
    """Into how many tensors given by keyword an overload of an operator writes."""
    import torch

    texts = [str(s) for s in torch._C._jit_get_schemas_for_operator("aten::" + name)]
    return max((len(re.findall(r"\(\w!\) ", t.partition("*, ")[2])) for t in texts), default=0)


def written(parameters: list[Parameter], method: bool, out: int) -> str:
    """A schema as a line of the table; `out` says how many tensors it can write its results to."""
    shown, options = [], any(p.name == "pin_memory" for p in parameters)
    parts: list[tuple[str, bool]] = []
    for p in parameters:
        if p.name == "self":
            if method:
                continue
            p.name = "input"
        if p.name == "pin_memory":
            p.none, p.default = False, "False"
        parts.append((str(p), p.keyword_only))
    if out and not method:
        parts.append((f"{'Tensor' if out == 1 else 'tuple of Tensors'} out = None", True))
    if options:
        parts.append(("bool requires_grad = False", True))
    starred = False
    for text, keyword_only in parts:
        if keyword_only and not starred:
            shown.append("*")
            starred = True
        shown.append(text)
    return f"({', '.join(shown)})"


def single(name: str, method: bool, takes: str) -> str | None:
    """The one signature of a function, chosen among the schemas by how many arguments it takes."""
    counts = re.search(r"takes (?:from (\d+) to )?(\d+) positional", takes)
    assert counts
    most = int(counts[2])
    found = schemas(name)
    for overload, parameters in found:
        if is_out(overload) or (parameters and parameters[0].kind != "Tensor" and method):
            continue
        own = [p for p in parameters if not (method and p.name == "self")]
        if len([p for p in own if not p.keyword_only]) != most:
            continue
        if counts[1] is not None and len([p for p in own if not p.default]) != int(counts[1]):
            continue
        return written(parameters, method, written_to(name))
    return None


def marked(text: str, name: str) -> str:
    """A listed signature with what the list leaves out: `?` takes None, `[n]` takes one int."""
    known: dict[tuple[str, str], Parameter] = {}
    for _, parameters in schemas(name):
        for p in parameters:
            before = known.setdefault((p.name, str(p.kind)), p)
            before.none = before.none or p.none
            before.size = before.size or p.size
    parts = []
    for part in text[1:-1].split(", "):
        kind, _, rest = part.partition(" = ")[0].rpartition(" ")
        p = known.get((rest, kind))
        if p is not None and kind:
            new = f"{kind}{f'[{p.size}]' * bool(p.size)}{'?' * p.none} {rest}"
            part = new + part[len(kind) + len(rest) + 1 :]
        parts.append(part)
    return f"({', '.join(parts)})"


def lines_for(spelling: str, function: Any) -> list[str]:
    """The lines of the table for one public spelling, none if Python itself binds its arguments."""
    import torch

    where, _, name = spelling.rpartition(".")
    method = where == "Tensor"
    if type(function).__name__ not in ("builtin_function_or_method", "method_descriptor"):
        return []
    if spelling in BY_HAND:
        return [f"{spelling} {name} {BY_HAND[spelling]}"]
    first = (torch.ones(2),) if method else ()
    try:
        function(*first, *[object()] * 40)
        return []
    except Exception as error:
        says = str(error)
    printed = re.match(r"(\w+)\(\)", says)
    if "takes no arguments" in says:
        return [f"{spelling} {name} none"] if method else []
    if printed is None:
        return []
    called = printed[1]
    listed = re.findall(r"^ \* (\(.*\))$", says, re.MULTILINE)
    listed += re.findall(r"but expected (\(.*\))$", says)
    if listed:
        found = [marked(text, function.__name__) for text in listed]
        found += [f"{text}|hidden" for text in HIDDEN.get(spelling, [])]
        return [f"{spelling} {called} {text}" for text in found]
    text = single(function.__name__, method, says)
    return [f"{spelling} {called} {text}"] if text else []


def main() -> None:
    """Write the table."""
    import torch

    import engine  # noqa: F401  (binds everything)
    from engine.ops.record import PUBLIC

    lines = []
    for spelling in sorted(PUBLIC):
        where, _, name = spelling.rpartition(".")
        if name.startswith("__"):
            continue
        owner: Any = torch
        for part in ("torch.Tensor" if where == "Tensor" else where).split(".")[1:]:
            owner = getattr(owner, part, None)
        lines += lines_for(spelling, getattr(owner, name, None))
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(len(lines), "signatures")


if __name__ == "__main__":
    main()
