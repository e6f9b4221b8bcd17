"""Names: what is declared and never used, and what is called too much alike."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.compiler.overlays.labels import labels, walk
from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Edit, Fix, Severity, Span
from rulewright.lint.subject import Finding, Lint, Subject, lint
from rulewright.lint.uses import cells_of, uses
from rulewright.syntax import ast

_WORDS: dict[type[ast.Decl], str] = {
    ast.Query: "query",
    ast.Value: "value",
    ast.Limits: "list of restrictions",
    ast.Parameter: "parameter",
    ast.EnumDecl: "enum",
    ast.Die: "die",
    ast.Piece: "kind of piece",
    ast.Party: "party",
    ast.Area: "area",
    ast.Merged: "region",
    ast.Zone: "zone",
    ast.FieldDecl: "field",
}


def word_for(decl: ast.Decl) -> str:
    """What a declaration is, in a word; empty for those that need not be used."""
    return decl.word if isinstance(decl, ast.Callable) else _WORDS.get(type(decl), "")


@lint("REF014", "unused-definition")
def unused_definition(subject: Subject) -> Iterator[Finding]:
    """What is declared and used by nothing that can happen in a game."""
    seen = uses(subject)
    for name, decl in seen.decls.items():
        word = word_for(decl)
        if not word or name == "play" or seen.forms(decl) & seen.reached:
            continue
        again = any(form in seen.said for form in seen.forms(decl))
        how = "is used only by what is itself never used" if again else "is never used"
        yield Finding(f"the {word} `{name}` {how}", decl.span, fix=removal(decl))


@lint("REF015", "unread-field")
def unread_field(subject: Subject) -> Iterator[Finding]:
    """Fields that are set, and that no rule ever asks for."""
    seen = uses(subject)
    for name, decl in seen.decls.items():
        if isinstance(decl, ast.FieldDecl) and name in seen.reached and name not in seen.read:
            yield Finding(f"`{name}` is set, but no rule ever asks for it", decl.span)


@lint("REF016", "unread-attribute")
def unread_attribute(subject: Subject) -> Iterator[Finding]:
    """Printed attributes that no rule ever asks for."""
    seen = uses(subject)
    for decl in seen.decls.values():
        if not isinstance(decl, (ast.Piece, ast.EnumDecl, ast.Place)):
            continue
        for attribute in decl.attributes:
            # Inside its declaration an attribute is asked for by its bare name.
            if f".{attribute.name}" not in seen.reached | seen.said and attribute.name not in seen.said:
                yield Finding(f"no rule asks for `{attribute.name}` of {decl.name}", attribute.span)


@lint("REF020", "unused-value", Severity.INFO)
def unused_value(subject: Subject) -> Iterator[Finding]:
    """Values of enums that neither a rule nor a table names, and that no rule can come to by going through all."""
    seen = uses(subject)
    asked = {node.name for decl in seen.decls.values() for node in nodes(decl) if isinstance(node, ast.TypeName)}
    asked |= {face for decl in seen.decls.values() if isinstance(decl, ast.Die) for face in decl.faces}
    for decl in seen.decls.values():
        if not isinstance(decl, ast.EnumDecl) or decl.name in asked or decl.name not in seen.reached:
            continue
        cells = set(cells_of(subject, decl))
        for value in seen.values[decl.name]:
            if value not in seen.reached and value not in seen.said and value not in cells:
                yield Finding(f"`{value}` of {decl.name} is never named, by a rule or in a table", decl.span)


@lint("REF018", "label-of-its-declaration", Severity.INFO)
def label_of_its_declaration(subject: Subject) -> Iterator[Finding]:
    """A part that is called like the declaration it stands in: `stop turn` could mean either."""
    for name, decl in uses(subject).decls.items():
        clause = labels(decl).get(name)
        if clause is not None:
            yield Finding(f"`{name}` is the name of the {word_for(decl) or 'rule'} and of a part of it", clause.span)


@lint("REF019", "names-alike", Severity.INFO)
def names_alike(subject: Subject) -> Iterator[Finding]:
    """Two declarations of one kind whose names differ only by underscores or a plural."""
    first: dict[tuple[str, str], ast.Decl] = {}
    for name, decl in uses(subject).decls.items():
        word = word_for(decl)
        if not word:
            continue
        other = first.setdefault((word, name.replace("_", "").removesuffix("s").lower()), decl)
        if other is not decl:
            where = f"`{name_of(other)}` stands at {other.span.file}:{other.span.line}"
            yield Finding(f"`{name}` and `{name_of(other)}` are easily taken for each other", decl.span, notes=(where,))


def removal(decl: ast.Clause) -> Fix:
    """Take a whole declaration out of its file."""
    last = max([decl.span.end_line, *(clause.span.end_line for clause in walk(decl))])
    where = Span(decl.span.file, decl.span.line, 1, last + 1, 1)
    return Fix("remove it", (Edit(where, ""),), safe=False)


RULES: tuple[Lint, ...] = (
    unused_definition,
    unread_field,
    unread_attribute,
    unused_value,
    label_of_its_declaration,
    names_alike,
)
