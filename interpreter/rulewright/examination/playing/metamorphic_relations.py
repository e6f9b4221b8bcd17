"""Relations between positions that rules may keep: what is exchanged for what, and how that is said.

Each is worked out for the base and for the change by itself, as these may differ in their pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice

from rulewright.examination.playing.carried_along import completed
from rulewright.examination.playing.declared_order import declared_in_an_order, exchanged_for_opposite
from rulewright.examination.playing.exchange import Exchange, Permutation
from rulewright.examination.playing.pair import Pair
from rulewright.ir import model as m
from rulewright.ir.automorphisms import map_symmetries
from rulewright.play.game import Game

MOST = 12
"""Exchanges of a map that are tried."""
MOST_MEMBERS = 12
"""Members of an enum that may be exchanged."""


@dataclass(frozen=True)
class Relation:
    """An exchange that may leave a game what it is."""

    words: str
    """Words for what is exchanged."""
    subject: str
    """Its subject in few words: ways with the same subject are ways to exchange the same."""
    of: Callable[[Game], Exchange | None]
    """Gives the exchange in a game; None if it cannot be done there."""
    names: frozenset[str] = frozenset()
    """Words by which rules name one of what is exchanged, or the side on which it lies."""


def seats(program: m.Program) -> Iterator[Relation]:
    """Seats, and the places of a map with them."""
    count = next((u.size for u in program.universes if u.name == "Player"), 0)
    if count > 1:
        turned = (*range(1, count), 0)
        yield _relation("seats exchanged", "seats", {"Player": turned})
        for places in _maps(program):
            yield _relation("seats exchanged, and the map mirrored or turned,", "seats", {"Player": turned, **places})


def maps(program: m.Program) -> Iterator[Relation]:
    """The places of a map alone."""
    for places in _maps(program):
        yield _relation("the map mirrored or turned", "the map", places, _words(program, places))


def _words(program: m.Program, places: Permutation) -> frozenset[str]:
    """Words by which rules tell apart what is exchanged: members that move, and what is said of them by tables."""
    keys = {
        key for u in program.universes if u.name in places for n, key in enumerate(u.keys) if places[u.name][n] != n
    }
    return frozenset(keys) | {
        t.name.split(".")[-1]
        for t in program.tables
        if t.universe in places and any(t.values[to] != t.values[n] for n, to in enumerate(places[t.universe]))
    }


def members(program: m.Program) -> Iterator[Relation]:
    """Members of an enum without data: each moves on by one."""
    with_data = {t.universe for t in program.tables}
    used = {one for f in program.fields for one in (*f.index, f.ty.universe)}
    used |= {one for z in program.zones for one in z.index}
    used |= {t.ty.universe for t in program.tables}
    for universe in program.universes:
        name = universe.name
        if universe.sort != "enum" or name in with_data or name not in used or name == "Direction":
            continue
        if not 1 < universe.size <= MOST_MEMBERS:
            continue
        moved = (*range(1, universe.size), 0)
        words = f"`{'` and `'.join(universe.keys)}`" if universe.size == 2 else f"the members of `{name}`"
        yield _relation(f"{words} exchanged", f"`{name}`", {name: moved}, frozenset(universe.keys))


def equal_pieces(program: m.Program) -> Iterator[Relation]:
    """Pieces on which the same is printed, so that no rule can name one of them."""
    if _reversed(program) is not None:
        words = "pieces exchanged on which the same is printed"
        yield Relation(words, "equal pieces", lambda game: _exchange(game, _reversed(game.program)))


def orders(pair: Pair) -> Iterator[Relation]:
    """Enums and pieces declared in the opposite order."""
    for name in declared_in_an_order(pair):
        words = f"`{name}` declared in the opposite order,"
        yield Relation(words, f"order of {name}", cache(partial(exchanged_for_opposite, name=name)))


def _reversed(program: m.Program) -> Permutation | None:
    """Pieces that are alike in the opposite order; None if there are none."""
    classes: dict[int, list[int]] = {}
    for piece, words in enumerate(program.alike):
        classes.setdefault(words, []).append(piece)
    places = list(range(len(program.alike)))
    for pieces in classes.values():
        for piece, to in zip(pieces, reversed(pieces), strict=True):
            places[piece] = to
    return {"Piece": tuple(places)} if places != list(range(len(places))) else None


def _relation(words: str, subject: str, core: Permutation, names: frozenset[str] = frozenset()) -> Relation:
    return Relation(words, subject, lambda game: _exchange(game, completed(game.program, core)), names)


def _exchange(game: Game, places: Permutation | None) -> Exchange | None:
    return None if places is None else Exchange(game.engine, places)


def _maps(program: m.Program) -> list[Permutation]:
    """Some exchanges of places with those that two of them come to, one after the other; where all stay is none."""
    found: list[Permutation] = list(islice(map_symmetries(program), MOST))
    waiting = list(found)
    while waiting and len(found) < MOST:
        new = waiting.pop()
        for one in [one for one in found if one.keys() == new.keys()]:
            both = {universe: tuple(new[universe][to] for to in places) for universe, places in one.items()}
            if both not in found and any(to != n for places in both.values() for n, to in enumerate(places)):
                found.append(both)
                waiting.append(both)
    return found[:MOST]


__all__ = ["Relation", "equal_pieces", "maps", "members", "orders", "seats"]
