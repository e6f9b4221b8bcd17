"""The console of rich, made safe; a module of its own because rich takes long to import."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

import rulewright as rw


class SafeConsole(Console):
    """A console for other people's words; closed pipes it leaves to :mod:`rulewright_tools.error_boundary`."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, soft_wrap=True, markup=False, emoji=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render without anything that only a terminal would understand."""
        for segment in super().render(renderable, options):
            # What rich itself tells the terminal are segments of their own.
            if segment.control or not rw.characters.UNSEEN.search(segment.text):
                yield segment
            else:
                yield Segment(rw.characters.printable(segment.text, lines=True), segment.style)

    def on_broken_pipe(self) -> None:
        """The reader has gone."""
        raise BrokenPipeError
