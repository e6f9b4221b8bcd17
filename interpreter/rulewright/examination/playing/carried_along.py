"""Exchanges completed: what is printed on pieces, parties and dice goes along with seats, colours and kinds.

If seats are exchanged their parties are, and the pieces of the one for those of the other with the same printed values;
where pieces of a seat have a colour the colours go along, too. So a position stays one that could be laid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, permutations, product

from rulewright.engine.cells.support import bits_of
from rulewright.ir import model as m

MOST_COLOURS = 5
"""Members of an enum that may have to go along with pieces."""
MOST_WAYS = 300
"""Ways for enums to go along that are tried."""
_ROUND = frozenset({"Player.left", "Player.right", "Player.seat"})
"""Tables of every game; who sits beside whom is the same when all move on by a seat."""
_Places = dict[str, tuple[int, ...]]


def completed(program: m.Program, core: Mapping[str, tuple[int, ...]]) -> _Places | None:
    """An exchange with all that goes along; None if something printed has no counterpart."""
    sizes = {u.name: u.size for u in program.universes}
    if any(sizes.get(name) != len(to) for name, to in core.items()):
        return None
    if any(one.name in core or one.place in core for one in program.merged):
        return None
    places = dict(core)
    _dice(program, places)
    if not _parties(program, places):
        return None
    for more in _ways(program, places):
        pieces = _pieces(program, {**places, **more})
        if pieces is not None:
            return {**places, **more, "Piece": pieces}
    return None


def _dice(program: m.Program, places: _Places) -> None:
    """Dice and other enums with all members of one that is exchanged: by their names."""
    known = {u.name: u for u in program.universes}
    for name in [name for name in places if known[name].sort == "enum"]:
        moved = known[name].keys
        for other in program.universes:
            if other.sort == "enum" and other.name not in places and set(moved) < set(other.keys):
                images = dict(zip(moved, (moved[to] for to in places[name]), strict=True))
                places[other.name] = tuple(other.keys.index(images.get(key, key)) for key in other.keys)


def _parties(program: m.Program, places: _Places) -> bool:
    """Parties of players go along with these; False if there is none in the place of one."""
    seats = places.get("Player")
    for universe in program.universes if seats is not None else ():
        if universe.sort != "party":
            continue
        assert seats is not None
        members = next((t.values for t in program.tables if t.name == f"{universe.name}.members"), ())
        held = [frozenset(bits_of(one)) if isinstance(one, int) else frozenset() for one in members]
        moved = [frozenset(seats[one] for one in players) for players in held]
        if sorted(map(sorted, held)) != sorted(map(sorted, moved)):
            return False
        places[universe.name] = tuple(
            number if not players else held.index(players) for number, players in enumerate(moved)
        )
    return all(_fits(table, places) for table in program.tables if _is_of_people(program, table))


def _is_of_people(program: m.Program, table: m.Table) -> bool:
    sorts = {u.name: u.sort for u in program.universes}
    return table.name not in _ROUND and sorts[table.universe] in ("player", "party", "enum")


def _fits(table: m.Table, places: _Places) -> bool:
    """True if a member has what the one has in whose place it is."""
    to = places.get(table.universe) or tuple(range(len(table.values)))
    return all(table.values[to[n]] == image(table.ty, value, places) for n, value in enumerate(table.values))


def image(ty: m.Ty, value: int | tuple[int, ...], places: Mapping[str, tuple[int, ...]]) -> int | tuple[int, ...]:
    """Give what stands in a table where something else is printed when all are exchanged."""
    to = places.get(ty.universe)
    if to is None or value == m.NONE:
        return value
    if isinstance(value, tuple):
        return tuple(one if one == m.NONE else to[one] for one in value)
    return sum(1 << to[one] for one in bits_of(value)) if ty.kind == "set" else to[value]


def _ways(program: m.Program, places: _Places) -> Iterator[_Places]:
    """Exchanges of the enums printed on pieces that may go along with them; first none."""
    bare = {u.name: u.size for u in program.universes if u.sort == "enum" and u.size <= MOST_COLOURS}
    printed = {t.ty.universe for t in program.tables if t.universe == "Piece"}
    with_data = {t.universe for t in program.tables}
    free = [name for name in bare if name in printed and name not in places and name not in with_data]
    several = product(*(permutations(range(bare[name])) for name in free))
    for ways in islice(several, MOST_WAYS):
        more = dict(zip(free, ways, strict=True))
        yield {name: to for name, to in more.items() if to != tuple(range(len(to)))}


def _pieces(program: m.Program, places: _Places) -> tuple[int, ...] | None:
    """The piece in the place of each: of the same kind, with what is printed on it exchanged."""
    count = next((u.size for u in program.universes if u.name == "Piece"), 0)
    printed = [t for t in program.tables if t.universe == "Piece"]
    kinds = [tuple(number for number, k in enumerate(program.kinds) if k.members >> one & 1) for one in range(count)]
    known: dict[object, list[int]] = {}
    for piece in range(count):
        known.setdefault((kinds[piece], *(t.values[piece] for t in printed)), []).append(piece)
    found = [0] * count
    taken = set[int]()
    for words, pieces in known.items():
        one = pieces[0]
        moved = (kinds[one], *(image(t.ty, t.values[one], places) for t in printed))
        there = pieces if moved == words else known.get(moved, [])
        if len(there) != len(pieces):
            return None
        for piece, to in zip(pieces, there, strict=True):
            found[piece] = to
        taken.update(there)
    return tuple(found) if len(taken) == count else None


__all__ = ["completed", "image"]
