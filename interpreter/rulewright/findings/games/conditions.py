"""Conditions of a change that games show to have one answer only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.findings.games.playing.playing_budget import Pair
from rulewright.findings.games.playing.probes import Probe, observed
from rulewright.findings.program.facts.examined_program import ExaminedProgram, conjuncts, put
from rulewright.findings.program.facts.program_words import (
    beginning,
    conditions_of,
    new_instructions,
    same_words,
    words_of,
)
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.facts import Universes
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# ------------------------------------------------------------------------------------------------------- late condition
# EXM210: a condition that the change just before it decides.

ENOUGH_LATE_CONDITIONS = 200
"""The number of times that a condition must be evaluated; below it, it is ignored."""
GAMES_OF_LATE_CONDITIONS = 15
"""The number of games in which a condition must be evaluated; below it, it is ignored."""
BOTH_WAYS = 0.03
"""Just before the change it goes the other way in so large a part of the cases at least,"""
FEW = 2
"""and the same way so many times: what is so at any moment has nothing to do with the change."""


@dataclass(frozen=True, slots=True)
class _Late:
    """A condition behind a change, with looks at whether it holds there and before that change."""

    function: str
    words: str
    condition: m.Expr
    changed: str
    evaluated: Probe
    held: Probe
    before: Probe


def late_conditions(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A condition of the change always holds where it is evaluated, or never; evaluated before the statements that
    stand just before it, in the same games and of the same things, it would go either way. With any number of players.
    """
    known: dict[str, _Late] = {}

    def probes(pair: Pair) -> list[Probe] | None:
        found = list(_late(pair))
        known.update({one.evaluated.name: one for one in found})
        return [look for one in found for look in (one.evaluated, one.held, one.before)] or None

    tally = observed(pairs, probes, 0.5)
    if tally is None:
        return
    uses, games = tally.uses, tally.games
    program = pairs[0].game.program
    functions = {f.name: f for f in program.functions}
    for name, one in known.items():
        times, held, before = uses[name], uses[one.held.name], uses[one.before.name]
        otherwise = times - before if held else before
        both_ways = otherwise >= BOTH_WAYS * times and times - otherwise >= FEW
        if (
            times >= ENOUGH_LATE_CONDITIONS
            and games[name] >= GAMES_OF_LATE_CONDITIONS
            and held in (0, times)
            and both_ways
        ):
            verb = "always holds" if held else "never holds"
            yield Suspect(
                "EXM210",
                one.function,
                one.words,
                f"this condition {verb} here ({times} times in {games[name]} random games): `{one.changed}` just "
                f"before decides it; asked before that it would hold {before} times",
                f"ask it before `{one.changed}`, or leave out what has just been changed",
                kinds=(ast.Branch, ast.IfElse),
                words=words_of(functions[one.function], one.condition),
            )


def _late(pair: Pair) -> Iterator[_Late]:
    """The new conditions that stand behind something that may change what they ask about."""
    program, examined = pair.game.program, ExaminedProgram(pair.game.program)
    new = new_instructions(program, pair.base.program)
    for function in program.functions:
        fresh = set(new[function.name])
        for pc, condition in conditions_of(function, lambda _: True):
            start = beginning(function, pc, condition)
            changed = _changes(examined, function, start, pc, condition)
            if not changed or not ({pc} & fresh or fresh & set(range(start, pc))):
                continue
            words = same_words(program, function.name, condition)
            about = f"condition {pc} of {function.name}"
            yield _Late(
                function.name,
                words,
                condition,
                changed,
                Probe(function.name, pc, f"{about} asked", m.Const(1)),
                Probe(function.name, pc, f"{about} holds", condition),
                Probe(function.name, start, f"{about} would hold", condition),
            )


def _changes(examined: ExaminedProgram, function: m.Function, start: int, pc: int, condition: m.Expr) -> str:
    """The last field, zone or function between that changes what a condition reads; consequences have no name."""
    effects, read = examined.effects, examined.effects.reads(condition)
    for i in reversed(function.code[start:pc]):
        if not read & frozenset(part for one in examined.carried_out((i,)) for part in effects.writes(one)):
            continue
        match i:
            case m.SetField(name) | m.Move(zone=name):
                return name
            case m.Call(name) if examined.functions[name].word != "system":
                return name
            case _:
                pass
    return ""


# -------------------------------------------------------------------------------------------------------- counts itself
# EXM211: a condition that asks about what was put down just before, and finds it each time.

ENOUGH = 100
"""The number of times that a condition must be evaluated; below it, it is ignored."""
GAMES_OF_SELF_COUNTING = 5
"""The number of games in which a condition must be evaluated; below it, it is ignored."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A thing that is put down, and the condition behind it that asks whether there is any such thing."""

    function: m.Function
    condition: m.Expr
    put: str
    noted: Probe
    """The look that notes what was put down."""
    evaluated: Probe
    itself: Probe

    @property
    def looks(self) -> tuple[Probe, ...]:
        """All of them."""
        return self.noted, self.evaluated, self.itself


def counts_itself(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A condition of the change asks whether there is any thing of a kind, and what was put down just before is one of
    that kind, each time it is evaluated: so it does not depend on the others. With any number of players.
    """
    known: dict[str, _Found] = {}

    def probes(pair: Pair) -> list[Probe] | None:
        found = list(_found(pair))
        known.update({one.evaluated.name: one for one in found})
        return [look for one in found for look in one.looks] or None

    tally = observed(pairs, probes, 0.5)
    if tally is None:
        return
    uses, games = tally.uses, tally.games
    program = pairs[0].game.program
    for name, one in known.items():
        if uses[name] >= ENOUGH and games[name] >= GAMES_OF_SELF_COUNTING and uses[one.itself.name] == uses[name]:
            yield Suspect(
                "EXM211",
                one.function.name,
                same_words(program, one.function.name, one.condition),
                f"this asks whether there is any such thing, and {one.put} just before is one itself, each of "
                f"{uses[name]} times in {games[name]} random games: so the answer is always the same",
                "leave out what has just been put there (`… is not …`), or ask before it is",
                kinds=(ast.Branch, ast.IfElse),
                words=words_of(one.function, one.condition),
            )


def _found(pair: Pair) -> Iterator[_Found]:
    """The new conditions that ask for things such as one that is put down in the statements before."""
    program = pair.game.program
    examined, new = ExaminedProgram(program), new_instructions(program, pair.base.program)
    universes = Universes(program)
    for function in program.functions:
        fresh = set(new[function.name])
        for pc, condition in conditions_of(function, lambda _: True):
            start = beginning(function, pc, condition)
            if start == pc or not fresh & set(range(start, pc + 1)):
                continue
            for number, part in enumerate(conjuncts(condition)):
                query = _any(examined, part)
                if query is None:
                    continue
                for at in range(pc - 1, start - 1, -1):
                    thing = _thing(examined, function.code[at], query)
                    if thing is None or universes.of(query[0], function) != thing[1]:
                        continue
                    about = f"condition {pc} of {function.name}, part {number}"
                    noted = Probe(function.name, at, f"{about} put", m.Const(1), notes=thing[0], of=thing[1])
                    yield _Found(
                        function,
                        condition,
                        thing[2],
                        noted,
                        Probe(function.name, pc, f"{about} asked", m.Const(1)),
                        Probe(function.name, pc, f"{about} itself", _is_one(query, noted.noted)),
                    )
                    break


_Any = tuple[m.Expr, str, "m.Expr | None"]
"""A set, a variable over it, and a condition on it: the operands of an existence test."""


def _any(examined: ExaminedProgram, e: m.Expr) -> _Any | None:
    """The things of which a condition asks whether there are any, or none."""
    match e:
        case m.Not(inner):
            return _any(examined, inner)
        case m.Fold("some" | "no", (m.Bound(var, source, False),), where, _):
            return source, var, where
        case m.SetEq(of, m.Const(0)):
            return of, "", None
        case m.Cmp("eq" | "ne" | "gt" | "le", counted, m.Const(0)) | m.Cmp("ge" | "lt", counted, m.Const(1)):
            return _counted(examined, counted)
        case _:
            return None


def _counted(examined: ExaminedProgram, e: m.Expr) -> _Any | None:
    match e:
        case m.Size(of, False):
            return of, "", None
        case m.Fold("count", (m.Bound(var, source, False),), where, _):
            return source, var, where
        case m.CallQuery(name, args):
            query = examined.queries[name]
            return _counted(examined, put(query.body, {p.name: a for p, a in zip(query.params, args, strict=True)}))
        case _:
            return None


def _is_one(query: _Any, thing: m.Expr) -> m.Expr:
    """The condition that a thing is a member of the tested set."""
    source, var, where = query
    inside = m.Contains(source, thing)
    return inside if where is None else m.And((inside, put(where, {var: thing})))


def _thing(examined: ExaminedProgram, i: m.Instr, query: _Any) -> tuple[m.Expr, str, str] | None:
    """The thing that an instruction puts down, its universe, and where: such that the existence test depends on it."""
    source, var, where = query
    parts = (source, where) if where is not None else (source,)
    match i:
        case m.SetField(name, index, value) if value not in (m.Const(0), m.Const(m.NONE)):
            for node in nodes(where):
                if isinstance(node, m.FieldGet) and node.field == name:
                    for n, key in enumerate(node.index):
                        if key == m.Var(var):
                            return index[n], examined.fields[name].index[n], f"what `{name}` was set of"
        case m.Move(m.MakeSet((piece,)), False, zone):
            return (piece, "Piece", f"what was moved to `{zone}`") if _reads(examined, parts, i) else None
        case m.Move(m.Lowest(_, m.Const(1)) as what, False, zone):
            return (m.First(what), "Piece", f"what was moved to `{zone}`") if _reads(examined, parts, i) else None
        case _:
            pass
    return None


def _reads(examined: ExaminedProgram, parts: Sequence[m.Expr], i: m.Instr) -> bool:
    """True if where pieces lie in a zone is read, and not only whether they are on the board."""
    return any(examined.effects.reads(part) & examined.effects.writes(i) for part in parts)
