"""The expression lowerer: names, types and meaning of everything that only asks."""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.lowering.expressions.aggregates import AggregateLowerer
from rulewright.compiler.lowering.expressions.builtin_functions import BuiltinLowerer
from rulewright.compiler.lowering.expressions.coercions import WRONG, Coercions
from rulewright.compiler.lowering.expressions.comprehensions import Bound, ComprehensionLowerer
from rulewright.compiler.lowering.expressions.literals import LiteralLowerer
from rulewright.compiler.lowering.expressions.member_access import MemberAccessLowerer
from rulewright.compiler.lowering.expressions.names import CallLowerer, NameLowerer
from rulewright.compiler.lowering.expressions.operators import OperatorLowerer
from rulewright.compiler.lowering.lowering_context import LoweringContext, a_type
from rulewright.compiler.symbols.static_types import ANY, INT, RECORD, Type
from rulewright.compiler.symbols.symbols import Scope, Typed
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.ir import model as m
from rulewright.syntax import ast


class ExpressionLowerer:
    """Lowers expressions; each construct has a lowerer of its own."""

    def __init__(self, context: LoweringContext) -> None:
        self.context = context
        self.world = context.world
        self.coercions = coercions = Coercions(context)
        self.names = NameLowerer(context)
        self.literals = LiteralLowerer(context, coercions, self)
        self.operators = OperatorLowerer(context, coercions, self, self.names)
        self.comprehensions = ComprehensionLowerer(context, coercions, self)
        self.aggregates = AggregateLowerer(context, coercions, self, self.comprehensions)
        self.access = MemberAccessLowerer(context, coercions, self)
        self.calls = CallLowerer(context, coercions, self, BuiltinLowerer(context, coercions, self))

    def lower(self, expr: ast.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        """The program's form of an expression; `expected` helps bare words to find their meaning."""
        made = self._lower(expr, scope, expected)
        if made.type.kind == "positions" and expected != RECORD:
            hint = "`seen_before(…)` asks how often the position of now was recorded"
            self.context.error("TYP201", "a record of positions is no value", expr.span, hint=hint)
            return WRONG
        self.context.typed.put(expr, made)
        return made

    def _lower(self, expr: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        match expr:
            case ast.Name():
                return self.names.name(expr, scope, expected)
            case ast.TypeName():
                return self.names.type_name(expr)
            case (
                ast.Number()
                | ast.BoolLiteral()
                | ast.NoneValue()
                | ast.StringLiteral()
                | ast.Tuple()
                | ast.ListOf()
                | ast.SetOf()
                | ast.Range()
            ):
                return self.literals.lower(expr, scope, expected)
            case ast.Binary():
                return self.operators.binary(expr, scope, expected)
            case ast.Divide():
                return self.operators.divide(expr, scope)
            case ast.Unary():
                return self.operators.unary(expr, scope, expected)
            case ast.IsA():
                return self.operators.is_a(expr, scope)
            case ast.IsEmpty():
                return self.operators.is_empty(expr, scope)
            case ast.After():
                return self.after(expr, scope, expected)
            case ast.IfElse():
                return self.operators.if_else(expr, scope, expected)
            case ast.Dot():
                return self.access.dot(expr, scope)
            case ast.Index():
                return self.access.index(expr, scope)
            case ast.Call():
                return self.calls.call(expr, scope)
            case ast.Comprehension():
                return self.comprehensions.comprehension(expr, scope)
            case ast.Reach():
                return self.comprehensions.reach(expr, scope)
            case ast.Aggregate():
                return self.aggregates.aggregate(expr, scope, expected)
            case ast.Ranked():
                return self.aggregates.ranked(expr, scope)
            case ast.Every():
                return self.aggregates.every(expr, scope)
            case _:
                assert_never(expr)

    def after(self, expr: ast.After, scope: Scope, expected: Type | None) -> Typed:
        """``in_check(p) after shift(man, c)``."""
        value = self.lower(expr.of, scope, expected)
        done = expr.done if isinstance(expr.done, ast.Call) else ast.Call(expr.done, (), span=expr.done.span)
        name = done.operand.name if isinstance(done.operand, ast.Name) else ""
        info = self.world.calls.get(name)
        if info is None or info.decl.word != "effect":
            what = f"`{name}` is a {info.decl.word}" if info is not None else "this is none"
            hint = did_you_mean(name, [n for n, known in self.world.calls.items() if known.decl.word == "effect"])
            self.context.error("CTL129", f"an effect is needed behind `after`, and {what}", expr.done.span, hint=hint)
            return value
        args = self.arguments(name, info.params, done, scope)
        return Typed(m.After(self.context.entry(name), args, value.ir), value.type)

    # ------------------------------------------------------------------------ as their surroundings need them

    def want(self, expr: ast.Expr, scope: Scope, wanted: Type, where: str = "") -> m.Expr:
        """Lower an expression that must have a type."""
        return self.coercions.coerce(self.lower(expr, scope, wanted), wanted, expr.span, where)

    def given(self, expr: ast.Expr, scope: Scope, wanted: Type, where: str) -> m.Expr:
        """Lower an expression whose value must keep to the bounds of the type that is wanted."""
        value = self.lower(expr, scope, wanted)
        made = self.coercions.coerce(value, wanted, expr.span, where)
        return self.coercions.within(made, value.type, wanted, expr.span, where)

    def truth(self, expr: ast.Expr, scope: Scope) -> m.Expr:
        """Lower a condition."""
        value = self.lower(expr, scope)
        if value.type.kind not in ("bool", "any"):
            self.context.error(
                "TYP201", f"a condition must be true or false, but this is {a_type(value.type)}", expr.span
            )
        return value.ir

    def number(self, expr: ast.Expr, scope: Scope) -> m.Expr:
        """Lower an amount."""
        return self.want(expr, scope, INT.or_none(), "an amount")

    def one(self, expr: ast.Expr, scope: Scope, wanted: str, expected: Type | None = None) -> Typed:
        """Lower something that is one thing of a universe, or none.

        A set of such things has the same universe; a test of that alone would take its bits for a member.
        """
        value = self.coercions.item(self.lower(expr, scope, expected))
        if value.type.kind in ("entity", "any"):
            return value
        return self.context.mismatch(wanted, value.type, expr.span)

    def collection(self, expr: ast.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        """Lower something that has members: a set, list or zone, a kind, a party's players."""
        value = self.lower(expr, scope, expected)
        if value.type.is_collection or value.type.kind == "any":
            return value
        if value.type.kind == "entity":
            if self.world.is_party(value.type.universe):
                return Typed(m.Attr(f"{value.type.universe}.members", value.ir), Type("set", "Player"))
            if self.world.is_merged(value.type.universe):
                place = self.world.merged_over(value.type.universe)
                assert place is not None
                return Typed(m.PlacesOf(value.type.universe, value.ir), Type("set", place))
        self.context.error("TYP201", f"a set or list is needed, but this is {a_type(value.type)}", expr.span)
        return Typed(m.Const(0), ANY)

    def arguments(
        self, name: str, wanted: tuple[tuple[str, Type], ...], expr: ast.Call, scope: Scope
    ) -> tuple[m.Expr, ...]:
        """The arguments of a call, checked against the parameters."""
        if len(wanted) != len(expr.args):
            self.context.error(
                "TYP215",
                f"`{name}` takes {len(wanted)} argument{'s' if len(wanted) != 1 else ''}, not {len(expr.args)}",
                expr.span,
                hint=f"{name}({', '.join(f'{n}: {t}' for n, t in wanted)})",
            )
            return tuple(m.Const(0) for _ in wanted)
        return tuple(
            self.given(arg, scope, type.or_none(), f"`{param}` of `{name}`")
            for arg, (param, type) in zip(expr.args, wanted, strict=True)
        )

    def target(self, expr: ast.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        """Lower the target of an assignment: a truth of a field is the field."""
        value = self.lower(expr, scope, expected)
        if isinstance(expr, ast.Index) and isinstance(value.ir, m.Cmp) and isinstance(value.ir.left, m.FieldGet):
            return Typed(value.ir.left, value.type)
        return value

    def bind(self, bind: ast.Bind, scope: Scope) -> tuple[Bound, Scope]:
        """``x[: Kind] in S``: the binder and the scope in which x is known."""
        return self.comprehensions.bind(bind, scope)

    def is_one_of(self, subject: ast.Expr, values: tuple[ast.Expr, ...], scope: Scope) -> m.Expr:
        """The condition that the subject of a ``match`` is one of the values of an arm."""
        return self.operators.is_one_of(subject, values, scope)
