"""The trace's schema and its page say what the codec does."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

from engine import events
from playground import trace as traces
from playground.codec import SchemaError
from playground.session import run
from playground.takeaway import schema
from playground.trace import Kind, Trace
from tests.playground.samples import SAMPLES

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
SCHEMA = json.loads((REFERENCE / "trace.schema.json").read_text("utf-8"))
PAGE = (REFERENCE / "trace.md").read_text("utf-8")
TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}


def fits(data: Any, rule: dict[str, Any]) -> bool:
    """As much of JSON Schema as the schema uses."""
    if "$ref" in rule:
        return fits(data, SCHEMA["$defs"][rule["$ref"].rsplit("/", 1)[1]])
    if "anyOf" in rule:
        return any(fits(data, one) for one in rule["anyOf"])
    if "enum" in rule:
        return data in rule["enum"]
    if "const" in rule:
        return bool(data == rule["const"])
    kind = rule.get("type")
    if kind is None:
        return True
    if not isinstance(data, TYPES[kind]) or (isinstance(data, bool) and kind != "boolean"):
        return False
    if kind == "array":
        return fits_array(data, rule)
    if kind == "object" and "properties" in rule:
        known = rule["properties"]
        return set(rule["required"]) <= set(data) <= set(known) and all(
            fits(item, known[name]) for name, item in data.items()
        )
    return True


def fits_array(data: list[Any], rule: dict[str, Any]) -> bool:
    if "prefixItems" in rule:
        rules = rule["prefixItems"]
        return len(data) == len(rules) and all(map(fits, data, rules))
    return all(fits(item, rule["items"]) for item in data)


def test_the_schema_is_the_one_made_from_the_classes() -> None:
    assert schema.schema() == SCHEMA


@pytest.mark.parametrize("make", SAMPLES.values(), ids=SAMPLES)
def test_traces_fit_the_schema(make: Any) -> None:
    assert fits(json.loads(make().to_json()), SCHEMA)


def test_a_real_run_fits_the_schema() -> None:
    source = (
        "import torch\nx = torch.tensor([0., 1.], requires_grad=True)\nw = torch.zeros(100)\n"
        "(x / 0).sum().backward()\nprint(x.grad)\nx.backward()\n"
    )
    data = json.loads(run(source).to_json())
    assert data["error"] and data["final"] and fits(data, SCHEMA)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d.update(onload="x"),
        lambda d: d.pop("source"),
        lambda d: d.update(seed=True),
        lambda d: d.update(format=2),
        lambda d: d["steps"][0].update(kind="script"),
        lambda d: d["steps"][6]["messages"][0].update(target=["op"]),
        lambda d: d["tensors"][0]["value"].update(dtype=None),
    ],
)
def test_schema_and_codec_refuse_the_same(spoil: Any) -> None:
    data = json.loads(SAMPLES["composite"]().to_json())
    spoil(data)
    assert not fits(data, SCHEMA)
    with pytest.raises(SchemaError):
        Trace.from_json(json.dumps(data))


def section(name: str) -> str:
    return PAGE.split(f"\n### {name}\n", 1)[1].split("\n### ", 1)[0]


@pytest.mark.parametrize("name", [*SCHEMA["$defs"], "Trace"])
def test_the_page_explains_every_field_and_no_other(name: str) -> None:
    rows = [row.split("|")[1] for row in section(name).splitlines() if row.startswith("| `")]
    told = [word for row in rows for word in re.findall(r"`(\w+)`", row)]
    assert sorted(told) == sorted(field.name for field in fields(getattr(traces, name)))


def test_the_page_names_every_kind_of_step_and_the_bound() -> None:
    table = PAGE.split("## Objects", 1)[0]
    told = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert [kind for kind in told if kind != "kind"] == list(get_args(Kind))
    assert f"Up to {events.BOUND} elements" in PAGE
