r"""LaTeX to MathML, for the formulas of operations.

Knows what the engine's records use: letters, numbers, operators, `^`, `_`, `\frac`, `\sqrt`,
`\operatorname`, `\text`, accents of size (`\left`), matrices, and `\code{…}` for source text.
A command it does not know is shown by its name, never dropped.
"""

from __future__ import annotations

import re
from html import escape
from itertools import groupby

from playground.explain.signs import FUNCTIONS, GREEK, SYMBOLS

TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|[0-9]+(?:\.[0-9]+)?|\s+|.", re.DOTALL)

SPACES = {",": "0.17em", ":": "0.22em", ";": "0.28em", " ": "0.33em", "quad": "1em", "!": "0"}
BRACKETS = {"pmatrix": ("(", ")"), "vmatrix": ("|", "|")}
BIG = {"∑", "∏", "∫", "⋀", "⋁"}
FENCES = set("()[]|⌊⌋⌈⌉‖⟨⟩{}")
VARIANTS = {
    "mathbf": "bold",
    "mathbb": "double-struck",
    "mathcal": "script",
    "mathsf": "sans-serif",
}


def mathml(latex: str) -> str:
    """The formula as a <math> element; its LaTeX is kept for screen readers that prefer it."""
    body = _Parser(latex).run()
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline">{body}</math>'


class _Parser:
    def __init__(self, latex: str) -> None:
        self.tokens: list[str] = [token for token in TOKEN.findall(latex) if token]
        self.at = 0

    def run(self) -> str:
        return self._row(None)

    def _next(self) -> str | None:
        if self.at >= len(self.tokens):
            return None
        self.at += 1
        return self.tokens[self.at - 1]

    def _peek(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _skip_space(self) -> None:
        while (token := self._peek()) is not None and token.isspace():
            self.at += 1

    def _row(self, end: str | None) -> str:
        """Everything up to `end`, scripts attached to what stands before them."""
        items: list[str] = []
        while (token := self._next()) is not None and token != end:
            if token.isspace():
                continue
            if token in ("^", "_") or (token == "'" and items):
                items.append(self._scripts(items.pop() if items else "<mrow></mrow>", token))
            else:
                items.append(self._atom(token))
        return items[0] if len(items) == 1 else f"<mrow>{''.join(items)}</mrow>"

    def _scripts(self, base: str, first: str) -> str:
        found: dict[str, str] = {}
        token: str | None = first
        while token in ("^", "_", "'"):
            found["^" if token == "'" else token] = (
                "<mo>′</mo>" if token == "'" else self._argument()
            )
            self._skip_space()
            token = self._peek()
            if token in ("^", "_", "'") and ("^" if token == "'" else token) not in found:
                self.at += 1
            else:
                break
        under = any(f">{symbol}</mo>" in base for symbol in BIG)
        names = ("munderover", "munder", "mover") if under else ("msubsup", "msub", "msup")
        if len(found) == 2:
            return f"<{names[0]}>{base}{found['_']}{found['^']}</{names[0]}>"
        name = names[1] if "_" in found else names[2]
        return f"<{name}>{base}{next(iter(found.values()))}</{name}>"

    def _argument(self) -> str:
        self._skip_space()
        token = self._next()
        if token is None:
            return "<mrow></mrow>"
        if token.isdigit() and len(token) > 1:  # \\frac12 is one half
            self.at -= 1
            self.tokens[self.at : self.at + 1] = list(token)
            token = self._next() or token
        return self._row("}") if token == "{" else self._atom(token)

    def _raw(self) -> str:
        """The text of a braced argument as it stands."""
        self._skip_space()
        if self._peek() != "{":
            return self._next() or ""
        self.at += 1
        depth, parts = 1, []
        while (token := self._next()) is not None:
            depth += (token == "{") - (token == "}")
            if not depth:
                break
            parts.append(token[1:] if token[0] == "\\" and len(token) == 2 else token)
        return "".join(parts)

    def _atom(self, token: str) -> str:
        if token == "{":
            return self._row("}")
        if token[0] == "\\":
            return self._command(token[1:])
        if token[0].isdigit():
            return f"<mn>{token}</mn>"
        if token.isalpha():
            return f"<mi>{escape(token)}</mi>"
        if token == "-":
            return "<mo>−</mo>"
        if token in FENCES:
            return f'<mo stretchy="false">{escape(token)}</mo>'
        if token == "~":
            return '<mspace width="0.33em"/>'
        return f"<mo>{escape(token)}</mo>"

    def _command(self, name: str) -> str:
        if name in SYMBOLS:
            symbol = SYMBOLS[name]
            return (
                f"<mi>{symbol}</mi>" if name in ("partial", "infty", "top") else self._sign(symbol)
            )
        if name in GREEK:
            return f"<mi>{GREEK[name]}</mi>"
        if name in FUNCTIONS:
            self._skip_space()
            tight = self._peek() in (None, "(", "^", "_", "\\left", "}")
            return f"<mi>{name}</mi>" if tight else f'<mi>{name}</mi><mspace width="0.17em"/>'
        if name in SPACES:
            return f'<mspace width="{SPACES[name]}"/>'
        if name in ("frac", "tfrac", "dfrac"):
            return f"<mfrac>{self._argument()}{self._argument()}</mfrac>"
        if name == "sqrt":
            return f"<msqrt>{self._argument()}</msqrt>"
        if name in ("operatorname", "mathrm", "mathit"):
            return f'<mi mathvariant="normal">{escape(self._raw())}</mi>'
        if name in VARIANTS:
            return f'<mi mathvariant="{VARIANTS[name]}">{escape(self._raw())}</mi>'
        if name in ("text", "textrm"):
            return f"<mtext>{_spaced(self._raw())}</mtext>"
        if name == "code":
            return f'<mtext class="code">{_spaced(self._raw())}</mtext>'
        if name in ("mathbin", "mathrel", "mathop", "boldsymbol"):
            return self._argument()
        if name in ("left", "right", "big", "Big", "bigl", "bigr"):
            return self._fence()
        if name == "begin":
            return self._matrix(self._raw())
        if name == "overline":
            return f'<mover>{self._argument()}<mo stretchy="true">‾</mo></mover>'
        if name == "hat":
            return f"<mover>{self._argument()}<mo>^</mo></mover>"
        if len(name) == 1 and not name.isalpha():
            return self._atom(name) if name not in "{}" else f'<mo stretchy="false">{name}</mo>'
        return f"<mtext>{escape(name)}</mtext>"

    def _sign(self, symbol: str) -> str:
        if symbol in FENCES:
            return f'<mo stretchy="false">{symbol}</mo>'
        return f"<mo>{symbol}</mo>"

    def _fence(self) -> str:
        token = self._next() or "."
        if token == ".":
            return ""
        symbol = SYMBOLS.get(token[1:], token[1:]) if token[0] == "\\" else token
        return f"<mo>{escape(symbol)}</mo>"

    def _matrix(self, kind: str) -> str:
        """A `bmatrix` and its like: rows parted by two backslashes, cells by &."""
        inner: list[str] = []
        while (token := self._next()) is not None:
            if token == "\\end":
                self._raw()
                break
            inner.append(token)
        rows = [list(part) for wall, part in groupby(inner, lambda t: t == "\\\\") if not wall]
        body = ""
        for row in rows:
            cells = [list(part) for wall, part in groupby(row, lambda t: t == "&") if not wall]
            body += "<mtr>" + "".join(f"<mtd>{_part(cell)}</mtd>" for cell in cells) + "</mtr>"
        left, right = BRACKETS.get(kind, ("", ""))
        # The stylesheet draws square brackets: only fonts made for formulas stretch them.
        drawn = ' class="brackets"' if kind == "bmatrix" else ""
        table = f'<mtable{drawn} columnspacing="0.5em" rowspacing="0.1em">{body}</mtable>'
        fence = f"<mo>{left}</mo>{table}<mo>{right}</mo>" if left else table
        return f'<mrow class="value">{fence}</mrow>'


def _part(tokens: list[str]) -> str:
    parser = _Parser("")
    parser.tokens = tokens
    return parser.run()


def _spaced(text: str) -> str:
    """Text whose outer spaces MathML would drop."""
    return escape(text).replace(" ", "\u00a0")
