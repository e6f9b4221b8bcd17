"""The same game with the words of an enum, or the rows of a table of pieces, declared in the opposite order.

Rules that pick the first of several, or go through them one by one, may depend on that order; nothing else does. Such a
game is made of the same files and compiled anew, so that its numbers are other ones wherever a member is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError
from rulewright.examination.playing.carried_along import image
from rulewright.examination.playing.exchange import Exchange, Permutation
from rulewright.examination.playing.pair import Pair
from rulewright.examination.playing.program_words import new_instructions
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.play.game import Game
from rulewright.play.loading import load
from rulewright.syntax import ast

_IN_ORDER = (m.First, m.Lowest, m.ToList, m.Sort)
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
    asked = {node.universe for node in new if isinstance(node, m.Alive)}
    asked |= {fields[node.field] for node in new if isinstance(node, m.FieldGet)}
    zones = {z.name: z.kinds for z in pair.game.program.zones}
    lying = {node.zone for node in new if isinstance(node, m.ZoneGet | m.ZoneList)}
    asked |= {node.name for node in new if isinstance(node, m.Kind)} | {kind for zone in lying for kind in zones[zone]}
    for name in _declared(pair.base.ruleset):
        if name in asked:
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
    """True if two programs do the same with other numbers, as far as their instructions tell."""
    return all(
        (one.name, one.slots, [type(i) for i in one.code]) == (two.name, two.slots, [type(i) for i in two.code])
        for one, two in zip(program.functions, other.functions, strict=True)
    )


__all__ = ["declared_in_an_order", "exchanged_for_opposite"]
