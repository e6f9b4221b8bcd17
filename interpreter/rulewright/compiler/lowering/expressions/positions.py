"""Lowering of earlier positions: what is recorded is the fingerprint of what the record is of, four numbers behind the
others of a list."""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.coercions import WRONG
from rulewright.compiler.lowering.lowering_context import LoweringContext, a_type
from rulewright.compiler.lowering.protocols import Expressions
from rulewright.compiler.symbols.scope import Scope, Typed
from rulewright.compiler.symbols.static_types import RECORD, Type
from rulewright.ir import model as m
from rulewright.syntax import ast


class PositionLowerer:
    """Records of positions, and how often one of them was as that of now."""

    def __init__(self, context: LoweringContext, expressions: Expressions) -> None:
        self.context, self.expressions = context, expressions
        self.world = context.world

    def record(self, call: ast.Call, scope: Scope) -> m.Instr | None:
        """``record(stood)``."""
        kept = self._kept(call, scope)
        return None if kept is None else m.SetField(kept.field, kept.index, m.Joined(kept, self._now(kept)))

    def seen_before(self, call: ast.Call, scope: Scope) -> Typed:
        """``seen_before(stood)``: the number of recorded positions that are as that of now."""
        kept = self._kept(call, scope)
        if kept is None:
            return WRONG
        known, now, number = (self.context.fresh(name) for name in ("known", "now", "number"))
        size = m.Arith("div_down", m.Size(m.Var(known), True), m.Const(m.FINGERPRINT))
        first = m.Arith("mul", m.Arith("sub", m.Var(number), m.Const(1)), m.Const(m.FINGERPRINT))
        alike = tuple(
            m.Cmp("eq", m.Item(m.Var(known), m.Arith("add", first, m.Const(at))), m.Item(m.Var(now), m.Const(at)))
            for at in range(m.FINGERPRINT)
        )
        bound = m.Bound(number, m.IntRange(m.Const(1), size))
        counted = m.Fold("count", (bound,), m.And(alike), None)
        most = self.world.fields[kept.field].type.capacity // m.FINGERPRINT
        return Typed(m.LetIn(known, kept, m.LetIn(now, self._now(kept), counted)), Type("int", low=0, high=most))

    def _now(self, kept: m.FieldGet) -> m.Expr:
        """The fingerprint of what a record is of."""
        type_ = self.world.fields[kept.field].decl.type
        parts = [part.name for part in type_.parts] if isinstance(type_, ast.PositionsType) else []
        fields, zones = (tuple(n for n in parts if n in known) for known in (self.world.fields, self.world.zones))
        return m.Fingerprint(fields, zones)

    def _kept(self, call: ast.Call, scope: Scope) -> m.FieldGet | None:
        """The record that is meant."""
        found = self.expressions.lower(call.args[0], scope, RECORD)
        if found.type.kind == "positions" and isinstance(found.ir, m.FieldGet):
            return found.ir
        if found.type.kind != "any":
            self.context.error(
                "TYP242",
                f"a record of positions is needed here, and this is {a_type(found.type)}",
                call.args[0].span,
                hint="declare one: `field stood: positions of stone, at most 200`",
            )
        return None
