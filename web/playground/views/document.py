"""The Bokeh document: its first JSON, changes out as one patch, changes in from the page.

Nothing travels but text. Bokeh's own callbacks on the way in are Python's; nothing is scheduled.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from bokeh.core.serialization import Ref, Serializer
from bokeh.document import Document
from bokeh.document.events import DocumentPatchedEvent
from bokeh.embed.util import standalone_docs_json_and_render_items
from bokeh.model import Model

PAGE = "page"  # who a change came from, so that it is not sent back
PLAIN = frozenset({str, int, float, bool, type(None)})


class Quick(Serializer):
    """Bokeh's, but columns of plain values are looked at as a whole and not cell by cell."""

    def _encode_list(self, obj: list[Any]) -> Any:
        kinds = set(map(type, obj))
        if kinds <= PLAIN and all(isfinite(cell) for cell in obj if type(cell) is float):
            return obj
        return super()._encode_list(obj)


class Page:
    """A document whose roots are views, each named after the element it is put into."""

    def __init__(self, build: Callable[[Document], Mapping[str, Model]]) -> None:
        self.document = Document()
        self.roots = dict(build(self.document))
        # Each root by itself would have all models looked through anew: most of a second.
        with self.document.models.freeze():
            for root in self.roots.values():
                self.document.add_root(root)
        self._changes: list[DocumentPatchedEvent] = []
        self._known: dict[int, Ref] = {}
        self.document.on_change(self._changed)

    def _changed(self, event: Any) -> None:
        if isinstance(event, DocumentPatchedEvent) and event.setter != PAGE:
            self._changes.append(event)

    def ready(self) -> dict[str, Any]:
        """What the page needs to embed the document."""
        docs, items = standalone_docs_json_and_render_items(
            list(self.document.roots), suppress_callback_warning=True
        )
        render = [item.to_json() for item in items]
        render[0]["roots"] = {root.id: f"view-{name}" for name, root in self.roots.items()}
        render[0]["root_ids"] = [root.id for root in self.roots.values()]
        self._changes.clear()
        return {
            "type": "ready",
            "docs_json": json.dumps(docs),
            "render_items": json.dumps(render),
            "root_ids": json.dumps(render[0]["root_ids"]),
        }

    def take(self) -> str | None:
        """The changes since the last time as a patch, values as they are now; None without any."""
        if not self._changes:
            return None
        changes, self._changes = self._changes, []
        serializer = Quick(deferred=False)
        serializer._references = self._references()
        patch = {"events": serializer.encode(changes)}
        self.document.models.flush_synced(lambda model: not serializer.has_ref(model))
        return json.dumps(patch)

    def _references(self) -> dict[int, Ref]:
        """The models the page has, gathered again only when there are more or fewer."""
        models = self.document.models
        if len(self._known) != len(models):
            self._known = {id(model): model.ref for model in models.synced_references}
        return self._known

    def apply(self, patch: str) -> None:
        """Make the page's change in the document."""
        self.document.apply_json_patch(json.loads(patch), setter=PAGE)
