"""Relations between positions that rules may keep: what is exchanged for what, each with words for it.

Each is worked out for the base and for the change by itself, as these may differ in their pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice

from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError
from rulewright.findings.games.playing.exchange import Exchange, Permutation, completed, image
from rulewright.findings.games.playing.playing_budget import Pair
from rulewright.findings.program.facts.program_words import new_instructions
from rulewright.ir import model as m
from rulewright.ir.automorphisms import map_symmetries
from rulewright.ir.walk import nodes
from rulewright.play.game import Game
from rulewright.play.loading import load
from rulewright.syntax import ast

_IN_ORDER = (m.First, m.Lowest, m.ToList, m.Sort, m.Mapped)
"""Expressions that say something of the order of a set."""


def exchanged_for_opposite(game: Game, name: str) -> Exchange | None:
    """Exchange positions of a game for those of the one in which an enum or a kind of pieces is declared the other way
    round; None if there is nothing of this name, or another program comes out.
    """
    try:
        other = load(
            _reversed(game.ruleset, name), game.players, game.program.variants, dict(game.parameters), game.backend
        )
    except RulesetError:
        return None
    places = _places(game.program, other.program)
    return Exchange(game.engine, places, other.engine) if places and _same_shape(game.program, other.program) else None


def declared_in_an_order(pair: Pair) -> Iterator[str]:
    """The enums and kinds of pieces of the base of which something new may take the first."""
    new = list(_new_expressions(pair))
    if not any(isinstance(node, _IN_ORDER) for node in new):
        return
    fields = {f.name: f.ty.universe for f in pair.game.program.fields}
    used = {node.universe for node in new if isinstance(node, m.Alive)}
    used |= {fields[node.field] for node in new if isinstance(node, m.FieldGet)}
    zones = {z.name: z.kinds for z in pair.game.program.zones}
    lying = {node.zone for node in new if isinstance(node, m.ZoneGet | m.ZoneList)}
    used |= {node.name for node in new if isinstance(node, m.Kind)} | {kind for zone in lying for kind in zones[zone]}
    for name in _declared(pair.base.ruleset):
        if name in used:
            yield name


def _new_expressions(pair: Pair) -> Iterator[object]:
    functions = {f.name: f for f in pair.game.program.functions}
    for name, pcs in new_instructions(pair.game.program, pair.base.program).items():
        for pc in pcs:
            yield from nodes(functions[name].code[pc])
    known = {query.name: query for query in pair.base.program.queries}
    for query in pair.game.program.queries:
        if known.get(query.name) != query:
            yield from nodes(query.body)


def _declared(ruleset: Ruleset) -> Iterator[str]:
    """The declarations with several words or a table, of a ruleset and those that it extends."""
    under: Ruleset | None = ruleset
    while under is not None:
        for file in under.files:
            for decl in file.file.decls:
                if isinstance(decl, ast.EnumDecl) or (isinstance(decl, ast.Piece) and decl.table):
                    yield decl.name
        under = under.base


def _reversed(ruleset: Ruleset, name: str) -> Ruleset:
    base = _reversed(ruleset.base, name) if ruleset.base is not None else None
    files, tables = [], {} if base is None else dict(base._tables)
    for file in ruleset.files:
        decls = list(file.file.decls)
        for number, decl in enumerate(decls):
            if not isinstance(decl, ast.EnumDecl | ast.Piece) or decl.name != name:
                continue
            if decl.table:
                table = ruleset.table(decl.table, decl.span)
                tables[ruleset.table_key(decl.table, decl.span)] = replace(table, rows=list(reversed(table.rows)))
            elif isinstance(decl, ast.EnumDecl):
                decls[number] = replace(decl, values=tuple(reversed(decl.values)))
        changed = tuple(decls) != file.file.decls
        files.append(file.with_tree(replace(file.file, decls=tuple(decls))) if changed else file)
    return replace(ruleset, files=tuple(files), base=base, _tables=ruleset._tables | tables)


def _places(program: m.Program, other: m.Program) -> Permutation | None:
    """The number that each member has in the other program; pieces that are alike in their order."""
    found: dict[str, tuple[int, ...]] = {}
    for one, two in zip(program.universes, other.universes, strict=True):
        numbers: dict[str, list[int]] = {}
        for number, key in enumerate(two.keys):
            numbers.setdefault(key, []).append(number)
        if sorted(one.keys) != sorted(two.keys):
            return None
        places = tuple(numbers[key].pop(0) for key in one.keys)
        if places != tuple(range(one.size)):
            found[one.name] = places
    for table, there in zip(program.tables, other.tables, strict=True):
        to = found.get(table.universe) or range(len(table.values))
        if any(there.values[to[n]] != image(table.ty, value, found) for n, value in enumerate(table.values)):
            return None
    return found


def _same_shape(program: m.Program, other: m.Program) -> bool:
    """True if two programs do the same with other numbers, as far as their instructions show."""
    return all(
        (one.name, one.slots, [type(i) for i in one.code]) == (two.name, two.slots, [type(i) for i in two.code])
        for one, two in zip(program.functions, other.functions, strict=True)
    )


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
    """The subject in few words: relations with the same subject are ways to exchange the same."""
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
    """Words by which rules distinguish what is exchanged: members that move, and values of tables for them."""
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
    if _equal_pieces_reversed(program) is not None:
        words = "pieces exchanged on which the same is printed"
        yield Relation(words, "equal pieces", lambda game: _exchange(game, _equal_pieces_reversed(game.program)))


def orders(pair: Pair) -> Iterator[Relation]:
    """Enums and pieces declared in the opposite order."""
    for name in declared_in_an_order(pair):
        words = f"`{name}` declared in the opposite order,"
        yield Relation(words, f"order of {name}", cache(partial(exchanged_for_opposite, name=name)))


def _equal_pieces_reversed(program: m.Program) -> Permutation | None:
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
