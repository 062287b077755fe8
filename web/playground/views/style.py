"""The stylesheet of the HTML panes. Tokens come from the page and reach into every shadow root."""

from pathlib import Path

# In this order: what all share, then what single panels add.
SHEETS = ("base", "controls", "tables", "panes", "answers", "inspector")

CSS = "".join((Path(__file__).parent / "css" / f"{name}.css").read_text("utf-8") for name in SHEETS)
