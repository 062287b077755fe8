"""The service worker names every file of its release, and changes with any of them."""

from pathlib import Path

from builder import offline


def folder(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        path = tmp_path / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def head(place: Path) -> str:
    offline.write(place)
    return (place / offline.NAME).read_text(encoding="utf-8").split("\n")[0]


def test_it_names_what_belongs_to_the_release(tmp_path: Path) -> None:
    place = folder(
        tmp_path, index_html="a", index_html_gz="a", assets__b_js="b", playground_html="c"
    )
    assert '"files": ["assets/b.js", "index.html"]' in head(place)


def test_any_change_makes_another_version(tmp_path: Path) -> None:
    place = folder(tmp_path, index_html="a")
    before = head(place)
    assert head(place) == before
    assert head(folder(tmp_path, index_html="b")) != before
