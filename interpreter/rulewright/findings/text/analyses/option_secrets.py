"""Secrets on which options, and the occurrence of decisions, depend.

A choice is followed through its set, its restrictions and options, and all queries they ask; what is read there and
certainly not seen is found by :mod:`rulewright.findings.text.analyses.hidden_reads`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulewright.findings.text.analyses.hidden_reads import (
    ANYONE,
    OthersReading,
    PublicReading,
    Reading,
    Secret,
    may_reveal,
)
from rulewright.findings.text.analyses.program_index import ProgramIndex
from rulewright.findings.text.analyses.value_origins import (
    calls_behind,
    calls_deciding,
    conditions_of_choice,
    deciding,
    made_of,
    only_finds,
    upon_which,
)
from rulewright.foundation.memo import memoized_by_node, traced_by_node
from rulewright.ir import model as m


@memoized_by_node
def asks_players(function: m.Function) -> bool:
    """True if a function asks a player for anything."""
    return any(isinstance(i, m.Choose) and i.who_is == "player" for i in function.code)


@traced_by_node
def secrets_of(function: m.Function, index: ProgramIndex) -> tuple[tuple[m.Choose, Secret], ...]:
    """The secrets on which the options of each choice depend, certainly unseen by the player to act, each once."""
    choices = [(pc, i) for pc, i in enumerate(function.code) if isinstance(i, m.Choose) and i.who_is == "player"]
    return tuple((i, secret) for pc, i in choices for secret in _read_by(index, function, pc, i))


def _read_by(index: ProgramIndex, function: m.Function, pc: int, i: m.Choose) -> dict[Secret, None]:
    reading = Reading(index, i.who)
    found: dict[Secret, None] = {}
    for label, expr in _conditions(i):
        behind = [part for part in made_of(function, pc, expr) if may_reveal(index, part)]
        here = (
            ()
            if not may_reveal(index, expr)
            else reading.offered(i)
            if expr is i.source
            else reading.secrets((expr,), {})
        )
        secrets = (*here, *reading.secrets(behind, {}))
        secrets += _returned_by(index, reading, calls_behind(function, pc, expr))
        found |= dict.fromkeys(replace(secret, label=label) for secret in secrets)
    return found


def _returned_by(index: ProgramIndex, reading: Reading, calls: Iterable[m.Call]) -> tuple[Secret, ...]:
    """The secrets that the results of some calls reveal."""
    found: tuple[Secret, ...] = ()
    for call in calls:
        function = index.function(call.function)
        if function is None or not only_finds(function):
            continue
        inner = reading.inside(call.args, {})
        for pc, i in enumerate(function.code):
            if isinstance(i, m.Return) and i.value is not None:
                found += inner.secrets((i.value, *made_of(function, pc, i.value), *upon_which(function, pc)), {})
    return found


def own_and_unseen(index: ProgramIndex, i: m.Choose, name: str, keys: tuple[m.Expr, ...]) -> bool:
    """True if a zone or field belongs to the player to act, by one of its keys, who certainly does not see it."""
    return i.who_is == "player" and i.who in keys and Reading(index, i.who).never_seen(name, keys)


def _conditions(i: m.Choose) -> Iterator[tuple[str, m.Expr]]:
    for expr in (i.source, i.where):
        if expr is not None:
            yield "", expr
    for restriction in i.restrictions:
        yield from _restriction(restriction)
    for extra in i.extras:
        if extra.guard is not None:
            yield "", extra.guard
        for restriction in extra.restrictions:
            yield from _restriction(restriction)


def _restriction(restriction: m.Restriction) -> Iterator[tuple[str, m.Expr]]:
    if restriction.condition == m.Const(0) or any(x.condition == m.Const(1) for x in restriction.unless):
        return  # with these options it never refuses
    yield restriction.label, restriction.condition
    for exception in restriction.unless:
        if exception.condition != m.Const(0):
            yield restriction.label, exception.condition


Telling = m.Choose | m.Chance | m.Call
"""An instruction whose execution some player observes."""


@traced_by_node
def betraying(function: m.Function, index: ProgramIndex) -> tuple[tuple[Telling, Secret], ...]:
    """The questions, draws of chance, and calls of rules that ask or draw, of which it depends on a secret whether they
    come, or to whom: each with what some observer of it certainly does not see."""
    found: dict[tuple[Telling, Secret], None] = {}
    for pc, i in enumerate(function.code):
        if not isinstance(i, m.Choose | m.Chance | m.Call):
            continue
        if isinstance(i, m.Call) and not (index.asks(i.function) or index.draws(i.function)):
            continue  # without an observer
        own: tuple[m.Expr, ...] = ()
        parts: list[m.Expr] = [*deciding(function, pc)]
        if isinstance(i, m.Choose) and i.who_is == "player" and not i.secret:
            parts += (i.who, *made_of(function, pc, i.who))
            own = tuple(part for part in conditions_of_choice(function, pc, i) if may_reveal(index, part))
        revealing = [part for part in parts if may_reveal(index, part)]
        calls = [*calls_deciding(function, pc)]
        for reading in _hearing(function, pc, i, index) if revealing or own or calls else ():
            secrets = (*reading.secrets(revealing, {}), *_returned_by(index, reading, calls))
            # What the options show to the player to act is another matter: see `secrets_of`.
            secrets += OthersReading(index, reading.who).secrets(own, {})
            # How many lie somewhere can often be counted out by observers: so it is reported of questions only.
            found |= dict.fromkeys((i, one) for one in secrets if isinstance(i, m.Choose) or one.facet != "count")
    return tuple(found)


def _hearing(function: m.Function, pc: int, i: Telling, index: ProgramIndex) -> Iterator[Reading]:
    """The walks for those who hear that the rules have come to an instruction."""
    match i:
        case m.Choose(who_is="player", secret=False):
            yield PublicReading(index, i.who)
        case m.Choose():
            return
        case m.Chance():
            heard_by = index.chance_heard_by(function.name, pc)
            if heard_by is None:
                yield PublicReading(index, ANYONE)
            for slot in sorted(heard_by or ()):
                yield Reading(index, m.Local(slot))
        case m.Call(called) if index.asks(called) or index.draws(called):
            askers = tuple(arg for arg in i.args if isinstance(arg, m.Local)) or (ANYONE,)
            yield from (PublicReading(index, who) for who in askers)
        case m.Call():
            return
