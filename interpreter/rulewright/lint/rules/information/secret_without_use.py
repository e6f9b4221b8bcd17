"""INF324: a secret without effect."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.walk import nodes
from rulewright.lint.analyses.information_flow import unseen
from rulewright.lint.analyses.rule_index import first_span
from rulewright.lint.context import Finding, Subject, lint


@lint("INF324")
def secret_without_use(subject: Subject) -> Iterator[Finding]:
    """Zones and fields that nobody sees and no rule reads: what goes there is never spoken of again."""
    idle = [_idle(game.program) for game in subject.games]
    for name in sorted(set.intersection(*idle)) if idle else ():
        span = first_span(subject.games[0], name)
        message = f"nobody sees `{name}` and no rule reads it: its contents have no effect"
        yield Finding(message, span, "let somebody see it, use it in a rule, or leave it out")


def _idle(program: m.Program) -> set[str]:
    """The zones and fields of a game that nobody sees and nothing reads."""
    read = _read_by_rules(program) | _read_by_audiences(program)
    named = _zones_asked_for(program)
    zones = {z.name for z in program.zones if unseen(z) and f"zone {z.name}" not in read and z.name not in named}
    return zones | {f.name for f in program.fields if unseen(f) and f"field {f.name}" not in read}


def _read_by_rules(program: m.Program) -> frozenset[str]:
    effects = EffectAnalysis.of(program)
    code = (i for function in program.functions for i in function.code)
    return frozenset().union(*(effects.reads(i) for i in code))  # type: ignore[arg-type]


def _read_by_audiences(program: m.Program) -> frozenset[str]:
    """The reads that decide who sees a zone or field."""
    effects = EffectAnalysis.of(program)
    audiences = [a for f in program.fields for a in f.audiences] + [a for z in program.zones for a in z.audiences]
    return frozenset().union(*(effects.reads(a.by) for a in audiences if a.by is not None))


def _zones_asked_for(program: m.Program) -> set[str]:
    """The zones of which rules ask whether a piece lies there."""
    asked = (n for f in program.functions for i in f.code for n in nodes(i) if isinstance(n, m.InZone))
    return {zone for n in asked for zone in n.zones}
