"""A small static server for dist/: right types, and the compressed neighbour of a file."""

import functools
import http.server
import os
import socketserver
import sys
from pathlib import Path

from .places import DIST, Failure, say

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".bin": "application/octet-stream",
}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves one folder; files with a hash in their name may be kept for ever."""

    protocol_version = "HTTP/1.1"
    compressed = ""

    def send_head(self):  # type: ignore[no-untyped-def]
        path = self.translate_path(self.path)
        accepted = "gzip" in self.headers.get("Accept-Encoding", "")
        if os.path.isdir(path) and self.path.split("?")[0].endswith("/"):
            path = os.path.join(path, "index.html")
        self.compressed = path + ".gz" if accepted and os.path.isfile(path + ".gz") else ""
        return super().send_head()

    def translate_path(self, path: str) -> str:
        return self.compressed or super().translate_path(path)

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        text = os.fspath(path).removesuffix(".gz" if self.compressed else "")
        return TYPES.get(os.path.splitext(text)[1]) or super().guess_type(text)

    def end_headers(self) -> None:
        if self.compressed:
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Vary", "Accept-Encoding")
        hashed = self.path.split("?")[0].startswith("/assets/")
        # A frame that another page's sandbox has left without an origin may fetch, too.
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Cache-Control", "max-age=31536000, immutable" if hashed else "no-cache")
        self.compressed = ""
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the address was printed, the browser's own tools show requests."""


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Pass over browsers that close a connection early; say everything else."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def server(folder: Path = DIST, port: int = 0, host: str = "127.0.0.1") -> Server:
    """Return a server for a folder, not yet serving; port 0 takes any free one."""
    handler = functools.partial(Handler, directory=str(folder))
    try:
        return Server((host, port), handler)
    except OSError as error:
        raise Failure(f"Port {port} cannot be used ({error.strerror}); try --port 0") from error


def serve(port: int) -> None:
    """Serve dist/ until interrupted."""
    with server(port=port) as running:
        say(f"Serving on http://127.0.0.1:{running.server_address[1]}/  (Ctrl+C stops)")
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            say("Stopped")
