"""What several tests here need: the page's layout function, run by Node."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.playground.dagre import Dagre


@pytest.fixture(scope="session")
def solve() -> Iterator[Dagre]:
    dagre = Dagre()
    yield dagre
    dagre.close()
