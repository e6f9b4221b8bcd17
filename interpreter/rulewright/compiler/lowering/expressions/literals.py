"""Lowering of literals: what stands for itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from rulewright.compiler.lowering.expressions.coercions import NONE_VALUE, WRONG, Coercions
from rulewright.compiler.lowering.lowering_context import Expressions, LoweringContext, a_type
from rulewright.compiler.symbols.static_types import ANY, BOOL, INT, MISSING, NOTHING, RECORD, Type, entity
from rulewright.compiler.symbols.symbols import Scope, Typed
from rulewright.diagnostics import Report, Span
from rulewright.foundation import limits
from rulewright.ir import model as m
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

LiteralExpr = (
    ast.Number | ast.BoolLiteral | ast.NoneValue | ast.StringLiteral | ast.Tuple | ast.ListOf | ast.SetOf | ast.Range
)


class LiteralLowerer:
    """Numbers, truths, keys, coordinates, lists, sets and ranges."""

    def __init__(self, context: LoweringContext, coercions: Coercions, expressions: Expressions) -> None:
        self.context, self.coercions, self.expressions = context, coercions, expressions
        self.world = context.world

    def lower(self, expr: LiteralExpr, scope: Scope, expected: Type | None) -> Typed:
        """The program's form of a literal."""
        match expr:
            case ast.Number(value):
                if value > m.INT_MAX:
                    self.context.error("TYP205", f"{value} is too large (at most {m.INT_MAX})", expr.span)
                    return Typed(m.Const(0), INT)
                return Typed(m.Const(value), Type("int", low=value, high=value))
            case ast.BoolLiteral(truth):
                return Typed(m.Const(int(truth)), BOOL)
            case ast.NoneValue():
                return Typed(NONE_VALUE, NOTHING)
            case ast.StringLiteral(text):
                return self._key(text, expr, expected)
            case ast.Tuple(items):
                return self._coordinates(items, expr, scope, expected)
            case ast.ListOf(items):
                return self._list(items, expr, scope, expected)
            case ast.SetOf((ast.Entry(), *_) as entries):
                return self._entries(entries, expr.span, scope, expected)
            case ast.SetOf(items):
                return self._set(items, expr, scope, expected)
            case ast.Range(low, high, listed):
                found = self._range(low, high, scope)
                if not listed or found.type.kind != "set":
                    return found
                most = max(found.type.high - found.type.low + 1, 1)
                return Typed(m.ToList(found.ir), found.type.as_list(most))
            case _:
                assert_never(expr)

    def _key(self, text: str, expr: ast.Expr, expected: Type | None) -> Typed:
        universes = [expected.universe] if expected and expected.universe else self.world.key_universes()
        for name in universes:
            index = self.world.member(name, text)
            if index is not None:
                kinds: tuple[str, ...] = ()
                if name == "Piece":
                    kinds = self.world.kinds_of(index)
                    if self.world.called(name, text).bit_count() > 1:
                        self.context.keys_for_one.append(text)
                type = Type("entity", name, kinds)
                return Typed(self.context.read(m.Const(index), type), type)
        named = self.world.enum_values(text, "")
        if len(named) == 1 and not (expected and expected.universe):
            return Typed(m.Const(named[0][1]), entity(named[0][0]))
        known = [k for name in universes for k in self.world.names(name)]
        return self.context.unknown("key", text, known, expr.span, "REF004")

    def _coordinates(self, items: tuple[ast.Expr, ...], expr: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        universe = expected.universe if expected else ""
        graph = self.world.graph_of(universe) or self.world.only_graph()
        if graph is None or graph.shape not in ("grid", "hexes", "growing") or len(items) != 2:
            self.context.error("MAP301", "coordinates name a place of a grid or hex map, and there is none", expr.span)
            return WRONG
        if all(isinstance(i, ast.Number | ast.Unary) for i in items):
            parts = [self._constant_int(i) for i in items]
            key = f"({parts[0]}, {parts[1]})"
            index = self.world.place_at(graph.place, parts)
            if index is None:
                if graph.place not in self.world.unread:
                    self.context.error("REF005", f"the map has no place {key}", expr.span)
                return Typed(m.Const(0), ANY)
            return Typed(m.Const(index), entity(graph.place))
        if graph.shape != "grid":
            self.context.error("MAP302", "coordinates of a hex map must be numbers", expr.span)
            return WRONG
        rows, columns = self.world.grid_size(graph.place)
        row, column = self.expressions.number(items[0], scope), self.expressions.number(items[1], scope)
        r, c = self.context.fresh("row"), self.context.fresh("column")
        inside = m.And(
            (
                m.Cmp("ge", m.Var(r), m.Const(0)),
                m.Cmp("lt", m.Var(r), m.Const(rows)),
                m.Cmp("ge", m.Var(c), m.Const(0)),
                m.Cmp("lt", m.Var(c), m.Const(columns)),
            )
        )
        at = m.Arith("add", m.Arith("mul", m.Var(r), m.Const(columns)), m.Var(c))
        body = m.LetIn(r, row, m.LetIn(c, column, m.IfElse(inside, at, NONE_VALUE)))
        return Typed(body, entity(graph.place, optional=True))

    @staticmethod
    def _constant_int(expr: ast.Expr) -> int:
        match expr:
            case ast.Number(value):
                return value
            case ast.Unary("-", ast.Number(value)):
                return -value
            case _:
                return 10**9

    def _list(self, items: tuple[ast.Expr, ...], expr: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        wanted = expected.element() if expected and expected.is_collection and expected.universe else None
        values = [self.coercions.item(self.expressions.lower(i, scope, wanted)) for i in items]
        members, type = self._joined(values, [i.span for i in items], wanted)
        if type.is_collection:
            self.context.mismatch("a single thing", type, items[0].span, "a member of a list")
            return WRONG
        return Typed(m.MakeList(members), type.as_list(max(len(items), 1)))

    def _entries(self, entries: Sequence[ast.Expr], span: Span, scope: Scope, expected: Type | None) -> Typed:
        """``{wood: 1, brick: 2}``."""
        found: list[tuple[Typed, Typed]] = []
        of, before = expected, len(self.context.report.found)
        for entry in entries:
            assert isinstance(entry, ast.Entry)
            key, value = self.entry(entry, scope, of)
            found.append((key, value))
            if key.type.kind == "any" or value.type.kind == "any":
                continue
            of = of if of and of.keys else value.type.present().keyed_by(key.type.universe, 0)
            if isinstance(key.ir, m.Const) and [known.ir for known, _ in found].count(key.ir) > 1:
                message = f"`{print_expr(entry.key)}` stands here twice"
                self.context.error("REF007", message, entry.span, hint="leave one of them out")
        if len(self.context.report.found) > before or of is None or not of.keys:
            return WRONG
        values = [value.type for _, value in found]
        one = replace(of.element(), low=min(0, *(v.low for v in values)), high=max(0, *(v.high for v in values)))
        return self.coercions.keyed.literal(found, of.keys, BOOL if one.kind == "bool" else one)

    def entry(self, entry: ast.Entry, scope: Scope, expected: Type | None) -> tuple[Typed, Typed]:
        """``wood: 1``: key and value."""
        of = expected if expected and expected.keys else None
        wanted = entity(of.keys) if of is not None else None
        key = self.coercions.item(self.expressions.lower(entry.key, scope, wanted))
        if key.type.kind != "any":
            if wanted is not None:
                fitted = self.coercions.fits(key, wanted.or_none())
                if fitted is None:
                    return self.context.mismatch(a_type(wanted), key.type, entry.key.span, "the key"), WRONG
                key = Typed(fitted, replace(wanted, optional=key.type.optional))
            elif key.type.kind != "entity" or not self.world.may_be_key(key.type.universe):
                hint = "a set has no colons: `{a, b}`"
                key = self.context.mismatch("a name", key.type, entry.key.span, "the key", hint)
        value = self.coercions.item(
            self.expressions.lower(entry.value, scope, of.element() if of is not None else None)
        )
        if value.type.kind not in ("int", "bool", "any"):
            value = self.context.mismatch("a number or truth", value.type, entry.value.span, "the value of a key")
        elif of is not None and value.type.kind not in ("any", of.element().kind):
            value = self.context.mismatch(a_type(of.element()), value.type, entry.value.span, "the value of a key")
        return key, value

    def _set(self, items: tuple[ast.Expr, ...], expr: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        if not items and expected is not None and expected.keys:
            return Typed(m.ListConst((0,) * expected.capacity), expected)
        if not items:
            return Typed(m.Const(0), expected if expected and expected.kind == "set" else Type("set"))
        wanted = expected.element() if expected and expected.is_collection and expected.universe else None
        if wanted is None and self._invented(items, scope):
            hint = f"declare them: `enum Name: {', '.join(i.name for i in items if isinstance(i, ast.Name))}`"
            self.context.error("REF001", "nothing declares these names", expr.span, hint=hint)
            return WRONG
        values = [self.coercions.item(self.expressions.lower(i, scope, wanted)) for i in items]
        members, type = self._joined(values, [i.span for i in items], wanted)
        if type.is_collection:
            self.context.mismatch("a single thing", type, items[0].span, "a member of a set")
            return WRONG
        numbers = [v.ir.value for v in values if isinstance(v.ir, m.Const)] if type.kind == "int" else []
        for number, item in zip(numbers, items, strict=False):
            if number > limits.NUMBER_IN_A_SET:
                self._beyond(item.span)
        if numbers and len(numbers) == len(values) and min(numbers) < 0:
            # Bit sets hold no negative numbers; written out they are as well a list without repetition.
            once = tuple(m.Const(n) for n in dict.fromkeys(sorted(numbers)))
            return Typed(m.MakeList(once), type.present().as_list(len(once)))
        return Typed(m.MakeSet(members), type.present().as_set())

    def _invented(self, items: tuple[ast.Expr, ...], scope: Scope) -> bool:
        """True if a set is made of several bare words of which nothing knows any: names made up on the spot."""
        if len(items) < 2 or not all(isinstance(item, ast.Name) for item in items):
            return False
        for item in items:
            trial = Report()
            with self.context.reporting_to(trial):
                self.expressions.lower(item, scope)
            if [finding.code for finding in trial.found] != ["REF001"]:
                return False
        return True

    def _beyond(self, span: Span) -> None:
        most, hint = (
            limits.NUMBER_IN_A_SET,
            "to choose a number below 0, write them all, `{-1, 0, 1}`, or subtract from one",
        )
        self.context.error("TYP206", f"a range or set of whole numbers holds 0 to {most}", span, hint)

    def _joined(self, values: list[Typed], spans: list[Span], wanted: Type | None) -> tuple[tuple[m.Expr, ...], Type]:
        """The members of a set or list, as of one type."""
        if not values:
            return (), wanted or MISSING
        return self.coercions.together(values, spans, "every member")

    def _range(self, low: ast.Expr, high: ast.Expr, scope: Scope) -> Typed:
        a = self.expressions.lower(low, scope, INT)
        b = self.expressions.lower(high, scope, INT)
        first = self.coercions.coerce(a, INT.or_none(), low.span, "the lower bound")
        last = self.coercions.coerce(b, INT.or_none(), high.span, "the upper bound")
        lowest = a.type.low if a.type.kind == "int" else 0
        highest = b.type.high if b.type.kind == "int" else m.INT_MAX
        if isinstance(low, ast.Unary) and a.type.kind == "int" and lowest < 0:
            self._beyond(low.span)
            return WRONG
        for end, written in ((first, low), (last, high)):
            if isinstance(end, m.Const) and not (end.value == m.NONE or 0 <= end.value <= limits.NUMBER_IN_A_SET):
                self._beyond(written.span)
                return WRONG
        return Typed(m.IntRange(first, last), Type("set", "Int", low=max(lowest, 0), high=min(highest, 1023)))


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
