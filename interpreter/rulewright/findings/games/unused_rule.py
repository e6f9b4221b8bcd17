"""EXM205 and EXM206: rules of a change that are of no use in any game, and numbers that are never reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from rulewright.findings.games.playing.playing_budget import Pair
from rulewright.findings.games.playing.probes import Probe, observed
from rulewright.findings.games.playing.scenario_games import LaidScenarios, scenario_uses
from rulewright.findings.program.facts.examined_program import conjuncts
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import ExprFacts, nodes, refuses

ENOUGH = 500
"""The number of times that a restriction must be evaluated; below it, it is ignored."""
GAMES = 100
"""Nor is what was played in fewer games."""
NEARLY_ALL = 0.95
"""The most that there ever is is reached in so many of the games: it is a bound, and not luck."""
LADDER = 12
"""The bound is looked for among so many numbers from 1 on."""


@dataclass(frozen=True, slots=True)
class _Restriction:
    """A restriction of a question, with the names under which it is counted."""

    function: str
    label: str
    evaluated: Probe
    refused: Probe
    wanted: tuple[m.Expr, int] | None
    """A number of things that must be reached for it to refuse anything."""
    steps: tuple[Probe, ...]
    """Looks at whether there are 1, 2 … of these."""
    more: tuple[Probe, ...]
    """Looks at whether one more comes, once the decision was reached."""


def idle_rules(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A rule of the change is of no use in any of many games, with no number of players."""
    found: dict[str, _Restriction] = {}
    parts: dict[str, str] = {}

    def probes(pair: Pair) -> list[Probe] | None:
        restrictions = list(_restrictions(pair))
        own = {f.name: f.word for f in pair.game.program.functions if f.name in pair.brought and f.word in _HAPPEN}
        found.update({one.label: one for one in restrictions})
        parts.update(own)
        evaluated = [probe for one in restrictions for probe in (one.evaluated, one.refused, *one.steps, *one.more)]
        return evaluated if evaluated or own else None

    tally = observed(pairs, probes, 1.0)
    if tally is None or tally.played < GAMES:
        return
    games, uses, played, scenarios = tally.games, tally.uses, tally.played, LaidScenarios(pairs)
    idle = {one.label for one in found.values() if uses[one.evaluated.name] >= ENOUGH and not uses[one.refused.name]}
    idle |= {name for name in parts if not uses[name]}
    idle -= _used_behind_scenarios(pairs, idle)
    for _, one in sorted(found.items()):
        if one.label in idle:
            suspect = _suspect(one, uses[one.evaluated.name], games, played)
            yield scenarios.refused(suspect, one.label, _refused) if suspect.code == "EXM205" else suspect
    for name, word in sorted(parts.items()):
        if name in idle:
            what = f"`{name}` never {_HAPPEN[word]} in {played} random games"
            suspect = Suspect("EXM205", name, "never", what, "a scenario shows whether it can", rule=name)
            yield scenarios.used(suspect, name)


def _used_behind_scenarios(pairs: Sequence[Pair], idle: Set[str]) -> set[str]:
    """The rules that are of use in scenarios, or in games that go on where these end."""
    found = set[str]()
    for pair in pairs:
        if not idle - found:
            break
        restrictions = [one for one in _restrictions(pair) if one.label in idle]
        uses = scenario_uses(pair.game, [one.refused for one in restrictions], pair.budget)
        found |= {one.label for one in restrictions if uses[one.refused.name]} | {name for name in idle if uses[name]}
    return found


_HAPPEN = {"consequence": "happens", "reaction": "happens", "end": "ends a game"}
"""The parts of rules that happen by themselves, each with words for it."""


def _suspect(one: _Restriction, evaluated: int, games: Counter[str], played: int) -> Suspect:
    most = _bound(one, games, games[one.evaluated.name])
    comes = bool(one.more) and games[one.more[0].name] >= NEARLY_ALL * games[one.evaluated.name]
    if one.wanted is not None and most is not None and comes:
        return Suspect(
            "EXM206",
            one.function,
            one.label,
            f"`{one.label}` refuses nothing: it takes {one.wanted[1]} of what it counts, and whenever it is asked "
            f"there are {most} at most (asked {evaluated} times in {played} random games)",
            "count something else, or ask for fewer",
            rule=one.label,
        )
    return Suspect(
        "EXM205",
        one.function,
        one.label,
        f"`{one.label}` never refuses anything that is not refused without it, in {played} random games, though it is "
        f"asked {evaluated} times",
        "a scenario shows whether it can",
        rule=one.label,
    )


def _extras(i: m.Instr) -> tuple[m.Extra, ...]:
    return i.extras if isinstance(i, m.Choose) else ()


def _bound(one: _Restriction, games: Counter[str], evaluated: int) -> int | None:
    """The most that there ever is of what is counted, if it is reached in nearly all games; None if it is luck."""
    reached = [games[step.name] for step in one.steps]
    most = sum(map(bool, reached))
    return most if 0 < most < len(reached) and reached[most - 1] >= NEARLY_ALL * evaluated else None


def _restrictions(pair: Pair) -> Iterator[_Restriction]:
    """The new restrictions that can be counted."""
    program = pair.game.program
    facts = ExprFacts({query.name: query for query in program.queries})
    number = 0
    for function in program.functions:
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.Choose):
                continue
            of_answers = () if _is_foreseen(program, function, pc) else i.restrictions
            several = (*of_answers, *(one for extra in i.extras for one in extra.restrictions))
            for restriction, refused in ((one, _refused(i, one)) for one in several):
                if restriction.label not in pair.brought or refused is None:
                    continue
                number += 1

                def look(what: str, e: m.Expr, at: tuple[str, int] = (function.name, pc), of: int = number) -> Probe:
                    return Probe(*at, f"restriction {of} {what}", e)

                wanted = next(filter(None, map(_wanted, conjuncts(restriction.condition))), None)
                if wanted is not None and facts.free(wanted[0]):
                    wanted = None
                mark = f"restriction {number} was asked"
                steps = range(1, min(LADDER, wanted[1]) + 1) if wanted is not None else ()
                yield _Restriction(
                    function.name,
                    restriction.label,
                    replace(look("asked", m.Const(1)), sets=mark),
                    look("refused", refused),
                    wanted,
                    tuple(look(f"has {n}", m.Cmp("ge", wanted[0], m.Const(n))) for n in steps if wanted is not None),
                    tuple(_coming(program, wanted[0], f"restriction {number} more", mark))
                    if wanted is not None
                    else (),
                )


def _is_foreseen(program: m.Program, function: m.Function, pc: int) -> bool:
    """True if a question before this one looks whether it will have an answer: an option that begins with it, an answer
    that leads on. What a restriction refuses altogether is then not offered there, and does not come to it."""
    before = [one for one in function.code[:pc] if isinstance(one, m.Choose)]
    named = _stem(function.code[pc])
    if any(pc in (extra.to, extra.to + 1) for one in function.code for extra in _extras(one)):
        return True
    if any(_stem(bound) == named for one in before for n in nodes(one) if isinstance(n, m.Fold) for bound in n.binds):
        return True
    known = f"possible {function.name}"
    return not before and any(
        isinstance(n, m.CallQuery) and n.query == known for f in program.functions for n in nodes(f.code)
    )


def _stem(bound: object) -> str:
    """The word of the rules from which the name of a variable was made."""
    return bound.var.rpartition("_")[0] if isinstance(bound, m.Choose | m.Bound) else ""


def _coming(program: m.Program, counted: m.Expr, name: str, mark: str) -> Iterator[Probe]:
    """Looks at the moves of pieces to the zone that is counted, after a decision.

    A zone that never grows in random games may well grow in others; where they add to it all the time, and there are
    never more than so many, the rules allow no more.
    """
    zones = {node.zone for node in nodes(counted) if isinstance(node, m.ZoneGet | m.ZoneList)}
    if len(zones) == 1:
        for function in program.functions:
            for pc, i in enumerate(function.code):
                if isinstance(i, m.Move) and i.zone in zones:
                    yield Probe(function.name, pc, name, m.FieldGet(mark, ()))


def _alone(one: m.Restriction, several: Sequence[m.Restriction]) -> m.Expr:
    """A condition that a restriction refuses something which no other one of its question refuses as well."""
    return m.And((refuses(one), *(m.Not(refuses(other)) for other in several if other is not one)))


def _refused(i: m.Choose, one: m.Restriction) -> m.Expr | None:
    """A condition that a question refuses something by a restriction and by no other one."""
    for extra in i.extras:
        if one in extra.restrictions:
            return _alone(one, extra.restrictions)
    return _some(i, _alone(one, i.restrictions))


def _some(i: m.Choose, condition: m.Expr) -> m.Expr | None:
    """A condition that a candidate meets a condition; None if it cannot be evaluated."""
    if i.source is None or i.is_list or not i.universe:
        return None
    inner = condition if i.where is None else m.And((i.where, condition))
    return m.Fold("some", (m.Bound(i.var, i.source),), inner, None)


def _wanted(e: m.Expr) -> tuple[m.Expr, int] | None:
    """A number of things, and how many are wanted at least."""
    match e:
        case m.Cmp("ge" | "eq", m.Size() | m.Fold("count") as counted, m.Const(least)):
            return counted, least
        case m.Cmp("gt", m.Size() | m.Fold("count") as counted, m.Const(less)):
            return counted, less + 1
        case _:
            return None
