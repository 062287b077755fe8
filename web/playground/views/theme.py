"""The design's tokens for canvas, the same as the page's CSS variables."""

from __future__ import annotations

from dataclasses import dataclass

MONO = (
    "ui-monospace, 'SF Mono', SFMono-Regular, Menlo, 'Cascadia Mono', Consolas, "
    "'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', monospace"
)
SANS = (
    "'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'PingFang SC', 'Hiragino Sans GB', "
    "'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', system-ui, sans-serif"
)
MATH = (
    "KaTeX_Main, 'Latin Modern Math', 'STIX Two Text', 'Times New Roman', 'Liberation Serif', serif"
)


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours by role; `pale` is the opacity of what an earlier backward call left."""

    paper: str
    bg: str
    sunk: str
    line: str
    edge: str
    ink: str
    ink2: str
    ink3: str
    accent: str
    accent_soft: str
    on_accent: str
    pos: str
    pos_soft: str
    neg: str
    neg_soft: str
    err: str
    err_soft: str
    pale: float

    def sign(self, sign: str) -> str:
        """Colour of a gradient: sign is "pos", "neg", "zero", "mixed" or "nan"."""
        return {"neg": self.neg, "zero": self.ink3, "nan": self.err}.get(sign, self.pos)

    def soft(self, sign: str) -> str:
        """Fill of the chip or slot that holds such a gradient."""
        return {"neg": self.neg_soft, "zero": self.sunk, "nan": self.err_soft}.get(
            sign, self.pos_soft
        )


LIGHT = Theme(
    paper="#ffffff",
    bg="#f6f7f9",
    sunk="#edeff3",
    line="#dde1e8",
    edge="#7d8796",
    ink="#1b2027",
    ink2="#48515e",
    ink3="#5f6977",
    accent="#3d4ec9",
    accent_soft="#e9ecfb",
    on_accent="#ffffff",
    pos="#0a7466",
    pos_soft="#dcf1ed",
    neg="#b34706",
    neg_soft="#fcebdf",
    err="#b0173c",
    err_soft="#fce8ec",
    pale=0.7,
)

DARK = Theme(
    paper="#101318",
    bg="#171a20",
    sunk="#232932",
    line="#2e3540",
    edge="#77828f",
    ink="#e8ebef",
    ink2="#b7bfca",
    ink3="#939dab",
    accent="#9aa8ff",
    accent_soft="#252c50",
    on_accent="#11142a",
    pos="#4fc6b2",
    pos_soft="#12322e",
    neg="#f59b5f",
    neg_soft="#3a2415",
    err="#ff8299",
    err_soft="#40202a",
    pale=0.55,
)

THEMES = {"light": LIGHT, "dark": DARK}
