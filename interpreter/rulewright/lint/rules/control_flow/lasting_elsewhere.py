"""CTL122: a lasting field that is used elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.lint.analyses.control_flow import FlowAnalysis, rooted
from rulewright.lint.analyses.rule_index import RuleIndex, in_all_games
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("CTL122")
def lasting_elsewhere(subject: Subject) -> Iterator[Finding]:
    """A field that lasts as long as a block, but is set or asked only outside of it."""
    return in_all_games(subject, _lasting_elsewhere)


def _lasting_elsewhere(index: RuleIndex) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    watched = _watched(index, flow)
    for name, field in index.world.fields.items():
        if field.lasting is None or name in watched:
            continue
        within = {id(n) for body in _extent(field.lasting, flow) for n in nodes(body)}
        for kind, uses in (("set", _settings(name, flow)), ("asked", _questions(name, flow))):
            if uses and not any(id(n) in within for n in uses):
                said = f"`{name}` lasts as long as `{field.lasting}`, but it is {kind} only outside of it"
                yield Finding(said, field.decl.span)


def _watched(index: RuleIndex, flow: FlowAnalysis) -> frozenset[str]:
    """The reads that happen at any time, by consequences, ends and the like."""
    called = (ast.Callable, ast.FieldDecl, ast.Query, ast.Value)
    return frozenset().union(*(flow.reads(d) for d in index.decls if not isinstance(d, called)))


def _in_bodies(flow: FlowAnalysis) -> list[ast.Node]:
    """The nodes of all effects and procedures."""
    return [n for decl in flow.calls.values() for n in nodes(decl.body)]


def _settings(name: str, flow: FlowAnalysis) -> list[ast.Expr]:
    """The statements that give a field another value."""
    return [target for n in _in_bodies(flow) for target in n.held(n.sets) if rooted(target) == name]


def _questions(name: str, flow: FlowAnalysis) -> list[ast.Name]:
    """The words that ask for a field, itself or through a query or limits; where it is set does not count."""
    targets = {id(n) for setting in _settings(name, flow) for n in nodes(setting)}
    words = [n for n in _in_bodies(flow) if isinstance(n, ast.Name) and id(n) not in targets]
    return [n for n in words if n.name == name or name in _through(n.name, flow)]


def _through(name: str, flow: FlowAnalysis) -> frozenset[str]:
    """The reads of a query or limits."""
    held = flow.queries.get(name) or flow.limits.get(name)
    return flow.reads(held) if held is not None else frozenset()


def _extent(block: str, flow: FlowAnalysis) -> list[object]:
    """All that happens between the beginning and the end of a procedure or step."""
    bodies: list[object] = []
    called: list[str] = []
    if block in flow.calls:
        called.append(block)
    for decl in (*flow.calls.values(), *flow.reacting):
        for step in nodes(decl.body):
            if isinstance(step, ast.Step) and step.label == block:
                bodies.append(step.body)
                called += flow.named(step.body)
    return bodies + [flow.calls[n].body for n in flow.reached(called)]
