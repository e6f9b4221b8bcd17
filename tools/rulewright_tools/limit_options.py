"""``--time``: how long a command may take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Literal

import rulewright as rw
from rulewright_tools.console import Exit
from rulewright_tools.vocabulary import named

Time = Annotated[float | None, named("--time", min=0.001)]


@dataclass(slots=True)
class Ending:
    """The way in which some work has ended: by itself, by a person, or because its time was over."""

    by: Literal["itself", "person", "time"] = "itself"

    @property
    def early(self) -> bool:
        """True if something was left to do: the figures are those of what was done."""
        return self.by != "itself"

    def note(self, done: str) -> str:
        """The sentence on what was done until then."""
        return f"{'the time was over' if self.by == 'time' else 'stopped'} after {done}; these are the figures so far"

    def exit(self, otherwise: Exit = Exit.FINE) -> Exit:
        """The exit code: what ends on time has ended well."""
        return Exit.INTERRUPTED if self.by == "person" else otherwise


@contextmanager
def ending_at(time: float | None) -> Iterator[Ending]:
    """Work that a person may end, and that ends by itself after some seconds; what is printed of it takes its own
    time."""
    ending = Ending()
    try:
        with rw.limited(rw.Limits(seconds=time)):
            yield ending
    except KeyboardInterrupt:
        ending.by = "person"
    except rw.Stopped:
        ending.by = "time"
