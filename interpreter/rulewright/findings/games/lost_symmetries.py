"""EXM212, EXM214, EXM215: what the base treats alike and the change does not: seats, places, members, equal pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import RulesetError
from rulewright.findings.games.playing.exchanged_games import Difference, Places, compared
from rulewright.findings.games.playing.metamorphic_relations import Relation, equal_pieces, maps, members, orders, seats
from rulewright.findings.games.playing.playing_budget import Pair, each
from rulewright.findings.program.facts.examined_program import ExaminedProgram
from rulewright.findings.program.facts.program_words import new_instructions
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.syntax import ast

SHARE = 0.1
"""So many of the games are played for each exchange."""
WAYS = 3
"""Ways to exchange seats that are tried, of those that leave the base what it is."""
ENOUGH = 100
"""Positions of the base that must be alike: shorter games are ignored."""
MOST = 1_200
"""Positions of the base that are enough for each exchange."""
_Found = tuple[int, Relation, Difference]
"""The positions before a difference, and what was exchanged."""


def unequal_seats(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """In many positions of the base nothing is different if seats are exchanged, and the map is mirrored or turned
    with them where it must be; since the change something is, whichever way they are exchanged.
    """
    hint = "in the base no seat is treated otherwise; let it depend on who is asked, not on a seat or a side"
    for one, _ in _lost(pairs, lambda pair: seats(pair.base.program)):
        yield replace(one, hint=hint)


def unequal_members(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """Lost symmetries of a map that is mirrored, with members of an enum or with equal pieces, while seats stay.

    EXM214 if the change names one of them, EXM215 if it names none: then the order of declaration decides. It is looked
    for with the fewest players only, as nothing of it depends on how many there are.
    """
    words = _words_of_change(pairs[0])
    for one, relation in _lost(pairs[:1], _all_but_seats):
        if relation.names & words:
            yield replace(one, code="EXM214", hint="in the base it does not matter which one it is")
        else:
            yield replace(
                one,
                code="EXM215",
                hint="none of them is named here: the first in the order of declaration is taken; say which one is "
                "meant, or let somebody choose",
            )


def _all_but_seats(pair: Pair) -> Iterator[Relation]:
    program = pair.base.program
    yield from orders(pair)
    yield from members(program)
    yield from equal_pieces(program)
    yield from maps(program)


def _words_of_change(pair: Pair) -> frozenset[str]:
    """The names in the variants of a game, or in the files of a ruleset that extends another one."""
    ruleset, titles = pair.game.ruleset, pair.game.program.variants
    decls = [decl for file in ruleset.files if file.role != "scenario" for decl in file.file.decls]
    own = [decl for decl in decls if not titles or (isinstance(decl, ast.Variant) and decl.title in titles)]
    return frozenset(words for decl in own for node in nodes(decl) for words in _words(node))


def _words(node: ast.Node) -> tuple[str, ...]:
    match node:
        case ast.Name() | ast.Dot():
            return (node.name,)
        case ast.StringLiteral():
            return (node.text,)
        case ast.Tuple():
            return (f"({', '.join(str(one.value) for one in node.items if isinstance(one, ast.Number))})",)
        case _:
            return ()


def _lost(pairs: Sequence[Pair], relations: Callable[[Pair], Iterator[Relation]]) -> Iterator[tuple[Suspect, Relation]]:
    """Find where exchanges that leave the base what it is make another game of the change."""
    reported = set[str]()
    for pair in each(pairs):
        several: dict[str, list[Relation]] = {}
        for one in relations(pair):
            several.setdefault(one.subject, []).append(one)
        for ways in pair.budget.shared(list(several.values())):
            found = list(_differences(pair, ways))
            differences = [one for one in found if one is not None]
            if not differences or len(differences) < len(found):
                continue
            _, relation, first = max(differences, key=lambda one: one[0])
            about = first.rule or first.name
            if about not in reported:
                reported.add(about)
                text = f"with {relation.words} it is another game since this change: {first.text}"
                yield replace(_placed(pair, first), message=text, story=first.story), relation


def _differences(pair: Pair, ways: list[Relation]) -> Iterator[_Found | None]:
    """For some ways that leave the base what it is, the first difference in games of the change if there is one.

    Half of the time of each belongs to the base. A difference that comes later than the base was looked at is none.
    """
    left = iter(ways)
    for _ in pair.budget.shared(range(min(WAYS, len(ways)))):
        way: Relation | None = None
        seen = 0
        for of_change in pair.budget.shared((False, True)):
            if of_change and way is not None:
                yield _first(pair, way, seen)
            while not of_change and way is None and (one := next(left, None)) is not None:
                seen = _alike(pair, one)
                way = one if seen >= ENOUGH else None


def _placed(pair: Pair, first: Difference) -> Suspect:
    """The suspect where the change is: a rule with a name, an assignment, or the only query that is another one."""
    suspect = Suspect("EXM212", first.function, first.rule or first.name, "", "", rule=first.rule)
    if first.rule in pair.brought:
        return suspect
    if not first.rule:
        kinds = (ast.Move, ast.MoveHeld, ast.Draw) if first.is_zone else (ast.Assign,)
        return replace(suspect, kinds=kinds, words=frozenset((first.name,)))
    known = {query.name: query for query in pair.base.program.queries}
    examined = ExaminedProgram(pair.game.program)
    changed = [name for name, query in sorted(examined.queries.items()) if known.get(name) != query]
    used = [name for name in changed if name in examined.used_by(first.function)] or changed
    return replace(suspect, rule="", kinds=(ast.Query,), given=used[0]) if used else suspect


def _alike(pair: Pair, relation: Relation) -> int:
    """The positions of the base that are as they were when they are exchanged; 0 if one is not, or neither can be."""
    if pair.budget.over:
        return 0
    exchange, seen = relation.of(pair.base), 0
    if exchange is None or relation.of(pair.game) is None:
        return 0
    for seed in pair.budget.seeds(SHARE):
        difference, positions = compared(pair.base, exchange, seed, {}, pair.budget)
        seen += positions
        if difference is not None:
            return 0
        if seen >= MOST:
            break
    return seen


def _first(pair: Pair, relation: Relation, most: int) -> _Found | None:
    """The first difference among so many positions of the change, behind how many it is, and the exchange."""
    exchange, seen, new = relation.of(pair.game), 0, _new(pair)
    assert exchange is not None
    for seed in pair.budget.seeds(SHARE):
        try:
            difference, positions = compared(pair.game, exchange, seed, new, pair.budget)
        except RulesetError:
            return None  # playing the game reports the error
        seen += positions
        if seen > most:
            break
        if difference is not None:
            return seen, relation, difference
    return None


def _new(pair: Pair) -> Places:
    """The fields and zones that new instructions change, with the first function that has one."""
    functions = {f.name: f for f in pair.game.program.functions}
    found: dict[str, str] = {}
    for name, pcs in sorted(new_instructions(pair.game.program, pair.base.program).items()):
        for pc in pcs:
            i = functions[name].code[pc]
            if isinstance(i, m.SetField):
                found.setdefault(i.field, name)
            elif isinstance(i, m.Move):
                found.setdefault(i.zone, name)
    return found
