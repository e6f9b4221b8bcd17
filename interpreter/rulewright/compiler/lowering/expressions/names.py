"""Lowering of names: what a bare word stands for."""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.coercions import NONE_VALUE, WRONG
from rulewright.compiler.lowering.lowering_context import LoweringContext
from rulewright.compiler.symbols.scope import Scope, Typed
from rulewright.compiler.symbols.static_types import Type, entity, set_of
from rulewright.ir import model as m
from rulewright.syntax import ast

WORDS = ("true", "false", "none", "empty")
"""Words of the language that may be meant where a name that means nothing stands."""


class NameLowerer:
    """Finds the meaning of words by what is bound, expected and declared."""

    def __init__(self, context: LoweringContext) -> None:
        self.context = context
        self.world = context.world

    def name(self, expr: ast.Name, scope: Scope, expected: Type | None) -> Typed:
        """A bare lower-case word."""
        word, world = expr.name, self.world
        bound = scope.find(word)
        if bound is not None:
            return Typed(bound.ir, bound.type)
        if expected is not None and expected.universe and expected.kind != "set":
            index = world.enum_value(expected.universe, word)
            if index is not None:
                return Typed(m.Const(index), entity(expected.universe))
        if word in world.keyed:
            return self._needs_key(expr)
        if word in world.params:
            return world.param(word)
        if word in world.fields and not world.fields[word].index:
            return Typed(m.FieldGet(word, ()), world.fields[word].type)
        if word in world.zones and not world.zones[word].index:
            return Typed(m.ZoneGet(word, ()), world.zones[word].type)
        if word == "players":
            return Typed(m.Alive("Player"), set_of("Player"))
        if word == "everyone":
            return Typed(m.Const((1 << world.player_count) - 1), set_of("Player"))
        if word in world.absent:
            return Typed(NONE_VALUE, entity(world.absent[word], optional=True))
        found = world.enum_values(word, expected.universe if expected else "")
        if len(found) == 1:
            return Typed(m.Const(found[0][1]), entity(found[0][0]))
        if len(found) > 1:
            of = " and ".join(f"`{u}`" for u, _ in found)
            self.context.error(
                "REF003", f"`{word}` is a value of {of}; the context does not tell which is meant", expr.span
            )
            return WRONG
        if word in world.zones or word in world.fields:
            return self._needs_key(expr)
        if world.is_callable(word):
            given = "…" if world.takes_arguments(word) else ""
            self.context.error("TYP208", f"`{word}` needs parentheses", expr.span, hint=f"write `{word}({given})`")
            return WRONG
        if expected is not None and expected.universe:
            known = list(world.keys(expected.universe))
            what = expected.universe if world.is_enum(expected.universe) else "name"
            if world.is_enum(expected.universe):
                return self.context.unknown(what, word, known + scope.known(), expr.span)
        return self.context.unknown("name", word, [*scope.known(), *world.all_names(), *WORDS], expr.span)

    def _needs_key(self, expr: ast.Name) -> Typed:
        hint = f"{expr.name}[{self.world.index_hint(expr.name)}]"
        self.context.error("TYP207", f"`{expr.name}` needs a key", expr.span, hint=hint)
        return WRONG

    def is_bare_value(self, expr: ast.Expr, scope: Scope) -> bool:
        """True if an expression is a word or key that only its neighbour can explain."""
        if isinstance(expr, ast.StringLiteral | ast.Tuple | ast.SetOf | ast.ListOf):
            return True
        if not isinstance(expr, ast.Name):
            return False
        w, world = expr.name, self.world
        return not (
            scope.find(w) or w in world.params or w in world.fields or w in world.zones or w in ("players", "everyone")
        )

    def type_name(self, expr: ast.TypeName) -> Typed:
        """A capitalised word: all that are of this type."""
        world = self.world
        if expr.name in world.kinds:
            return Typed(m.Kind(expr.name), Type("set", "Piece", (expr.name,)))
        graph = world.graph_of(expr.name)
        if graph is not None and graph.shape == "growing":
            return Typed(m.Grown(graph.name), set_of(expr.name))
        if world.has_universe(expr.name):
            return Typed(m.Alive(expr.name), set_of(expr.name))
        return self.context.unknown("type", expr.name, world.type_names(), expr.span)
