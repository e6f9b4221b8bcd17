"""PRP605: a table that contradicts an invariant."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.foundation.memo import traced_by_node
from rulewright.ir import model as m
from rulewright.ir.evaluation import NotConstant, members, number
from rulewright.lint.analyses.static_evaluation import PrintedFacts, StaticEvaluator
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Configuration, Subject


@lint("PRP605")
def printed_otherwise(subject: Subject) -> Iterator[Finding]:
    """An invariant about what is printed, with which the tables do not agree."""
    wrong: dict[str, tuple[Finding, list[int]]] = {}
    for game in subject.games:
        if not game.variants:
            for finding in _wrong(game):
                wrong.setdefault(finding.message, (finding, []))[1].append(game.players)
    for finding, counts in wrong.values():
        many = " and ".join(map(str, counts)) if len(counts) < 3 else f"{counts[0]} to {counts[-1]}"
        yield Finding(f"{finding.message} with {many} players", finding.span, notes=finding.notes)


def _wrong(game: Configuration) -> Iterator[Finding]:
    index = game.ask(PrintedFacts)
    for assertion in game.program.assertions:
        if assertion.word == "invariant" and _contradicted(assertion, index):
            span = game.rules.decls[assertion.name].span
            yield Finding(f"the tables contradict this: `{assertion.name}` does not hold", span)


@traced_by_node
def _contradicted(invariant: m.Assertion, index: PrintedFacts) -> bool:
    """True if an invariant speaks only of what is printed, and does not hold."""
    printed = StaticEvaluator(index.printed())
    try:
        every = [{}] if invariant.var is None or invariant.source is None else [
            {invariant.var: i} for i in members(number(printed.value(invariant.source, {})))
        ]  # fmt: skip
        return not all(number(printed.value(invariant.condition, env)) for env in every)
    except (NotConstant, KeyError):
        return False
