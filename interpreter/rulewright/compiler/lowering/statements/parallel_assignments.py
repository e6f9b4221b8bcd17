"""Lowering of what sets several places at once: ``a = x, b = y``, and ``move field from a to b``."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.lowering.expressions.coercions import NONE_VALUE
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.lowering_context import a_type
from rulewright.compiler.lowering.statements.assignments import AssignmentLowerer, LValue
from rulewright.compiler.symbols.scope import Scope
from rulewright.compiler.symbols.static_types import BOOL, INT, Type, entity
from rulewright.ir import model as m
from rulewright.syntax import ast


class ParallelAssignmentLowerer:
    """Lowers statements that set several fields or ``var``s as one: all is read before anything is set, and
    consequences look on when all of it is done."""

    def __init__(self, expressions: ExpressionLowerer, assignments: AssignmentLowerer) -> None:
        self.context, self.world, self.assignments = expressions.context, expressions.world, assignments

    def assign(self, s: ast.AssignAll, scope: Scope, code: FunctionBuilder) -> None:
        """``a = x, b = y``."""
        updates: list[tuple[LValue, m.Expr]] = []
        for one in s.updates:
            place = self.assignments.place(one.target, one.span, scope)
            if place is not None:
                value = self.assignments.value(ast.Assign(one.target, "=", one.value, span=one.span), place, scope)
                updates.append((place, value))
        self._set(updates, code)

    def move(self, s: ast.MoveHeld, scope: Scope, code: FunctionBuilder) -> None:
        """``move field from a to b``."""
        name, keys = (s.what.operand, s.what.index) if isinstance(s.what, ast.Index) else (s.what, ())
        if isinstance(name, ast.Name) and name.name in self.world.zones and scope.find(name.name) is None:
            hint = f"pieces move from zone to zone: `move {name.name}[a] to {name.name}[b]`"
            self.context.error("CTL109", f"`{name.name}` is a zone, no field", s.what.span, hint=hint)
            return
        places = [
            self.assignments.place(ast.Index(name, (*keys, key), span=s.what.span), s.span, scope)
            for key in (s.source, s.to)
        ]
        source, to = places
        if source is None or to is None:
            return
        if source.at is not None:
            listed = source.name
            hint = f"two elements change places so: `{listed}[0] = {listed}[1], {listed}[1] = {listed}[0]`"
            self.context.error("CTL109", f"`{listed}` is a list, no field with keys", s.what.span, hint=hint)
            return
        left = _nothing(source.type)
        if left is None:
            hint = "give it a type `… or none`"
            said = f"nothing could stay behind: this is always {a_type(source.type)}"
            self.context.error("TYP241", said, s.what.span, hint=hint)
            return
        self._set([(source, left), (to, source.read)], code)

    def _set(self, updates: list[tuple[LValue, m.Expr]], code: FunctionBuilder) -> None:
        start = len(code.items)
        changed = {place.slot for place, _ in updates}
        held = [
            (self._keys_held(place, changed, code), self._held(value, place.type, code)) for place, value in updates
        ]
        for place, value in held:
            self.assignments.store(place, value, code)
        if any(place.slot is None for place, _ in held):
            code.settle(start)

    def _held(self, value: m.Expr, type: Type, code: FunctionBuilder) -> m.Expr:
        """A value that stays what it is, whatever is set."""
        if isinstance(value, m.Const | m.ListConst):
            return value
        slot = code.slot("value", type.or_none())
        code.add(m.SetLocal(slot, value))
        return m.Local(slot)

    def _keys_held(self, place: LValue, changed: set[int | None], code: FunctionBuilder) -> LValue:
        """The same place, whatever is set."""
        if place.at is not None and not isinstance(place.at, m.Const):
            number = code.slot("number", INT.or_none())
            code.add(m.SetLocal(number, place.at))
            place = replace(place, at=m.Local(number))
        if place.field is None:
            return place
        keys: list[m.Expr] = []
        for key, universe in zip(place.field.index, self.world.fields[place.field.field].index, strict=True):
            if not isinstance(key, m.Const) and not (isinstance(key, m.Local) and key.slot not in changed):
                slot = code.slot("key", BOOL if universe == "Bool" else entity(universe, optional=True))
                code.add(m.SetLocal(slot, key))
                key = m.Local(slot)
            keys.append(key)
        return replace(place, read=m.FieldGet(place.field.field, tuple(keys)))


def _nothing(type: Type) -> m.Expr | None:
    """The value of a field that holds nothing; None if it always holds something."""
    if type.optional:
        return NONE_VALUE
    if type.kind == "list":
        return m.ListConst(())
    if type.kind in ("set", "bool", "any") or (type.kind == "int" and type.low <= 0 <= type.high):
        return m.Const(0)
    return None
