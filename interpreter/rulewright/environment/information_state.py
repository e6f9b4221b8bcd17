"""Information states as texts: equal for two positions if and only if a player cannot tell them apart, with all that
they remember (perfect recall).

:meth:`State.history` plays a game again from its beginning each time. Whoever walks through a game asks after each
answer, so here what each player has seen is carried along with the positions, and looked up only when it is asked for.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

from rulewright.engine import Observer, State
from rulewright.foundation.lazy_dataclass import dataclass

SHORT = 4_000
"""Texts of so many characters are told in full; of longer ones the beginning is told by its digest."""
LAST = 1_000


@dataclass(frozen=True, slots=True)
class _Seen:
    """All that a player has seen up to a position."""

    observer: Observer
    text: str
    """The end of it, one JSON object a line."""
    digest: bytes
    """Of all before the text."""

    def after(self, state: State) -> _Seen:
        """The same, and what is new in a state."""
        observer = self.observer.copy()
        return _grown(self, observer, observer.look(state))


def _grown(before: _Seen, observer: Observer, entries: Any) -> _Seen:
    text, seen = before.text, before.digest
    for entry in entries:
        text += json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"
    if len(text) > SHORT + LAST:
        cut = text.index("\n", len(text) - SHORT) + 1
        seen = blake2b(seen + text[:cut].encode(), digest_size=16).digest()
        text = text[cut:]
    return _Seen(observer, text, seen)


class Walk:
    """A position in a walk through a game from its beginning, and what its players have seen on the way. It never
    changes; :meth:`step` gives the next one."""

    __slots__ = ("_before", "_known", "state")

    def __init__(self, state: State, before: Walk | None = None) -> None:
        self.state = state
        self._before = before
        self._known: dict[int, _Seen] = {}

    def step(self, state: State) -> Walk:
        """The position after an answer, or after an outcome of chance."""
        return Walk(state, self)

    def information_state(self, player: int) -> str:
        """All that a player (by number) has seen and heard, one JSON object a line, as :meth:`State.history` tells it;
        of much the beginning as a digest."""
        seen = self._seen(player)
        return f"{seen.digest.hex()}\n{seen.text}" if seen.digest else seen.text

    def _seen(self, player: int) -> _Seen:
        way: list[Walk] = []
        here: Walk | None = self
        while here is not None and player not in here._known:
            way.append(here)
            here = here._before
        found = here._known[player] if here is not None else None
        for point in reversed(way):
            found = _Seen(Observer(point.state, player), "", b"").after(point.state) if found is None else (
                found.after(point.state))  # fmt: skip
        assert found is not None
        self._known[player] = found
        return found

    def in_world(self, player: int, seed: int) -> Walk:
        """A walk that goes on in a world that a player thinks possible (:meth:`State.imagine`): they have seen the
        same, of what others have seen nothing is known before it."""
        world = self.state.imagine(player, seed)
        found = Walk(world)
        seen = self._seen(player)
        observer = seen.observer.copy()
        observer.entries, observer.secret = [], []
        found._known[player] = _Seen(observer, seen.text, seen.digest)
        return found

    def __copy__(self) -> Walk:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Walk:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _walk_again, (
            self.state,
            {player: self._seen(player) for player in range(self.state.engine.program.players)},
        )


def _walk_again(state: State, known: dict[int, _Seen]) -> Walk:
    found = Walk(state)
    found._known.update(known)
    return found
