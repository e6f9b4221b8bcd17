"""INF329: a secret that is imagined value by value."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ir.declared_sight import sight_of
from rulewright.ir.information_flow.hidden_values import correlated_fields
from rulewright.lint.analyses.code_memo import memoized_by_code
from rulewright.lint.analyses.control_flow import flow_of
from rulewright.lint.analyses.mentions import mentions
from rulewright.lint.analyses.program_index import ProgramIndex
from rulewright.lint.analyses.rule_index import first_span
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Configuration, Subject
from rulewright.syntax import ast


@lint("INF329")
def correlated_secret(subject: Subject) -> Iterator[Finding]:
    """Hidden fields that hold what follows from other secrets: an agent that searches draws each value by itself, if no
    invariant relates them."""
    reported: set[str] = set()
    hint = "say what always holds in an `invariant`: worlds that break it are thrown away"
    for index in (game.ask(ProgramIndex) for game in subject.games):
        for name in _correlated(index):
            if name not in reported and not _is_bound(index.game, name):
                reported.add(name)
                message = f"`{name}` holds what follows from secrets: who looks ahead imagines each value by itself"
                yield Finding(message, first_span(index.game, name), hint)


def _is_bound(game: Configuration, name: str) -> bool:
    """True if an invariant reads a field."""
    flow = game.ask(flow_of)
    conditions = (d.condition for d in game.rules.decls.values() if isinstance(d, ast.Invariant))
    return any(name in flow.reads(mentions(condition)) for condition in conditions)


@memoized_by_code
def _correlated(index: ProgramIndex) -> tuple[str, ...]:
    """The hidden fields whose values are neither revealed by the rules nor just chosen or drawn."""
    if not any(index.concerns(f.name) for f in index.program.fields):
        return ()
    idle = {f.name for f in filter(sight_of(index.program).nobody, index.program.fields)} - index.read_by_rules[0]
    return tuple(name for name in correlated_fields(index.program) if name not in idle)
