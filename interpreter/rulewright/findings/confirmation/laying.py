"""Positions that are laid so that a neighbour differs in them, where games do not come to any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any

from rulewright.engine import Dice
from rulewright.findings.confirmation.episodes import Episode, begun_elsewhere
from rulewright.findings.confirmation.pool import reaching_condition
from rulewright.findings.confirmation.separation import with_callees
from rulewright.findings.model_finding import position_search
from rulewright.ir import model as m
from rulewright.ir.transform.rewriting import Rewriter, substituted, with_slots
from rulewright.ir.walk import nodes, queries_asked, refuses
from rulewright.play.game import Game
from rulewright.play.scenarios.recording.state_diff import Giving, differences

EACH = 2
"""So many positions are laid for each condition in which a neighbour differs."""


def laid_apart(game: Game, other: Game, known: Sequence[Episode], dice: Dice) -> Iterator[Episode]:
    """Episodes that are known, from positions in which a question of other rules refuses something else, or a condition
    of theirs, of the whole game, is decided otherwise. There are none without a solver."""
    search = position_search(game)
    apart = sorted(differing(game.program, other.program), key=lambda one: sum(1 for _ in nodes(one[2])))
    for function, pc, wanted in apart if search is not None else ():
        found, again = 0, False
        for episode, step in _spread([*_resting(known, function, pc)]):
            assert search is not None
            cells = search.beside(wanted, episode.states[step], episode.cells, again)
            again = True
            if cells is None:
                continue
            opening = replace(episode.opening, laid=tuple(differences(game.engine, cells)))
            laid = begun_elsewhere(game, opening, episode.before, dice, episode.answers[:step])
            if laid is not None:
                yield laid
                found += 1
                if found == EACH:
                    break


def reached_apart(game: Game, other: Game, seed: int) -> list[Episode]:
    """Episodes at whose beginning games have been led to what a question of other rules refuses otherwise."""
    for function, pc, wanted in differing(game.program, other.program):
        condition = _of_anyone(game.program, function, wanted)
        if condition is not None:
            return reaching_condition(game, condition, Dice(seed, f"{function} {pc}"))
    return []


def _of_anyone(program: m.Program, function: str, wanted: m.Expr) -> m.Expr | None:
    """A condition that speaks of the frame of a function, of any player in the place of its own; None if it speaks of
    other things there."""
    slots = {node.slot for node in nodes(wanted) if isinstance(node, m.Local)}
    declared = next((one.slots for one in program.functions if one.name == function), ())
    if any(declared[slot].ty.universe != "Player" or declared[slot].ty.kind != "entity" for slot in slots):
        return None
    for slot in slots:
        var = f"player {slot}"
        inner = with_slots(wanted, {slot: m.Var(var)})
        wanted = m.Fold("some", (m.Bound(var, m.Alive("Player")),), inner, None)
    return wanted


def _resting(known: Iterable[Episode], function: str, pc: int) -> Iterator[tuple[Episode, int]]:
    """The rests of episodes at a question; without a function all those of players."""
    for episode in known:
        for step, state in enumerate(episode.states):
            question, decision = state.question, state.decision
            if question is None or decision is None:
                continue
            if (question.function, question.pc) == (function, pc) if function else decision.seat is not None:
                yield episode, step


def _spread(several: Sequence[tuple[Episode, int]]) -> Sequence[tuple[Episode, int]]:
    return several[:: 1 + len(several) // RESTS]


RESTS = 6
"""Rests of episodes beside which a position is sought."""


def at_limits(game: Game, known: Sequence[Episode], several: Iterable[Game], dice: Dice) -> Iterator[Episode]:
    """Episodes that are known, from positions in which numbers of the players are near those with which they are
    compared where other rules differ."""
    parts = list(dict.fromkeys(part for other in several for part in _parts(game.program, other.program)))
    queries = {query.name: query for query in game.program.queries}
    read = [*parts, *queries_asked(queries, parts).values()]
    names = {node.field for part in read for node in nodes(part) if isinstance(node, m.FieldGet)}
    counts = [
        one for one in game.program.fields if one.name in names and one.ty.kind == "int" and one.index == ("Player",)
    ]
    numbers = {node.value for part in read for node in nodes(part) if isinstance(node, m.Const)}
    near = sorted({one + more for one in numbers if abs(one) > 1 for more in (-1, 0, 1)})
    if not counts or not near:
        return
    for episode in known[:: max(1, len(known) // AT_LIMITS)]:
        kept = [one for one in episode.opening.laid if not isinstance(one, Giving) or one.field not in names]
        given = [
            Giving(one.name, (player,), near[dice.below(len(near))])
            for one in counts
            for player in range(game.players)
            if dice.below(2)
        ]
        opening = replace(episode.opening, laid=(*kept, *given))
        found = begun_elsewhere(game, opening, episode.before, dice, episode.answers)
        if found is not None:
            yield found


def _parts(one: Any, two: Any, around: tuple[Any, ...] = ()) -> Iterator[Any]:
    """The comparisons, or what else is smallest, in which two programs, or parts of them, differ."""
    if one == two:
        return
    around = (one, two) if isinstance(one, m.Cmp) and isinstance(two, m.Cmp) else around
    if type(one) is type(two) and is_dataclass(one):
        for field in fields(one):
            yield from _parts(getattr(one, field.name), getattr(two, field.name), around)
    elif isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two):
        for part, other in zip(one, two, strict=True):
            yield from _parts(part, other, around)
    elif isinstance(one, tuple) and isinstance(two, tuple) and not around:
        yield from (part for part in one if part not in two)
        yield from (part for part in two if part not in one)
    else:
        yield from around or (one, two)


AT_LIMITS = 24
"""So many episodes are played with other numbers."""


def differing(one: m.Program, two: m.Program) -> Iterator[tuple[str, int, m.Expr]]:
    """The questions of a program and the conditions under which another one refuses something else there; with an
    empty name and -1 the conditions of the whole game that are not decided alike."""
    known = [{query.name: query for query in program.queries} for program in (one, two)]
    changed = {name for name in known[0] if with_callees(known[0], name) != with_callees(known[1], name)}
    ours, theirs = (partial(_written_out, Rewriter(), queries, changed) for queries in known)
    functions = {function.name: function for function in two.functions}
    for function in one.functions:
        another = functions.get(function.name)
        if another is None or another.slots != function.slots or len(another.code) != len(function.code):
            continue
        for pc, (i, j) in enumerate(zip(function.code, another.code, strict=True)):
            match i, j:
                case m.Choose(source=source, var=var, where=where), m.Choose() if source is not None and not i.is_list:
                    here = {j.var: m.Var(var)}  # binders are numbered in each program by itself
                    mine, his = ([refuses(one) for one in rest] for rest in (i.restrictions, j.restrictions))
                    his = [substituted(Rewriter(), one, here) for one in his]
                    alike = [one for one in mine if one in his]
                    apart = _apart(*(of(_without(held, alike)) for of, held in ((ours, mine), (theirs, his))))
                    if apart is not None:
                        inner = apart if where is None else m.And((where, apart))
                        yield function.name, pc, m.Fold("some", (m.Bound(var, source),), inner, None)
                case m.JumpUnless(condition=mine), m.JumpUnless(condition=his):
                    apart = _apart(ours(mine), theirs(his))
                    if apart is not None and not any(isinstance(node, m.Local) for node in nodes(apart)):
                        yield "", -1, apart
                case _:
                    pass  # a position cannot be laid there


def _without(several: Iterable[m.Expr], alike: Sequence[m.Expr]) -> m.Expr:
    """True if one of several conditions holds, those aside that hold in both programs or in neither."""
    rest = tuple(one for one in several if one not in alike)
    return m.Or(rest) if rest else m.Const(0)


def _apart(one: m.Expr, two: m.Expr) -> m.Expr | None:
    """The condition under which two conditions are not the same; None if they always are."""
    if one == two:
        return None
    return m.Or((m.And((one, m.Not(two))), m.And((two, m.Not(one)))))


def _written_out(rewriter: Rewriter, known: Mapping[str, m.QueryDef], changed: set[str], e: m.Expr) -> Any:
    """An expression with the bodies of the queries that are changed in the place of their calls."""

    def body(node: m.CallQuery) -> Any:
        query = known.get(node.query)
        if query is None or node.query not in changed:
            return node
        given = {slot.name: arg for slot, arg in zip(query.params, node.args, strict=True)}
        return _written_out(rewriter, known, changed - {node.query}, substituted(rewriter, query.body, given))

    return rewriter.rebuilt(e, frozenset((m.CallQuery,)), body)
