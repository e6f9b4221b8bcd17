"""Reactions that never happen, that never stop, or that happen in no order."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.lint.doing import FlowAnalysis
from rulewright.lint.index import Index, in_all_games
from rulewright.lint.subject import Finding, Lint, Subject, lint
from rulewright.syntax import ast

_OPEN: dict[str, type[ast.Node]] = {"rolls": ast.Roll}
"""Events that are no procedures, with the statements that are such an event."""


def _event(reaction: ast.Reaction) -> str:
    event = reaction.event.operand if isinstance(reaction.event, ast.Call) else reaction.event
    return event.name if isinstance(event, ast.Name) else ""


def _happens(name: str, bodies: list[object], flow: FlowAnalysis) -> bool:
    """Whether an event happens somewhere in these rules."""
    if name in flow.calls:
        return any(name in flow.reached(flow.named(body)) for body in bodies)
    if name in _OPEN:
        called = [flow.calls[n].body for body in bodies for n in flow.reached(flow.named(body))]
        return any(isinstance(n, _OPEN[name]) for body in (*bodies, *called) for n in nodes(body))
    return True  # the name of a step


@lint("TRG301", "reaction-never-fires")
def never_fires(subject: Subject) -> Iterator[Finding]:
    """A reaction to something that no rule ever does."""
    return in_all_games(subject, _never_fires)


def _never_fires(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    run: list[object] = [*(flow.calls[n].body for n in flow.run()), *(d.body for d in flow.reacting)]
    for reaction in index.game.rules.all(ast.Reaction):
        name = _event(reaction)
        if name in flow.calls and name in flow.run():
            continue
        if not _happens(name, run, flow):
            yield Finding(f"`{reaction.name}` never happens: no rule ever does `{name}`", reaction.event.span)


@lint("TRG302", "reaction-to-itself")
def feeds_itself(subject: Subject) -> Iterator[Finding]:
    """A reaction that sets off itself and has nothing that stops it."""
    return in_all_games(subject, _feeds_itself)


def _feeds_itself(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    for reaction in index.game.rules.all(ast.Reaction):
        if reaction.by is not None or reaction.moment not in ("before", "after"):
            continue  # whoever reacts by choice may leave off
        if flow.finishes(reaction.body) or not _happens(_event(reaction), [reaction.body], flow):
            continue
        asked = flow.reads(reaction.where) if reaction.where is not None else frozenset()
        if not asked & flow.writes(reaction.body):
            said = f"`{reaction.name}` sets itself off again, and nothing stops it"
            yield Finding(said, reaction.span, hint="add a `where` that its own doing makes false")


@lint("TRG305", "reactions-without-order")
def without_order(subject: Subject) -> Iterator[Finding]:
    """Two automatic reactions to the same thing, of which one changes what the other sees."""
    return in_all_games(subject, _without_order)


def _without_order(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    rules = index.game.rules
    ordered = {(a, b) for p in rules.precedence for i, a in enumerate(p.names) for b in p.names[i + 1 :]}
    reactions = [r for r in rules.all(ast.Reaction) if r.by is None and r.moment in ("before", "after")]
    for late, second in enumerate(reactions):
        for first in reactions[:late]:
            if (first.moment, _event(first)) != (second.moment, _event(second)):
                continue
            if (first.name, second.name) in ordered or (second.name, first.name) in ordered:
                continue
            if _meet(first, second, flow):
                said = f"`{first.name}` and `{second.name}` both happen {first.moment} `{_event(first)}`, in no order"
                yield Finding(said, second.span, hint=f"add `precedence {first.name}, {second.name}`")


def _meet(a: ast.Reaction, b: ast.Reaction, flow: FlowAnalysis) -> bool:
    """Whether one of them changes what the other reads or changes."""
    first, second = flow.writes(a.body), flow.writes(b.body)
    return bool(first & second or first & flow.reads((b.body, b.where)) or second & flow.reads((a.body, a.where)))


RULES: tuple[Lint, ...] = (never_fires, feeds_itself, without_order)
