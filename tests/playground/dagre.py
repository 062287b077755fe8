"""The page's layout function under Node, for tests on CPython."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from web.builder import machine

ROOT = Path(__file__).parent.parent.parent
PROGRAM = """
import { solve } from "./web/shell/dagre-layout.js";
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) console.log(solve(line));
"""


class Dagre:
    """One Node process that answers any number of questions."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [machine.node(), "--input-type=module", "--eval", PROGRAM],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, question: str) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(json.loads(question)) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    def close(self) -> None:
        self._process.communicate()
