"""Lowering of restrictions: what forbids an answer, and what lifts that."""

from __future__ import annotations

from typing import Literal, assert_never

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.symbols.static_types import entity
from rulewright.compiler.symbols.symbols import Scope
from rulewright.foundation import limits
from rulewright.ir import model as m
from rulewright.syntax import ast


class RestrictionLowerer:
    """Lowers ``forbid`` and ``obey``."""

    def __init__(self, expressions: ExpressionLowerer, declared: dict[str, ast.Limits]) -> None:
        self.context, self.expressions = expressions.context, expressions
        self.world = expressions.world
        self.declared = declared
        self._obeying: list[str] = []
        self._counted = 0
        """Restrictions that were lowered for one choice."""
        self._too_many = False

    def lower(self, written: tuple[ast.Restriction, ...], scope: Scope, owner: str) -> tuple[m.Restriction, ...]:
        """Restrictions with their addresses; those that are obeyed keep the name of their list."""
        made: list[m.Restriction] = []
        if not self._obeying:
            self._counted = 0
        for restriction in written:
            self._counted += 1
            if self._counted > limits.RESTRICTIONS:
                if not self._too_many:
                    self.context.error(
                        "CHO303", f"more than {limits.RESTRICTIONS} restrictions for one choice", restriction.span
                    )
                self._too_many = True
                return ()
            match restriction:
                case ast.Forbid():
                    made.append(self._forbidden(restriction, scope, owner))
                case ast.Obey():
                    made.extend(self._obeyed(restriction, scope))
                case _:
                    assert_never(restriction)
        return tuple(made)

    def _forbidden(self, forbid: ast.Forbid, scope: Scope, owner: str) -> m.Restriction:
        return m.Restriction(
            f"{owner}.{forbid.label}",
            self.expressions.truth(forbid.condition, scope),
            tuple(
                m.Exception_(u.label, self.expressions.truth(u.condition, scope), u.trivia.cites) for u in forbid.unless
            ),
            forbid.trivia.cites,
        )

    def _obeyed(self, obey: ast.Obey, scope: Scope) -> list[m.Restriction]:
        call = obey.call
        if not (isinstance(call, ast.Call) and isinstance(call.operand, ast.Name)):
            self.context.error("TYP220", "`obey` names limits: `obey knight_place(s, p)`", obey.span)
            return []
        name = call.operand.name
        self.world.lookups["limits", name] = None
        obeyed = self.declared.get(name)
        if obeyed is None:
            self.context.unknown("limits", name, list(self.declared), call.operand.span)
            return []
        if name in self._obeying:
            return []  # a cycle, which the compiler reports
        types = tuple((p.name, self.world.resolve(p.type)) for p in obeyed.params)
        args = self.expressions.arguments(name, types, call, scope)
        inner = Scope()
        names: list[str] = []
        for (param, type), _ in zip(types, args, strict=True):
            var, binding = self.context.variable(param, type)
            names.append(var)
            inner.bind(param, binding)
        self._obeying.append(name)
        found = self.lower(obeyed.restrictions, inner, name)
        self._obeying.pop()

        def bound(condition: m.Expr) -> m.Expr:
            for var, arg in reversed(list(zip(names, args, strict=True))):
                condition = m.LetIn(var, arg, condition)
            return condition

        return [
            m.Restriction(
                r.label,
                bound(r.condition),
                tuple(m.Exception_(u.label, bound(u.condition), u.cites) for u in r.unless),
                r.cites,
            )
            for r in found
        ]


class DeciderLowerer:
    """Lowers the one who chooses, repeats or rolls."""

    def __init__(self, expressions: ExpressionLowerer) -> None:
        self.context, self.coercions, self.expressions = expressions.context, expressions.coercions, expressions
        self.world = expressions.world

    def lower(self, expr: ast.Expr, scope: Scope) -> tuple[m.Expr, Literal["player", "party"]]:
        """The one who decides."""
        value = self.coercions.item(self.expressions.lower(expr, scope, entity("Player")))
        if value.type.kind == "entity" and self.world.is_party(value.type.universe):
            return m.Attr(f"{value.type.universe}.members", value.ir), "party"
        if value.type.kind != "any" and (value.type.kind != "entity" or value.type.universe != "Player"):
            self.context.mismatch("a player or party", value.type, expr.span, "the asked player")
        return value.ir, "player"


class TellLowerer:
    """Lowers ``tells "{p} builds a castle in {place}"``: each value is a number, something with a name, or a
    number or truth for each of some."""

    def __init__(self, expressions: ExpressionLowerer) -> None:
        self.context, self.coercions, self.expressions = expressions.context, expressions.coercions, expressions

    def lower(self, s: ast.Tell, scope: Scope, code: FunctionBuilder) -> None:
        """Lower a line; consequences need not settle after it, as it changes no state."""
        values, types, kinds = [], [], []
        for written in s.values:
            value = self.coercions.item(self.expressions.lower(written, scope))
            if value.type.kind == "any":
                return
            if value.type.kind not in ("int", "entity") and value.type.keys in ("", "Piece"):
                wanted = "a number, something that has a name, or a number for each"
                self.context.mismatch(wanted, value.type, written.span, "what is told")
                return
            values.append(value.ir)
            types.append(value.type.run_time())
            kinds.append(value.type.kinds[0].lower() if len(value.type.kinds) == 1 else "")
        code.add(m.Tell(s.words, tuple(values), tuple(types), tuple(kinds), s.trivia.cites))
