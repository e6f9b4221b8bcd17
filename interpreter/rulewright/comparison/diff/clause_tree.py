"""A declaration as a tree of lines: the form in which two rulesets are compared.

Comments, spans and the way a clause is broken into lines are gone; numbers that differ by player count are settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulewright.compiler.overlays.addresses import label_of
from rulewright.diagnostics import NOWHERE, Span
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import SUM, listed, print_expr
from rulewright.syntax.printer.line_layout import flat
from rulewright.syntax.printer.printer import decl_doc, for_binds, line_doc
from rulewright.syntax.printer.statement_printer import StatementPrinter


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A clause with the clauses that belong to it. Two parts are never equal; :attr:`lines` say whether they agree."""

    word: str
    """The kind: ``procedure``, ``forbid``, ``row`` …"""
    text: str
    """The clause itself on one line."""
    label: str | None = None
    """The name inside the declaration."""
    parts: tuple[Part, ...] = ()
    cites: tuple[str, ...] = ()
    span: Span = NOWHERE
    node: object = None
    """The node it was made of, for those who explain a change."""
    wording: str = ""
    """The text that is compared, if that is not the text as it is written."""
    lines: tuple[str, ...] = field(init=False)
    """All that it says, a line for each clause."""

    def __post_init__(self) -> None:
        below = (f"    {line}" for part in self.parts for line in part.lines)
        object.__setattr__(self, "wording", self.wording or self.text)
        object.__setattr__(self, "lines", (self.wording, *below))

    @property
    def brief(self) -> str:
        """The clause on one line, with the only statement below it if there is just one."""
        if len(self.lines) == 2 and self.word in _BEFORE_ONE:
            return f"{self.text}{_BEFORE_ONE[self.word]}{self.parts[0].text}"
        return self.text

    @property
    def below(self) -> tuple[str, ...]:
        """The lines below the brief one."""
        return () if self.brief != self.text else self.lines[1:]


_BEFORE_ONE = {"if": " then ", "else if": ": ", "else": ": ", "then": ": ", "arm": ": ", "option": ": "}


def walk(part: Part) -> Iterator[Part]:
    """All parts inside a part, in the order written."""
    for inner in part.parts:
        yield inner
        yield from walk(inner)


# -------------------------------------------------------------------------------------------- statements


def statements(block: Iterable[ast.Stmt]) -> tuple[Part, ...]:
    """The parts of a block."""
    return tuple(part for stmt in block for part in _statement(stmt))


def _statement(stmt: ast.Stmt) -> tuple[Part, ...]:
    match stmt:
        case ast.If(branches, otherwise):
            words = ["if", *("else if" for _ in branches[1:])]
            found = [
                Part(word, f"{word} {print_expr(branch.condition)}", None, statements(branch.body), cites, branch.span)
                for number, (word, branch) in enumerate(zip(words, branches, strict=True))
                for cites in [_inner(stmt, f"else if {number}") if number else _own(stmt)]
            ]
            return (*found, *_named(stmt, "else", otherwise))
        case ast.Match(_, arms, otherwise):
            below = [_arm(arm, flat(listed(arm.values, 1, SUM))) for arm in arms]
            below += [_arm(otherwise, "otherwise")] if otherwise is not None else []
            return (_part("match", replace(stmt, arms=(), otherwise=None), tuple(below)),)
        case ast.Choose(restrictions=restrictions, then=then, otherwise=otherwise):
            inside = statements(restrictions) + _named(stmt, "then", then) + _named(stmt, "else", otherwise)
            return (_part("choice", replace(stmt, restrictions=(), then=None, otherwise=None), inside),)
        case ast.Either(options=options, otherwise=otherwise):
            offered = tuple(_option(option) for option in options) + _named(stmt, "else", otherwise)
            return (_part("choice", replace(stmt, options=(), otherwise=None), offered),)
        case ast.Each(body=body) | ast.Repeat(body=body) | ast.Repeats(body=body) | ast.Step(body=body):
            word = "step" if isinstance(stmt, ast.Step) else "repetition"
            return (_part(word, replace(stmt, body=()), statements(body)),)
        case ast.Forbid(unless=unless):
            return (_part("forbid", replace(stmt, unless=()), tuple(line("unless", u) for u in unless)),)
        case _:
            return (_part(type(stmt).__name__.lower(), stmt, ()),)


def _part(word: str, head: ast.Stmt, parts: tuple[Part, ...]) -> Part:
    printer = StatementPrinter()
    printer.stmt(replace(head, trivia=ast.NO_TRIVIA), 0)
    text = " ".join(row.strip() for row in printer.page.text().splitlines())
    return Part(word, text, label_of(head), parts, _own(head), head.span, head)


def _option(option: ast.Option) -> Part:
    inside = statements((*option.restrictions, *option.body))
    return Part("option", f"option {option.label}", option.label, inside, _own(option), option.span)


def _arm(arm: ast.Arm, text: str) -> Part:
    return Part("arm", text, None, statements(arm.body), _own(arm), arm.span)


def _named(clause: ast.Clause, word: str, body: Sequence[ast.Stmt] | None) -> tuple[Part, ...]:
    if not body:
        return ()
    return (Part(word, word, None, statements(body), _inner(clause, word), body[0].span),)


def line(word: str, clause: ast.Clause, label: str | None = None) -> Part:
    """The part of a clause on one line that is no statement."""
    return Part(word, flat(line_doc(clause)), label or label_of(clause), (), _own(clause), clause.span, clause)


def _own(clause: ast.Clause) -> tuple[str, ...]:
    trivia = clause.trivia
    return trivia.cites[: len(trivia.cites) - sum(len(inner.cites) for _, inner in trivia.inner)]


def _inner(clause: ast.Clause, name: str) -> tuple[str, ...]:
    return dict(clause.trivia.inner).get(name, ast.NO_TRIVIA).cites


# ------------------------------------------------------------------------------------------ declarations

_WORDS = {
    ast.Parameter: "param", ast.EnumDecl: "enum", ast.MapDecl: "map", ast.FieldDecl: "field",
}  # fmt: skip


def declaration(decl: ast.Decl, name: str, rows: tuple[Part, ...] | None = None) -> Part:
    """The part of a declaration whose player count is settled; `rows` is what its table or map file says."""
    word = str(getattr(decl, "word", _WORDS.get(type(decl), type(decl).__name__.lower())))
    parts = _declared(decl) + (rows or ())
    return Part(word, _head(decl), name, parts, _own(decl), decl.span, decl, _says(decl, rows is not None))


def _head(decl: ast.Decl) -> str:
    match decl:
        case ast.End(name, binds, _, after):
            return f"end {name}{flat(for_binds(binds))}" + ("" if after is None else f", after {after}")
        case ast.Consequence(name, binds, by):
            return f"consequence {name}{flat(for_binds(binds))}" + ("" if by is None else f" by {print_expr(by)}")
        case _:
            return flat(decl_doc(decl))


def _says(decl: ast.Decl, has_rows: bool) -> str:
    """The text of a head, without the file that a table stands in and without the usual first value."""
    match decl:
        case ast.EnumDecl(name) if has_rows:
            return f"enum {name}"
        case ast.Piece():
            return flat(decl_doc(replace(decl, table=None)))
        case ast.MapDecl(table=table) if table is not None:
            return flat(decl_doc(replace(decl, table="")))
        case ast.FieldDecl(type=type_, value=None):
            return flat(decl_doc(replace(decl, value=_first_value(type_))))
        case _:
            return ""


def _first_value(type_: ast.TypeExpr) -> ast.Expr | None:
    match type_:
        case ast.RangeType(low):
            return ast.Number(low) if low >= 0 else ast.Unary("-", ast.Number(-low))
        case ast.NamedType("Int"):
            return ast.Number(0)
        case ast.NamedType("Bool"):
            return ast.BoolLiteral(False)
        case ast.SetType() | ast.KeyedType():
            return ast.SetOf(())
        case ast.ListType():
            return ast.ListOf(())
        case _:
            return ast.NoneValue()


def _declared(decl: ast.Decl) -> tuple[Part, ...]:
    match decl:
        case ast.EnumDecl(attributes=attributes):
            return _attributes(attributes)
        case ast.Piece(attributes=attributes, named=named, back=back, sides=sides, begins=begins):
            found = _attributes(attributes)
            found += (_of(decl, "named", f'named "{named}"'),) if named is not None else ()
            found += (_of(decl, "back", f'back shows "{back}"'),) if back is not None else ()
            found += (_of(decl, "sides", f"sides {', '.join(sides)}"),) if sides else ()
            return found + ((_of(decl, "begins", f"begins in {print_expr(begins)}"),) if begins is not None else ())
        case ast.Place(attributes=attributes, named=named):
            found = _attributes(attributes)
            return found + ((_of(decl, "named", f'named "{named}"'),) if named is not None else ())
        case ast.Query(lines=lines):
            return tuple(
                part
                for one in lines
                for part in (statements((one,)) if isinstance(one, ast.Let) else (line("case", one),))
            )
        case ast.Value(modifiers=modifiers):
            return tuple(line("modifier", modifier) for modifier in modifiers)
        case ast.Limits(restrictions=restrictions):
            return statements(restrictions)
        case ast.End(when=when, body=body) | ast.Consequence(when=when, body=body):
            condition = Part("when", f"when {print_expr(when)}", "when", (), (), when.span)
            return (condition, *statements(body))
        case ast.Callable(body=body) | ast.Reaction(body=body):
            return statements(body)
        case _:
            return ()


def _attributes(attributes: tuple[ast.Attribute, ...]) -> tuple[Part, ...]:
    # By name: the order of columns means nothing.
    return tuple(line("attribute", a, a.name) for a in sorted(attributes, key=lambda a: a.name))


def _of(decl: ast.Clause, word: str, text: str) -> Part:
    return Part(word, text, word, (), _inner(decl, word), decl.span)


# ----------------------------------------------------------------------------------- the number of players


def settled(decl: ast.Decl, count: int, with_count: bool) -> ast.Decl:
    """A declaration as it holds for a number of players; `with_count`, if that number is itself a difference."""
    match decl:
        case ast.Parameter(value=value, by_count=by_count):
            value = next((b.value for b in by_count if count in b.counts), value)
            return replace(decl, value=value, by_count=())
        case ast.Party(members=members):
            kept = (member for member in members if not member.counts or count in member.counts)
            return replace(decl, members=tuple(replace(member, counts=()) for member in kept))
        case ast.Players() if with_count:
            teams = decl if decl.in_teams == count else replace(decl, team_size=None, team_count=None, seated=None)
            return replace(teams, low=count, high=count)
    return decl
