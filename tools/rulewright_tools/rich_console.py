"""The console of rich, made safe; a module of its own because rich takes long to import."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

import rulewright as rw
from rulewright_tools.text_wrapping import wrapped


class SafeConsole(Console):
    """A console for other people's words; closed pipes it leaves to :mod:`rulewright_tools.error_boundary`."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, soft_wrap=True, markup=False, emoji=False)

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as rich does; on a terminal lines are broken between words, and what follows is indented."""
        if self.is_terminal and len(objects) == 1 and isinstance(objects[0], (str, Text)) and not options.get("end"):
            text = Text(objects[0]) if isinstance(objects[0], str) else objects[0]
            lines = [part for line in text.split(allow_blank=True) for part in self._wrapped(line)]
            objects = (Text("\n").join(lines),)
        super().print(*objects, **options)

    def _wrapped(self, line: Text) -> list[Text]:
        leading = len(line.plain) - len(line.plain.lstrip())
        return wrapped(line, self.width, min(leading + 2, self.width // 2))

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render without anything that only a terminal would understand."""
        for segment in super().render(renderable, options):
            # Control codes of rich itself are segments of their own.
            if segment.control or not rw.characters.UNSEEN.search(segment.text):
                yield segment
            else:
                yield Segment(rw.characters.printable(segment.text, lines=True), segment.style)

    def on_broken_pipe(self) -> None:
        """The reader has gone."""
        raise BrokenPipeError
