"""Words for the pieces that a player does not see: where they lie, and what their backs show."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.observers import observers
from rulewright.engine.runtime.records import PUBLIC

BACK = "back"
_FACE = frozenset(("face",))
_BACK = frozenset(("face", "back"))
_ANY = frozenset(("face", "back", "count"))


def lies_unseen(engine: Engine, cells: list[int], piece: int, player: int) -> bool:
    """True if a player does not see, and does not remember, the face of a piece where it lies."""
    layout = engine.layout
    if layout.known < 0 or cells[layout.known + player] >> piece & 1:
        return False
    number = cells[layout.loc + piece]
    instance = layout.instances[number]
    if instance.faced and not cells[layout.down] >> piece & 1:
        return False
    return not _see(engine, cells, number, _FACE, player)


def place_of_back(engine: Engine, cells: list[int], piece: int, player: int, offered: bool = False) -> str:
    """A piece that a player does not see as they know it: its back, where it lies, and there in which place.

    Nothing of a zone of which they see nothing, unless it is `offered` to them there, and no place where pieces lie in
    no order.
    """
    number = cells[engine.layout.loc + piece]
    instance = engine.layout.instances[number]
    counts = offered or _see(engine, cells, number, _ANY, player)
    slot = engine.compiled.ctx.support.slot_of(cells, piece) if instance.ordered else -1
    where = f" in {instance.name}" if counts else ""
    shows = engine.program.backs and _see(engine, cells, number, _BACK, player)
    shown = engine.program.backs[piece] if shows else ""
    return (shown or BACK) + where + (f", place {slot + 1}" if where and slot >= 0 else "")


def who_counts(engine: Engine, cells: list[int], piece: int) -> int:
    """The players who see that something lies where a piece lies, as a set."""
    return _seers(engine, cells, cells[engine.layout.loc + piece], _ANY)


def told_by_place(engine: Engine, cells: list[int], pieces: Sequence[int], player: int) -> dict[int, str]:
    """Those of some pieces that lie in a row or stack and whose faces a player does not see there, with what is said of
    them instead of their names."""
    if engine.layout.known < 0:
        return {}
    ordered = [p for p in pieces if engine.layout.instances[cells[engine.layout.loc + p]].ordered]
    unseen = [p for p in ordered if lies_unseen(engine, cells, p, player)]
    return {piece: place_of_back(engine, cells, piece, player, offered=True) for piece in unseen}


def _see(engine: Engine, cells: list[int], number: int, facets: frozenset[str], player: int) -> bool:
    """True if a player, or with PUBLIC everybody, sees one of these facets of a zone."""
    found = _seers(engine, cells, number, facets)
    return found == (1 << engine.layout.sizes["Player"]) - 1 if player == PUBLIC else bool(found >> player & 1)


def _seers(engine: Engine, cells: list[int], number: int, facets: frozenset[str]) -> int:
    declared = engine.program.zones[engine.layout.instances[number].zone]
    return observers(engine, cells, declared, number - engine.layout.zones[declared.name].first, facets)


__all__ = ["BACK", "lies_unseen", "place_of_back", "told_by_place", "who_counts"]
