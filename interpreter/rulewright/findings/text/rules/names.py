"""Lint rules about names and labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from rulewright.compiler.overlays.addresses import labels
from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.diagnostics import Span
from rulewright.findings.text.analyses.uses import FOR_EACH, WITH_PARAMETERS, uses, word_for
from rulewright.findings.text.context import Finding, lint
from rulewright.findings.text.subject import Subject
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.tree_fields import node_fields
from rulewright.syntax import ast


@lint("REF018")
def redundant_label(subject: Subject) -> Iterator[Finding]:
    """A part that is called like the declaration it stands in: `stop turn` could mean either."""
    for name, decl in subject.ask(uses).decls.items():
        span = _parts_called(decl).get(name)
        if span is not None:
            yield Finding(f"`{name}` is the name of both the {word_for(decl) or 'rule'} and a part of it", span)


@memoized_by_node
def _parts_called(decl: ast.Clause) -> dict[str, Span]:
    """The first part of a declaration with each label."""
    return {label: clause.span for label, clause in labels(decl).items()}


@lint("REF019")
def similar_names(subject: Subject) -> Iterator[Finding]:
    """Two declarations of one kind whose names differ only by underscores or a plural."""
    first: dict[tuple[str, str], ast.Decl] = {}
    for name, decl in subject.ask(uses).decls.items():
        word = word_for(decl)
        if not word:
            continue
        other = first.setdefault((word, name.replace("_", "").removesuffix("s").lower()), decl)
        if other is not decl:
            where = f"`{name_of(other)}` is declared at {other.span.file}:{other.span.line}"
            yield Finding(f"`{name}` and `{name_of(other)}` are easily confused", decl.span, notes=(where,))


@dataclass(slots=True)
class _Names:
    """The names known at a place in a rule, and the findings on the way."""

    known: dict[str, Span]
    found: list[Finding] = field(default_factory=list)

    def add(self, name: str, span: Span) -> None:
        if name in self.known and self.known[name] != span:
            line = self.known[name].line
            note = f"the other one is declared on line {line}"
            self.found.append(Finding(f"`{name}` shadows another `{name}` of this rule", span, notes=(note,)))
        self.known[name] = span

    def block(self, statements: tuple[ast.Node, ...]) -> None:
        outside = dict(self.known)
        for statement in statements:
            self.look(statement)
        self.known = outside

    def look(self, node: object) -> None:
        """Go through a node; names that a statement gives stay known after it, others only inside."""
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
                    self.look(bind.where)
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
                    self.inside(node, "who", "source", "otherwise")
                    there, self.known = self.known, outside
                    self.look(node.otherwise)  # there is no answer
                    self.known = there
            case _:
                self.inside(node)
                for name in node.held(node.gives) if isinstance(node, ast.LineStatement) else ():
                    self.add(name, node.span)

    def inside(self, node: ast.Node, *but: str) -> None:
        for name in reversed(node_fields(type(node))):
            if name not in but:
                self.look(getattr(node, name))


@lint("REF006")
def shadowed_name(subject: Subject) -> Iterator[Finding]:
    """Names of a rule that hide another name of the same rule."""
    for decl in subject.decls():
        if not subject.wants(decl.span.file) or not isinstance(decl, (*WITH_PARAMETERS, *FOR_EACH, ast.Reaction)):
            continue
        yield from _shadowed(decl)


@memoized_by_node
def _shadowed(decl: ast.Clause) -> tuple[Finding, ...]:
    names = _Names({p.name: p.span for p in getattr(decl, "params", ())})
    for bind in decl.binds if isinstance(decl, FOR_EACH) else ():
        names.add(bind.name, bind.span)
        names.look(bind.where)
    names.inside(decl, "binds", "params", "event")
    return tuple(names.found)
