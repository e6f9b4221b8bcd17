"""Agents that think: viewers see their progress, and a stop lets them answer with the best found so far."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
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


Watcher = Callable[[rw.playing.PositionAnalysis, int, float], None]
"""Is shown what a search has found so far, after how many continuations, and which part of its effort that is."""


class Watching(Protocol):
    """A page that is present at a game."""

    def watchers(self) -> list[Watcher]:
        """Watchers of the agent that is to move: none if the page may not know its thoughts."""


@dataclass(slots=True)
class Looking:
    """The page that looks at agents that think."""

    stop: Stop
    post: Callable[[Message], None] | None = None
    """Sends a message while a request is carried out; none if there is no receiver."""

    def watchers(self, describe: Describing | None) -> list[Watcher]:
        """A watcher that sends the page what is found; none where `describe` is None: the viewer may not know it."""
        post = self.post
        if post is None or describe is None:
            return []

        def watch(found: rw.playing.PositionAnalysis, looked: int, part: float) -> None:
            post(notification("game/thinking", {**describe(found), "looked": looked, "part": min(part, 1.0)}))

        return [watch]

    def thinking(self, watchers: Sequence[Watcher]) -> Think:
        """Lets a search think all its thoughts, or those up to a stop. Nothing else changes them."""

        def think(search: rw.playing.Search, state: rw.State, dice: rw.playing.Dice) -> rw.playing.PositionAnalysis:
            begun = last = time.monotonic()

            def keep_going(looked: int, part: float) -> bool:
                nonlocal last
                now = time.monotonic()
                if watchers and now - begun >= FIRST and now - last >= BETWEEN:
                    last = now
                    if (found := search.so_far()) is not None:
                        for watch in watchers:
                            watch(found, looked, part)
                return not self.stop.is_set()

            return search.analyse(state, dice, keep_going)

        return think


Think = Callable[["rw.playing.Search", "rw.State", "rw.playing.Dice"], "rw.playing.PositionAnalysis"]
"""Lets a search think about a position."""


def undisturbed(search: rw.playing.Search, state: rw.State, dice: rw.playing.Dice) -> rw.playing.PositionAnalysis:
    """The thoughts about a position without a viewer."""
    return search.analyse(state, dice)
