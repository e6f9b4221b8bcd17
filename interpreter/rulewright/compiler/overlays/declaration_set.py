"""The declarations that hold for one game, by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import TypeVar

from rulewright.compiler.overlays.addresses import label_of, told_apart, walk
from rulewright.diagnostics import Report, Span
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import made_once, memoized_by_node
from rulewright.syntax import ast

D = TypeVar("D", bound=ast.Clause)


def name_of(decl: ast.Decl) -> str | None:
    """The name under which a declaration is known, if it has one."""
    match decl:
        case ast.Game() | ast.Players():
            return type(decl).__name__.lower()
        case ast.Precedence() | ast.ExtendOp() | ast.CasesForOp() | ast.WithPlayers() | ast.Variant() | ast.Scenario():
            return None
        case _:
            return decl.name


@dataclass(slots=True)
class Rules:
    """The declarations by name, in the order written."""

    report: Report
    decls: dict[str, ast.Decl] = field(default_factory=dict)
    precedence: list[ast.Precedence] = field(default_factory=list)
    variants: list[ast.Variant] = field(default_factory=list)
    scenarios: list[ast.Scenario] = field(default_factory=list)
    by_count: list[ast.WithPlayers] = field(default_factory=list)
    first_values: dict[str, ast.Expr] = field(default_factory=dict)
    """Of parameters that an overlay has set: what they were before, which gives their type."""
    games: list[str] = field(default_factory=list)
    """The name of the game, and before it the names of those that it extends."""
    changes: list[ast.Change | ast.ExtendOp | ast.CasesForOp] = field(default_factory=list)
    """The changes that led to these declarations, without variants and numbers of players."""
    seams: list[int] = field(default_factory=list)
    """Positions in `by_count` at which the blocks of each extending ruleset begin."""

    def all(self, kind: type[D]) -> list[D]:
        """All declarations of a kind."""
        return [d for d in self.decls.values() if isinstance(d, kind)]

    def everything(self) -> Iterator[ast.Clause]:
        """All that is written at top level and holds, changes too: what cites the rulebook."""
        yield from self.decls.values()
        yield from (*self.changes, *self.precedence, *self.by_count, *self.variants, *self.scenarios)

    def add(self, decl: ast.Decl) -> None:
        """Take in a declaration; a second one of its name is an error."""
        match decl:
            case ast.Precedence():
                self.precedence.append(decl)
            case ast.Variant():
                self.variants.append(decl)
            case ast.Scenario():
                self.scenarios.append(decl)
            case ast.WithPlayers():
                self.by_count.append(decl)
            case ast.ExtendOp() | ast.CasesForOp():
                pass
            case _:
                name = name_of(decl)
                assert name is not None
                if name in self.decls:
                    self.twice(name, decl)
                else:
                    self.decls[name] = decl = made_once(lambda: told_apart(decl), decl)
                    self.unique_labels(decl, name)

    def twice(self, name: str, decl: ast.Decl, hint: str = "") -> None:
        """Report a declaration whose name is taken."""
        first = self.decls[name].span
        note = f"first declared at {first.file}:{first.line}"
        self.report.error("REF007", f"`{name}` is declared twice", decl.span, hint=hint, notes=(note,))

    def unique_labels(self, decl: ast.Decl, name: str) -> None:
        """Report labels that stand twice in a declaration."""
        for label, span, line in _repeated(decl):
            note = f"the other one is on line {line}"
            self.report.error("REF010", f"`{label}` is the label of two things in `{name}`", span, notes=(note,))


@memoized_by_node
def _repeated(decl: ast.Decl) -> tuple[tuple[str, Span, int], ...]:
    """Labels that stand twice in a declaration, where, and on which line the first of their name is."""
    seen: dict[str, ast.Clause] = {}
    found = []
    for clause in walk(decl):
        label = label_of(clause)
        if label is None:
            continue
        if label in seen and not _may_repeat(clause, seen[label]):
            found.append((label, clause.span, seen[label].span.line))
        seen.setdefault(label, clause)
    return tuple(found)


def _may_repeat(a: ast.Clause, b: ast.Clause) -> bool:
    # A binder may serve in two branches that never meet, and options of different choices may be called alike.
    return type(a) is type(b) and isinstance(a, (ast.Choose, ast.Option))
