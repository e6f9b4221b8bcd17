"""What several lint rules ask of a game: its nodes, what a word stands for, and what holds in all games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.compiler.symbols.static_types import ANY, Type
from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import NOWHERE, Span
from rulewright.ir import model as m
from rulewright.lint.context import Configuration, Finding, Subject
from rulewright.syntax import ast


class RuleIndex:
    """One game, ready to be asked."""

    def __init__(self, game: Configuration) -> None:
        self.game = game
        self.world = game.compiler.world
        self.decls = tuple(game.rules.decls.values())
        self.nodes = {name_of(d) or "": tuple(nodes(d)) for d in self.decls}
        self.spans = frozenset(n.span for inside in self.nodes.values() for n in inside)

    def all_nodes(self) -> Iterator[ast.Node]:
        """The nodes of all declarations."""
        for inside in self.nodes.values():
            yield from inside

    def type_of(self, expr: ast.Expr) -> Type:
        """The static type of an expression; `any` where nobody has asked for it."""
        typed = self.game.compiler.context.typed_as(expr)
        return typed.type if typed is not None else ANY

    def value_of(self, expr: ast.Expr) -> int | None:
        """A number, truth or name that is the same in every game, whatever its options; None if it may differ."""
        match expr:
            case ast.Number(value):
                return value
            case ast.BoolLiteral(truth):
                return int(truth)
            case ast.Unary("-", ast.Number(value)):
                return -value
            case ast.Name(name) if name not in self.world.params and name not in self.world.absent:
                typed = self.game.compiler.context.typed_as(expr)
                if typed is not None and isinstance(typed.ir, m.Const) and self.world.is_enum(typed.type.universe):
                    return typed.ir.value
        return None

    def has_parameter(self, expr: ast.Node) -> bool:
        """Whether a parameter is named in an expression: its value is an option, and says nothing about the rules."""
        return any(isinstance(n, ast.Name) and n.name in self.world.params for n in nodes(expr))

    def acts(self, expr: ast.Node) -> bool:
        """Whether something in an expression runs an effect or procedure."""
        return any(
            isinstance(n, ast.Call) and isinstance(n.operand, ast.Name) and n.operand.name in self.world.calls
            for n in nodes(expr)
        )

    def bounds_of(self, expr: ast.Expr) -> tuple[int, int] | None:
        """The least and greatest number that an expression can be, as far as the rules alone say it."""
        type = self.type_of(expr)
        if type.kind != "int" or self.has_parameter(expr) or any(self._measured(n) for n in nodes(expr)):
            return None
        return type.low, type.high

    def _measured(self, node: ast.Node) -> bool:
        """Whether this is read from a map whose size a parameter tells."""
        if not isinstance(node, ast.Dot):
            return False
        graph = self.world.graph_of(self.type_of(node.operand).universe)
        decl = self.game.rules.decls.get(graph.name) if graph is not None else None
        return isinstance(decl, ast.MapDecl) and not all(isinstance(s, ast.Number) for s in decl.sizes)


def indexes(subject: Subject) -> tuple[RuleIndex, ...]:
    """The games of a ruleset, each ready to be asked."""
    return tuple(game.ask(RuleIndex) for game in subject.games)


def in_all_games(subject: Subject, find: Callable[[RuleIndex], Iterable[Finding]]) -> Iterator[Finding]:
    """Findings that hold in every game in which the clause occurs, each once.

    What is so with three players only, or in one variant, is what that number or variant is for. The span of a finding
    must be that of a node. So a game without a clause that others have not got, too, has nothing to add, and is asked
    only whether what was found in those holds in it.
    """
    games = indexes(subject)
    found: list[dict[tuple[Span, str], Finding]] = []
    known: set[Span] = set()
    concerned: set[Span] = set()
    for game in games:
        asked = not (game.spans <= known and game.spans.isdisjoint(concerned))
        found.append({(f.span, f.message): f for f in find(game)} if asked else {})
        if asked:
            known |= game.spans
            concerned |= {span for span, _ in found[-1]}
    seen = set()
    for own in found:
        for key, finding in own.items():
            if key in seen:
                continue
            seen.add(key)
            if all(key in other or finding.span not in game.spans for other, game in zip(found, games, strict=True)):
                yield finding


def _rule_span(game: Configuration, name: str) -> Span:
    """Where a rule of the program stands, with its whole clause."""
    rule = next((r for r in game.program.rules if r.name == name), None)
    if rule is None:
        return NOWHERE
    at = (rule.file, rule.line, rule.column)
    clauses = [n.span for n in game.ask(RuleIndex).all_nodes() if (n.span.file, n.span.line, n.span.column) == at]
    return max(clauses, default=Span(rule.file, rule.line, rule.column, rule.line, rule.column))


def first_span(game: Configuration, *names: str) -> Span:
    """Where the first of some rules of the program stands that has a place."""
    return next((span for span in (_rule_span(game, name) for name in names) if span != NOWHERE), NOWHERE)
