"""The static page speaks the English of the locale files, and no key is unknown."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

SHELL = Path(__file__).parents[2] / "web/shell"
LOCALES = SHELL.parent / "locales"
ENGLISH = {
    key: text
    for name in ("shell", "share")
    for key, text in json.loads((LOCALES / f"en/{name}.json").read_text("utf-8")).items()
}


class Marked(HTMLParser):
    """Collects what marked elements say: key and words, of text and of names."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[str, str]] = []
        self._key: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        facts = json.loads(given.get("data-t-facts") or "{}")
        self._key = given.get("data-t")
        self._facts = facts
        for mark in ("data-t-group", "data-t-label"):
            if key := given.get(mark):
                self.said.append((filled(key, facts), given.get("aria-label") or ""))

    def handle_data(self, data: str) -> None:
        if self._key and data.strip():
            self.said.append((filled(self._key, self._facts), data))
            self._key = None


def filled(key: str, facts: dict[str, object]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: str(facts[found[1]]), ENGLISH[key])


def test_the_static_page_speaks_the_words_of_the_locale_file():
    page = Marked()
    page.feed((SHELL / "index.html").read_text("utf-8"))
    assert len(page.said) > 50
    assert [(known, said) for known, said in page.said if known != said] == []


def test_every_key_the_shell_asks_for_is_there():
    keys = set()
    for path in SHELL.rglob("*.js"):
        keys |= set(re.findall(r'\bt\(\s*"([a-z][\w.]*)"', path.read_text("utf-8")))
    assert "program.here" in keys
    assert keys - set(ENGLISH) == set()


def test_every_example_has_a_title_and_a_note():
    for path in sorted((SHELL.parent / "examples").glob("*.py")):
        name = path.stem.split("-", 1)[1]
        assert f"example.{name}" in ENGLISH
        assert f"example.{name}.note" in ENGLISH


def test_the_first_frame_shows_the_first_example():
    page = (SHELL / "index.html").read_text("utf-8")
    block = re.search(r'<pre id="first-program">(.*?)</pre>', page, re.S)
    assert block is not None
    lines = re.findall(r"<code>(.*?)</code>", block[1], re.S)
    shown = "\n".join(re.sub(r"</?b>", "", line) for line in lines)
    first = min((SHELL.parent / "examples").glob("*.py"))
    assert shown == first.read_text("utf-8").rstrip("\n")
