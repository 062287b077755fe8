"""The graph: what is drawn of a run at a cursor, and that it does not move."""

from __future__ import annotations

from itertools import pairwise

import pytest

from playground.layout import layout
from playground.trace import Trace
from playground.views.camera import Camera
from playground.views.canvas import Sheet
from playground.views.geometry import Course
from playground.views.graph import ORDER, RADII, TEXTS, Graph
from playground.views.hit import hit
from playground.views.layered import solve
from playground.views.measures import PILL_H
from playground.views.plan import build
from playground.views.scene import Scene, neighbours, ring_of
from playground.views.theme import DARK, LIGHT
from tests.playground import samples
from tests.playground.builders import TraceBuilder
from tests.playground.drawn import PANEL, frame_at, plan_of, scene_at, texts


def step_of(trace: Trace, kind: str, op: int | None = None) -> int:
    return next(s.index for s in trace.steps if s.kind == kind and op in (None, s.op))


def test_the_rule_at_the_cursor_has_ring_hot_tab_and_travelling_message() -> None:
    trace = samples.composite()
    scene = scene_at(trace, step_of(trace, "rule", 1))
    assert len(scene.pen.rows["ring_pill"]) == 1
    assert LIGHT.accent_soft in [row[4] for row in scene.pen.rows["tabs"]]
    assert len(scene.pen.rows["dots"]) == 2  # the dot and its halo
    assert scene.flow.motion[0][1].data == (6.0, 8.0, 10.0)
    assert "6  8  10" in texts(scene, "chip_mono")
    solid = [row for row in scene.pen.rows["chips"] if row[4] == LIGHT.pos]
    assert len(solid) == 1


def test_what_was_saved_is_struck_once_freed() -> None:
    trace = samples.composite()
    before, after = scene_at(trace, 5), scene_at(trace)
    assert not before.pen.rows["strikes"] and not before.pen.rows["hollow"]
    assert len(after.pen.rows["strikes"]) == 2 and len(after.pen.rows["hollow"]) == 2


def test_the_slot_is_none_until_written() -> None:
    trace = samples.composite()
    assert "None" in texts(scene_at(trace, 12), "mono")
    scene = scene_at(trace, step_of(trace, "write"))
    assert not scene.pen.rows["empty"] and len(scene.pen.rows["pips"]) == 1
    assert len(scene.pen.rows["ring_box"]) == 1


def test_a_path_no_message_took_is_dotted() -> None:
    trace = samples.composite()
    assert [row[10] for row in scene_at(trace, 5).pen.rows["unreached"]] == ["1 4"]
    assert not scene_at(trace).pen.rows["unreached"]


def test_what_has_not_happened_is_hollow_and_silent() -> None:
    scene = scene_at(samples.composite(), 1)
    assert texts(scene, "math") == []
    assert [row[5] for row in scene.pen.rows["pills"]] == [LIGHT.line] * 4


def test_an_earlier_call_is_paler() -> None:
    rows = scene_at(samples.accumulation()).pen.rows["gradients"]
    assert {row[11] for row in rows} == {LIGHT.pale, 1.0}


def test_mixed_signs_are_two_strands_with_numbers_in_their_own_colours() -> None:
    trace = samples.broadcast()
    scene = scene_at(trace)
    colours = {row[8] for row in scene.pen.rows["gradients"]}
    assert {LIGHT.pos, LIGHT.neg} <= colours
    minus = [row for row in scene.pen.rows["chip_mono"] if row[2] == "−1"]
    assert minus and all(row[6] == LIGHT.neg for row in minus)


def test_a_reduction_appears_at_its_step() -> None:
    trace = samples.broadcast()
    first = step_of(trace, "reduce")
    assert not scene_at(trace, first - 1).pen.rows["sums"]
    assert texts(scene_at(trace, first), "chip_sans") == ["Σ₀"]


def test_no_grad_is_hatched_and_named() -> None:
    scene = scene_at(samples.broadcast())
    assert texts(scene, "region_text") == ["no_grad · line 12"]
    assert len(scene.pen.rows["hatch"]) > 5
    assert texts(scene, "badge_text") == ["v1"]


def test_where_it_raised_is_marked() -> None:
    scene = scene_at(samples.twice())
    assert LIGHT.err in [row[5] for row in scene.pen.rows["pills"]]
    assert len(scene.pen.rows["crosses"]) == 2
    assert not scene.pen.rows["ring_pill"]


def test_not_a_number_is_dashed_and_said() -> None:
    b = TraceBuilder("x\n" * 5)
    x = b.leaf("x", 1, [1.0, 2.0])
    y = b.op("log", "LogBackward0", 2, [("input", ("t", x))], [0.0, 1.0], name="y")
    z = b.op("sum", "SumBackward0", 3, [("input", ("t", y))], float("nan"), name="z")
    b.call(4, z)
    b.rule(1, 4, 1.0, [(0, [float("nan"), float("inf")])])
    scene = scene_at(b.build(), len(b.steps) - 1)
    b.rule(0, 4, [float("nan"), float("inf")], [(0, [float("nan"), float("inf")])])
    scene = scene_at(b.build())
    assert "6 3" in [row[10] for row in scene.pen.rows["gradients"]]
    assert "nan  inf" in texts(scene, "chip_mono")
    assert "nan" in texts(scene, "mono")


def test_a_scene_is_a_function_of_its_frame() -> None:
    trace = samples.broadcast()
    assert scene_at(trace, 15).pen.rows == scene_at(trace, 15).pen.rows
    light, dark = scene_at(trace, 15), scene_at(trace, 15, theme=DARK)
    assert light.pen.rows.keys() == dark.pen.rows.keys()
    for name, rows in light.pen.rows.items():
        assert [row[:2] for row in rows] == [row[:2] for row in dark.pen.rows[name]]


def test_text_gives_way_when_small() -> None:
    trace = samples.composite()
    small = Scene(plan_of(trace), frame_at(trace), 0.45)
    assert not any(small.pen.rows[name] for name in TEXTS)
    assert small.pen.rows["pills"]


def test_an_overview_writes_names_signs_and_short_values_larger() -> None:
    trace = samples.composite()
    scene = Scene(plan_of(trace), frame_at(trace), 0.6)
    assert texts(scene, "math") == ["( ) + 2", "( )²", "3 × ( )", "mean"]
    assert {"x", "y", "q", "v", "z", "50"} <= set(texts(scene, "mono"))
    assert not {"(3,)", "PowBackward0", ".grad"} & set(texts(scene, "mono"))
    assert all(float(row[3][:-2]) >= 11 for row in scene.pen.rows["mono"])


def test_what_is_far_from_the_window_is_not_drawn() -> None:
    trace = samples.composite()
    plan = plan_of(trace)
    x = plan.spots["leaf:x"]
    part = Scene(plan, frame_at(trace), window=(x.cx - 60, x.cy - 30, 120, 60))
    assert list(part.spots) == ["leaf:x", "op:y"]
    assert "50" not in texts(part, "mono") and "1  2  3" in texts(part, "mono")


def test_every_layer_has_a_glyph_and_every_row_a_layer() -> None:
    graph = Graph()
    assert len(ORDER) == len(set(ORDER)) == len(graph.root.renderers) - 2  # those for hovering
    for make in (samples.composite, samples.accumulation, samples.broadcast, samples.twice):
        trace = make()
        for cursor in range(len(trace.steps) + 1):
            scene = scene_at(trace, cursor)
            assert scene.pen.rows.keys() <= set(ORDER)
            for name, rows in scene.pen.rows.items():
                width = len(graph.layers[name].columns) - (name in TEXTS)
                assert all(len(row) == width for row in rows), name


def test_dashed_lines_are_whole_numbers_as_the_browser_reads_them() -> None:
    for _, dash in RADII.values():
        assert dash == "solid" or all(part.isdigit() for part in dash.split())


# places


def test_a_chain_stands_in_a_row_and_fills_the_panel() -> None:
    plan = plan_of(samples.composite())
    assert plan.chain and not plan.vertical
    assert len({spot.cy for spot in plan.spots.values()}) == 1
    assert 900 < plan.width <= PANEL[0]
    gaps = sorted(spot.cx for spot in plan.spots.values())
    assert {round(b - a, 3) for a, b in pairwise(gaps)} == {203.75}


def test_top_down_puts_results_beside() -> None:
    plan = plan_of(samples.composite(), "TB", (390, 514))
    assert plan.vertical
    assert len({spot.cx for spot in plan.spots.values()}) == 1
    spot = next(iter(plan.spots.values()))
    assert spot.plate[0] > spot.cx


@pytest.mark.parametrize("orientation", ["LR", "TB"])
def test_nodes_do_not_overlap(orientation: str) -> None:
    plan = plan_of(samples.broadcast(), orientation)
    wide, high = (250, 56) if plan.vertical else (120, 80)
    spots = list(plan.spots.values())
    for i, a in enumerate(spots):
        for b in spots[i + 1 :]:
            assert abs(a.cx - b.cx) >= wide or abs(a.cy - b.cy) >= high


def test_an_edge_goes_round_what_lies_in_its_way() -> None:
    trace = samples.composite()
    made = layout(trace, solve)
    plan = build(trace, made, PANEL)
    assert all(link.via == () for link in plan.links)


def test_a_run_without_a_graph() -> None:
    b = TraceBuilder("print(1)\n")
    b.output(1, "1\n")
    scene = scene_at(b.build())
    assert not scene.pen.rows


# the camera


def test_small_content_is_in_the_middle_at_full_size() -> None:
    camera = Camera.fit((10, 20, 400, 100), (1000, 300))
    assert camera.zoom == 1
    assert (camera.left, camera.top) == (10 - 300, 20 - 100)


def test_large_content_stays_readable_unless_all_of_it_is_asked_for() -> None:
    assert Camera.fit((0, 0, 5000, 300), (1000, 300)).zoom == 0.75
    assert Camera.fit((0, 0, 5000, 300), (1000, 300), whole=True).zoom == 0.2


def test_the_camera_moves_only_for_what_is_out_of_sight() -> None:
    camera = Camera(0, 0, 1)
    assert camera.showing((100, 100, 120, 80), (1000, 300), (0, 0, 3000, 300)) is camera
    moved = camera.showing((2000, 100, 120, 80), (1000, 300), (0, 0, 3000, 300))
    assert moved.left == 2060 - 500 and moved.top == 0


def test_zooming_keeps_the_middle() -> None:
    camera = Camera(100, 50, 1).zoomed(2, (1000, 300))
    assert camera.left + 1000 / camera.zoom / 2 == 600
    assert not camera.fitted


# finding things


def test_a_click_finds_nodes_plates_slots_and_edges() -> None:
    trace = samples.composite()
    plan, state = plan_of(trace), frame_at(trace).state
    pill = plan.spots[plan.of_op(1)]
    assert hit(plan, state, pill.cx, pill.cy) == hit(plan, state, pill.cx + 50, pill.cy)
    found = hit(plan, state, pill.cx, pill.cy)
    assert found is not None and (found.what, found.index) == ("op", 1)
    x, y = pill.plate
    found = hit(plan, state, x + 5, y + 5)
    assert found is not None and (found.what, found.index) == ("tensor", 2)
    leaf = plan.spots[plan.of_leaf(0)]
    x, y = leaf.slot
    found = hit(plan, state, x + 5, y + 5)
    assert found is not None and (found.what, found.index) == ("write", step_of(trace, "write"))
    found = hit(plan, state, pill.cx - 60 - 42, pill.cy)
    assert found is not None and found.what == "message"
    assert trace.steps[found.index - 1].op == 1
    assert hit(plan, state, 0, 0) is None


def test_keys_follow_the_edges() -> None:
    trace = samples.composite()
    plan = plan_of(trace)
    key = plan.of_op(0)
    assert neighbours(plan.links, key, upstream=True) == [plan.of_leaf(0)]
    assert neighbours(plan.links, key, upstream=False) == [plan.of_op(1)]


def test_the_cursor_is_at_the_node_of_its_step() -> None:
    trace = samples.composite()
    plan = plan_of(trace)
    rings = [ring_of(plan, frame_at(trace, step.index)) for step in trace.steps]
    assert rings[0] == (plan.of_leaf(0), "box")
    assert rings[1] == (plan.of_op(0), "box")
    assert rings[-2] == (plan.of_leaf(0), "slot")
    assert rings[-1][0] == ""
    assert ring_of(plan, frame_at(trace, 0)) == ("", "")


# geometry and layers


def test_a_course_splits_where_it_is_asked() -> None:
    course = Course.between((0, 0), (300, 0), False, ((100, 50), (200, 50)))
    before, after = course.split(0.5)
    assert before.start == (0, 0) and after.end == (300, 0)
    assert before.end == after.start
    assert len(before.parts) + len(after.parts) == 4
    back = course.reversed()
    assert back.start == (300, 0) and back.end == (0, 0)


def test_a_layer_sends_only_what_differs() -> None:
    from bokeh.document import Document

    sheet = Sheet("view-x", 100, 100)
    layer = sheet.circles()
    document = Document()
    document.add_root(sheet.plot)
    events: list[str] = []
    document.on_change(lambda event: events.append(event.kind))
    rows = [(float(i), 0.0, 1.0, "#000", None, 0.0, 1.0) for i in range(20)]
    layer.show(rows)
    assert events == ["ModelChanged"] or events == ["ColumnDataChanged"]
    events.clear()
    layer.show(rows)
    assert events == []
    rows[3] = (99.0, *rows[3][1:])
    layer.show(rows)
    assert events == ["ColumnsPatched"]
    assert list(layer.source.data["x"])[3] == 99.0
    events.clear()
    layer.show([(row[0] + 1, *row[1:]) for row in rows])
    assert events == ["ColumnDataChanged"]


@pytest.mark.parametrize("orientation", ["LR", "TB"])
def test_names_of_saved_tensors_end_above_the_pill_that_covers_them(orientation: str) -> None:
    trace = samples.composite()
    plan = plan_of(trace, orientation)
    scene = Scene(plan, frame_at(trace, 5))
    tops = {plan.spots[plan.of_op(op.index)].cy - PILL_H / 2 for op in trace.ops}
    bases = [row[1] for row in scene.pen.rows["tab_text"]]
    assert bases and all(min(abs(top - base) for top in tops) >= 3 for base in bases)
