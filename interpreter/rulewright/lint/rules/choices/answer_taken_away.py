"""CHO312: an answer that may be taken away."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Span
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import NOTHING, EffectAnalysis, Tokens
from rulewright.lint.analyses.rule_index import first_span
from rulewright.lint.context import Finding, Subject, lint


@lint("CHO312")
def answer_taken_away(subject: Subject) -> Iterator[Finding]:
    """Questions without ``else`` of which an interruption may take away every answer."""
    told: set[Span] = set()
    for game in subject.games:
        for function, label, thieves in _open_questions(game.program):
            span = first_span(game, f"{function}.{label}", function)
            if span not in told:
                told.add(span)
                who = " or ".join(f"`{name}`" for name in thieves)
                message = f"{who} may take away what `{label}` is chosen from while it is asked"
                yield Finding(message, span, "then nothing is done with the answer: say by `else` what happens instead")


def _open_questions(program: m.Program) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Questions that must be answered (function, label), with the interruptions that change what is offered there."""
    effects: EffectAnalysis | None = None
    numbers = {f"field {f.name}" for f in program.fields if f.ty.universe in ("Int", "")}
    functions = {f.name: f for f in program.functions}
    found: list[tuple[str, str, tuple[str, ...]]] = []
    for function in program.functions:
        for i in function.code:
            if not isinstance(i, m.Choose) or i.source is None or i.on_empty is not None or i.secret:
                continue
            aside = [extra.key for extra in i.extras if extra.aside]
            if not aside or len(aside) < len(i.extras):  # there is a way to leave off
                continue
            effects = effects or EffectAnalysis.of(program)
            offered = {token for token in effects.reads(i.source) - numbers if token.startswith(("zone ", "field "))}
            thieves = [name for name in aside if name in functions and _written(name, functions, effects) & offered]
            if thieves:
                found.append((function.name, i.label, tuple(thieves)))
    return tuple(found)


def _written(name: str, functions: dict[str, m.Function], effects: EffectAnalysis) -> Tokens:
    """The writes of a function, with all that it calls."""
    reached, todo, found = {name}, [name], NOTHING
    while todo:
        for i in functions[todo.pop()].code:
            found |= effects.writes(i)
            if isinstance(i, m.Call) and i.function not in reached:
                reached.add(i.function)
                todo.append(i.function)
    return found
