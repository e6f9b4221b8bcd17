"""The board as the page has it, of which only what is different is sent."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from rulewright_tools.render.svg.board import Board, Thing

T = TypeVar("T", bound=Hashable)

_NOTHING = Board("", (), ())


class SentBoard:
    """Boards that were sent to one page, the last of which it has: messages come in the order in which they were sent.

    A page that does not have the base of a board asks for all of it (*game/show*).
    """

    def __init__(self) -> None:
        self._number = 0
        self._last: Board | None = None

    def forget(self) -> None:
        """Forget the last board: the next one is sent as a whole."""
        self._last = None

    def changes_to(self, board: Board) -> dict[str, Any]:
        """A board that is sent: parts, and which of those that the page has stay. Its number is that of the last one if
        it is the same."""
        before, base = (_NOTHING, None) if self._last is None else (self._last, self._number)
        self._number += board != self._last
        self._last = board
        layers = [
            changed_parts(before.layers[number] if number < len(before.layers) else (), layer, str)
            for number, layer in enumerate(board.layers)
        ]
        return {
            "number": self._number,
            "base": base,
            "frame": board.frame,
            "layers": layers,
            "things": changed_parts(before.things, board.things, _thing_data),
        }


def changed_parts(before: Sequence[T], now: Sequence[T], data_of: Callable[[T], Any]) -> list[Any]:
    """All parts in their order: those that were there before as runs, each `[number of the first, how many]`, the
    others as data."""
    numbers: dict[T, int] = {}
    for number, part in enumerate(before):
        numbers.setdefault(part, number)
    found: list[Any] = []
    run: list[int] | None = None
    for part in now:
        if run is not None and (after := sum(run)) < len(before) and before[after] == part:
            run[1] += 1
        elif (known := numbers.get(part)) is not None:
            run = [known, 1]
            found.append(run)
        else:
            run = None
            found.append(data_of(part))
    return found


def _thing_data(thing: Thing) -> dict[str, Any]:
    data = {"id": thing.id, "kind": thing.kind, "name": thing.name, "place": thing.place}
    return {**data, "key": thing.piece, "count": thing.count} if thing.kind == "piece" else data
