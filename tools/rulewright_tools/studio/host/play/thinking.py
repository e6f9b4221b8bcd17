"""Agents that think: viewers see their progress, and a stop lets them answer with the best found so far."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import rulewright as rw
from rulewright_tools.studio.host.messages import Message, notification

FIRST, BETWEEN = 0.3, 0.2
"""Seconds before the first report of progress, and between two reports."""

GRACE = 1.0
"""Seconds that something has to end by itself after a stop; then it is cut off."""

Describing = Callable[[rw.playing.PositionAnalysis], dict[str, Any]]
"""Finds the words for what an agent has found."""


class Stop(Protocol):
    """A flag for a stop that the page requests, such as a :class:`threading.Event`."""

    def is_set(self) -> bool:
        """True if it is to stop."""

    def clear(self) -> None:
        """Reset the flag."""


class Never:
    """A flag that is never set, where no stop can be requested."""

    def is_set(self) -> bool:
        """Never."""
        return False

    def clear(self) -> None:
        """Do nothing."""


class Late:
    """A stop that takes effect some time after its request: until then work may end by itself."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self._since: float | None = None

    def is_set(self) -> bool:
        """True if it was requested long enough ago."""
        if not self._stop.is_set():
            self._since = None
            return False
        now = time.monotonic()
        if self._since is None:
            self._since = now
        return now - self._since > GRACE


@dataclass(slots=True)
class Looking:
    """The one who looks at agents that think."""

    stop: Stop
    post: Callable[[Message], None] | None = None
    """Sends a message while a request is carried out; none if there is no receiver."""

    def analysed(
        self, search: rw.playing.Search, state: rw.State, dice: rw.playing.Dice, describe: Describing | None
    ) -> rw.playing.PositionAnalysis:
        """The thoughts about a position: all of them, or those up to a stop. Nothing else changes them. None of them
        are sent where `describe` is None: the viewer may not know them."""
        begun = last = time.monotonic()

        def keep_going(looked: int, part: float) -> bool:
            nonlocal last
            now = time.monotonic()
            if self.post is not None and describe is not None and now - begun >= FIRST and now - last >= BETWEEN:
                last = now
                found = search.so_far()
                if found is not None:
                    thought = {**describe(found), "looked": looked, "part": min(part, 1.0)}
                    self.post(notification("game/thinking", thought))
            return not self.stop.is_set()

        return search.analyse(state, dice, keep_going)


Think = Callable[["rw.playing.Search", "rw.State", "rw.playing.Dice"], "rw.playing.PositionAnalysis"]
"""Lets a search think about a position."""


def undisturbed(search: rw.playing.Search, state: rw.State, dice: rw.playing.Dice) -> rw.playing.PositionAnalysis:
    """The thoughts about a position without a viewer."""
    return search.analyse(state, dice)
