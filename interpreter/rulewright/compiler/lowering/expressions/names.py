"""Lowering of names: what a bare word stands for."""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.builtin_functions import BuiltinLowerer
from rulewright.compiler.lowering.expressions.coercions import NONE_VALUE, WRONG, Coercions
from rulewright.compiler.lowering.expressions.keyed_values import KeyedValues
from rulewright.compiler.lowering.lowering_context import Expressions, LoweringContext, a_type
from rulewright.compiler.symbols.static_types import BUILTINS, Type, entity, is_builtin, set_of
from rulewright.compiler.symbols.symbols import Scope, Typed
from rulewright.diagnostics import Span
from rulewright.ir import model as m
from rulewright.syntax import ast

WORDS = ("true", "false", "none", "empty")
"""Words of the language that may be meant where a name that means nothing stands."""


_INSTEAD = {
    "len": "it is `size(…)`, or `count(x in S where C)`",
    "rim": "it is gone: `{c in Cell where size(c.neighbours) < 6}`, with as many as a place within has",
    "corners": "it is gone: `{c in Cell where size(c.neighbours) is 3}`, with as many as a corner has",
}
"""Functions of other languages and of earlier versions, and what is written instead."""


def _does_something(context: LoweringContext, word: str, span: Span) -> Typed:
    info, given = context.world.calls.get(word), "…" if context.world.takes_arguments(word) else ""
    hint = "as a statement it has a line of its own, in a variant the one below `replace …`"
    if info is not None and info.result is not None:
        hint = f"write `let found = {word}({given})` on the line before, and ask `found`"
    context.error("CTL107", f"`{word}` has effects; a condition or value must not", span, hint=hint)
    return WRONG


class NameLowerer:
    """Finds the meaning of words by what is bound, expected and declared."""

    def __init__(self, context: LoweringContext) -> None:
        self.context = context
        self.world = context.world
        self.keyed = KeyedValues(context)

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
        for part in world.parts(expected) if expected is not None else ():  # a value that a piece stands for
            if (index := world.enum_value(part, word)) is not None:
                return Typed(m.Const(index), entity(part))
        if word in world.keyed:
            world.reads.add(word)
            return self.keyed.partial(word, m.Attr, ()) or self._needs_key(expr)
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
            one = word in world.fields and len(world.fields[word].index) == 1
            return (self.keyed.partial(word, m.FieldGet, ()) if one else None) or self._needs_key(expr)
        if word in world.calls:
            return _does_something(self.context, word, expr.span)
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


class CallLowerer:
    """Calls of queries, areas, regions and built-in functions."""

    def __init__(
        self, context: LoweringContext, coercions: Coercions, expressions: Expressions, builtins: BuiltinLowerer
    ) -> None:
        self.context, self.coercions, self.expressions, self.builtins = context, coercions, expressions, builtins
        self.world = context.world

    def call(self, expr: ast.Call, scope: Scope) -> Typed:
        """``name(a, b)`` in an expression."""
        if isinstance(expr.operand, ast.Dot) and expr.operand.name == "other":
            return self._other(expr, expr.operand, scope)
        if not isinstance(expr.operand, ast.Name):
            self.context.error("TYP214", "this cannot be called", expr.operand.span)
            return WRONG
        word = expr.operand.name
        signature = self.world.query_signature(word, expr.span)
        if signature is not None:
            args = self.expressions.arguments(word, signature[0], expr, scope)
            return Typed(m.CallQuery(word, args), signature[1])
        if (area := self.world.area_named(word)) is not None:
            if self.world.is_merged(area):
                return self._region(area, expr, scope)
            return self._area(area, expr, scope)
        if is_builtin(word) and not self.world.is_callable(word):
            low, high = BUILTINS[word]
            if not low <= len(expr.args) <= high:
                many = str(low) if low == high else f"{low} to {high}"
                self.context.error("TYP215", f"`{word}` takes {many} arguments, not {len(expr.args)}", expr.span)
                return WRONG
            return self.builtins.lower(word, expr, scope)
        if self.world.is_callable(word):
            return _does_something(self.context, word, expr.span)
        known = [*self.world.query_names(), *BUILTINS, *(a.lower() for a in self.world.area_names())]
        return self.context.unknown("query", word, known, expr.operand.span, hint=_INSTEAD.get(word, ""))

    def _other(self, expr: ast.Call, dot: ast.Dot, scope: Scope) -> Typed:
        edge = self.expressions.one(dot.operand, scope, "an edge")
        graph = self.world.graph_with(edge.type.universe)
        if edge.type.kind == "any":
            return WRONG
        if graph is None or len(expr.args) != 1:
            self.context.error("TYP212", f"{a_type(edge.type)} has no `.other(place)`", expr.span)
            return WRONG
        place = entity(graph.place, optional=True)
        one = self.expressions.want(expr.args[0], scope, place)
        e, s = self.context.fresh("edge"), self.context.fresh("side")
        a, b = m.Attr(f"{graph.edge}.a", m.Var(e)), m.Attr(f"{graph.edge}.b", m.Var(e))
        body = m.IfElse(m.Cmp("eq", a, m.Var(s)), b, m.IfElse(m.Cmp("eq", b, m.Var(s)), a, NONE_VALUE))
        return Typed(m.LetIn(e, edge.ir, m.LetIn(s, one, body)), place)

    def _area(self, name: str, expr: ast.Call, scope: Scope) -> Typed:
        place = self.world.area_place(name)
        at = (
            self.expressions.want(expr.args[0], scope, entity(place, optional=True))
            if len(expr.args) == 1
            else m.Const(0)
        )
        if len(expr.args) != 1:
            self.context.error("TYP215", f"`{name.lower()}` takes 1 argument, a place", expr.span)
        return Typed(m.Component(name, at), set_of(place))

    def _region(self, name: str, expr: ast.Call, scope: Scope) -> Typed:
        if len(expr.args) != 1:
            self.context.error("TYP215", f"`{name.lower()}` takes 1 argument, a place", expr.span)
            return WRONG
        at = self.expressions.want(expr.args[0], scope, entity(name, optional=True), "the place")
        return Typed(at, entity(name))
