"""What is in the page comes with its licence, and what has none stops the build."""

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from builder import notices
from builder.inputs import Input
from builder.places import Failure

METADATA = "Name: thing\nClassifier: License :: OSI Approved :: BSD License\n"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AUTOGRAD_PLAYGROUND_CACHE", str(tmp_path))
    (tmp_path / "downloads").mkdir()
    return tmp_path / "downloads"


def wheel(cache: Path, name: str, files: dict[str, str]) -> Input:
    with zipfile.ZipFile(cache / name, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return Input(name, "1.0", f"{name}-1.0-py3-none-any.whl", name, 0, [])


def tarball(cache: Path, name: str, files: dict[str, str]) -> Input:
    with tarfile.open(cache / name, "w:gz") as archive:
        for path, text in files.items():
            member = tarfile.TarInfo(f"package/{path}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return Input(name, "2.0", f"{name}-2.0.tgz", name, 0, [])


def test_names_licences_and_wordings_are_there(cache: Path) -> None:
    text = notices.text(
        [
            wheel(cache, "thing", {"t.dist-info/METADATA": METADATA, "LICENSE.txt": "Do good."}),
            tarball(cache, "other", {"package.json": '{"license": "MIT"}', "LICENSE": "Be free."}),
        ]
    ).decode()
    assert text.startswith(notices.HEAD)
    assert "thing 1.0, BSD License\n\nDo good." in text
    assert "other 2.0, MIT\n\nBe free." in text


def test_one_wording_for_many_packages_is_written_once(cache: Path) -> None:
    both = [tarball(cache, name, {"LICENSE": "Be free.\n"}) for name in ("one", "two")]
    text = notices.text(both).decode()
    assert text.count("Be free.") == 1
    assert "one 2.0\ntwo 2.0\n\nBe free." in text


def test_modules_about_licences_are_none(cache: Path) -> None:
    files = {"t.dist-info/METADATA": METADATA, "thing/license.py": "print('no licence')"}
    assert "print" not in notices.text([wheel(cache, "thing", files)]).decode()


def test_a_package_without_any_word_of_its_licence_stops_the_build(cache: Path) -> None:
    with pytest.raises(Failure, match=r"bare 2\.0 says nothing of its licence"):
        notices.text([tarball(cache, "bare", {"index.js": "1"})])
