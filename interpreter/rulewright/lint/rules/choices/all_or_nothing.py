"""CHO311: all answers are refused, or none."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("CHO311")
def all_or_nothing(subject: Subject) -> Iterator[Finding]:
    """A restriction that refuses all answers at once, in a choice that says nothing of what is done then."""
    return in_all_games(subject, _all_or_nothing)


def _all_or_nothing(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    asked: set[int] | None = None
    for choice in targets.nodes(ast.Choose):
        if choice.optional or choice.otherwise is not None:
            continue
        if choice.many is not None and choice.many.mode != "exactly":
            continue
        own = {choice.name, choice.as_name or choice.name}
        for label, restriction, clause in _restrictions(choice.restrictions, own, flow):
            state = {t for t in flow.reads(restriction) if not t.startswith("local ")} - {"regions"}
            if state:
                asked = _asked_before(index, flow) if asked is None else asked
                if id(choice) in asked:
                    break
                said = f"`{label}` does not look at `{choice.name}`: when it holds there is no answer"
                yield Finding(said, clause.span, hint="let it stand at the head of the procedure, or add an `else`")


def _asked_before(index: RuleIndex, flow: FlowAnalysis) -> set[int]:
    """Choices that are only made if they have an answer: first of an option, a repetition or what is `possible`."""
    found: set[int] = set()
    for n in index.nodes(ast.Option, ast.Repeats, ast.Call):
        match n:
            case ast.Option(body=body) | ast.Repeats(body=body):
                found |= {id(c) for c in _opening(body, flow, ())}
            case ast.Call(ast.Name("possible"), (ast.Call(ast.Name(name)),)) if name in flow.calls:
                found |= {id(c) for c in _opening(flow.calls[name].body, flow, (name,))}
    return found


def _opening(body: tuple[ast.Stmt, ...], flow: FlowAnalysis, seen: tuple[str, ...]) -> Iterator[ast.Choose]:
    """The choices with which a body may begin."""
    for s in body:
        match s:
            case ast.Forbid() | ast.Obey() | ast.Let():
                continue
            case ast.Choose():
                yield s
            case ast.Step(body=inner):
                yield from _opening(inner, flow, seen)
            case ast.If(branches=branches, otherwise=otherwise):
                for way in (*(b.body for b in branches), otherwise):
                    yield from _opening(way, flow, seen)
            case ast.CallStatement(call=called):
                named = called.operand if isinstance(called, ast.Call) else called
                if isinstance(named, ast.Name) and named.name in flow.calls and named.name not in seen:
                    yield from _opening(flow.calls[named.name].body, flow, (*seen, named.name))
        return


def _restrictions(
    written: tuple[ast.Restriction, ...], own: set[str], flow: FlowAnalysis, seen: tuple[str, ...] = ()
) -> Iterator[tuple[str, ast.Forbid, ast.Clause]]:
    """Restrictions that do not look at what is chosen, with the clause of the choice that brings them."""
    for restriction in written:
        if isinstance(restriction, ast.Forbid):
            if not own & {n.name for n in nodes(restriction) if isinstance(n, ast.Name)}:
                yield restriction.label, restriction, restriction
        elif isinstance(restriction.call, ast.Call) and isinstance(restriction.call.operand, ast.Name):
            limits = flow.limits.get(restriction.call.operand.name)
            if limits is None or limits.name in seen:
                continue
            given = zip(limits.params, restriction.call.args, strict=False)
            chosen = {p.name for p, a in given if own & {n.name for n in nodes(a) if isinstance(n, ast.Name)}}
            for label, inner, _ in _restrictions(limits.restrictions, chosen, flow, (*seen, limits.name)):
                yield label, inner, restriction
