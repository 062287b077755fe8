"""Which part of the graph is seen: fitted to the panel until the learner zooms or pans."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .frame import Size
from .measures import READABLE

STEP = 1.25
SMALLEST, LARGEST = 0.1, 3.0
MARGIN = 16
Box = tuple[float, float, float, float]  # left, top, width, height


@dataclass(frozen=True, slots=True)
class Camera:
    """Left upper corner of the window on the sheet, the zoom, and whether it follows the panel."""

    left: float = 0
    top: float = 0
    zoom: float = 1
    fitted: bool = True

    @classmethod
    def fit(cls, content: Box, panel: Size, whole: bool = False) -> Camera:
        """All of the content in the middle; not below a readable zoom unless `whole` is asked."""
        x, y, wide, high = content
        wide, high = max(wide, 1.0), max(high, 1.0)
        zoom = min(1.0, panel[0] / wide, panel[1] / high)
        if not whole:
            zoom = max(zoom, READABLE)
        zoom = max(zoom, SMALLEST)
        left = (wide - panel[0] / zoom) / 2 if wide * zoom <= panel[0] else 0.0
        top = (high - panel[1] / zoom) / 2 if high * zoom <= panel[1] else 0.0
        return cls(x + left, y + top, zoom)

    def zoomed(self, factor: float, panel: Size) -> Camera:
        """Closer or farther, the middle staying where it is."""
        zoom = max(SMALLEST, min(LARGEST, self.zoom * factor))
        x, y = self.left + panel[0] / self.zoom / 2, self.top + panel[1] / self.zoom / 2
        return Camera(x - panel[0] / zoom / 2, y - panel[1] / zoom / 2, zoom, False)

    def showing(self, box: Box, panel: Size, content: Box) -> Camera:
        """Moved so that a box is in sight; both are left, top, width, height.

        Never past the ends of the content: what is in sight as a whole stays where it is.
        """
        wide, high = panel[0] / self.zoom, panel[1] / self.zoom
        left = _slide(self.left, wide, box[0] - MARGIN, box[2] + 2 * MARGIN)
        top = _slide(self.top, high, box[1] - MARGIN, box[3] + 2 * MARGIN)
        if left != self.left:
            left = _within(left, wide, content[0], content[2], self.left)
        if top != self.top:
            top = _within(top, high, content[1], content[3], self.top)
        if (left, top) == (self.left, self.top):
            return self
        return replace(self, left=left, top=top)


def _within(start: float, room: float, low: float, length: float, now: float) -> float:
    """A window's start kept inside the content; `now` when all of it is in sight there."""
    if length <= room + 1 and now <= low + 1 and now + room >= low + length - 1:
        return now
    return max(low, min(low + length - room, start)) if length > room else low


def _slide(start: float, room: float, low: float, length: float) -> float:
    if low >= start and low + length <= start + room:
        return start
    return low + length / 2 - room / 2
