"""CHO312: an answer that may be taken away."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Span
from rulewright.foundation.memo import memoized_by_node, traced_by_node
from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import NOTHING, Tokens
from rulewright.lint.analyses.code_memo import memoized_by_code
from rulewright.lint.analyses.program_index import ProgramIndex
from rulewright.lint.analyses.rule_index import first_span
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject


@lint("CHO312")
def invalidated_answer(subject: Subject) -> Iterator[Finding]:
    """Questions without ``else`` of which an interruption may take away every answer."""
    reported: set[Span] = set()
    for index in (game.ask(ProgramIndex) for game in subject.games):
        for function, label, thieves in _open_questions(index):
            span = first_span(index.game, f"{function}.{label}", function)
            if span not in reported:
                reported.add(span)
                who = " or ".join(f"`{name}`" for name in thieves)
                message = f"{who} may take away what `{label}` is chosen from while it is asked"
                yield Finding(message, span, "then nothing is done with the answer: say by `else` what happens instead")


@memoized_by_code
def _open_questions(index: ProgramIndex) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Questions that must be answered (function, label), with the interruptions that change what is offered there."""
    numbers = {f"field {f.name}" for f in index.program.fields if f.ty.universe in ("Int", "")}
    functions = {f.name: f for f in index.program.functions}
    written: dict[str, Tokens] = {}
    found: list[tuple[str, str, tuple[str, ...]]] = []
    for function in (f for f in functions.values() if index.concerns(f.name)):
        for i in _must_be_answered(function):
            reads = index.effects.reads(i.source) if i.source is not None else NOTHING
            offered = {token for token in reads - numbers if token.startswith(("zone ", "field "))}
            thieves = []
            for name in (extra.key for extra in i.extras if extra.key in functions):
                if name not in written:
                    written[name] = _written(name, functions, index)
                if written[name] & offered:
                    thieves.append(name)
            if thieves:
                found.append((function.name, i.label, tuple(thieves)))
    return tuple(found)


@memoized_by_node
def _must_be_answered(function: m.Function) -> tuple[m.Choose, ...]:
    """The questions that may be interrupted and can end with an answer only."""
    questions = (i for i in function.code if isinstance(i, m.Choose))
    choices = (i for i in questions if i.source is not None and i.on_empty is None and not i.secret)
    return tuple(i for i in choices if i.extras and all(extra.aside for extra in i.extras))


def _written(name: str, functions: dict[str, m.Function], index: ProgramIndex) -> Tokens:
    """The writes of a function, with all that it calls."""
    reached, todo, found = {name}, [name], NOTHING
    while todo:
        writes, called = _own_effects(functions[todo.pop()], index)
        found |= writes
        todo += called - reached
        reached |= called
    return found


@traced_by_node
def _own_effects(function: m.Function, index: ProgramIndex) -> tuple[Tokens, frozenset[str]]:
    """The writes of a function itself, and the functions that it calls."""
    index.declared()
    writes = NOTHING.union(*map(index.effects.writes, function.code))
    return writes, frozenset(i.function for i in function.code if isinstance(i, m.Call))
