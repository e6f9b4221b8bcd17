"""Lowering of operators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, assert_never

from rulewright.compiler.lowering.expressions.coercions import NONE_VALUE, WRONG, Coercions, several
from rulewright.compiler.lowering.expressions.names import NameLowerer
from rulewright.compiler.lowering.expressions.narrowing import Narrowing
from rulewright.compiler.lowering.function_builder import any_of
from rulewright.compiler.lowering.lowering_context import Expressions, LoweringContext, a_type
from rulewright.compiler.overlays.addresses import is_value
from rulewright.compiler.symbols import several_kinds
from rulewright.compiler.symbols.static_types import BOOL, INT, Type, entity, join, set_of
from rulewright.compiler.symbols.symbols import Scope, Typed
from rulewright.diagnostics import Span
from rulewright.foundation import limits
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m
from rulewright.ir.arithmetic import DIVISIONS, ArithOp, bounds, clamped
from rulewright.ir.comparison import CmpOp
from rulewright.ir.set_operations import SetOperation
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_WholeNumberOp = Literal["+", "-", "*", "mod"]
_SELECTING: dict[ast.SelectingOp, SetOperation] = {"except": "minus", "intersect": "inter"}
_ARITH: dict[_WholeNumberOp, ArithOp] = {"+": "add", "-": "sub", "*": "mul", "mod": "mod"}


def comparison(op: ast.CompareOp) -> CmpOp:
    """The comparison of numbers that an operator stands for."""
    match op:
        case "is":
            return "eq"
        case "is not":
            return "ne"
        case "<":
            return "lt"
        case "<=":
            return "le"
        case ">":
            return "gt"
        case ">=":
            return "ge"
        case _:
            assert_never(op)


def _items(e: m.Expr, kind: type[m.And | m.Or]) -> tuple[m.Expr, ...]:
    """The parts of a chain of one operator; of anything else itself."""
    return e.items if isinstance(e, kind) else (e,)


class OperatorLowerer:
    """Infix and prefix operators, tests, and ``a if c else b``."""

    def __init__(
        self, context: LoweringContext, coercions: Coercions, expressions: Expressions, names: NameLowerer
    ) -> None:
        self.context, self.coercions, self.expressions, self.names = context, coercions, expressions, names
        self.world, self.narrowing = context.world, Narrowing(coercions)

    def binary(self, expr: ast.Binary, scope: Scope, expected: Type | None) -> Typed:
        """An infix operator."""
        match expr.op:
            case "and" | "or":
                return self._logic(expr, scope)
            case "is" | "is not" | "<" | "<=" | ">" | ">=" as op:
                return self._comparison(expr, op, scope)
            case "in" | "not in":
                return self._membership(expr, scope)
            case "|":
                return self._edge(expr, scope)
            case "except" | "intersect" as op:
                return self._among(expr, op, scope, expected)
            case "or else":
                return self._or_else(expr, scope, expected)
            case "+" | "-" | "*" | "mod" as op:
                return self._arithmetic(expr, op, scope, expected)
            case _:
                assert_never(expr.op)

    def _logic(self, expr: ast.Binary, scope: Scope) -> Typed:
        left = self.expressions.truth(expr.left, scope)
        right = self.expressions.truth(expr.right, self.narrowing.where(expr.left, scope, expr.op == "and"))
        kind = m.And if expr.op == "and" else m.Or
        return Typed(kind(_items(left, kind) + _items(right, kind)), BOOL)

    def pair(self, left: ast.Expr, right: ast.Expr, scope: Scope, other: Scope | None = None) -> tuple[Typed, Typed]:
        """Two expressions that explain each other's bare words; if need be the right one in an `other` scope.

        A word beside something that is wrong is not looked up: what it would mean there is not known.
        """
        other = other or scope
        bare_left, bare_right = (self.names.is_bare_value(one, scope) for one in (left, right))
        if bare_left and not bare_right:
            b = self.expressions.lower(right, other)
            if b.type.kind == "any" and isinstance(left, ast.Name):
                return WRONG, b
            return self.expressions.lower(left, scope, self._hint(b.type)), b
        a = self.expressions.lower(left, scope)
        if a.type.kind == "any" and bare_right and not bare_left and isinstance(right, ast.Name):
            return a, WRONG
        return a, self.expressions.lower(right, other, self._hint(a.type))

    @staticmethod
    def _hint(type: Type) -> Type | None:
        if type.kind in ("any", "none", "int", "bool"):
            return None
        return type.element() if type.unit else type

    def _comparison(self, expr: ast.Binary, word: ast.CompareOp, scope: Scope) -> Typed:
        op = comparison(word)
        if isinstance(expr.right, ast.NoneValue) or isinstance(expr.left, ast.NoneValue):
            return self._none_test(expr, op, scope)
        a, b = self.pair(expr.left, expr.right, scope)
        both = self.coercions.common(a, b)
        if both is None:
            if a.type.keys != b.type.keys and any(
                self.coercions.keyed.needs_key(side, one.span)
                for side, other, one in ((a, b, expr.left), (b, a, expr.right))
                if not other.type.keys
            ):
                return Typed(m.Const(0), BOOL)
            self.context.error("TYP202", f"{a_type(a.type)} and {a_type(b.type)} can never be equal", expr.span)
            return Typed(m.Const(0), BOOL)
        left, right, type = both
        if type.keys:
            return Typed(self._compared(expr, op, Typed(left, type), Typed(right, type)), BOOL)
        if type.is_collection and not type.unit:
            if op not in ("eq", "ne"):
                self.context.error("TYP201", f"`{expr.op}` compares numbers, not {type}", expr.span)
            same = m.SetEq(left, right)
            return Typed(same if op == "eq" else m.Not(same), BOOL)
        if op not in ("eq", "ne") and type.kind not in ("int", "any") and not self.world.is_enum(type.universe):
            self.context.error("TYP201", f"`{expr.op}` compares numbers, not {type}", expr.span)
        return Typed(m.Cmp(op, left, right), BOOL)

    def _compared(self, expr: ast.Binary, op: CmpOp, a: Typed, b: Typed) -> m.Expr:
        """``stock[p] >= x.cost``: for each key."""
        if op in ("lt", "gt"):
            turned = f"{print_expr(expr.left)} {'>=' if op == 'lt' else '<='} {print_expr(expr.right)}"
            hint = f"`not {turned}` if one of them is to be {'less' if op == 'lt' else 'more'}"
            message = f"`{expr.op}` does not say whether it is meant for all keys or for one"
            self.context.error("TYP201", message, expr.span, hint=hint)
        elif op in ("le", "ge") and a.type.universe == "Bool":
            self.context.error("TYP201", f"`{expr.op}` compares numbers, not {a.type}", expr.span)
        return self.coercions.keyed.compared(op, a, b)

    def _none_test(self, expr: ast.Binary, op: CmpOp, scope: Scope) -> Typed:
        operand = expr.left if isinstance(expr.right, ast.NoneValue) else expr.right
        value = self.coercions.item(self.expressions.lower(operand, scope))
        if expr.op not in ("is", "is not"):
            self.context.error("TYP201", f"`{expr.op}` compares numbers, not none", expr.span)
        if value.type.is_collection:
            hint = "write `is {}`" if value.type.keys else "write `is empty`"
            message = f"{a_type(value.type)} is never none" if value.type.keys else "a set is never none"
            self.context.error("TYP201", message, expr.span, hint=hint)
        return Typed(m.Cmp(op, value.ir, NONE_VALUE, nothing=True), BOOL)

    def _membership(self, expr: ast.Binary, scope: Scope) -> Typed:
        zones = self._zone_family(expr.right, scope)
        if zones is not None:
            piece = self.expressions.one(expr.left, scope, "a piece")
            if piece.type.kind != "any" and piece.type.universe != "Piece":
                self.context.mismatch("a piece", piece.type, expr.left.span)
            lies = self._some_of(expr.left, piece, lambda one: m.InZone(zones, one))
            return Typed(m.Not(lies) if expr.op == "not in" else lies, BOOL)
        if self.names.is_bare_value(expr.right, scope) and not self.names.is_bare_value(expr.left, scope):
            a = self.expressions.lower(expr.left, scope)
            b = self.expressions.collection(
                expr.right, scope, a.type.present().as_set() if a.type.kind == "entity" else None
            )
        else:
            b = self.expressions.collection(expr.right, scope)
            wanted = b.type.element() if b.type.is_collection and b.type.universe else None
            a = self.expressions.lower(expr.left, scope, wanted)
        a = self.coercions.item(a)
        if b.type.kind == "any" or a.type.kind == "any":
            return Typed(m.Contains(b.ir, a.ir), BOOL)
        if not b.type.universe:  # nothing is in the empty set
            return Typed(m.Const(int(expr.op == "not in")), BOOL)
        item = self.coercions.fits(a, b.type.element().or_none())
        if item is None and a.type.kind == "entity":
            item = self._of_those(a, b.type)
        if item is None:
            self.context.error("TYP202", f"{a_type(a.type)} can never be in {a_type(b.type)}", expr.span)
            return Typed(m.Const(0), BOOL)
        found = self._some_of(expr.left, Typed(item, a.type), lambda one: m.Contains(b.ir, one, b.type.kind == "list"))
        return Typed(m.Not(found) if expr.op == "not in" else found, BOOL)

    def _of_those(self, one: Typed, many: Type) -> m.Expr | None:
        """A value of one of several kinds as a member of a set of one of them; None if it cannot be in it."""
        if one.type.universe == many.universe == "Piece":
            return one.ir if self.world.overlap(one.type.kinds, many.kinds) else None
        part = self.coercions.narrowed(one, many.universe)
        return None if part is None else part.ir

    def _some_of(self, written: ast.Expr, value: Typed, belongs: Callable[[m.Expr], m.Expr]) -> m.Expr:
        """True if what is written belongs somewhere; the key of several pieces stands for any of them."""
        if not isinstance(written, ast.StringLiteral) or value.type.universe != "Piece":
            return belongs(value.ir)
        alike = bits_of(self.world.called("Piece", written.text))
        if len(alike) == 1:
            return belongs(value.ir)
        self.context.keys_for_one.remove(written.text)
        return m.Or(tuple(belongs(m.Const(one)) for one in alike))

    def _zone_family(self, expr: ast.Expr, scope: Scope) -> tuple[str, ...] | None:
        """``c in land`` without keys asks for any of the zones ``land[…]``."""
        if isinstance(expr, ast.Name) and scope.find(expr.name) is None:
            zone = self.world.zones.get(expr.name)
            if zone is not None and zone.index:
                return (expr.name,)
        return None

    def _edge(self, expr: ast.Binary, scope: Scope) -> Typed:
        left, right = self.pair(expr.left, expr.right, scope)
        graph = self.world.graph_of(left.type.universe) or self.world.edge_graph()
        if graph is None or graph.edge is None:
            self.context.error("MAP303", "`|` names an edge, and no map has `edges`", expr.span)
            return WRONG
        place = entity(graph.place, optional=True)
        a = self.coercions.coerce(left, place, expr.left.span)
        b = self.coercions.coerce(right, place, expr.right.span)
        if "any" in (left.type.kind, right.type.kind):
            return WRONG
        if isinstance(a, m.Const) and isinstance(b, m.Const):
            index = self.world.edge_index(graph, a.value, b.value)
            if index is None:
                self.context.error("REF005", "these two places are not neighbours", expr.span)
                return WRONG
            return Typed(m.Const(index), entity(graph.edge))
        return Typed(m.EdgeBetween(graph.name, a, b), entity(graph.edge, optional=True))

    def _among(self, expr: ast.Binary, op: ast.SelectingOp, scope: Scope, expected: Type | None) -> Typed:
        """The members of the left side, in their order, that are in the right one, or that are not."""
        a = self.expressions.collection(expr.left, scope, expected)
        if a.type.kind == "any":
            return a
        b = self.expressions.lower(expr.right, scope, a.type.element() if a.type.universe else None)
        others: m.Expr
        if b.type.is_collection:
            fitting = self.coercions.fits(b, replace(a.type, kind="set"))
            others = self.coercions.as_set(b) if fitting is None else fitting
            if fitting is None:
                hint = self.coercions.ask_first(b.type, a.type)
                self.context.mismatch(a_type(a.type), b.type, expr.right.span, hint=hint)
        else:
            others = m.MakeSet((self.coercions.coerce(b, a.type.element().or_none(), expr.right.span),))
        type = replace(a.type, unit=False)
        if a.type.kind == "list":
            var = self.context.fresh("x")
            inside = m.Contains(others, m.Var(var))
            return Typed(m.Filter(a.ir, var, m.Not(inside) if op == "except" else inside, is_list=True), type)
        return Typed(m.SetOp(_SELECTING[op], a.ir, others), type)

    def _or_else(self, expr: ast.Binary, scope: Scope, expected: Type | None) -> Typed:
        """The left side, or the right one where it is none."""
        if expected is not None:
            a, b = (self.expressions.lower(side, scope, expected) for side in (expr.left, expr.right))
        else:
            a, b = self.pair(expr.left, expr.right, scope)
        a, b = self.coercions.item(a), self.coercions.item(b)
        if a.type.is_collection:
            self.context.error(
                "TYP201", "a set is never none", expr.left.span, hint="write `… if … is not empty else …`"
            )
            return WRONG
        value = self.context.fresh("value")
        held = Typed(m.Var(value), a.type.present())
        both = self.coercions.branches(held, b)
        if both is None:
            self.context.error("TYP203", f"it is {a_type(a.type)}, or else {a_type(b.type)}", expr.span)
            return WRONG
        left, right, _ = both
        there = m.Cmp("ne", m.Var(value), NONE_VALUE, nothing=True)
        type = join(a.type.present(), b.type) or both[2]
        return Typed(m.LetIn(value, a.ir, m.IfElse(there, left, right)), type)

    def _arithmetic(self, expr: ast.Binary, op: _WholeNumberOp, scope: Scope, expected: Type | None) -> Typed:
        a = self.expressions.lower(expr.left, scope, expected)
        b = self.expressions.lower(expr.right, scope, a.type if a.type.is_collection else expected)
        if a.type.keys or b.type.keys:
            return self._for_each_key(_ARITH[op], a, b, expr)
        if expr.op == "+" and (a.type.is_collection or b.type.is_collection):
            kinds = (a.type.kind, b.type.kind)
            if kinds == ("list", "list") and (expected is None or expected.kind != "set"):
                return self._joined(a, b, expr)
            if expected is not None and expected.kind == "list" and set(kinds) == {"list", "set"}:
                hint = "a list goes behind a list: `order + [x]`"
                self.context.error("TYP240", "`+` with a set unites, and a set has no order", expr.span, hint=hint)
            return self._united("union", a, b, expr)
        left = self.coercions.coerce(a, INT.or_none(), expr.left.span, f"the left side of `{expr.op}`")
        right = self.coercions.coerce(b, INT.or_none(), expr.right.span, f"the right side of `{expr.op}`")
        if "any" in (a.type.kind, b.type.kind):
            return WRONG
        return self._computed(_ARITH[op], a.type, left, b.type, right, expr.right.span)

    def _for_each_key(self, op: ArithOp, a: Typed, b: Typed, expr: ast.Binary | ast.Divide) -> Typed:
        """``a + b`` and ``a - b`` of two keyed values; ``2 * a`` and the like of one and a number."""
        scaled = op in ("mul", *DIVISIONS)
        if a.type == Type("set") and not scaled:  # `{} - stock[p]`
            a = Typed(self.coercions.coerce(a, b.type, expr.left.span), b.type)
        if "any" in (a.type.kind, b.type.kind):
            return WRONG
        if "Bool" not in (a.type.universe, b.type.universe):
            number = {a.type.kind, b.type.kind} == {"list", "int"} and (op == "mul" or a.type.keys)
            if number if scaled else a.type.keys == b.type.keys:
                if op in DIVISIONS and b.ir == m.Const(0):
                    self.context.error("TYP209", "division by zero", expr.right.span)
                return self.coercions.keyed.computed(op, a, b)
        for side, other, written in ((a, b, expr.left), (b, a, expr.right)):
            if not other.type.keys and self.coercions.keyed.needs_key(side, written.span):
                return WRONG
        word = expr.op if isinstance(expr, ast.Binary) else "/"
        if "Bool" in (a.type.universe, b.type.universe):
            self.context.error("TYP201", f"`{word}` computes with numbers, and these are truths", expr.span)
            return WRONG
        other, written = (b, expr.right) if a.type.keys else (a, expr.left)
        wanted = "a number" if scaled else a_type(a.type if a.type.keys else b.type)
        return self.context.mismatch(
            wanted,
            other.type,
            written.span,
            f"what stands beside it in `{word}`",
        )

    def _joined(self, a: Typed, b: Typed, expr: ast.Binary) -> Typed:
        """A list, and behind it another one."""
        joined = self.coercions.joined((a, b))
        if joined is None:
            self.context.mismatch(a_type(a.type), b.type, expr.right.span, hint=several(a.type, b.type))
            return WRONG
        (left, right), type = joined
        return Typed(m.Joined(left, right), replace(type, capacity=min(a.type.capacity + b.type.capacity, limits.LIST)))

    def _united(self, op: SetOperation, a: Typed, b: Typed, expr: ast.Binary) -> Typed:
        """A set that may have members of both sides."""
        if not a.type.is_collection:
            a = Typed(m.MakeSet((a.ir,)), a.type.present().as_set())
        if not b.type.is_collection:
            b = Typed(m.MakeSet((b.ir,)), b.type.present().as_set())
        sets = (Typed(self.coercions.as_set(v), replace(v.type, kind="set", unit=False, capacity=0)) for v in (a, b))
        joined = self.coercions.joined([*sets])
        if joined is None:
            self.context.mismatch(a_type(a.type), b.type, expr.right.span, hint=several(a.type, b.type))
            return WRONG
        (left, right), type = joined
        return Typed(m.SetOp(op, left, right), type)

    def divide(self, expr: ast.Divide, scope: Scope) -> Typed:
        """``a / b rounded up``."""
        op: ArithOp = "div_up" if expr.rounded == "up" else "div_down"
        a = self.expressions.lower(expr.left, scope, INT)
        b = self.expressions.lower(expr.right, scope, INT)
        if a.type.keys or b.type.keys:
            return self._for_each_key(op, a, b, expr)
        left = self.coercions.coerce(a, INT.or_none(), expr.left.span, "the dividend")
        right = self.coercions.coerce(b, INT.or_none(), expr.right.span, "an amount")
        if "any" in (a.type.kind, b.type.kind):
            return WRONG
        return self._computed(op, a.type, left, b.type, right, expr.right.span)

    def _computed(self, op: ArithOp, a: Type, left: m.Expr, b: Type, right: m.Expr, divisor: Span) -> Typed:
        if op in DIVISIONS and right == m.Const(0):
            self.context.error("TYP209", "division by zero", divisor)
        low, high = clamped(bounds(op, (a.low, a.high), (b.low, b.high))) or (INT.low, INT.high)
        return Typed(m.Arith(op, left, right), Type("int", low=low, high=high, optional=a.optional or b.optional))

    def unary(self, expr: ast.Unary, scope: Scope, expected: Type | None) -> Typed:
        """``not``, minus, ``clockwise from``."""
        match expr.op:
            case "not":
                return Typed(m.Not(self.expressions.truth(expr.operand, scope)), BOOL)
            case "-":
                value = self.expressions.lower(expr.operand, scope, INT)
                ir = self.coercions.coerce(value, INT.or_none(), expr.operand.span, "the operand of `-`")
                if isinstance(ir, m.Const) and ir.value != m.NONE:
                    return Typed(m.Const(-ir.value), Type("int", low=-ir.value, high=-ir.value))
                return Typed(
                    m.Arith("sub", m.Const(0), ir),
                    Type("int", low=-value.type.high, high=-value.type.low, optional=value.type.optional),
                )
            case "clockwise from":
                player = self.expressions.want(
                    expr.operand, scope, entity("Player", optional=True), "the starting point"
                )
                return Typed(m.ClockwiseFrom(player), set_of("Player").as_list(self.world.player_count))
            case _:
                assert_never(expr.op)

    def is_a(self, expr: ast.IsA, scope: Scope) -> Typed:
        """``x is a Knight``."""
        value = self.expressions.one(expr.operand, scope, "a piece")
        parts = self.world.parts(value.type)
        if expr.kind not in self.world.kinds and not self.world.has_universe(expr.kind):
            return self.context.unknown("kind", expr.kind, [*parts, *self.world.kinds], expr.span)
        if self.world.extends(value.type.universe, expr.kind):  # a die shows a value of the enum of its first faces
            below = m.Cmp("lt", value.ir, m.Const(self.world.size(expr.kind)))
            return Typed(m.Not(below) if expr.negated else below, BOOL)
        if expr.kind not in self.world.kinds and expr.kind not in (value.type.universe, *parts):
            if value.type.kind != "any":
                self.context.error("TYP202", f"{a_type(value.type)} is never {a_type(entity(expr.kind))}", expr.span)
            return WRONG
        if expr.kind in self.world.kinds and value.type.kind != "any" and value.type.universe != "Piece":
            self.context.mismatch("a piece", value.type, expr.operand.span)
        elif value.type.kinds and several_kinds.of_kind(self.world, value.type, expr.kind) is None:
            self.context.error("TYP202", f"{a_type(value.type)} is never a {expr.kind}", expr.span)
        found = self.coercions.is_of(value, expr.kind)
        return Typed(m.Not(found) if expr.negated else found, BOOL)

    def is_empty(self, expr: ast.IsEmpty, scope: Scope) -> Typed:
        """``S is empty``."""
        value = self.expressions.collection(expr.operand, scope)
        none = m.Cmp("eq", m.Size(value.ir, value.type.kind == "list"), m.Const(0))
        return Typed(m.Not(none) if expr.negated else none, BOOL)

    def if_else(self, expr: ast.IfElse, scope: Scope, expected: Type | None) -> Typed:
        """``a if c else b``."""
        condition = self.expressions.truth(expr.condition, scope)
        then, otherwise = (self.narrowing.where(expr.condition, scope, holds) for holds in (True, False))
        if expected is not None:
            a = self.expressions.lower(expr.then, then, expected)
            b = self.expressions.lower(expr.otherwise, otherwise, expected)
        else:
            a, b = self.pair(expr.then, expr.otherwise, then, otherwise)
        a, b = self.coercions.item(a), self.coercions.item(b)
        both = self.coercions.branches(a, b)
        if both is None:
            message = f"one branch is {a_type(a.type)}, the other {a_type(b.type)}"
            sets = a.type.kind == "set", b.type.kind == "set"
            lone = (expr.then, expr.otherwise)[sets.index(False)] if len(set(sets)) == 2 else None
            alone = f"the set of this one alone is `{{{print_expr(lone)}}}`" if lone is not None else ""
            hint = alone or several(a.type, b.type)
            self.context.error("TYP203", message, expr.span, hint=hint)
            return WRONG
        type = join(a.type, b.type) or both[2]
        return Typed(m.IfElse(condition, both[0], both[1]), type)

    def is_one_of(self, subject: ast.Expr, values: tuple[ast.Expr, ...], scope: Scope) -> m.Expr:
        """The condition that the subject of a ``match`` is one of the values of an arm, or of one of its kinds."""
        tests = (is_value(subject, value) for value in values)
        return any_of(
            *(
                (self.is_a(test, scope) if isinstance(test, ast.IsA) else self.binary(test, scope, None)).ir
                for test in tests
            )
        )
