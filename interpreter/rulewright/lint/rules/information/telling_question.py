"""INF328: questions, and draws of chance, that betray what not everybody sees by coming at all."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Span
from rulewright.ir import model as m
from rulewright.lint.analyses.code_memo import memoized_by_code
from rulewright.lint.analyses.hidden_reads import Secret
from rulewright.lint.analyses.information_flow import Telling, betraying
from rulewright.lint.analyses.program_index import ProgramIndex
from rulewright.lint.analyses.rule_index import first_span
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject


@lint("INF328")
def telling_question(subject: Subject) -> Iterator[Finding]:
    """Questions and draws of which it depends on something hidden whether they come."""
    reported: set[tuple[Span, str]] = set()
    for index in (game.ask(ProgramIndex) for game in subject.games):
        for function, i, secret in _questions(index):
            question, comes, hint = _described(function, i, index)
            read = (
                f"the {'number of pieces' if secret.facet == 'count' else 'pieces'} in"
                if secret.zone
                else "the value of"
            )
            message = f"whether {comes} depends on {read} `{secret.name}`, which not everybody sees"
            finding = Finding(message, first_span(index.game, question, function), hint)
            if (finding.span, finding.message) not in reported:
                reported.add((finding.span, finding.message))
                yield finding


def _described(function: str, i: Telling, index: ProgramIndex) -> tuple[str, str, str]:
    """Words for what comes: its name, what happens, and what one writes instead."""
    named = i.at if isinstance(i, m.Call) else i.label
    question = f"{function}.{named}" if named else function
    if isinstance(i, m.Chance) or (isinstance(i, m.Call) and not index.asks(i.function)):
        hint = "let chance draw in any case, before the condition, and use what it gives only where it counts"
        return question, f"chance draws for `{question}`", hint
    hint = "ask whoever might, with only `pass` where nothing is possible: `asked anyway`, or `may choose`"
    return question, f"`{question}` is asked", hint


@memoized_by_code
def _questions(index: ProgramIndex) -> tuple[tuple[str, Telling, Secret], ...]:
    """The functions, what asks or draws in them, and on what it depends."""
    functions = (f for f in index.program.functions if index.concerns(f.name))
    return tuple((f.name, i, secret) for f in functions for i, secret in betraying(f, index))
