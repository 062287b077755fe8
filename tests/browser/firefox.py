"""Firefox by WebDriver BiDi, which it speaks itself.

Playwright drives only a Firefox of its own making; here is what a test needs of an installed one.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.server": "data:,",
}
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


class Tab:
    """One tab of a running Firefox."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.errors: list[str] = []
        self._next = 0
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self.id = self._ask("browsingContext.create", type="tab")["context"]

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._next += 1
        self.connection.send(json.dumps({"id": self._next, "method": method, "params": parameters}))
        while True:
            said = json.loads(self.connection.recv())
            if said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                self.errors.append(str(said["params"]["text"]))
            if said.get("id") == self._next:
                if said["type"] == "error":
                    raise AssertionError(said["message"])
                result: dict[str, Any] = said["result"]
                return result

    def open(self, address: str) -> None:
        """Open an address and wait until it is loaded."""
        self._ask("browsingContext.navigate", context=self.id, url=address, wait="complete")

    def resize(self, width: int, height: int) -> None:
        """Give the page a size in pixels."""
        size = {"width": width, "height": height}
        self._ask("browsingContext.setViewport", context=self.id, viewport=size)

    def evaluate(self, script: str) -> Any:
        """Return what an expression, or the promise it makes, comes to; JSON values only."""
        answer = self._ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({script})))()",
            target={"context": self.id},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise AssertionError(answer["exceptionDetails"]["text"])
        value = answer["result"].get("value")
        return None if value is None else json.loads(value)

    def click(self, selector: str) -> None:
        """Press the main button of the mouse in the middle of an element."""
        box = self.evaluate(
            f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        )
        at = {"x": int(box["x"] + box["width"] / 2), "y": int(box["y"] + box["height"] / 2)}
        actions = [
            {"type": "pointerMove", **at},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        pointer = {"type": "pointer", "id": "mouse", "actions": actions}
        self._ask("input.performActions", context=self.id, actions=[pointer])


@contextmanager
def firefox(program: str) -> Iterator[Tab]:
    """Start a Firefox with a fresh profile and give its first tab."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
        Path(profile, "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [program, "--headless", "--no-remote", "--profile", profile]
        command += ["--remote-debugging-port", "0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
            assert running.stderr is not None
            try:
                address = next(m[1] for line in running.stderr if (m := LISTENING.search(line)))
                # What it says later is of no interest, but must not fill the pipe.
                threading.Thread(target=running.stderr.read, daemon=True).start()
                with connect(f"{address}/session", max_size=None) as connection:
                    yield Tab(connection)
            finally:
                running.terminate()
                running.wait()
