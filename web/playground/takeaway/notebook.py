"""The program as a Jupyter notebook (nbformat 4.5): the program, what it printed, the asserts."""

from __future__ import annotations

import json
from typing import Any

from playground.takeaway.program import OURS, checks, ended, seeded
from playground.trace import Trace
from playground.views.frame import Say


def notebook(trace: Trace, say: Say) -> str:
    """The `.ipynb` as JSON; the same run gives the same file."""
    cells = [_words("about", f"# {say('app.name')}\n\n{say('take.head')}")]
    cells.append(
        _code("program", seeded(trace.source, trace.seed), _printed(trace), _raises(trace))
    )
    lines = checks(trace)
    if lines:
        cells.append(_words("recorded", say("take.checks")))
        cells.append(_code("checks", "\n".join(lines), []))
    elif trace.error is not None and trace.error.key.startswith(OURS):
        message = trace.error.message or trace.error.type
        cells.append(_words("recorded", say("take.raised", error=message)))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    data = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _words(name: str, text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": _lines(text)}


def _code(
    name: str, text: str, outputs: list[dict[str, Any]], raises: bool = False
) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": {"tags": ["raises-exception"]} if raises else {},
        "outputs": outputs,
        "source": _lines(text.rstrip("\n")),
    }


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _printed(trace: Trace) -> list[dict[str, Any]]:
    outputs: list[dict[str, Any]] = []
    if trace.stdout:
        text = _lines(ended(trace.stdout))
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    error = trace.error
    if error is not None:
        said = {"ename": error.type, "evalue": error.message, "output_type": "error"}
        outputs.append({**said, "traceback": [f"{error.type}: {error.message}"]})
    return outputs


def _raises(trace: Trace) -> bool:
    """The cells after one that raises run only when it carries a tag."""
    return trace.error is not None
