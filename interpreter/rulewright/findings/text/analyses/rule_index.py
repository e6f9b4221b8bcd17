"""Facts of a game that several lint rules need: the types of expressions, and what its words stand for.

Rules request them while they look at a declaration, so each request is a memoized question: see
:mod:`rulewright.foundation.memo`.
"""

from __future__ import annotations

from rulewright.compiler.symbols.static_types import ANY, Type
from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import NOWHERE, Span
from rulewright.findings.text.analyses.declaration_nodes import longest_spans
from rulewright.findings.text.subject import Configuration
from rulewright.foundation.memo import Context, question_of_node, tracked_query
from rulewright.foundation.tree_fields import node_fields
from rulewright.ir import model as m
from rulewright.ir.dataflow.nullability import Nullability, Place
from rulewright.ir.rule_places import declared
from rulewright.syntax import ast


class RuleIndex(Context):
    """One game with an index for lint rules."""

    def __init__(self, game: Configuration) -> None:
        super().__init__()
        self.game = game
        self.world = game.compiler.world
        self.decls = tuple(game.rules.decls.values())

    @tracked_query
    def decl_named(self, name: str) -> ast.Decl | None:
        """The declaration of a name: who looks into it depends on all that stands there."""
        return self.game.rules.decls.get(name)

    # ------------------------------------------------------------------------------------------ expressions

    @question_of_node
    def type_of(self, expr: ast.Expr) -> Type:
        """The static type of an expression; `any` where it was not requested."""
        typed = self.game.compiler.context.typed.of(expr)
        return typed.type if typed is not None else ANY

    def type_in(self, decl: ast.Decl, expr: ast.Expr) -> Type:
        """The type of an expression of a declaration; with none, if that may come from what others hand over.

        A parameter takes what it is given, and a query gives back what it comes to, so both may be none although their
        types do not say so.
        """
        type = self.type_of(expr)
        if type.optional or type.kind in ("any", "none", "set", "list"):
            return type
        return type.or_none() if self._hangs_on_none(decl, expr) else type

    def _hangs_on_none(self, decl: ast.Decl, expr: ast.Expr) -> bool:
        doubtful = self.names_with_none(getattr(decl, "name", ""))
        if isinstance(decl, ast.Limits):
            doubtful = doubtful.union(param.name for param in decl.params)
        if isinstance(decl, ast.Query):  # its `let`s are variables of an expression
            for line in decl.lines:
                if isinstance(line, ast.Let) and self._reads_none(line.value, doubtful):
                    doubtful = doubtful | {line.name}
        return self._reads_none(expr, doubtful)

    def _reads_none(self, part: object, doubtful: frozenset[str]) -> bool:
        match part:
            case tuple():
                return any(self._reads_none(one, doubtful) for one in part)
            case ast.Call(ast.Name(name)) if (given := self.gives_none(name)) is not None:
                return given  # whatever its arguments are
            case ast.Name(name):
                return name in doubtful or self.begins_as_none(name)
            case ast.Node():
                return any(self._reads_none(getattr(part, held), doubtful) for held in node_fields(type(part)))
            case _:
                return False

    @question_of_node
    def is_stack(self, expr: ast.Expr) -> bool:
        """True of an expression that names a stack of pieces."""
        typed = self.game.compiler.context.typed.of(expr)
        return (
            typed is not None and isinstance(typed.ir, m.ZoneGet) and self.world.zones[typed.ir.zone].order == "stack"
        )

    def value_of(self, expr: ast.Expr) -> int | None:
        """A number, truth or name that is the same in every game, whatever its options; None if it may differ."""
        match expr:
            case ast.Number(value):
                return value
            case ast.BoolLiteral(truth):
                return int(truth)
            case ast.Unary("-", ast.Number(value)):
                return -value
            case ast.Name():
                return self._meaning(expr)
            case _:
                return None

    @question_of_node
    def _meaning(self, word: ast.Name) -> int | None:
        """The value of an enum that a word stands for."""
        if word.name not in self.world.params and word.name not in self.world.absent:
            typed = self.game.compiler.context.typed.of(word)
            if typed is not None and isinstance(typed.ir, m.Const) and self.world.is_enum(typed.type.universe):
                return typed.ir.value
        return None

    def has_parameter(self, expr: ast.Node) -> bool:
        """True if a parameter is named in an expression: its value is an option, and no fact of the rules."""
        return any(isinstance(n, ast.Name) and self.is_parameter(n.name) for n in nodes(expr))

    def acts(self, expr: ast.Node) -> bool:
        """True if something in an expression runs an effect or procedure."""
        return any(
            isinstance(n, ast.Call) and isinstance(n.operand, ast.Name) and self.is_run(n.operand.name)
            for n in nodes(expr)
        )

    def bounds_of(self, expr: ast.Expr) -> tuple[int, int] | None:
        """The least and greatest number that an expression can be, as far as the rules alone say it."""
        type = self.type_of(expr)
        if type.kind != "int" or self.has_parameter(expr) or any(self._measured(n) for n in nodes(expr)):
            return None
        return type.low, type.high

    def _measured(self, node: ast.Node) -> bool:
        """True if this is read from a map whose size is a parameter."""
        return isinstance(node, ast.Dot) and self.has_open_size(self.type_of(node.operand).universe)

    # ------------------------------------------------------------------------------------------ words

    @tracked_query
    def is_parameter(self, name: str) -> bool:
        """True if a word is a parameter."""
        return name in self.world.params

    @tracked_query
    def is_run(self, name: str) -> bool:
        """True if a word is an effect or procedure."""
        return name in self.world.calls

    @tracked_query
    def has_open_size(self, place: str) -> bool:
        """True if these are the places of a map whose size is a parameter."""
        graph = self.world.graph_of(place)
        decl = self.game.rules.decls.get(graph.name) if graph is not None else None
        return isinstance(decl, ast.MapDecl) and not all(isinstance(s, ast.Number) for s in decl.sizes)

    @tracked_query
    def zone_order(self, name: str) -> str | None:
        """The order of the pieces in a zone; None if there is no zone of this name."""
        zone = self.world.zones.get(name)
        return zone.order if zone is not None else None

    @tracked_query
    def field_type(self, name: str) -> Type | None:
        """The type of a field; None if there is no field of this name."""
        field = self.world.fields.get(name)
        return field.type if field is not None else None

    @tracked_query
    def begins_as_none(self, name: str) -> bool:
        """True of a field without a first value, which may be none until it gets one."""
        field = self.world.fields.get(name)
        return field is not None and field.decl.value is None and field.type.kind == "entity"

    @tracked_query
    def names_with_none(self, name: str) -> frozenset[str]:
        """The names in a declaration that may stand for none although their types do not say so."""
        return self.game.ask(_names_with_none).get(name, frozenset())

    @tracked_query
    def gives_none(self, name: str) -> bool | None:
        """True of a query or procedure whose result may be none; None if there is none of this name."""
        if name not in self.world.calls and name not in self.world.query_decls:
            return None
        return not self.game.ask(_nullable).isdisjoint((("result", name, 0), ("returned", name, 0)))

    @tracked_query
    def size(self, universe: str) -> int | None:
        """The number of members of a universe that rules can name."""
        return self.world.size(universe) if self.world.has_universe(universe) else None

    @tracked_query
    def values_of_enum(self, name: str) -> int | None:
        """The number of values of an enum; None if it is none."""
        return self.world.size(name) if self.world.is_enum(name) else None

    @tracked_query
    def ancestors(self, kind: str) -> tuple[str, ...]:
        """A kind of pieces and those above it."""
        return tuple(self.world.ancestors(kind))

    @tracked_query
    def result_of(self, name: str) -> Type | None:
        """The type of the result of an effect or procedure."""
        info = self.world.calls.get(name)
        return info.result if info is not None else None

    @tracked_query
    def params_of(self, name: str) -> tuple[ast.Param, ...]:
        """The parameters of something that can be called; none, if nothing of this name can."""
        decl = self.game.rules.decls.get(name)
        return decl.params if isinstance(decl, ast.Callable | ast.Query | ast.Value | ast.Limits) else ()


def _nullable(game: Configuration) -> frozenset[Place]:
    return Nullability(game.program, taken=False).places


def _names_with_none(game: Configuration) -> dict[str, frozenset[str]]:
    """By declarations the names of slots and parameters that may hold none, and whose types do not say so."""
    functions = {f.name: f.slots for f in game.program.functions}
    queries = {q.name: q.params for q in game.program.queries}
    found: dict[str, set[str]] = {}
    for sort, of, number in game.ask(_nullable):
        held = functions.get(of) if sort == "slot" else queries.get(of) if sort == "param" else None
        if held is None or held[number].ty.optional:
            continue
        name = held[number].name
        found.setdefault(declared(of), set()).add(name if sort == "slot" else name.rpartition("_")[0])
    return {of: frozenset(names) for of, names in found.items()}


def _rule_span(game: Configuration, name: str) -> Span:
    """The span of a rule of the program, with its whole clause."""
    rule = game.ask(_rules_by_name).get(name)
    if rule is None:
        return NOWHERE
    at, decls = (rule.file, rule.line, rule.column), game.rules.decls
    own = decls.get(name.partition(".")[0])
    if own is not None and (clause := longest_spans(own).get(at)) is not None:
        return clause
    clauses = [span for decl in decls.values() if (span := longest_spans(decl).get(at)) is not None]
    return max(clauses, default=Span(rule.file, rule.line, rule.column, rule.line, rule.column))


def _rules_by_name(game: Configuration) -> dict[str, m.RuleInfo]:
    return {rule.name: rule for rule in reversed(game.program.rules)}


def first_span(game: Configuration, *names: str) -> Span:
    """The span of the first of some rules of the program that has one."""
    return next((span for span in (_rule_span(game, name) for name in names) if span != NOWHERE), NOWHERE)
