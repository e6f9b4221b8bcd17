"""The interface of operators: a node in place of another one, and the words that describe it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar, get_args

from rulewright.findings.mutation.mutation_sites import Site, nodes
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import listed
from rulewright.syntax.printer.line_layout import flat
from rulewright.syntax.printer.printer import DeclPrinter, line_doc
from rulewright.syntax.printer.statement_printer import stmt_doc

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Replacement:
    """A small change."""

    node: ast.Node | None
    """The node that takes its place; None: the whole declaration is removed."""
    before: tuple[ast.Clause, ...] = ()
    """The clauses that are shown as they were; none: the line on which the node stands."""
    after: tuple[ast.Clause, ...] = ()
    """And as they are now; none although there were some before: they have gone."""


@dataclass(frozen=True, slots=True)
class Words:
    """The meaning of names in this ruleset."""

    siblings: Mapping[str, str]
    """For each value of an enum another one of it."""
    bound: frozenset[str]
    """Names that the declaration gives itself, which are no values of an enum."""
    alike: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each zone, field, query and attribute (``Universe.name``) the others with the same keys and type."""
    locals: Mapping[str, Mapping[str, tuple[str, str]]] = field(default_factory=dict)
    """The types of parameters and locals, by the declaration in which they stand."""
    bases: Mapping[str, ast.Clause] = field(default_factory=dict)
    """The queries, procedures, reactions, consequences and limits as no variant has changed them, by their names."""
    counts: tuple[tuple[ast.Expr, ast.Expr], ...] = ()
    """Fields of this declaration that it only counts up or down, as it names them, each with its first value."""
    lasting: tuple[str, ...] = ()
    """The procedures at whose end fields forget themselves, and those that are played again and again."""


Operator = Callable[[Site, Words], Iterator[Replacement]]
"""All small changes of one kind at a place."""


def exchange(field: str, other: Mapping[Any, Any], *kinds: type[ast.Node]) -> Operator:
    """The operator that gives a field of some kinds of nodes another value."""

    def exchanged(place: Site, words: Words) -> Iterator[Replacement]:
        if isinstance(place.node, kinds) and (held := getattr(place.node, field)) in other:
            yield Replacement(replace(place.node, **{field: other[held]}))

    return exchanged


def all_of(*operators: Operator) -> Operator:
    """The operator that makes the changes of several."""

    def made(place: Site, words: Words) -> Iterator[Replacement]:
        for operator in operators:
            yield from operator(place, words)

    return made


def rests(held: Sequence[T]) -> Iterator[tuple[T, Any]]:
    """Each of some parts, with the tuple of all others."""
    for number, part in enumerate(held):
        yield part, (*held[:number], *held[number + 1 :])


def bound_in(decl: ast.Node) -> frozenset[str]:
    """The names that a declaration gives: parameters, binders, locals."""
    return frozenset(name for node in nodes(decl) for name in node.held(node.gives))


def used_in(node: ast.Node) -> frozenset[str]:
    """The words that are mentioned in a node."""
    return frozenset(part.name for part in nodes(node) if isinstance(part, ast.Name))


def gives(stmt: ast.Node) -> frozenset[str]:
    """The names that what follows a statement may use."""
    return frozenset(stmt.held(stmt.gives))


def negated(number: ast.Expr) -> ast.Expr:
    """A number with the other sign."""
    return (
        number.operand
        if isinstance(number, ast.Unary) and number.op == "-"
        else ast.Unary("-", number, span=number.span)
    )


def blocks(node: ast.Node) -> Iterator[tuple[str, tuple[ast.Clause, ...]]]:
    """The fields of a node that hold clauses one below the other."""
    for f in fields(node):
        held: Any = getattr(node, f.name)
        if isinstance(held, tuple) and held and all(isinstance(item, ast.Clause) for item in held):
            yield f.name, held


_STATEMENTS: tuple[type, ...] = get_args(ast.Stmt)
_CHANGES: tuple[type, ...] = get_args(ast.OverlayOp)


def shown(*clauses: ast.Clause) -> str:
    """Clauses one after the other on one line; empty if there are none."""
    return " / ".join(_shown(clause) for clause in clauses)


def _shown(clause: ast.Clause) -> str:
    match clause:
        case ast.Arm(values=values):
            return (flat(listed(values, 1)) if values else "otherwise") + _behind(clause)
        case ast.Option(label=label):
            return f"option {label}" + _behind(clause)
        case ast.Attribute() | ast.Case() | ast.Modifier() | ast.Unless():
            return flat(line_doc(clause))
        case ast.If(one_line=True):
            return flat(stmt_doc(clause))
        case _:
            pass  # a whole block
    printer = DeclPrinter()
    write: Callable[[Any, int], None] = printer.decl
    if isinstance(clause, _CHANGES):
        write = printer.op
    elif isinstance(clause, _STATEMENTS):
        write = printer.stmt
    write(_bare(clause), 0)
    return " ".join(printer.page.text().split())


def _behind(clause: ast.Arm | ast.Option) -> str:
    return f": {flat(stmt_doc(clause.body[0]))}" if clause.one_line else ""


def _bare(node: Any) -> Any:
    """The node without the clauses below it, and without comments and citations."""
    changed: dict[str, Any] = {"trivia": ast.NO_TRIVIA} if isinstance(node, ast.Clause) else {}
    for f in fields(node):
        held = getattr(node, f.name)
        if isinstance(held, ast.Clause):
            changed[f.name] = None if isinstance(held, ast.Arm) else _bare(held)
        elif isinstance(held, tuple) and held:
            if isinstance(held[0], ast.Clause):
                changed[f.name] = None if f.name == "then" or isinstance(node, (ast.Choose, ast.Either)) else ()
            elif isinstance(held[0], ast.Branch):
                changed[f.name] = tuple(_bare(branch) for branch in held)
    if isinstance(node, (ast.Choose, ast.Either)):
        changed |= {"options": ()} if isinstance(node, ast.Either) else {"restrictions": (), "then": None}
        changed["otherwise"] = None
    return replace(node, **changed)
