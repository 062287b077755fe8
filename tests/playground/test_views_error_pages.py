"""Every kind of error has its page in both languages, and every example raises just that."""

from __future__ import annotations

import ast
import fnmatch
import re
from pathlib import Path

import pytest

from playground.explain import pages
from playground.explain.errors import CAUSES
from playground.explain.kinds import KINDS, kind_of
from playground.explain.kinds import NAMES as NAMES_OF_KINDS
from playground.explain.pages import WITHOUT, page_of
from playground.session import Budgets, run
from playground.session.reasons import KEYS, TEXTS
from playground.views.page import html
from playground.words import LANGUAGES, sentences
from tests.playground.drawn import Talk

ROOT = Path(__file__).parents[2]
ERRORS = ROOT / "docs" / "reference" / "errors"
NAMES = sorted(path.stem for path in (ERRORS / "en").glob("*.md"))


def raised_by_the_engine() -> set[str]:
    """The keys in calls of fail()."""
    keys = set()
    for path in ROOT.glob("engine/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "fail":
                continue
            if isinstance(node.args[0], ast.Constant):
                keys.add(f"error.{node.args[0].value}")
    return keys


EXPLAINED = {
    *CAUSES,
    *KEYS.values(),
    *(key for _, _, key in TEXTS),
    *raised_by_the_engine(),
    "error.tril",
    "error.triu",  # named by a variable where they are raised
    "error.select_scatter",
    *(key.removesuffix(".why") for key in sentences("en") if re.match(r"error\..*\.why$", key)),
} - WITHOUT


@pytest.mark.parametrize("key", sorted(EXPLAINED))
def test_every_explained_error_has_a_page_in_every_language(key: str) -> None:
    for language in LANGUAGES:
        assert page_of(key, language), language


@pytest.mark.parametrize("key", sorted(EXPLAINED))
def test_every_explained_error_has_a_sentence_in_every_language(key: str) -> None:
    for language in LANGUAGES:
        known = sentences(language)
        assert key in CAUSES or {f"{key}.why", f"error.{kind_of(key)}.why"} & known.keys()
        # When the facts of its own are missing, the kind's needs none but the line.
        kind = known.get(f"error.{kind_of(key)}.why")
        if key not in CAUSES and kind_of(key) in KINDS and f"{key}.why" not in known:
            assert kind is not None
            assert set(re.findall(r"\{(\w+)", kind)) <= {"line"}


def test_kinds_name_only_what_is_raised() -> None:
    names = {key.removeprefix("error.") for key in EXPLAINED}
    listed = [name for name in NAMES_OF_KINDS if "*" not in name]
    assert [name for name in listed if name not in names] == []
    stars = [name for name in NAMES_OF_KINDS if "*" in name]
    assert [star for star in stars if not fnmatch.filter(names, star)] == []


def test_there_is_no_page_about_nothing() -> None:
    assert {kind_of(key) for key in EXPLAINED} == set(NAMES)
    assert page_of("error.python", "en") is None


@pytest.mark.parametrize("name", NAMES)
def test_the_pages_of_all_languages_have_one_form_and_one_example(name: str) -> None:
    pages = [(ERRORS / language / f"{name}.md").read_text("utf-8") for language in LANGUAGES]
    forms = [
        re.sub(r"(?m)^(#+ |- |```python$|```$)?.*$", r"\1", re.sub(CODE, "```\n", page))
        for page in pages
    ]
    assert len(set(forms)) == 1
    assert len({example(page) for page in pages}) == 1
    assert [page.count("\n## ") for page in pages] == [4] * len(LANGUAGES)


CODE = re.compile(r"```python\n(.*?)```\n", re.DOTALL)


def example(page: str) -> str:
    (code,) = CODE.findall(page)
    return str(code)


@pytest.mark.parametrize("name", NAMES)
def test_the_example_raises_this_error(name: str) -> None:
    trace = run(
        example((ERRORS / "en" / f"{name}.md").read_text("utf-8")), 0, Budgets(lines=10_000)
    )
    assert trace.error is not None
    assert kind_of(trace.error.key) == name


def test_the_list_of_pages_is_whole() -> None:
    listed = re.findall(r"\((\w+)/([\w-]+)\.md\)", (ERRORS / "README.md").read_text("utf-8"))
    assert sorted(listed) == sorted((language, name) for language in LANGUAGES for name in NAMES)


def test_markdown_becomes_html_and_markup_stays_text() -> None:
    page = "# A <b>\n\ntext `x < 1`\n\n```python\nif a < b:\n    pass\n```\n\n- one\n- `two`\n"
    assert html(page) == (
        "<h2>A &lt;b&gt;</h2><p>text <code>x &lt; 1</code></p>"
        '<pre class="torch example">if a &lt; b:\n    pass</pre>'
        "<ul><li>one</li><li><code>two</code></li></ul>"
    )


def test_the_page_opens_below_the_error_and_closes_again() -> None:
    trace = run(example((ERRORS / "en" / "backward-twice.md").read_text("utf-8")))
    talk = Talk(trace)
    assert "More about this error" in talk.html("error") and "<article" not in talk.html("error")
    talk.intent("article", key="error.backward-twice")
    assert "<h2>Backward a second time</h2>" in talk.html("error")
    talk.say("language", language="zh")
    assert "<h2>第二次反向传播</h2>" in talk.html("error")
    talk.intent("article", key="error.backward-twice")
    assert "<article" not in talk.html("error")


def test_a_page_that_is_not_here_yet_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "PLACES", ())
    trace = run("import torch\ntorch.ones(2).backward()")
    assert trace.error is not None
    talk = Talk(trace)
    assert "More about this error" in talk.html("error")
    talk.intent("article", key=trace.error.key)
    assert "still on its way" in talk.html("error")


def test_where_there_is_no_page_there_is_no_link() -> None:
    talk = Talk(run("raise ValueError('mine')"))
    assert "mine" in talk.html("error") and "article" not in talk.html("error")
