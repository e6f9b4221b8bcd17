"""PRP605: a table that contradicts an invariant."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.symbols.consteval import NotConstant, members, number
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.analyses.static_evaluation import StaticEvaluator
from rulewright.lint.context import Finding, Subject, lint


@lint("PRP605")
def printed_otherwise(subject: Subject) -> Iterator[Finding]:
    """An invariant about what is printed, with which the tables do not agree."""
    wrong: dict[str, tuple[Finding, list[int]]] = {}
    for game in subject.games:
        if not game.variants:
            for finding in _wrong(game.ask(RuleIndex)):
                wrong.setdefault(finding.message, (finding, []))[1].append(game.players)
    for finding, counts in wrong.values():
        many = " and ".join(map(str, counts)) if len(counts) < 3 else f"{counts[0]} to {counts[-1]}"
        yield Finding(f"{finding.message} with {many} players", finding.span, notes=finding.notes)


def _wrong(index: RuleIndex) -> Iterator[Finding]:
    program = index.game.program
    invariants = [assertion for assertion in program.assertions if assertion.word == "invariant"]
    if not invariants:
        return
    changing = [g.name for g in program.merged] + (["Player"] if "eliminate" in index.spoken else [])
    printed = StaticEvaluator(program, frozenset(changing))
    for assertion in invariants:
        decl = index.game.rules.decls[assertion.name]
        try:
            every = [{}] if assertion.var is None or assertion.source is None else [
                {assertion.var: i} for i in members(number(printed.value(assertion.source, {})))
            ]  # fmt: skip
            if not all(number(printed.value(assertion.condition, env)) for env in every):
                yield Finding(f"the tables contradict this: `{assertion.name}` does not hold", decl.span)
        except (NotConstant, KeyError):
            continue
