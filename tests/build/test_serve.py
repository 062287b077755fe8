"""The server names types right and prefers a compressed neighbour."""

import gzip
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest

from builder import serve


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<p>page")
    for name in ("a.wasm", "a.js", "a.bin"):
        (tmp_path / "assets" / name).write_bytes(name.encode())
    (tmp_path / "assets/a.wasm.gz").write_bytes(gzip.compress(b"a.wasm"))
    with serve.server(tmp_path) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def get(url: str, **headers: str) -> tuple[bytes, Message]:
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
        return answer.read(), answer.headers


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("", "text/html; charset=utf-8"),
        ("assets/a.js", "text/javascript; charset=utf-8"),
        ("assets/a.wasm", "application/wasm"),
        ("assets/a.bin", "application/octet-stream"),
    ],
)
def test_types(address: str, path: str, kind: str) -> None:
    assert get(address + path)[1]["Content-Type"] == kind


def test_compressed_for_whoever_accepts_it(address: str) -> None:
    data, headers = get(f"{address}assets/a.wasm", **{"Accept-Encoding": "br, gzip"})
    assert headers["Content-Encoding"] == "gzip"
    assert headers["Content-Type"] == "application/wasm"
    assert gzip.decompress(data) == b"a.wasm"
    data, headers = get(f"{address}assets/a.wasm")
    assert "Content-Encoding" not in headers
    assert data == b"a.wasm"


def test_hashed_files_are_kept_and_the_page_is_not(address: str) -> None:
    assert "immutable" in get(f"{address}assets/a.js")[1]["Cache-Control"]
    assert get(address)[1]["Cache-Control"] == "no-cache"


def test_what_is_not_there(address: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404"):
        get(f"{address}../pyproject.toml")
