"""Native HTML for panes: escaping, buttons that carry an intent, icons."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from typing import Any

import panel as pn
from bokeh.document import Document
from bokeh.models import Model

from .style import CSS

ICONS = {
    "ok": '<path d="M3.5 8.5l3 3 6-7"/>',
    "no": '<path d="M4.5 4.5l7 7M11.5 4.5l-7 7"/>',
    "warn": '<path d="M8 2.5l6 10.5H2z"/><path d="M8 6.5v3M8 11.2v.2"/>',
    "open": '<path d="M6.5 3.5h-3v9h9v-3M9 3h4v4M13 3L7.5 8.5"/>',
}


def text(value: Any) -> str:
    """Text as HTML."""
    return escape(str(value), quote=False)


def icon(name: str) -> str:
    return (
        '<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" '
        'stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">'
        f"{ICONS[name]}</svg>"
    )


def attributes(**given: Any) -> str:
    """Attributes of an element; `intent` becomes data-intent, None and False are left out."""
    parts = []
    for name, value in given.items():
        if value is None or value is False:
            continue
        name = name.rstrip("_").replace("_", "-")
        if name == "intent":
            name, value = "data-intent", json.dumps(value, ensure_ascii=False)
        parts.append(name if value is True else f'{name}="{escape(str(value))}"')
    return " ".join(parts)


def button(content: str, intent: dict[str, Any], **given: Any) -> str:
    """A button whose content is HTML already; `data_key` brings the focus back to it."""
    given.setdefault("class_", "btn")
    given.setdefault("data_key", json.dumps(intent, sort_keys=True, ensure_ascii=False))
    return f"<button {attributes(type='button', intent=intent, **given)}>{content}</button>"


def facts(rows: Iterable[tuple[str, str]], kind: str = "facts") -> str:
    """A list of terms and what is said of them, both HTML."""
    inside = "".join(f"<dt>{term}</dt><dd>{said}</dd>" for term, said in rows)
    return f'<dl class="{kind}">{inside}</dl>' if inside else ""


class PlainHtml(pn.pane.HTML):  # type: ignore[misc]
    """An HTML pane with no stylesheet but ours, so that nothing is fetched from anywhere."""

    def _process_param_change(self, params: dict[str, Any]) -> dict[str, Any]:
        properties: dict[str, Any] = super()._process_param_change(params)
        if "stylesheets" in properties:
            properties["stylesheets"] = [CSS]
        return properties


class HtmlView:
    """A pane of HTML in the document; giving it the same text again costs nothing."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.html = ""
        self.pane = PlainHtml("", sizing_mode="stretch_width", margin=0)
        self.model: Model | None = None

    def root(self, document: Document) -> Model:
        """The pane's model."""
        self.model = self.pane.get_root(document, preprocess=False)
        self.model.update(name=f"view-{self.name}", stylesheets=[CSS])
        return self.model

    def write(self, html: str) -> None:
        """Say it to the model itself: by way of the pane it takes ten times as long."""
        if self.html != html:
            self.html = html
            self.model.text = escape(html)  # Panel's half in the page undoes it
