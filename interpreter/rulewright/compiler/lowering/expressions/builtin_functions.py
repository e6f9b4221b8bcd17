"""Lowering of the built-in functions."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.lowering.expressions.coercions import WRONG, Coercions
from rulewright.compiler.lowering.expressions.literals import PositionLowerer
from rulewright.compiler.lowering.expressions.map_functions import MapFunctionLowerer
from rulewright.compiler.lowering.lowering_context import Expressions, LoweringContext, a_type
from rulewright.compiler.symbols.static_types import BOOL, BuiltIn, Type, entity
from rulewright.compiler.symbols.symbols import Scope, Typed
from rulewright.ir import model as m
from rulewright.syntax import ast


class BuiltinLowerer:
    """Calls of functions that belong to the language."""

    def __init__(self, context: LoweringContext, coercions: Coercions, expressions: Expressions) -> None:
        self.context, self.coercions, self.expressions = context, coercions, expressions
        self.world = context.world
        self.by_name: dict[str, Callable[[ast.Call, Scope], Typed]] = {
            "top": self._top,
            "bottom": self._bottom,
            "size": self._size,
            "place": self._place,
            "holder": self._holder,
            "on_board": self._on_board,
            "in_game": self._in_game,
            "side": self._side,
            "slot": self._slot,
            **MapFunctionLowerer(context, coercions, expressions).by_name,
            "player_of": self._player_of,
            "old": self._old,
            "possible": self._possible,
            "seen_before": PositionLowerer(context, expressions).seen_before,
        }

    def lower(self, word: BuiltIn, expr: ast.Call, scope: Scope) -> Typed:
        """A call with as many arguments as the function takes."""
        return self.by_name[word](expr, scope)

    def _top(self, expr: ast.Call, scope: Scope) -> Typed:
        """The piece on top of a stack: the one laid last, unless it came to the bottom."""
        value = self._stack(expr, scope)
        return value if value is WRONG else self.coercions.one_of("first", value)

    def _bottom(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self._stack(expr, scope)
        return value if value is WRONG else self.coercions.one_of("last", value)

    def _stack(self, expr: ast.Call, scope: Scope) -> Typed:
        """The pieces of a stack, from the top."""
        value = self.expressions.collection(expr.args[0], scope)
        if isinstance(value.ir, m.ZoneGet) and self.world.zones[value.ir.zone].order == "stack":
            return self.coercions.in_order(value)
        if value.type.kind != "any":
            word = expr.operand.name if isinstance(expr.operand, ast.Name) else ""
            other = (
                "`first(…)` or `last(…)`"
                if value.type.kind == "list" or isinstance(value.ir, m.ZoneGet)
                else "`first(…)`"
            )
            self.context.error(
                "TYP216", f"`{word}` is asked of a stack, not of {a_type(value.type)}", expr.span, hint=other
            )
        return WRONG

    def _size(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self.expressions.collection(expr.args[0], scope)
        return Typed(m.Size(value.ir, value.type.kind == "list"), Type("int", low=0, high=100_000))

    def _piece(self, expr: ast.Expr, scope: Scope) -> Typed:
        value = self.expressions.one(expr, scope, "a piece", Type("entity", "Piece"))
        if value.type.kind != "any" and (value.type.universe != "Piece" or self.world.parts(value.type)):
            hint = self.coercions.ask_first(value.type, entity("Piece"))
            return self.context.mismatch("a piece", value.type, expr.span, hint=hint)
        return value

    def _place(self, expr: ast.Call, scope: Scope) -> Typed:
        return self._key_of_zone(expr, scope, self.world.place_universes(), "place")

    def _holder(self, expr: ast.Call, scope: Scope) -> Typed:
        return self._key_of_zone(expr, scope, self.world.owner_universes(), "holder")

    def _key_of_zone(self, expr: ast.Call, scope: Scope, universes: list[str], what: str) -> Typed:
        value = self._piece(expr.args[0], scope)
        if value.type.kind == "any":
            return WRONG
        found = self.world.zone_keys(value.type.kinds, universes)
        if len(found) != 1:
            why = "no zone that can hold it has one" if not found else "it may be one of " + ", ".join(found)
            self.context.error("TYP216", f"`{what}` of {a_type(value.type)} has no meaning: {why}", expr.span)
            return WRONG
        return Typed(m.PlaceOf(found[0], value.ir), entity(found[0], optional=True))

    def _on_board(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self._piece(expr.args[0], scope)
        zones = self.world.zones_with(self.world.place_universes())
        return Typed(m.InZone(zones, value.ir), BOOL)

    def _in_game(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self._piece(expr.args[0], scope)
        return Typed(m.InZone(tuple(z for z in self.world.zones if z != "box"), value.ir), BOOL)

    def _side(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self._piece(expr.args[0], scope)
        if value.type.kind == "any":
            return WRONG
        universe = self.world.sides_universe(value.type.kinds)
        if not self.world.has_universe(universe):
            why = "it has no `sides`, and no zone says which face is up"
            self.context.error("TYP216", f"`side` of {a_type(value.type)} has no meaning: {why}", expr.span)
            return WRONG
        return Typed(m.SideOf(value.ir), entity(universe, value.type.optional))

    def _slot(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self._piece(expr.args[0], scope)
        return Typed(m.SlotOf(value.ir), Type("int", low=0, optional=True))

    def _player_of(self, expr: ast.Call, scope: Scope) -> Typed:
        player = entity("Player", optional=True)
        return Typed(self.expressions.want(expr.args[0], scope, player, "the party"), player)

    def _old(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self.expressions.lower(expr.args[0], scope)
        if not self.world.in_property:
            self.context.error("PRP604", "`old` may be used only in a property", expr.span)
        return Typed(m.Old(value.ir), value.type)

    def _possible(self, expr: ast.Call, scope: Scope) -> Typed:
        call = expr.args[0]
        if not (isinstance(call, ast.Call) and isinstance(call.operand, ast.Name)):
            self.context.error("TYP217", "`possible` asks about a call: `possible(place_knight(p))`", expr.span)
            return WRONG
        word = call.operand.name
        signature = self.world.possible_signature(word, call.span)
        if signature is None:
            known = self.world.procedure_names()
            return self.context.unknown("procedure", word, known, call.operand.span)
        args = self.expressions.arguments(word, signature, call, scope)
        return Typed(m.CallQuery(f"possible {word}", args), BOOL)
