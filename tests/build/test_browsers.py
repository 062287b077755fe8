"""A browser is looked for, then fetched, in the order of what costs least."""

import pytest

from builder import browsers
from builder.places import Failure

ORDER = ["installed", "of Playwright", "with apt-get", "fetched by Playwright"]


@pytest.mark.parametrize("first", range(len(ORDER) + 1))
def test_the_first_way_that_works_is_taken(monkeypatch: pytest.MonkeyPatch, first: int) -> None:
    tried: list[str] = []

    def way(name: str) -> str:
        tried.append(name)
        return name if ORDER.index(name) == first else ""

    monkeypatch.setattr(browsers, "_installed", lambda: way(ORDER[0]))
    monkeypatch.setattr(browsers, "_from_apt", lambda: way(ORDER[2]))
    monkeypatch.setattr(browsers, "_of_playwright", lambda fetch: way(ORDER[3 if fetch else 1]))
    if first == len(ORDER):
        with pytest.raises(Failure, match="apt-get install chromium"):
            browsers.browser()
    else:
        assert browsers.browser() == ORDER[first]
    assert tried == ORDER[: first + 1]
