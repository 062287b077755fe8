"""How a specialised form makes its result and the result's node: source, from the declaration."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from engine.ops.compact import compact_rule_for
from engine.ops.expressions import parameters_of
from engine.ops.plain_arguments import unless_none
from engine.ops.rules import Rule, rule_for
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.ops.record import Op

RESULT = """\
    shape = result.shape
    if not shape and result.__class__ is ndarray:
        result = result[()]
    t = new(Tensor)
    t._array = result
    t.shape = SIZES[shape] if shape in SIZES else sized(shape)
    t.dtype = float32 if result.dtype is SINGLE else BY_NUMPY[result.dtype]
    t._meta = None
"""

RECORD = """\
{origins}
    if not grad_mode.enabled or ({no_edges}){floating}:
        t._fn = None
        return t
    node = t._fn = Node()
    node.rank = clock[0] = clock[0] - 1
    node.extra = None
{keep}
    return t
"""

CHOOSE = """\
    try:
        rule = rules[{key}]
    except (KeyError, TypeError):
        rule = choose({wanted}, {values})
    node.run = rule.run
{edges}
    rule.keep(node, {values}, result{hidden})
"""


def recording(
    op: Op,
    inputs: list[str],
    scope: dict[str, Any],
    call: str,
    *,
    name: str | None = None,
    floating: bool = False,
) -> str:
    """Return the lines that make the node; a view has its origin already where none is recorded.

    `call` is the call of the general way, which refuses to save an inference tensor; `name` is the
    node's where that is known; `floating` says that the result's type needs no look.
    """
    if name is None and written_out(op):
        name = op.grad_fn  # type: ignore[assignment]
    keep = choosing(op, inputs) if name is None else keeping(op, name, inputs, scope, call)
    form = RECORD.replace("        t._fn = None\n", "") if op.view else RECORD
    sure = floating or op.promote == "float"
    return form.format(
        origins="\n".join(f"    {n}_fn = " + unless_none(op, n, f"{n}._fn") for n in inputs),
        no_edges=" and ".join(f"{n}_fn is None" for n in inputs),
        floating="" if sure else " or not t.dtype.is_floating_point",
        keep=keep,
    )


def written_out(op: Op) -> bool:
    """Whether the choice of the rule is: the node's name is known and the inputs are few."""
    return isinstance(op.grad_fn, str) and len(op.tensors) <= 2


def keeping(op: Op, name: str, inputs: list[str], scope: dict[str, Any], call: str) -> str:
    """Return the lines that keep what the rule for the inputs that need a gradient names."""
    lines = []
    for mask in range(1, 1 << len(inputs)):
        wanted = tuple(bool(mask >> i & 1) for i in range(len(inputs)))
        names = wanted_names(op, wanted)
        compact = compact_rule_for(op, name, names)
        links = many_links(op, inputs) if compact is None else compact.linking()
        rule = compact or rule_for(op, name, names)
        scope[f"run{mask}"] = rule.run
        kept = [f"node.run = run{mask}", *links, *rule.saving()]
        for n in (saved for saved in rule.saves if saved in inputs):
            unsaved = unless_none(op, n, f"{n}._meta is not None and {n}._meta.inference", "0")
            kept = [f"if {unsaved}:", f"    return general({call})", *kept]
        if len(inputs) == 1:
            return "\n".join(f"    {line}" for line in kept)
        tests = [f"{n}_fn is {'not ' * w}None" for n, w in zip(inputs, wanted, strict=True)]
        last = mask == (1 << len(inputs)) - 1  # one of them needs a gradient
        head = "else:" if last else f"{'if' if mask == 1 else 'elif'} {' and '.join(tests)}:"
        lines += [f"    {head}", *(f"        {line}" for line in kept)]
    return "\n".join(lines)


def choosing(op: Op, inputs: list[str]) -> str:
    """Return the lines that find the rule at each call and let it keep what it names."""
    wanted_source = "".join(f"{n}_fn is not None, " for n in inputs)
    parts = [unless_none(op, n, f"len({n}.shape)") if n in inputs else n for n in named_by(op)]
    key = f"({wanted_source}), {''.join(f'{part}, ' for part in parts)}"
    values = ", ".join(p.name for p in op.params)
    hidden = "".join(f", {h}" for h in op.hidden)
    [x, *_] = inputs
    one = [f"node.edge = {x} if {x}_fn is LEAF else {x}_fn", "node.edge2 = None"]
    links = one if alone(op) else many_links(op, inputs)
    return CHOOSE.format(
        key=key, wanted=f"({wanted_source})", values=values, hidden=hidden,
        edges="\n".join(f"    {line}" for line in links),
    )  # fmt: skip


def many_links(op: Op, inputs: list[str]) -> list[str]:
    """Return the statements that set a node's edges as a tuple, and what each expects."""
    edges = ", ".join(f"{n} if {n}_fn is LEAF else {n}_fn" for n in inputs)
    targets = ", ".join(unless_none(op, n, f"({n}.shape, {n}.dtype)") for n in inputs)
    return [f"node.edge = ({edges},)", f"node.edge2 = ({targets},)"]


def wanted_names(op: Op, wanted: tuple[bool, ...]) -> tuple[str, ...]:
    """Return the inputs that need a gradient."""
    return tuple(p.name for p, w in zip(op.tensors, wanted, strict=True) if w)


def chooser(op: Op, rules: dict[Any, Rule]) -> Callable[..., Rule]:
    """Return a function from which inputs are wanted, and the arguments, to the rule.

    It remembers the rule by what the node's name depends on: of a tensor, that is its class and
    how many dims it has.
    """
    key_names = named_by(op)

    def choose(wanted: tuple[bool, ...], *values: Any) -> Rule:
        by_name = dict(zip((p.name for p in op.params), values, strict=True))
        name = op.grad_fn if isinstance(op.grad_fn, str) else op.grad_fn(**by_name)  # type: ignore[misc]
        make: Any = compact_rule_for if alone(op) else rule_for
        rule: Rule = make(op, name, wanted_names(op, wanted))
        key = [len(v.shape) if isinstance(v, Tensor) else v for v in map(by_name.get, key_names)]
        with suppress(TypeError):  # of a list among the attributes
            rules[(wanted, *key)] = rule
        return rule

    return choose


def alone(op: Op) -> bool:
    """Whether one input is all there is, and has a rule: a node's edge has a slot then."""
    return len(op.tensors) == 1 and op.tensors[0].name in op.vjps


def named_by(op: Op) -> list[str]:
    """Return the arguments a node's name depends on."""
    if op.grad_fn is None or isinstance(op.grad_fn, str):
        return []
    return [p.name for p in parameters_of(op.grad_fn) if p.kind is not p.VAR_KEYWORD]
