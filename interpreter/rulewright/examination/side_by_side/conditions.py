"""Conditions of a change that games show to have one answer only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from rulewright.compiler.rule_flow import KnownValues
from rulewright.diagnostics import RulesetError
from rulewright.examination.examined_program import ExaminedProgram, conjuncts
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.playing_budget import Pair, each
from rulewright.examination.playing.probes import Probe, Tally, observed, probed
from rulewright.examination.playing.program_words import (
    beginning,
    closed,
    conditions_of,
    new_instructions,
    same_words,
    words_of,
)
from rulewright.examination.thresholds import required_members
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# ------------------------------------------------------------------------------------------------------- always refused
# EXM213: a restriction of a change that nothing passes, so that what stands behind it is never done any more.

ENOUGH_REFUSALS = 50
"""The number of times that an action must be done in the base to be compared,"""
GAMES_OF_REFUSALS = 8
"""nor after fewer games of each."""


def closed_ways(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A procedure, or an option, of the base asks for something that the change restricts; in many games of the base it
    is carried out, in as many of the change never. With any number of players.
    """
    before, now = Tally(), Tally()
    known: dict[str, tuple[str, str]] = {}
    for pair in each(pairs):
        found = restricted_rules(pair)
        if not found:
            continue
        known.update(found)
        try:
            for seed in pair.budget.seeds(0.3):
                before.play(pair.base, seed)
                now.play(pair.game, seed)
        except RulesetError:
            return  # playing the game reports the error
    for label, (function, rule) in sorted(known.items()):
        alone = [other for other, (_, same) in known.items() if same == rule] == [label]
        if alone and now.played >= GAMES_OF_REFUSALS and before.uses[rule] >= ENOUGH_REFUSALS and not now.uses[rule]:
            yield Suspect(
                "EXM213",
                function,
                label,
                f"nothing passes `{label}` in {now.played} random games: since it is there `{rule}` is never done, "
                f"in as many of the base {before.uses[rule]} times",
                "look whether it may refuse all; a scenario shows what is to pass",
                rule=label,
            )


def restricted_rules(pair: Pair) -> dict[str, tuple[str, str]]:
    """The new restrictions on what is chosen, with their functions, and the procedure or option of them."""
    found = dict[str, tuple[str, str]]()
    for function in pair.game.program.functions:
        rule = ""
        for i in function.code:
            if isinstance(i, m.Fired):
                rule = i.rule
            for one in i.restrictions if isinstance(i, m.Choose) else ():
                if one.label in pair.brought and rule and rule not in pair.brought:
                    found[one.label] = function.name, rule
    return found


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


# -------------------------------------------------------------------------------------------------- one sided condition
# EXM201: a condition with one result only where it is evaluated, though at other moments it has the other.

ENOUGH = 500
"""The number of times that a condition must be evaluated; below it, it is ignored."""
GAMES = 50
"""The number of games in which a condition must be evaluated; below it, it is ignored."""


@dataclass(frozen=True, slots=True)
class _Condition:
    """A condition in a function, with the names under which its answers are counted."""

    function: str
    pc: int
    condition: m.Expr
    number: int

    @property
    def evaluated(self) -> str:
        """The name for how often it was evaluated."""
        return f"condition {self.number} asked"

    @property
    def mark(self) -> str:
        """The field that notes whether it was evaluated."""
        return f"condition {self.number} was asked"

    @property
    def held(self) -> str:
        """The name for how often it held."""
        return f"condition {self.number} held"

    def elsewhere(self, truth: bool) -> str:
        """The name for how often it could hold, or not hold, at other moments."""
        return f"condition {self.number} {'may hold' if truth else 'may fail'}"


def one_sided_conditions(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A condition of the change is evaluated often and always, or never, holds there; but with other
    arguments, or at other moments of the same games, it goes the other way as well.

    So it is no precaution for what is rare, it is evaluated at the wrong moment or about the wrong things.
    """
    evaluated, held, games = Counter[_Condition](), Counter[_Condition](), Counter[_Condition]()
    could = Counter[tuple[_Condition, bool]]()
    for pair in each(pairs):
        new = list(_new_conditions(pair))
        if not new:
            continue
        known = {(one.function, same_words(pair.game.program, one.function, one.condition)): one for one in evaluated}
        same = {
            one: known.get((one.function, same_words(pair.game.program, one.function, one.condition)), one)
            for one in new
        }
        tally = _played(pair, [probe for one in new for probe in _probes(pair, one)])
        if tally is None:
            return  # playing the game reports the error
        for one in new:
            evaluated[same[one]] += tally.uses[one.evaluated]
            held[same[one]] += tally.uses[one.held]
            games[same[one]] += tally.games[one.evaluated]
            for truth in (True, False):
                could[same[one], truth] += tally.games[one.elsewhere(truth)]
    program = pairs[0].game.program
    for one, times in evaluated.items():
        if times < ENOUGH or games[one] < GAMES or held[one] not in (0, times):
            continue
        never = held[one] == 0
        if not never and pairs[0].alone:
            continue  # a whole game may well be careful
        if could[one, never] * 20 >= games[one] and (never or not _is_precaution(one.condition)):
            yield _suspect(program, one, times, games[one], never)


def _new_conditions(pair: Pair) -> Iterator[_Condition]:
    """The conditions that the base does not ask in the same words."""
    base, program = pair.base.program, pair.game.program
    known = {same_words(base, f.name, e) for f in base.functions for _, e in conditions_of(f, lambda _: True)}
    values = KnownValues(program)
    words, number = {f.name: f.word for f in program.functions}, 0
    for function in program.functions:
        if function.name not in pair.changed_functions:
            continue
        made = {n for n, slot in enumerate(function.slots) if not slot.name.isidentifier()}
        for pc, e in conditions_of(function, partial(_is_written, made)):
            following = function.code[pc + 1] if pc + 1 < len(function.code) else None
            looked_for = isinstance(following, m.Call) and words[following.function] in (
                "consequence",
                "end",
                "reaction",
            )
            if (
                not looked_for
                and same_words(program, function.name, e) not in known
                and values.of(e, {}) is None
                and all(values.of(part, {}) is None for part in conjuncts(e))
            ):
                number += 1
                yield _Condition(function.name, pc, e, number)


def _is_written(made: set[int], e: m.Expr) -> bool:
    return not any(isinstance(node, m.Local) and node.slot in made for node in nodes(e))


def _probes(pair: Pair, one: _Condition) -> Iterator[Probe]:
    """Probes of a condition where it is evaluated; and of what it, or its opposite, is of any values of its locals
    whenever a rule of a procedure is used once it has been evaluated: how it is before, while things are set up, is of
    no account.
    """
    program = pair.game.program
    function = next(f for f in program.functions if f.name == one.function)
    yield Probe(one.function, one.pc, one.evaluated, m.Const(1), sets=one.mark)
    yield Probe(one.function, one.pc, one.held, one.condition)
    for truth in (True, False):
        other = closed(program, function, one.condition if truth else m.Not(one.condition))
        if other is not None:
            later = m.And((m.FieldGet(one.mark, ()), other))
            yield from (
                Probe(f.name, pc, one.elsewhere(truth), later)
                for f in program.functions
                if f.word in ("procedure", "phase")
                for pc, i in enumerate(f.code)
                if isinstance(i, m.Fired)
            )


def _is_precaution(e: m.Expr) -> bool:
    """True of a precaution: whether there is anything, whether it is enough."""
    if isinstance(e, m.And | m.Or):
        return any(map(_is_precaution, e.items))
    match e:
        case m.Cmp("eq" | "ne", _, m.Const(number)):
            return number == m.NONE
        case m.Cmp(op):
            return op not in ("eq", "ne")
        case m.Contains(m.Alive()):
            return True
        case _:
            return isinstance(e, m.Not) and isinstance(e.operand, m.Cmp | m.SetEq) and required_members(e) is not None


def _played(pair: Pair, probes: list[Probe]) -> Tally | None:
    """The tally of games at random and of those of players who want to lead; None if the rules stop in any."""
    game, tally = probed(pair.game, probes), Tally()
    try:
        for agents in pair.agents(game):
            for seed in pair.budget.seeds(0.5 if agents else 1.0):
                tally.play(game, seed, agents)
    except RulesetError:
        return None
    return tally


def _suspect(program: m.Program, one: _Condition, times: int, games: int, never: bool) -> Suspect:
    function = next(f for f in program.functions if f.name == one.function)
    asks = function.code[one.pc]
    filters = isinstance(asks, m.JumpUnless) and asks.to < one.pc
    way = "never holds" if never else "always holds"
    what = "what is looked for here is never found" if filters else f"this condition {way}"
    found = words_of(function, one.condition)
    if never and _at_the_beginning(program, function, one.pc):
        return Suspect(
            "EXM201",
            one.function,
            same_words(program, one.function, one.condition),
            f"this is looked at only at the beginning of a game, before anybody has chosen anything, and never holds "
            f"then: {times} times in {games} games; later it may well hold",
            "write it where it is to be looked at again and again: into the loop, or before a step in it",
            kinds=(ast.InsertOp, ast.Each, ast.Branch),
            words=found,
        )
    return Suspect(
        "EXM201",
        one.function,
        same_words(program, one.function, one.condition),
        f"{what}: it was asked {times} times in {games} games; at other moments it may well "
        f"{'hold' if never else 'not hold'}",
        "ask it at another moment, or of something else; if it is always so here, it can be left out",
        kinds=(ast.Each,) if filters else (ast.Branch, ast.IfElse),
        words=found,
    )


def _at_the_beginning(program: m.Program, function: m.Function, pc: int) -> bool:
    """True of what the game itself asks before anything else may ask a player."""
    if function.name != program.main:
        return False
    examined = ExaminedProgram(program)

    def asks(code: tuple[m.Instr, ...]) -> bool:
        return any(isinstance(i, m.Choose) for i in examined.carried_out(code))

    ends = [at for at, i in enumerate(function.code) if at > pc and isinstance(i, m.Jump) and i.to <= pc]
    again = max(ends, default=pc)
    return not asks(function.code[: again + 1])
