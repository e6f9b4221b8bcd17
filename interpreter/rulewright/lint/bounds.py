"""Numbers and piles that may run out."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.ir import model as m
from rulewright.lint.doing import FlowAnalysis, blocks, rooted
from rulewright.lint.index import Index, in_all_games
from rulewright.lint.subject import Finding, Lint, Subject, lint
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_ASKING = {
    ast.Branch: "condition", ast.Forbid: "condition", ast.Unless: "condition", ast.Obey: "call",
    ast.Choose: "where", ast.Each: "where", ast.Repeat: "value", ast.Match: "subject", ast.Let: "value",
    ast.Consequence: "when", ast.End: "when", ast.Reaction: "where", ast.IfElse: "condition",
}  # fmt: skip
"""Where rules look before they do something."""


@lint("TYP238", "unguarded-subtraction")
def unguarded(subject: Subject) -> Iterator[Finding]:
    """Something is taken from a number that has a lowest value, and nobody looks how much is there."""
    return in_all_games(subject, _unguarded)


def _unguarded(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    looks = {name: _looked_at(decl, flow) for name, decl in flow.calls.items()}
    callers = {name: [c for c in flow.calls if c != name and name in flow.named_by[c]] for name in flow.calls}
    for decl in (*flow.calls.values(), *flow.reacting):
        here = looks.get(decl.name) or _looked_at(decl, flow)
        for s in index.nodes[decl.name]:
            if not (isinstance(s, ast.Assign) and s.op == "-="):
                continue
            field = index.world.fields.get(rooted(s.target))
            if field is None or field.type.kind != "int" or field.type.low == -m.INT_MAX:
                continue
            name = rooted(s.target)
            if name in here or name in flow.reads(s.value) or _all_look(decl.name, name, callers, looks, ()):
                continue
            said = f"`{print_expr(s.target)}` may fall below {field.type.low}: nothing here looks how much is left"
            yield Finding(said, s.span, hint="`forbid`, `if`, or take only `min({…})` of it")


def _looked_at(decl: ast.Node, flow: FlowAnalysis) -> frozenset[str]:
    """What conditions and amounts of a rule read."""
    found: frozenset[str] = frozenset()
    for n in nodes(decl):
        part = _ASKING.get(type(n))
        held = getattr(n, part) if part is not None else None
        if held is not None:
            found |= flow.reads(held)
    return found


def _all_look(
    name: str, field: str, callers: dict[str, list[str]], looks: dict[str, frozenset[str]], seen: tuple[str, ...]
) -> bool:
    """Whether all who call an effect or procedure have looked at a field."""
    above = [c for c in callers.get(name, []) if c not in seen]
    return bool(above) and all(field in looks[c] or _all_look(c, field, callers, looks, (*seen, name)) for c in above)


# ------------------------------------------------------------------------------------------ piles of pieces


@lint("CHO310", "choice-may-run-out")
def may_run_out(subject: Subject) -> Iterator[Finding]:
    """A repetition that takes from a zone again and again, and says nothing of what is done when it is empty."""
    return in_all_games(subject, _may_run_out)


def _may_run_out(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    for loop in index.all_nodes():
        if not isinstance(loop, ast.Repeat) or loop.mode == "forever":
            continue
        bounded = flow.reads((loop.value, loop.at_most))
        for block in blocks(nodes(loop)):
            for choice in block:
                if not isinstance(choice, ast.Choose) or choice.optional or choice.otherwise is not None:
                    continue
                zone = rooted(choice.source)
                if zone not in index.world.zones or zone in bounded or _looks(loop, zone, flow):
                    continue
                if choice.many is None and _takes(loop, choice.name) and not _fills(loop, zone):
                    said = f"`{zone}` may be empty before this is over: then nothing can be chosen"
                    yield Finding(said, choice.span, hint=f"add an `else`, or repeat at most `size({zone}…)` times")


def _looks(loop: ast.Repeat, zone: str, flow: FlowAnalysis) -> bool:
    """Whether some condition in a repetition looks at a zone."""
    return any(isinstance(n, ast.Branch) and zone in flow.reads(n.condition) for n in nodes(loop.body))


def _takes(loop: ast.Repeat, name: str) -> bool:
    return any(isinstance(n, ast.Move) and n.what == ast.Name(name) for n in nodes(loop.body))


def _fills(loop: ast.Repeat, zone: str) -> bool:
    return any(isinstance(n, (ast.Move, ast.Draw)) and rooted(n.to) == zone for n in nodes(loop.body))


# ---------------------------------------------------------------------------------------- all or nothing


@lint("CHO311", "all-or-nothing")
def all_or_nothing(subject: Subject) -> Iterator[Finding]:
    """A restriction that refuses all answers at once, in a choice that says nothing of what is done then."""
    return in_all_games(subject, _all_or_nothing)


def _all_or_nothing(index: Index) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    asked = _asked_before(index, flow)
    for choice in index.all_nodes():
        if not isinstance(choice, ast.Choose) or choice.optional or choice.otherwise is not None or id(choice) in asked:
            continue
        if choice.many is not None and choice.many.mode != "exactly":
            continue
        own = {choice.name, choice.as_name or choice.name}
        for label, restriction, clause in _restrictions(choice.restrictions, own, flow):
            state = {t for t in flow.reads(restriction) if not t.startswith("local ")} - {"regions"}
            if state:
                said = f"`{label}` does not look at `{choice.name}`: when it holds there is no answer"
                yield Finding(said, clause.span, hint="let it stand at the head of the procedure, or add an `else`")


def _asked_before(index: Index, flow: FlowAnalysis) -> set[int]:
    """Choices that are only made if they have an answer: first of an option, a repetition or what is `possible`."""
    found: set[int] = set()
    for n in index.all_nodes():
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


RULES: tuple[Lint, ...] = (unguarded, may_run_out, all_or_nothing)
