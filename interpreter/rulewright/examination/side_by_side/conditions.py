"""Conditions of a change that games show to have one answer only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.playing_budget import Pair
from rulewright.examination.playing.probes import Probe, observed
from rulewright.examination.playing.program_words import (
    beginning,
    conditions_of,
    new_instructions,
    same_words,
    words_of,
)
from rulewright.ir import model as m
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
