"""The graph's layout as data: what is drawn, folded, and where it stands."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest

from playground.layout import Layout, Place, layout, loops_of
from playground.layout.places import GAP, LEAF, NODE, SLOT
from playground.session import run
from playground.trace import Trace
from tests.playground.dagre import Dagre
from tests.playground.samples import SAMPLES, accumulation, broadcast, composite

ORIENTATIONS = ("LR", "TB")


def traced(*lines: str) -> Trace:
    trace = run("import torch\n" + "\n".join(lines) + "\n")
    assert trace.error is None, trace.error
    return trace


def keys(found: Layout, kind: str) -> list[str]:
    return [key for key, place in found.nodes.items() if place.kind == kind]


def lines(found: Layout) -> list[tuple[str, str]]:
    return [(line.source, line.target) for line in found.edges]


def box(place: Place, orientation: str) -> tuple[float, float, float, float]:
    left, top = place.x - NODE / 2, place.y - LEAF / 2
    if orientation == "LR":
        return left, top, left + NODE, top + LEAF + GAP + SLOT
    return left, top, left + 2 * NODE + 10, top + LEAF


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def test_a_chain_is_one_row_as_wide_as_the_design_says(solve: Dagre) -> None:
    found = layout(composite(), solve)
    places = list(found.nodes.values())
    assert [place.key for place in places] == ["leaf:x", "op:y", "op:q", "op:v", "op:z"]
    assert len({place.y for place in places}) == 1
    assert {b.x - a.x for a, b in pairwise(places)} == {204.0}
    assert lines(found) == [(a.key, b.key) for a, b in pairwise(places)]


def test_top_down_turns_the_row_into_a_column(solve: Dagre) -> None:
    places = list(layout(composite(), solve, orientation="TB").nodes.values())
    assert len({place.x for place in places}) == 1
    assert all(b.y > a.y for a, b in pairwise(places))


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_overlaps_and_everything_is_inside(
    solve: Dagre, name: str, orientation: str, narrow: bool
) -> None:
    found = layout(SAMPLES[name](), solve, orientation=orientation, narrow=narrow)
    boxes = [box(place, orientation) for place in found.nodes.values() if place.kind != "reduce"]
    assert not any(overlap(a, b) for a, b in combinations(boxes, 2))
    assert all(b[0] >= 0 and b[1] >= 0 and b[2] <= found.width for b in boxes)
    assert all(b[3] <= found.height for b in boxes)


def test_the_first_branch_of_the_program_stands_first(solve: Dagre) -> None:
    found = layout(accumulation(), solve)
    assert found.nodes["op:2 * x"].y < found.nodes["op:2 * x#2"].y


def test_a_run_that_is_the_same_has_the_same_places(solve: Dagre) -> None:
    assert layout(broadcast(), solve) == layout(broadcast(), solve)


def test_switching_a_gradient_moves_nothing(solve: Dagre) -> None:
    text = "w = torch.ones(1{})\nx = torch.ones(1, requires_grad=True)\ny = w * x\nz = y + w"
    before = layout(traced(text.format(", requires_grad=True")), solve)
    after = layout(traced(text.format("")), solve, previous=before)
    assert {k: (p.x, p.y) for k, p in after.nodes.items()} == {
        k: (p.x, p.y) for k, p in before.nodes.items()
    }


def test_what_is_left_stays_and_what_was_there_stays_when_something_comes(solve: Dagre) -> None:
    long = traced("x = torch.ones(1, requires_grad=True)", "y = x * 2", "z = y + 1", "w = z * z")
    short = traced("x = torch.ones(1, requires_grad=True)", "y = x * 2", "z = y + 1")
    before = layout(long, solve)
    shorter = layout(short, solve, previous=before)
    assert all(
        (p.x, p.y) == (before.nodes[k].x, before.nodes[k].y) for k, p in shorter.nodes.items()
    )
    again = layout(long, solve, previous=shorter)
    assert all((p.x, p.y) == (before.nodes[k].x, before.nodes[k].y) for k, p in again.nodes.items())


def test_a_tensor_used_twice_has_two_edges(solve: Dagre) -> None:
    found = layout(traced("x = torch.ones(1, requires_grad=True)", "y = x * x"), solve)
    assert [(line.op, line.operand) for line in found.edges] == [(0, 0), (0, 1)]


def test_detach_and_views_have_edges_of_their_own_kind(solve: Dagre) -> None:
    trace = traced(
        "x = torch.ones(4, requires_grad=True)",
        "v = x.view(2, 2)",
        "u = (x * 2).detach()",
        "z = u * x",
    )
    kind = {(line.source, line.target): line.kind for line in layout(trace, solve).edges}
    assert kind["leaf:x", "op:v"] == "view"
    assert kind["op:x * 2", "op:u"] == "cut"
    assert kind["op:u", "op:z"] == "data"


def test_an_update_under_no_grad_is_a_region_apart(solve: Dagre) -> None:
    found = layout(broadcast(), solve)
    (region,) = found.regions
    assert (region.mode, region.first, region.last) == ("no_grad", 12, 12)
    assert set(region.keys) == {"op:0.1 * w.grad", "op:sub w"}
    outside = [p for k, p in found.nodes.items() if k not in region.keys and p.kind != "reduce"]
    area = (region.x, region.y, region.x + region.width, region.y + region.height)
    assert not any(overlap(area, box(place, "LR")) for place in outside)


def test_reductions_have_a_place_before_they_happen(solve: Dagre) -> None:
    found = layout(broadcast(), solve)
    places = [found.nodes[key] for key in keys(found, "reduce")]
    assert [(place.op, place.operand) for place in places] == [(0, 0), (1, 1)]
    w = found.nodes["leaf:w"]
    assert places[0].x > w.x + NODE / 2 and places[0].y > w.y


def test_results_nobody_names_or_uses_are_left_out_when_unrecorded(solve: Dagre) -> None:
    trace = traced(
        "x = torch.ones(2, requires_grad=True)",
        "y = (x * 3).sum()",
        "print((y.detach() == 2).all())",
    )
    assert "op:y.detach() == 2" not in layout(trace, solve).nodes


def test_a_program_without_gradients_is_drawn_all_the_same(solve: Dagre) -> None:
    found = layout(traced("a = torch.ones(2)", "print(a + 1)"), solve)
    assert list(found.nodes) == ["leaf:a", "op:a + 1"]


def test_a_program_without_tensors_has_an_empty_layout(solve: Dagre) -> None:
    found = layout(run("print(1)"), solve)
    assert found.nodes == {} and found.edges == () and found.width == 0


def test_a_single_leaf_is_a_graph(solve: Dagre) -> None:
    assert list(layout(traced("x = torch.ones(1, requires_grad=True)"), solve).nodes) == ["leaf:x"]


LOOP = ("for i in range(5):",)
NETWORK = (
    "from torch import nn",
    "X, Y = torch.ones(4, 2), torch.ones(4, 1)",
    "net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1), nn.Sigmoid())",
    "loss = nn.functional.mse_loss(net(X), Y)",
    "loss.backward()",
)
TRAINING = (
    "w = torch.ones(3, requires_grad=True)",
    "for i in range(30):",
    "    loss = ((w * 2 - 1) ** 2).mean()",
    "    loss.backward()",
)


def test_later_passes_of_a_long_loop_are_folded(solve: Dagre) -> None:
    found = layout(traced(*TRAINING), solve)
    (fold,) = [place.fold for place in found.nodes.values() if place.kind == "fold"]
    assert fold is not None
    assert (fold.kind, fold.name, fold.count, len(fold.ops)) == ("passes", "3", 29, 29 * 4)
    assert keys(found, "op") == ["op:w * 2", "op:w * 2 - 1", "op:(w * 2 - 1) ** 2", "op:loss"]


def test_passes_like_the_one_drawn_have_no_lines_of_their_own(solve: Dagre) -> None:
    ends = {end for line in lines(layout(traced(*TRAINING), solve)) for end in line}
    assert "leaf:w" in ends and not any(end.startswith("fold:") for end in ends)


def test_passes_that_feed_one_another_or_what_follows_keep_their_lines(solve: Dagre) -> None:
    x = "x = h = torch.ones(1, requires_grad=True)"
    chain = traced(x, *LOOP, "    h = h * x", "z = h + 1")
    assert ("op:h", "fold:loop:3:1/passes") in lines(layout(chain, solve, once=True))
    kept = traced(x, "y = []", *LOOP, "    y += [x * i]")
    assert lines(layout(kept, solve, once=True)) == [("leaf:x", "op:y[0]")]
    summed = traced(x, "y = []", *LOOP, "    y += [x * i]", "z = torch.stack(y)")
    assert ("fold:loop:4:1/passes", "op:z") in lines(layout(summed, solve, once=True))


def test_one_pass_of_a_short_loop_is_drawn_when_asked(solve: Dagre) -> None:
    trace = traced(*TRAINING[:1], "for i in range(3):", *TRAINING[2:])
    assert keys(layout(trace, solve), "fold") == []
    assert keys(layout(trace, solve, once=True), "fold") == ["fold:loop:3:1/passes"]


def test_a_network_is_no_taller_than_its_fullest_layer(solve: Dagre) -> None:
    trace = traced(*NETWORK)
    high = {narrow: layout(trace, solve, narrow=narrow).height for narrow in (False, True)}
    rows = Counter(round(place.x) for place in layout(trace, solve, narrow=True).nodes.values())
    assert high[True] < high[False]
    assert high[True] <= max(rows.values()) * (LEAF + GAP + SLOT + 56) + 72 + 24


def test_folds_open_and_close_on_demand(solve: Dagre) -> None:
    trace = traced(*TRAINING[:1], "for i in range(3):", *TRAINING[2:])
    found = layout(trace, solve)
    assert keys(found, "fold") == [] and "loop:3:1" in found.folds
    closed = layout(trace, solve, closed=frozenset({"loop:3:1"}))
    assert keys(closed, "fold") == ["fold:loop:3:1"] and keys(closed, "op") == []
    long = traced(*TRAINING)
    opened = layout(long, solve, opened=frozenset({"loop:3:1/passes"}), limit=10_000)
    assert len(keys(opened, "op")) == 30 * 4


def test_a_module_can_be_folded(solve: Dagre) -> None:
    trace = traced(
        "from torch import nn",
        "net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))",
        "y = net(torch.ones(1, 2)).sum()",
    )
    found = layout(trace, solve)
    names = {fold.name for fold in found.folds.values() if fold.kind == "module"}
    assert "Sequential" in names
    key = next(key for key, fold in found.folds.items() if fold.name == "Sequential")
    closed = layout(trace, solve, closed=frozenset({key}))
    assert f"fold:{key}" in closed.nodes and "op:y" in closed.nodes
    assert (f"fold:{key}", "op:y") in lines(closed)


def test_a_thousand_operations_are_folded_to_a_drawable_number(solve: Dagre) -> None:
    body = [f"a{i} = y * 2; b{i} = y + 1; y = a{i} + b{i}" for i in range(333)]
    trace = traced("x = torch.ones(1, requires_grad=True)", "y = x", *body)
    assert len(trace.ops) == 999
    found = layout(trace, solve)
    assert len(found.nodes) <= 60


def test_many_small_graphs_stand_side_by_side(solve: Dagre) -> None:
    trace = traced(
        *(f"x{i} = torch.ones(1, requires_grad=True); y{i} = x{i} * 2" for i in range(20))
    )
    found = layout(trace, solve)
    assert found.height < 1400 and found.width < 2200
    boxes = [box(place, "LR") for place in found.nodes.values()]
    assert not any(overlap(a, b) for a, b in combinations(boxes, 2))
    first, last = found.nodes["leaf:x0"], found.nodes["leaf:x19"]
    assert (first.y, first.x) < (last.y, last.x)


EPOCHS = (
    "x = torch.tensor([1., 2.])",
    "w = torch.tensor(0.5, requires_grad=True)",
    "for epoch in range(3):",
    "    loss = (w * x).sum()",
    "    loss.backward()",
)


def test_the_pass_asked_for_stands_for_the_others(solve: Dagre) -> None:
    trace = traced(*EPOCHS)
    for number in (1, 3):
        ((loop, _),) = loops_of(trace.ops[-1].group)
        passes = ((loop, f"pass:{number}"),)
        made = layout(trace, solve, limit=5, passes=passes)
        (folded,) = [place.fold for place in made.nodes.values() if place.fold]
        shown = {place.op for place in made.nodes.values() if place.op is not None}
        groups = {trace.ops[op].group[-1] for op in shown}
        assert groups == {f"pass:{number}"} and shown.isdisjoint(folded.ops)


def test_what_fills_a_parameter_is_part_of_making_it(solve: Dagre) -> None:
    trace = traced("from torch import nn", "net = nn.Linear(2, 1)", "net(torch.ones(2)).backward()")
    assert "uniform" in {op.op for op in trace.ops}
    assert "uniform" not in drawn_ops(trace, solve)


def test_a_gradient_set_to_zero_is_no_node(solve: Dagre) -> None:
    trace = traced("x = torch.ones(2, requires_grad=True)", "x.sum().backward()", "x.grad.zero_()")
    assert "zero" in {op.op for op in trace.ops}
    assert drawn_ops(trace, solve) == {"sum"}


def drawn_ops(trace: Trace, solve: Dagre) -> set[str]:
    places = layout(trace, solve).nodes.values()
    return {trace.ops[place.op].op for place in places if place.op is not None}
