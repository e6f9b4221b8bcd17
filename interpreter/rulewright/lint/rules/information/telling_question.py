"""INF328: questions that betray what not everybody sees by being asked."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Span
from rulewright.ir import model as m
from rulewright.lint.analyses.code_memo import memoized_by_code
from rulewright.lint.analyses.information_flow import Secret, betraying
from rulewright.lint.analyses.program_index import ProgramIndex
from rulewright.lint.analyses.rule_index import first_span
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject


@lint("INF328")
def telling_question(subject: Subject) -> Iterator[Finding]:
    """Questions of which it depends on something hidden whether they are asked."""
    told: set[tuple[Span, str]] = set()
    for index in (game.ask(ProgramIndex) for game in subject.games):
        for function, i, secret in _questions(index):
            named = i.label if isinstance(i, m.Choose) else i.at
            question = f"{function}.{named}" if named else function
            read = (
                f"the {'number of pieces' if secret.facet == 'count' else 'pieces'} in"
                if secret.zone
                else "the value of"
            )
            message = f"whether `{question}` is asked depends on {read} `{secret.name}`, which not everybody sees"
            hint = "ask whoever might, with only `pass` where nothing is possible: `asked anyway`, or `may choose`"
            finding = Finding(message, first_span(index.game, question, function), hint)
            if (finding.span, finding.message) not in told:
                told.add((finding.span, finding.message))
                yield finding


@memoized_by_code
def _questions(index: ProgramIndex) -> tuple[tuple[str, m.Choose | m.Call, Secret], ...]:
    """The functions, what asks in them, and on what it depends."""
    return tuple((f.name, i, secret) for f in index.program.functions for i, secret in betraying(f, index))
