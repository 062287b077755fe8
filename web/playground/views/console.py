"""What the program has printed by the cursor."""

from __future__ import annotations

from .frame import Frame
from .html import HtmlView, text


class Console(HtmlView):
    """`show` draws a frame."""

    def __init__(self) -> None:
        super().__init__("console")

    def show(self, frame: Frame) -> None:
        """Draw output up to the cursor; warnings apart, and the error when it was raised."""
        parts = [
            f'<span class="dim">{text(said)}</span>' if stream == "stderr" else text(said)
            for stream, said in frame.state.output()
        ]
        error, step = frame.trace.error, frame.state.step
        if error is not None and (step is None or step.kind == "error"):
            parts.append(f'<span class="err">{text(f"{error.type}: {error.message}")}</span>')
        if not parts:
            self.write(
                f'<p class="faint" style="margin-top:8px">{text(frame.say("console.empty"))}</p>'
            )
            return
        self.write(f'<pre class="console">{"".join(parts)}</pre>')
