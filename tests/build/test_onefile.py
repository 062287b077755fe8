"""The one file holds every asset, with nothing in it that ends an element too early."""

import base64
import json
import re

import pytest

from builder import onefile
from builder.places import Failure

PAGE = """<!doctype html><html><head><link rel="icon" href="icons/mark.svg">
<link rel="stylesheet" href="shell.css">
<script type="application/json" id="manifest">{}</script>
<script defer src="shell.js"></script></head><body><p>first frame</p></body></html>"""
OWN = [("shell.css", b"p { color: red }", False), ("shell.js", b"say('</script><!--')", False)]


def test_every_asset_is_inside_after_the_first_frame() -> None:
    text = onefile.html(PAGE, {"assets": []}, [*OWN, ("memory.bin", b"\x00\xff", False)])
    inside = re.search(r'data-asset="memory.bin">([^<]*)<', text)
    assert inside and base64.b64decode(inside[1]) == b"\x00\xff"
    assert text.index("first frame") < text.index("memory.bin")
    assert "icons/mark.svg" not in text and 'src="' not in text and "href=" not in text


def test_packed_assets_say_so() -> None:
    text = onefile.html(PAGE, {}, [*OWN, ("a.js", b"x", True), ("b.bin", b"x", False)])
    assert 'data-asset="a.js" data-gzip>' in text
    assert 'data-asset="b.bin">' in text


def test_a_script_cannot_end_its_own_element() -> None:
    text = onefile.html(PAGE, {}, OWN)
    assert r"say('<\/script><\!--')" in text


def test_the_manifest_is_whole_and_a_program_has_its_place() -> None:
    manifest = {"version": "1", "examples": [{"text": "print('</script>')"}]}
    text = onefile.html(PAGE, manifest, OWN)
    told = re.search(r'id="manifest">(.*?)</script>', text)
    assert told and json.loads(told[1]) == manifest
    assert '<script type="application/json" id="opened">{}</script>' in text


def test_a_page_that_lacks_a_slot_is_refused() -> None:
    with pytest.raises(Failure, match=r"shell\.css"):
        onefile.html(PAGE.replace("shell.css", "other.css"), {}, OWN)
