"""REF017: a name inside a rule that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Edit, Fix, Span
from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.tree_fields import node_fields
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.uses import FOR_EACH, WITH_PARAMETERS, words, words_read
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast

_RULES: tuple[type[ast.Clause], ...] = (*WITH_PARAMETERS, *FOR_EACH, ast.InsertOp, ast.Reaction)
_GIVING: tuple[type[ast.Clause], ...] = (ast.Let, ast.Roll, ast.Choose, ast.Each)
_WITH_BINDS: tuple[type[ast.Node], ...] = (ast.Aggregate, ast.Comprehension, ast.Ranked, ast.Every)


class _Idle(NamedTuple):
    """A name that nothing in its rule uses."""

    rule: str
    """The declaration in which an overlay may use it."""
    name: str
    is_param: bool
    finding: Finding


@lint("REF017")
def unused_local(subject: Subject) -> Iterator[Finding]:
    """Parameters, answers, rolls and other names of one rule that nothing in it uses."""
    decls = list(subject.decls())
    added: dict[str, set[str]] = {}
    for decl in decls:
        for rule, spoken in _added_by(decl):
            added.setdefault(rule, set()).update(spoken)
    events = {word for d in decls if isinstance(d, ast.Reaction) for word in words(d.event)}
    for decl in (decl for decl in decls if subject.wants(decl.span.file)):
        for idle in _idle_in(decl):
            # What replaces a declaration must take what it is given, and so must an event.
            if idle.name not in added.get(idle.rule, ()) and not (idle.is_param and idle.rule in events):
                yield idle.finding


@memoized_by_node
def _idle_in(decl: ast.Clause) -> tuple[_Idle, ...]:
    """The names in a declaration that nothing in the rule uses in which they stand."""
    if isinstance(decl, ast.Scenario):
        return ()
    found: list[_Idle] = []
    for rule in nodes_of(decl, *_RULES):
        name = getattr(rule, "name", "") or str(getattr(rule, "path", "")).partition(".")[0]
        given = rule is decl and getattr(rule, "open", None) is None
        found += (_Idle(name, word, is_param, finding) for word, is_param, finding in _unused(rule, given))
    found += (_Idle("", "", False, finding) for node in nodes_of(decl, *_WITH_BINDS) for finding in _unused_binds(node))
    return tuple(found)


def _unused(rule: ast.Clause, with_params: bool) -> Iterator[tuple[str, bool, Finding]]:
    spoken = words_read(rule)
    if isinstance(rule, WITH_PARAMETERS) and with_params:
        for param in rule.params:
            if param.name not in spoken:
                yield param.name, True, Finding(f"nothing here uses the parameter `{param.name}`", param.span)
    for bind in rule.binds if isinstance(rule, FOR_EACH) else ():
        if bind.name not in spoken:
            yield bind.name, False, Finding(f"this is said for each `{bind.name}`, but is the same for all", bind.span)
    for node in nodes_of(rule, *_GIVING):
        message, fix = "", None
        match node:
            case ast.Let(name=name, changes=True) if name not in spoken:
                message = f"`{name}` is set, but nothing reads it"
            case ast.Let(name=name) if name not in spoken:
                message = f"nothing uses `{name}`"
                # A call may do something besides giving its result.
                called = any(isinstance(part, ast.Call) for part in nodes(node.value))
                fix = None if called else _removal(rule, node)
            case ast.Roll(name=name) if name not in spoken:
                message = f"the dice are rolled, but nothing reads `{name}`"
            case ast.Choose(name=name, as_name=None) if name not in spoken:
                message = f"`{name}` is chosen, but nothing uses the answer"
            case ast.Choose(as_name=str(name)) if name not in spoken:
                message = f"`{name}` are chosen, but nothing uses the answer"
            case ast.Each(bind=ast.Bind(name=name)) if name not in spoken:
                message = f"the same is done for each `{name}`: nothing uses the name"
            case _:
                continue
        if message:
            yield name, False, Finding(message, node.span, fix=fix)


def _removal(rule: ast.Clause, let: ast.Let) -> Fix | None:
    """The fix that removes a statement: its lines, or, where it is all that is done, that nothing is done instead.

    None where something else stands on its line.
    """
    holder = next((held for node in nodes(rule) for held in _blocks(node) if any(one is let for one in held)), ())
    if len(holder) == 1:
        return Fix("remove it", (Edit(let.span, "do nothing"),), safe=False)
    beside = (one.span for one in holder if one is not let)
    if any(one.line <= let.span.end_line and let.span.line <= one.end_line for one in beside):
        return None
    where = Span(let.span.file, let.span.line, 1, let.span.end_line + 1, 1)
    return Fix("remove it", (Edit(where, ""),), safe=False)


def _blocks(node: object) -> Iterator[tuple[ast.Node, ...]]:
    """The statements that stand one after the other in a node."""
    for name in node_fields(type(node)):
        held = getattr(node, name, None)
        if isinstance(held, tuple) and held and all(isinstance(one, ast.Node) for one in held):
            yield held


def _unused_binds(node: ast.Node) -> Iterator[Finding]:
    """Conditions inside brackets that are the same for all that are looked at."""
    match node:
        case (
            ast.Aggregate(element=element, binds=binds, where=where)
            | ast.Comprehension(element=element, binds=binds, where=where)
        ):
            parts: tuple[object, ...] = (element, where)
        case ast.Ranked(bind=bind, where=where, by=by):
            binds, parts = (bind,), (where, by)
        case ast.Every(bind=bind, where=where, has=has):
            binds, parts = (bind,), (where, has)
        case _:
            return
    if all(part is None for part in parts):
        return
    spoken = set(words(parts))
    for number, bind in enumerate(binds):
        later = set(words(binds[number + 1 :]))
        if bind.name not in spoken | later:
            yield Finding(f"what is asked here is the same for every `{bind.name}`", bind.span)


@memoized_by_node
def _added_by(decl: ast.Clause) -> tuple[tuple[str, frozenset[str]], ...]:
    """The words that an overlay or extension uses inside other declarations, by their names."""
    paths = ((op, getattr(op, "path", None)) for op in (decl, *getattr(decl, "ops", ())))
    return tuple((p.parts[0], frozenset(words(op, reading=True))) for op, p in paths if isinstance(p, ast.Path))
