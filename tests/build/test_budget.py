"""The page may only weigh so much, and a build that outgrows that says what grew."""

import pytest

from builder import budget
from builder.places import Failure

MB = budget.MB


def row(name: str, **more: object) -> dict[str, object]:
    return {"name": name, **more}


def test_what_fits_passes() -> None:
    rows = [row("memory.bin", only="snapshot"), row("own.zip", laterWith="snapshot")]
    budget.check(rows, {"memory.bin": 17 * MB, "own.zip": MB})


def test_an_asset_that_grew_is_named_with_its_share() -> None:
    share = budget.ASSETS["own.zip"]
    words = rf"own\.zip is {share + 0.1:.2f} MB compressed, its share is {share} MB"
    with pytest.raises(Failure, match=words):
        budget.check([row("own.zip")], {"own.zip": round((share + 0.1) * MB)})


def test_an_asset_nobody_expected_must_be_small() -> None:
    with pytest.raises(Failure, match=r"video\.bin is 0\.40 MB"):
        budget.check([row("video.bin")], {"video.bin": 400_000})


@pytest.mark.parametrize(
    ("more", "start"),
    [({}, "plain"), ({"only": "snapshot"}, "snapshot"), ({"laterWith": "snapshot"}, "plain")],
)
def test_many_small_assets_together_are_too_big(more: dict[str, object], start: str) -> None:
    rows = [row(f"part-{number}", **more) for number in range(100)]
    sent = {str(each["name"]): 290_000 for each in rows}
    with pytest.raises(Failure, match=f"a {start} start is 29.00 MB") as caught:
        budget.check(rows, sent)
    other = "snapshot" if start == "plain" else "plain"
    assert (f"a {other} start" in str(caught.value)) == (more == {})


def test_later_assets_count_for_no_start() -> None:
    rows = [row(f"part-{number}", later=True) for number in range(100)]
    budget.check(rows, {str(each["name"]): 290_000 for each in rows})
