"""INF324: a secret without effect."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ir.declared_sight import sight_of
from rulewright.lint.analyses.code_memo import memoized_by_code
from rulewright.lint.analyses.program_index import ProgramIndex
from rulewright.lint.analyses.rule_index import first_span
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Configuration, Subject


@lint("INF324")
def secret_without_use(subject: Subject) -> Iterator[Finding]:
    """Zones and fields that no player sees and no rule reads: what goes there is lost."""
    first: dict[str, Configuration] = {}
    used: set[str] = set()
    for index in (game.ask(ProgramIndex) for game in subject.games):
        declared = {zone.name for zone in index.program.zones} | {field.name for field in index.program.fields}
        used |= declared - _idle(index)
        for name in _idle(index):
            first.setdefault(name, index.game)
    for name in sorted(first.keys() - used):
        span = first_span(first[name], name)
        message = f"nobody sees `{name}` and no rule reads it: its contents have no effect"
        yield Finding(message, span, "let somebody see it, use it in a rule, or leave it out")


@memoized_by_code
def _idle(index: ProgramIndex) -> frozenset[str]:
    """The zones and fields of a game that no player sees and nothing reads."""
    sight = sight_of(index.program)
    zones = {z.name for z in index.program.zones if sight.nobody(z) and index.concerns(z.name)}
    fields = {f.name for f in index.program.fields if sight.nobody(f) and index.concerns(f.name)}
    if not zones and not fields:
        return frozenset()
    read_fields, read_zones = index.read_by_rules
    return frozenset(zones - read_zones - index.inside) | (fields - read_fields)
