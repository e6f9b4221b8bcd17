"""INF325: a secret kept from its owner."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ir import model as m
from rulewright.ir.declared_sight import DeclaredSight, Level, sight_of
from rulewright.ir.information_flow.answer_flow import Answers
from rulewright.lint.analyses.code_memo import memoized_by_code
from rulewright.lint.analyses.information_flow import own_and_unseen
from rulewright.lint.analyses.program_index import ProgramIndex
from rulewright.lint.analyses.rule_index import first_span
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject


@lint("INF325")
def own_secret(subject: Subject) -> Iterator[Finding]:
    """Zones and fields of a player that hide from them what they have put there themselves."""
    reported: set[str] = set()
    for index in (game.ask(ProgramIndex) for game in subject.games):
        for name, choice, zone in _own_secrets(index):
            if name not in reported:
                reported.add(name)
                what = "what they put" if zone else "what they store"
                message = f"`{name}` hides from its owner {what} there with `{choice}`: they will remember it"
                yield Finding(message, first_span(index.game, name), "let its owner see the face of it")


@memoized_by_code
def _own_secrets(index: ProgramIndex) -> tuple[tuple[str, str, bool], ...]:
    """The name of each such zone or field, a choice of its owner that goes there, and whether it is a zone."""
    return tuple(_put(index))


def _put(index: ProgramIndex) -> Iterator[tuple[str, str, bool]]:
    program = index.program
    sight = sight_of(program)
    fields = {f.name: f for f in program.fields if "Player" in f.index and not _seen_by_owner(f, sight)}
    zones = {z.name: z for z in program.zones if "Player" in z.index and not (_seen_by_owner(z, sight) or z.faced)}
    fields = {name: field for name, field in fields.items() if index.concerns(name)}
    zones = {name: zone for name, zone in zones.items() if index.concerns(name)}
    mixed = _mixed(index) if zones else frozenset()
    zones = {name: zone for name, zone in zones.items() if name not in mixed}
    if not zones and not fields:
        return
    answers = Answers(program)
    for function in program.functions:
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.Choose):
                continue
            for trace in answers.of(function.name, pc).which.traces:
                declared = (zones if trace.sort == "zone" else fields if trace.sort == "field" else {}).get(trace.name)
                if declared is None or not trace.index or trace.facet != "face":
                    continue
                if own_and_unseen(index, i, trace.name, trace.index):
                    yield trace.name, f"{function.name}.{i.label}", trace.sort == "zone"


def _seen_by_owner(declared: m.Zone | m.Field, sight: DeclaredSight) -> bool:
    """True if it has no owner, or is seen by them or everybody as most such things are."""
    seen = {Level.OWNER, Level.SEATS, Level.EVERYBODY}
    return not declared.binders or not seen.isdisjoint(sight.levels(declared))


def _mixed(index: ProgramIndex) -> frozenset[str]:
    """The zones whose order cannot be remembered: those that are shuffled or drawn from."""
    program = index.program
    found = {zone.name for zone in program.zones if zone.order == "bag"}
    for i in (i for function in program.functions for i in function.code):
        if isinstance(i, m.SwapItems):
            found.add(i.zone)
        elif isinstance(i, m.Chance) and i.universe == "Piece":
            found |= {token.removeprefix("zone ") for token in index.effects.reads(i.source)}
    return frozenset(found)
