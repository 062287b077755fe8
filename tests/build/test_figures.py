"""The browser's half of Bokeh and Panel keeps exactly what is drawn with."""

import ast

import pytest

from builder import figures
from builder.places import WEB, Failure

BUNDLE = """(function() {
})({
1: function _(e,t,s,n,o){n();const a=e(2);o("All",a)},
2: function _(e,t,s,n,o){n();var b=e(3);o("Rect",b.Rect),o("RectView",b.RectView);e(9).__exportStar(e(4),s);o("Text",e(5).Text)},
3: function _(e,t,s,n,o){n();s.Rect=e("@bokehjs/core/shape").Rect},
4: function _(e,t,s,n,o){n();class a{}
s.Circle=a},
5: function _(e,t,s,n,o){n();s.Text=1},
6: function _(e,t,s,n,o){n();s.Rect=1},
9: function _(e,t,s,n,o){n()},
}, 1, {"main":1,"models/index":2,"core/shape":6}, {});});
"""  # noqa: E501


def test_what_is_wanted_stays_with_all_it_needs() -> None:
    modules = figures.read(figures.cut(BUNDLE, ("Rect",), "models/index")).modules
    assert set(modules) == {"1", "2", "3", "6"}
    assert modules["2"] == '2: function _(e,t,s,n,o){n();o("Rect",e(3).Rect);},\n'
    modules = figures.read(figures.cut(BUNDLE, ("Circle", "Text"), "models/index")).modules
    assert set(modules) == {"1", "2", "4", "5"}


def test_modules_in_a_list_keep_their_places() -> None:
    listed = BUNDLE.replace("})({", "})([").replace("}, 1, {", "], 0, {")
    for number in (1, 2, 3, 4, 5, 6, 9):
        listed = listed.replace(f"\n{number}: function", "\nfunction")
    listed = listed.replace("e(2)", "e(1)").replace("e(3)", "e(2)").replace("e(9)", "e(6)")
    listed = listed.replace('"main":1,"models/index":2,"core/shape":6', '"models/index":1')
    text = figures.cut(listed, ("Rect",), "models/index")
    assert text.splitlines()[5:8] == ["0,", "0,", "0,"]


def test_a_model_that_is_gone_and_a_script_of_another_form_are_named() -> None:
    with pytest.raises(Failure, match="no model Sphere"):
        figures.cut(BUNDLE, ("Sphere",), "models/index")
    with pytest.raises(Failure, match="no bundle"):
        figures.read("import x from 'y'")


def test_every_model_of_the_views_is_kept() -> None:
    used = set()
    for path in (WEB / "playground").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("bokeh.models"):
                used |= {alias.name for alias in node.names}
    assert used >= {"Plot", "Rect"}
    assert used - {"Model", "Glyph", "Tool"} <= set(figures.BOKEH)
