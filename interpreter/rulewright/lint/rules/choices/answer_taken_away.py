"""CHO312: an answer that may be taken away."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Span
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import NOTHING, EffectAnalysis, Tokens
from rulewright.lint.analyses.rule_index import first_span
from rulewright.lint.context import Configuration, Finding, Subject, lint


@lint("CHO312")
def answer_taken_away(subject: Subject) -> Iterator[Finding]:
    """Questions without ``else`` of which an interruption may take away every answer."""
    told: set[Span] = set()
    for game in subject.games:
        for function, i, thieves in _open_questions(game):
            span = first_span(game, f"{function}.{i.label}", function)
            if span not in told:
                told.add(span)
                who = " or ".join(f"`{name}`" for name in thieves)
                message = f"{who} may take away what `{i.label}` is chosen from while it is asked"
                yield Finding(message, span, "then nothing is done with the answer: say by `else` what happens instead")


def _open_questions(game: Configuration) -> Iterator[tuple[str, m.Choose, list[str]]]:
    """Questions that must be answered, with the interruptions that change what is offered there."""
    program = game.program
    effects = EffectAnalysis.of(program)
    numbers = {f"field {f.name}" for f in program.fields if f.ty.universe in ("Int", "")}
    written: dict[str, Tokens] = {}
    for function in program.functions:
        for i in function.code:
            if not isinstance(i, m.Choose) or i.source is None or i.on_empty is not None or i.secret:
                continue
            aside = [extra.key for extra in i.extras if extra.aside]
            if len(aside) < len(i.extras):  # there is a way to leave off
                continue
            offered = {token for token in effects.reads(i.source) - numbers if token.startswith(("zone ", "field "))}
            if offered and not written:
                written = _written(program, effects)
            thieves = [name for name in aside if written.get(name, NOTHING) & offered]
            if thieves:
                yield function.name, i, thieves


def _written(program: m.Program, effects: EffectAnalysis) -> dict[str, Tokens]:
    """The writes of each function, with all that it calls."""
    calls = {f.name: {i.function for i in f.code if isinstance(i, m.Call)} for f in program.functions}
    found = {f.name: frozenset().union(*map(effects.writes, f.code)) for f in program.functions}
    changed = True
    while changed:
        changed = False
        for name, called in calls.items():
            more = found[name].union(*(found[other] for other in called))
            changed, found[name] = changed or more != found[name], more
    return found
