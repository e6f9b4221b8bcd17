"""The expression lowerer: names, types and meaning of everything that only asks."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce
from typing import assert_never

from rulewright.compiler.lowering.expressions.builtin_functions import BuiltinLowerer
from rulewright.compiler.lowering.expressions.coercions import WRONG, Coercions
from rulewright.compiler.lowering.expressions.comprehensions import Bound, ComprehensionLowerer
from rulewright.compiler.lowering.expressions.literals import LiteralLowerer
from rulewright.compiler.lowering.expressions.member_access import MemberAccessLowerer
from rulewright.compiler.lowering.expressions.names import CallLowerer, NameLowerer
from rulewright.compiler.lowering.expressions.operators import OperatorLowerer
from rulewright.compiler.lowering.lowering_context import Expressions, LoweringContext, a_type
from rulewright.compiler.symbols.static_types import ANY, BOOL, INT, RECORD, Type, join
from rulewright.compiler.symbols.symbols import Scope, Typed
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.ir import model as m
from rulewright.syntax import ast


class AggregateLowerer:
    """Lowers expressions that bind variables and give one value, or put members in an order."""

    def __init__(
        self,
        context: LoweringContext,
        coercions: Coercions,
        expressions: Expressions,
        comprehensions: ComprehensionLowerer,
    ) -> None:
        self.context, self.coercions, self.expressions = context, coercions, expressions
        self.comprehensions = comprehensions
        self.world = context.world

    def aggregate(self, expr: ast.Aggregate, scope: Scope, expected: Type | None) -> Typed:
        """``count``, ``some``, ``no``, ``sum``, ``max``, ``min``, ``first``, ``last`` and ``single``."""
        if not expr.binds:
            assert expr.element is not None
            return self._aggregate_of(expr.kind, expr.element, scope, expected)
        if expr.kind in ("first", "last", "single"):
            made = self.comprehensions.filter(expr, scope) if expr.element is None else self._collected(expr, scope)
            return self.coercions.one_of(expr.kind, made)
        if expr.element is not None and expr.kind in ("count", "some", "no"):
            if expr.kind != "count":
                self.context.error("TYP211", f"`{expr.kind}` takes no value, only binders", expr.element.span)
            counted = self._collected(expr, scope)
            return Typed(m.Size(counted.ir), Type("int", low=0) if expr.kind == "count" else BOOL)
        found, where, inner = self.comprehensions.binds(expr, scope)
        bounds = tuple(m.Bound(bound.var, bound.source, bound.is_list) for bound in found)
        if expr.kind in ("count", "some", "no"):
            result = Type("int", low=0) if expr.kind == "count" else BOOL
            return Typed(m.Fold(expr.kind, bounds, where, None), result)
        if expr.element is not None:
            body = self.coercions.item(self.expressions.lower(expr.element, inner))
        else:
            body = Typed(self.context.read(m.Var(found[-1].var), found[-1].type), found[-1].type)
        return self._folded(expr, bounds, where, body)

    def _collected(self, expr: ast.Aggregate, scope: Scope) -> Typed:
        """The set of what an aggregate is over, each thing once."""
        members = ast.Comprehension(expr.element, expr.binds, expr.where, expr.leading, span=expr.span)
        return self.comprehensions.comprehension(members, scope)

    def _folded(self, expr: ast.Aggregate, bounds: tuple[m.Bound, ...], where: m.Expr | None, body: Typed) -> Typed:
        if body.type.keys and expr.kind == "sum":
            return self.coercions.keyed.added(bounds, where, body)
        ordered = expr.kind != "sum" and self.world.is_ordered(body.type)
        if body.type.kind not in ("int", "any") and not ordered:
            self.context.mismatch("a number", body.type, expr.span, f"the argument of `{expr.kind}`")
        ir = m.Fold(expr.kind, bounds, where, body.ir)  # type: ignore[arg-type]
        if expr.kind == "sum":
            return Typed(ir, Type("int", low=0) if body.type.low >= 0 else INT)
        return self._extreme(ir, replace(body.type, optional=True))

    def _extreme(self, ir: m.Expr, type: Type) -> Typed:
        """The greatest or least of some values of a type, found as a number."""
        if not self.world.is_ordered(type):
            return Typed(ir, Type("int", low=type.low, high=type.high, optional=type.optional))
        return Typed(m.Item(m.ListConst(tuple(range(self.world.size(type.universe)))), ir), type)

    def _aggregate_of(self, kind: ast.AggregateKind, element: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        written = element.items if isinstance(element, ast.SetOf | ast.ListOf) else ()
        if kind in ("min", "max", "sum") and written and not isinstance(written[0], ast.Entry):
            return self._literal_fold(kind, written, scope)
        value = self.expressions.lower(element, scope, expected)
        if value.type.keys and kind in ("sum", "max", "min"):
            type = INT if kind == "sum" else value.type.element().or_none()
            return Typed(self.coercions.keyed.folded(kind, value), type)
        value = self.expressions.members(value, element)
        if kind in ("first", "last", "single"):
            return self.coercions.one_of(kind, value)
        is_list = value.type.kind == "list"
        if kind == "count":
            return Typed(m.Size(value.ir, is_list), Type("int", low=0))
        if kind in ("some", "no"):
            empty = m.Cmp("eq", m.Size(value.ir, is_list), m.Const(0))
            return Typed(m.Not(empty) if kind == "some" else empty, BOOL)
        ordered = kind != "sum" and self.world.is_ordered(value.type.element())
        if value.type.kind != "any" and value.type.universe not in ("Int", "") and not ordered:
            self.context.mismatch("a set of numbers", value.type, element.span, f"the argument of `{kind}`")
        var = self.context.fresh("x")
        ir = m.Fold(kind, (m.Bound(var, value.ir, is_list),), None, m.Var(var))  # type: ignore[arg-type]
        if kind == "sum":
            return Typed(ir, INT)
        return self._extreme(ir, value.type.element().or_none() if ordered else replace(value.type, optional=True))

    def _literal_fold(self, kind: str, items: tuple[ast.Expr, ...], scope: Scope) -> Typed:
        # min({a, b}) of numbers written out: no set is built, so they may be negative or equal.
        values = [self.coercions.item(self.expressions.lower(i, scope)) for i in items]
        both = self.coercions.joined(values)
        if kind != "sum" and both is not None and self.world.is_ordered(both[1]):
            return self._extreme(reduce(partial(m.Arith, "max" if kind == "max" else "min"), both[0]), both[1])
        for value, item in zip(values, items, strict=True):
            if value.type.kind not in ("int", "any"):
                self.context.mismatch("a number", value.type, item.span, f"the argument of `{kind}`")
        op = {"min": "min", "max": "max", "sum": "add"}[kind]
        ir, type = values[0].ir, values[0].type
        for value in values[1:]:
            ir = m.Arith(op, ir, value.ir)  # type: ignore[arg-type]
            type = INT if kind == "sum" else (join(type, value.type) or INT)
        return Typed(ir, type)

    def ranked(self, expr: ast.Ranked, scope: Scope) -> Typed:
        """``best(x in S by K)`` and ``sorted(x in S by K)``."""
        bound, inner = self.comprehensions.bind(expr.bind, scope)
        source = bound.source
        if expr.where is not None:
            source = m.Filter(source, bound.var, self.expressions.truth(expr.where, inner), bound.is_list)
            inner = self.comprehensions.narrowing.where(expr.where, inner)
        key = self.expressions.order(expr.by, inner)
        if expr.kind == "best":
            return Typed(m.Best(source, bound.var, key, bound.is_list), bound.type.as_set())
        capacity = bound.capacity if bound.is_list else self.world.most_members(bound.type)
        return Typed(m.Sort(source, bound.var, key, is_list=bound.is_list), bound.type.as_list(capacity))

    def every(self, expr: ast.Every, scope: Scope) -> Typed:
        """``every(x in S where C has P)``."""
        bound, inner = self.comprehensions.bind(expr.bind, scope)
        where = self.expressions.truth(expr.where, inner) if expr.where is not None else None
        has = self.expressions.truth(expr.has, self.comprehensions.narrowing.where(expr.where, inner))
        return Typed(m.Fold("every", (m.Bound(bound.var, bound.source, bound.is_list),), where, has), BOOL)


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
            case ast.Entry():  # the grammar has it inside of braces only
                return self.entry(expr, scope, None)[1]
            case ast.Comprehension():
                return self.comprehensions.comprehension(expr, scope, expected)
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

    def entry(self, entry: ast.Entry, scope: Scope, expected: Type | None) -> tuple[Typed, Typed]:
        """Lower the key and the value of an entry."""
        return self.literals.entry(entry, scope, expected)

    def truth(self, expr: ast.Expr, scope: Scope) -> m.Expr:
        """Lower a condition."""
        value = self.lower(expr, scope)
        if value.type.keys and self.coercions.keyed.needs_key(value, expr.span):
            return m.Const(0)
        if value.type.kind not in ("bool", "any"):
            self.context.error(
                "TYP201", f"a condition must be true or false, but this is {a_type(value.type)}", expr.span
            )
        return value.ir

    def number(self, expr: ast.Expr, scope: Scope) -> m.Expr:
        """Lower an amount."""
        return self.want(expr, scope, INT.or_none(), "an amount")

    def order(self, expr: ast.Expr, scope: Scope) -> m.Expr:
        """Lower a number or a value of an enum, by which things are put in order."""
        value = self.lower(expr, scope, INT)
        if self.world.is_ordered(value.type):
            return value.ir
        return self.coercions.coerce(value, INT.or_none(), expr.span, "an amount")

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
        return self.members(self.lower(expr, scope, expected), expr)

    def members(self, value: Typed, expr: ast.Expr) -> Typed:
        """A value that must have members."""
        if (value.type.is_collection and not value.type.keys) or value.type.kind == "any":
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
