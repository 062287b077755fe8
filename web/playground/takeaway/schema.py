"""The trace's JSON Schema, made from the very dataclasses the codec checks with.

`python -m playground.takeaway.schema` prints it; docs/reference/trace.schema.json keeps the result.
"""

from __future__ import annotations

import json
import types
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from playground.trace import FORMAT, Trace

PLAIN = {int: "integer", float: "number", str: "string", bool: "boolean", type(None): "null"}


def schema() -> dict[str, Any]:
    """The whole schema; every dataclass is a definition of its own."""
    definitions: dict[str, Any] = {}
    _record(Trace, definitions)
    root = definitions.pop("Trace")
    root["properties"]["format"] = {"const": FORMAT}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A run of a program in the Autograd Playground",
        **root,
        "$defs": dict(sorted(definitions.items())),
    }


def text() -> str:
    return json.dumps(schema(), indent=2) + "\n"


def _record(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """A reference to a dataclass's definition, which is made if it is not there."""
    name = kind.__name__
    if name not in definitions:
        definitions[name] = {}
        hints = get_type_hints(kind)
        definitions[name] = {
            "type": "object",
            "properties": {f.name: _type(hints[f.name], definitions) for f in fields(kind)},
            "required": [f.name for f in fields(kind) if f.default is MISSING],
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{name}"}


def _type(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if is_dataclass(kind):
        return _record(kind, definitions)
    if kind is Any:
        return {}
    if kind in PLAIN:
        return {"type": PLAIN[kind]}
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(inside)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_type(item, definitions) for item in inside]}
    if origin is dict:
        return {"type": "object"}
    assert origin is tuple, kind
    if len(inside) == 2 and inside[1] is Ellipsis:
        return {"type": "array", "items": _type(inside[0], definitions)}
    parts = [_type(item, definitions) for item in inside]
    size = len(parts)
    return {"type": "array", "prefixItems": parts, "minItems": size, "maxItems": size}


if __name__ == "__main__":
    print(text(), end="")
