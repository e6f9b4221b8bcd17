"""Names inside a rule: those that nothing uses, and those that hide another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Edit, Fix, Span
from rulewright.lint.subject import Finding, Lint, Subject, lint
from rulewright.lint.uses import words
from rulewright.syntax import ast
from rulewright.tree_fields import node_fields

_WITH_PARAMS = (ast.Query, ast.Value, ast.Limits, ast.Callable)
_FOR_EACH = (ast.Consequence, ast.End, ast.Invariant, ast.Property)


@lint("REF017", "unused-local")
def unused_local(subject: Subject) -> Iterator[Finding]:
    """Parameters, answers, rolls and other names of one rule that nothing in it uses."""
    decls = list(subject.decls())
    added = _words_of_overlays(decls)
    events = {word for d in decls if isinstance(d, ast.Reaction) for word in words(d.event)}
    for decl in decls:
        if isinstance(decl, ast.Scenario):
            continue
        for rule in nodes(decl):
            if isinstance(rule, (*_WITH_PARAMS, *_FOR_EACH, ast.InsertOp, ast.Reaction)):
                name = getattr(rule, "name", "") or str(getattr(rule, "path", "")).partition(".")[0]
                used = added.get(name, set())
                # What replaces a declaration must take what it is given, and so must an event.
                given = rule is decl and name not in events and getattr(rule, "open", None) is None
                yield from _unused(rule, used, given)
        for node in nodes(decl):
            yield from _unused_binds(node)


def _unused(rule: ast.Node, also: set[str], with_params: bool) -> Iterator[Finding]:
    spoken = set(words(rule, reading=True)) | also
    if isinstance(rule, _WITH_PARAMS) and with_params:
        for param in rule.params:
            if param.name not in spoken:
                yield Finding(f"nothing here uses the parameter `{param.name}`", param.span)
    if isinstance(rule, _FOR_EACH) and rule.bind is not None and rule.bind.name not in spoken:
        yield Finding(f"this is said for each `{rule.bind.name}`, but is the same for all", rule.bind.span)
    for node in nodes(rule):
        message, fix = "", None
        match node:
            case ast.Let(name=name, changes=True) if name not in spoken:
                message = f"`{name}` is set, but nothing asks for it"
            case ast.Let(name=name) if name not in spoken:
                message = f"nothing uses `{name}`"
                where = Span(node.span.file, node.span.line, 1, node.span.end_line + 1, 1)
                # A call may do something besides giving its result.
                called = any(isinstance(part, ast.Call) for part in nodes(node.value))
                fix = None if called else Fix("remove it", (Edit(where, ""),), safe=False)
            case ast.Roll(name=name) if name not in spoken:
                message = f"the dice are rolled, but nothing looks at `{name}`"
            case ast.Choose(name=name, as_name=None) if name not in spoken:
                message = f"`{name}` is chosen, but nothing comes of the answer"
            case ast.Choose(as_name=str(name)) if name not in spoken:
                message = f"`{name}` are chosen, but nothing comes of the answer"
            case ast.Each(bind=bind) if bind.name not in spoken:
                message = f"the same is done for each `{bind.name}`: nothing uses the name"
            case _:
                continue
        if message:
            yield Finding(message, node.span, fix=fix)


def _unused_binds(node: ast.Node) -> Iterator[Finding]:
    """Conditions inside brackets that are the same for all that are looked at."""
    match node:
        case (
            ast.Aggregate(element=element, binds=binds, where=where)
            | ast.Comprehension(element=element, binds=binds, where=where)
        ):
            asked: tuple[object, ...] = (element, where)
        case ast.Ranked(bind=bind, where=where, by=by):
            binds, asked = (bind,), (where, by)
        case ast.Every(bind=bind, where=where, has=has):
            binds, asked = (bind,), (where, has)
        case _:
            return
    if all(part is None for part in asked):
        return
    spoken = set(words(asked))
    for number, bind in enumerate(binds):
        later = set(words(binds[number + 1 :]))
        if bind.name not in spoken | later:
            yield Finding(f"what is asked here is the same for every `{bind.name}`", bind.span)


def _words_of_overlays(decls: list[ast.Decl | ast.Change]) -> dict[str, set[str]]:
    """What overlays and extensions say inside a declaration, by its name."""
    found: dict[str, set[str]] = {}
    for decl in decls:
        for op in (decl, *getattr(decl, "ops", ())):
            path = getattr(op, "path", None)
            if isinstance(path, ast.Path):
                found.setdefault(path.parts[0], set()).update(words(op, reading=True))
    return found


# ------------------------------------------------------------------------------------------ names that hide


@dataclass(slots=True)
class _Names:
    """The names known at a place in a rule, and the findings on the way."""

    known: dict[str, Span]
    found: list[Finding] = field(default_factory=list)

    def add(self, name: str | None, span: Span) -> None:
        if name is None:
            return
        if name in self.known and self.known[name] != span:
            line = self.known[name].line
            note = f"the other is named in line {line}"
            self.found.append(Finding(f"`{name}` hides another `{name}` of this rule", span, notes=(note,)))
        self.known[name] = span

    def block(self, statements: tuple[ast.Node, ...]) -> None:
        outside = dict(self.known)
        for statement in statements:
            self.look(statement)
        self.known = outside

    def look(self, node: object) -> None:
        """Go through a node; names that a statement gives stay known behind it, others only inside."""
        if isinstance(node, tuple):
            if node and all(isinstance(part, ast.Clause) for part in node):
                self.block(node)
            else:
                for part in node:
                    self.look(part)
            return
        if not isinstance(node, ast.Node):
            return
        match node:
            case ast.Aggregate() | ast.Comprehension() | ast.Ranked() | ast.Every() | ast.Each():
                outside = dict(self.known)
                binds = node.binds if isinstance(node, (ast.Aggregate, ast.Comprehension)) else (node.bind,)
                for bind in binds:
                    self.look(bind.source)
                    self.add(bind.name, bind.span)
                self.inside(node, "bind", "binds")
                self.known = outside
            case ast.Choose():
                self.look((node.who, node.source))
                outside = dict(self.known)
                self.add(node.name, node.span)
                if node.as_name is not None:
                    self.look((node.where, node.restrictions))
                    self.known = outside
                    self.add(node.as_name, node.span)
                    self.look((node.then, node.otherwise))
                else:
                    self.inside(node, "who", "source")
            case ast.Let() | ast.Roll() | ast.Draw():
                self.inside(node)
                self.add(node.name, node.span)
            case _:
                self.inside(node)

    def inside(self, node: ast.Node, *but: str) -> None:
        for name in reversed(node_fields(type(node))):
            if name not in but:
                self.look(getattr(node, name))


@lint("REF006", "shadowed-name")
def shadowed_name(subject: Subject) -> Iterator[Finding]:
    """Names of a rule that hide another name of the same rule."""
    for decl in subject.decls():
        if not isinstance(decl, (*_WITH_PARAMS, *_FOR_EACH, ast.Reaction)):
            continue
        names = _Names({p.name: p.span for p in getattr(decl, "params", ())})
        if isinstance(decl, _FOR_EACH) and decl.bind is not None:
            names.known[decl.bind.name] = decl.bind.span
        names.inside(decl, "bind", "params", "event")
        yield from names.found


RULES: tuple[Lint, ...] = (unused_local, shadowed_name)
