"""No test leaves the engine otherwise than it found it."""

from collections.abc import Iterator

import pytest

from engine import events, views


@pytest.fixture(autouse=True)
def no_stale_views() -> Iterator[None]:
    yield
    events.be_careful(views.STALE, False)
