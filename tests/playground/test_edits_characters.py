"""Characters of a Chinese keyboard are made plain, except where they are text."""

from playground.edits import plain_characters


def test_a_line_gets_plain_characters_outside_of_strings_and_comments() -> None:
    source = 'x = 1\r\nprint（"好，（1）"，x）  # （说明）\r\ny = 2'
    edit = plain_characters(source, 2)
    assert edit.text == 'x = 1\r\nprint("好，（1）",x)  # （说明）\r\ny = 2'
    assert (edit.first, edit.last) == (2, 2)
