"""A build takes the old one's place only when it is whole, and names no other origin."""

import gzip
import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from builder import archives, assemble, check, page, places, rewrites
from builder.page import Asset
from builder.places import Failure

PAGE = """<!doctype html><link rel="stylesheet" href="shell.css">
<script type="application/json" id="manifest">{}</script>
<script defer src="shell.js"></script><body></body>"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shell of one page and a dist/ from an earlier build."""
    shell = tmp_path / "shell"
    (shell / "icons").mkdir(parents=True)
    (shell / "index.html").write_text(PAGE)
    (shell / "icons/mark.svg").write_text("<svg/>")
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist/index.html").write_text("the old page")
    for module in (page, assemble, archives):
        monkeypatch.setattr(module, "WORK", tmp_path / "work")
    monkeypatch.setattr(page, "SHELL", shell)
    monkeypatch.setattr(assemble.inputs, "fetch", lambda entries: None)
    return tmp_path


def asset(name: str, data: bytes, **more: bool) -> Asset:
    return Asset(name, data, "bytes", "page", **more)


def with_assets(monkeypatch: pytest.MonkeyPatch, *more: Asset) -> None:
    made = [asset("shell.js", b"1"), asset("shell.css", b"a{}"), *more]
    monkeypatch.setattr(assemble, "_assets", lambda entries, kind: made)


def test_the_manifest_names_every_asset(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_assets(monkeypatch, asset("own.zip", b"abc" * 100, gzipped=True, later=True))
    assemble.build(checkout / "dist")
    text = (checkout / "dist/index.html").read_text()
    data = text.partition('id="manifest">')[2].partition("</script>")[0]
    (row,) = json.loads(data)["assets"]
    assert row["encoding"] == "gzip"
    assert row["later"] is True
    file = checkout / "dist" / row["url"]
    assert gzip.decompress(file.read_bytes()) == b"abc" * 100
    assert row["bytes"] == file.stat().st_size
    assert 'src="assets/shell.' in text
    assert (checkout / "dist/icons/mark.svg").exists()


def test_an_interrupted_build_leaves_the_old_one(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_assets(monkeypatch)

    def interrupted(folder: Path) -> None:
        assert (folder / "index.html").exists()
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "same_origin", interrupted)
    with pytest.raises(KeyboardInterrupt):
        assemble.build(checkout / "dist")
    assert (checkout / "dist/index.html").read_text() == "the old page"


def test_a_full_disk_leaves_the_old_build(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_assets(monkeypatch)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(page, "_copy_shell_files", full)
    with pytest.raises(Failure, match="full; dist/ is as it was"):
        assemble.build(checkout / "dist")
    assert (checkout / "dist/index.html").read_text() == "the old page"


def test_inputs_that_cannot_be_had_leave_the_old_build(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def none(entries: object) -> None:
        raise Failure("These inputs could not be had")

    monkeypatch.setattr(assemble.inputs, "fetch", none)
    with pytest.raises(Failure, match="could not be had"):
        assemble.build(checkout / "dist")
    assert (checkout / "dist/index.html").read_text() == "the old page"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("index.html", '<script src="https://example.com/a.js"></script>'),
        ("index.html", '<img src="//example.com/a.png">'),
        ("assets/a.css", "a { background: url(//example.com/a.png) }"),
        ("assets/a.js", 'fetch("https://example.com/a")'),
        ("assets/a.js", 'new WebSocket("wss://example.com/a")'),
    ],
)
def test_an_address_elsewhere_fails_the_build(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    with pytest.raises(Failure, match=r"names example\.com"):
        check.same_origin(tmp_path)


def test_an_address_inside_an_archive_fails_the_build(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("panel/config.pyc", b"\x07https://cdn.example.org/a.jsz")
    (tmp_path / "own.bin").write_bytes(gzip.compress(buffer.getvalue()))
    with pytest.raises(Failure, match=r"panel/config\.pyc"):
        check.same_origin(tmp_path)


def test_rewritten_addresses_pass(tmp_path: Path) -> None:
    text = 'load("https://cdn.example.org/a.js"); link("http://www.w3.org/2000/svg")'
    (tmp_path / "a.js").write_text(rewrites.away(text))
    check.same_origin(tmp_path)
    assert "cdn.example.org.invalid/a.js" in (tmp_path / "a.js").read_text()
    assert rewrites.away(rewrites.away(text)) == rewrites.away(text)


def test_own_files_of_the_page_are_the_rooms_of_the_checkout() -> None:
    names = archives.own_files()
    assert "engine/__init__.py" in names
    assert "playground/trace.py" in names
    assert "locales/zh/shell.json" in names
    assert not any(name.startswith(("builder/", "shell/")) for name in names)
    assert places.ROOT in names["engine/__init__.py"].parents


def test_a_page_for_a_path_names_its_files_there(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_assets(monkeypatch)
    assemble.build(checkout / "dist", base_path="/autograd")
    text = (checkout / "dist/index.html").read_text()
    assert re.search(r'src="/autograd/assets/shell\.\w+\.js"', text)
    assert re.search(r'href="/autograd/assets/shell\.\w+\.css"', text)
    assert "/autograd/" not in (checkout / "dist/playground.html").read_text()


@pytest.mark.parametrize("path", ["autograd", "//elsewhere", "/a/../b", "https://school.example/"])
def test_what_is_no_path_is_refused(checkout: Path, path: str) -> None:
    with pytest.raises(Failure, match="--base-path"):
        assemble.build(checkout / "dist", base_path=path)
    assert (checkout / "dist/index.html").read_text() == "the old page"
