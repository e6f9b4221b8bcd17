"""Lowering of literals, names, operators and accesses."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rulewright.analysis.base import NONE_VALUE, WRONG, Base, _a
from rulewright.analysis.scope import Scope, Typed
from rulewright.analysis.types import ANY, BOOL, INT, NOTHING, Type, entity, join, set_of
from rulewright.diagnostics import Span
from rulewright.program import model as m
from rulewright.syntax import ast

MOST_IN_A_SET = 1023
"""Sets of whole numbers hold 0 to this."""

_COMPARE: dict[str, Literal["eq", "ne", "lt", "le", "gt", "ge"]] = {
    "is": "eq",
    "is not": "ne",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
}


class Operators(Base):
    """Everything that is neither a comprehension nor a call."""

    # -------------------------------------------------------------------------------------- literals

    def literal(self, expr: ast.Expr, scope: Scope, expected: Type | None) -> Typed | None:
        """Numbers, keys, lists, sets and coordinates; None if it is something else."""
        match expr:
            case ast.Number(value):
                if value > m.INT_MAX:
                    self.report.error("TYP205", f"{value} is too large (at most {m.INT_MAX})", expr.span)
                    return Typed(m.Const(0), INT)
                return Typed(m.Const(value), Type("int", low=value, high=value))
            case ast.Truth(truth):
                return Typed(m.Const(int(truth)), BOOL)
            case ast.NoneValue():
                return Typed(NONE_VALUE, NOTHING)
            case ast.Key(text):
                return self._key(text, expr, expected)
            case ast.Tuple(items):
                return self._coordinates(items, expr, scope, expected)
            case ast.ListOf(items):
                return self._list(items, expr, scope, expected)
            case ast.SetOf(items):
                return self._set(items, expr, scope, expected)
            case ast.Range(low, high):
                return self._range(low, high, scope)
        return None

    def _key(self, text: str, expr: ast.Expr, expected: Type | None) -> Typed:
        universes = [expected.universe] if expected and expected.universe else self.world.key_universes()
        for name in universes:
            index = self.world.member(name, text)
            if index is not None:
                kinds = self.world.kinds_of(index) if name == "Piece" else ()
                type = Type("entity", name, kinds)
                return Typed(self.read(m.Const(index), type), type)
        known = [k for name in universes for k in self.world.keys(name)]
        return self.unknown("key", text, known, expr.span, "REF004")

    def _coordinates(self, items: tuple[ast.Expr, ...], expr: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        universe = expected.universe if expected else ""
        graph = self.world.graph_of(universe) or self.world.only_graph()
        if graph is None or graph.shape not in ("grid", "hexes", "growing") or len(items) != 2:
            self.report.error("MAP301", "coordinates name a place of a grid or hex map, and there is none", expr.span)
            return WRONG
        if all(isinstance(i, ast.Number | ast.Unary) for i in items):
            parts = [self._constant_int(i) for i in items]
            key = f"({parts[0]}, {parts[1]})"
            index = self.world.place_at(graph.place, parts)
            if index is None:
                self.report.error("REF005", f"the map has no place {key}", expr.span)
                return Typed(m.Const(0), ANY)
            return Typed(m.Const(index), entity(graph.place))
        if graph.shape != "grid":
            self.report.error("MAP302", "coordinates of a hex map must be numbers", expr.span)
            return WRONG
        rows, columns = self.world.grid_size(graph.place)
        row, column = self.number(items[0], scope), self.number(items[1], scope)
        r, c = self.fresh("row"), self.fresh("column")
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
        return 10**9

    def _list(self, items: tuple[ast.Expr, ...], expr: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        wanted = expected.element() if expected and expected.is_collection and expected.universe else None
        values = [self.lower(i, scope, wanted) for i in items]
        type = self._joined(values, [i.span for i in items], wanted)
        return Typed(m.MakeList(tuple(v.ir for v in values)), type.as_list(max(len(items), 1)))

    def _set(self, items: tuple[ast.Expr, ...], expr: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        if not items:
            return Typed(m.Const(0), expected if expected and expected.kind == "set" else Type("set"))
        wanted = expected.element() if expected and expected.is_collection and expected.universe else None
        values = [self.item(self.lower(i, scope, wanted)) for i in items]
        type = self._joined(values, [i.span for i in items], wanted)
        if type.is_collection:
            self.mismatch("a single thing", type, items[0].span, "a member of a set")
            return WRONG
        numbers = [v.ir.value for v in values if isinstance(v.ir, m.Const)] if type.kind == "int" else []
        for number, item in zip(numbers, items, strict=False):
            if number > MOST_IN_A_SET:
                self._beyond(item.span)
        if numbers and len(numbers) == len(values) and min(numbers) < 0:
            # Bit sets hold no negative numbers; written out they are as well a list without repetition.
            once = tuple(m.Const(n) for n in dict.fromkeys(sorted(numbers)))
            return Typed(m.MakeList(once), type.present().as_list(len(once)))
        return Typed(m.MakeSet(tuple(v.ir for v in values)), type.present().as_set())

    def _beyond(self, span: Span) -> None:
        self.report.error("TYP206", f"a set of whole numbers holds 0 to {MOST_IN_A_SET}", span)

    def _joined(self, values: list[Typed], spans: list[Span], wanted: Type | None) -> Type:
        type = values[0].type if values else (wanted or ANY)
        for value, span in zip(values[1:], spans[1:], strict=True):
            both = join(type, value.type)
            if both is None:
                self.mismatch(_a(type), value.type, span, "every member")
                return ANY
            type = both
        return type

    def _range(self, low: ast.Expr, high: ast.Expr, scope: Scope) -> Typed:
        a = self.lower(low, scope, INT)
        b = self.lower(high, scope, INT)
        first = self.coerce(a, INT.or_none(), low.span, "the lower end")
        last = self.coerce(b, INT.or_none(), high.span, "the upper end")
        lowest = a.type.low if a.type.kind == "int" else 0
        highest = b.type.high if b.type.kind == "int" else m.INT_MAX
        for end, written in ((first, low), (last, high)):
            if isinstance(end, m.Const) and not (end.value == m.NONE or 0 <= end.value <= MOST_IN_A_SET):
                self._beyond(written.span)
                return WRONG
        return Typed(m.Span(first, last), Type("set", "Int", low=max(lowest, 0), high=min(highest, 1023)))

    # ----------------------------------------------------------------------------------------- names

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
            self.report.error("REF003", f"`{word}` is a value of {of}; say which by what it stands beside", expr.span)
            return WRONG
        if word in world.zones or word in world.fields:
            self.report.error("TYP207", f"`{word}` needs a key", expr.span, hint=f"{word}[{world.index_hint(word)}]")
            return WRONG
        if world.is_callable(word):
            self.report.error("TYP208", f"`{word}` is computed", expr.span, hint=f"write `{word}(…)`")
            return WRONG
        if expected is not None and expected.universe:
            known = list(world.keys(expected.universe))
            what = expected.universe if world.is_enum(expected.universe) else "name"
            if world.is_enum(expected.universe):
                return self.unknown(what, word, known + scope.known(), expr.span)
        return self.unknown("name", word, scope.known() + world.all_names(), expr.span)

    def is_bare_value(self, expr: ast.Expr, scope: Scope) -> bool:
        """Whether an expression is a word or key that only its neighbour can explain."""
        if isinstance(expr, ast.Key | ast.Tuple | ast.SetOf | ast.ListOf):
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
        if world.has_universe(expr.name):
            return Typed(m.Alive(expr.name), set_of(expr.name))
        return self.unknown("type", expr.name, world.type_names(), expr.span)

    # ------------------------------------------------------------------------------------- operators

    def binary(self, expr: ast.Binary, scope: Scope, expected: Type | None) -> Typed:
        """An infix operator."""
        match expr.op:
            case "and" | "or":
                return self._logic(expr, scope)
            case "is" | "is not" | "<" | "<=" | ">" | ">=":
                return self._comparison(expr, scope)
            case "in" | "not in":
                return self._membership(expr, scope)
            case "|":
                return self._edge(expr, scope)
            case "except":
                return self._except(expr, scope, expected)
            case _:
                return self._arithmetic(expr, scope, expected)

    def _logic(self, expr: ast.Binary, scope: Scope) -> Typed:
        left, right = self.truth(expr.left, scope), self.truth(expr.right, scope)
        if expr.op == "and":
            parts = (left.items if isinstance(left, m.And) else (left,)) + (
                right.items if isinstance(right, m.And) else (right,)
            )
            return Typed(m.And(parts), BOOL)
        parts = (left.items if isinstance(left, m.Or) else (left,)) + (
            right.items if isinstance(right, m.Or) else (right,)
        )
        return Typed(m.Or(parts), BOOL)

    def pair(self, left: ast.Expr, right: ast.Expr, scope: Scope) -> tuple[Typed, Typed]:
        """Two expressions that explain each other's bare words."""
        if self.is_bare_value(left, scope) and not self.is_bare_value(right, scope):
            b = self.lower(right, scope)
            return self.lower(left, scope, self._hint(b.type)), b
        a = self.lower(left, scope)
        return a, self.lower(right, scope, self._hint(a.type))

    @staticmethod
    def _hint(type: Type) -> Type | None:
        if type.kind in ("any", "none", "int", "bool"):
            return None
        return type.element() if type.unit else type

    def _comparison(self, expr: ast.Binary, scope: Scope) -> Typed:
        op = _COMPARE[expr.op]
        if isinstance(expr.right, ast.NoneValue) or isinstance(expr.left, ast.NoneValue):
            return self._none_test(expr, scope)
        a, b = self.pair(expr.left, expr.right, scope)
        both = self.common(a, b)
        if both is None:
            self.report.error("TYP202", f"{_a(a.type)} and {_a(b.type)} can never be the same", expr.span)
            return Typed(m.Const(0), BOOL)
        left, right, type = both
        if type.is_collection and not type.unit:
            if op not in ("eq", "ne"):
                self.report.error("TYP201", f"`{expr.op}` compares numbers, not {type}", expr.span)
            same = m.SetEq(left, right)
            return Typed(same if op == "eq" else m.Not(same), BOOL)
        if op not in ("eq", "ne") and type.kind not in ("int", "any") and not self.world.is_enum(type.universe):
            self.report.error("TYP201", f"`{expr.op}` compares numbers, not {type}", expr.span)
        return Typed(m.Cmp(op, left, right), BOOL)

    def _none_test(self, expr: ast.Binary, scope: Scope) -> Typed:
        asked = expr.left if isinstance(expr.right, ast.NoneValue) else expr.right
        value = self.item(self.lower(asked, scope))
        if expr.op not in ("is", "is not"):
            self.report.error("TYP201", f"`{expr.op}` compares numbers, not none", expr.span)
        if value.type.is_collection:
            self.report.error("TYP201", "a set is never none", expr.span, hint="write `is empty`")
        elif expr.op in ("is", "is not") and not value.type.optional and value.type.kind not in ("any", "none"):
            hint = "if it may be, its type is `… or none`"
            self.report.warn("TYP204", f"this is never none: it is {_a(value.type)}", asked.span, hint=hint)
        return Typed(m.Cmp(_COMPARE[expr.op], value.ir, NONE_VALUE, nothing=True), BOOL)

    def _membership(self, expr: ast.Binary, scope: Scope) -> Typed:
        zones = self._zone_family(expr.right, scope)
        if zones is not None:
            piece = self.item(self.lower(expr.left, scope))
            if piece.type.kind != "any" and piece.type.universe != "Piece":
                self.mismatch("a piece", piece.type, expr.left.span)
            lies: m.Expr = m.InZone(zones, piece.ir)
            return Typed(m.Not(lies) if expr.op == "not in" else lies, BOOL)
        if self.is_bare_value(expr.right, scope) and not self.is_bare_value(expr.left, scope):
            a = self.lower(expr.left, scope)
            b = self.collection(expr.right, scope, a.type.present().as_set() if a.type.kind == "entity" else None)
        else:
            b = self.collection(expr.right, scope)
            wanted = b.type.element() if b.type.is_collection and b.type.universe else None
            a = self.lower(expr.left, scope, wanted)
        a = self.item(a)
        if b.type.kind == "any" or a.type.kind == "any":
            return Typed(m.Contains(b.ir, a.ir), BOOL)
        if not b.type.universe:  # nothing is in the empty set
            return Typed(m.Const(int(expr.op == "not in")), BOOL)
        item = self.fits(a, b.type.element().or_none())
        if item is None:
            self.report.error("TYP202", f"{_a(a.type)} can never be in {_a(b.type)}", expr.span)
            return Typed(m.Const(0), BOOL)
        found: m.Expr = m.Contains(b.ir, item, b.type.kind == "list")
        return Typed(m.Not(found) if expr.op == "not in" else found, BOOL)

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
            self.report.error("MAP303", "`|` names an edge, and no map has `edges`", expr.span)
            return WRONG
        place = entity(graph.place, optional=True)
        a = self.coerce(left, place, expr.left.span)
        b = self.coerce(right, place, expr.right.span)
        if isinstance(a, m.Const) and isinstance(b, m.Const):
            index = self.world.edge_index(graph, a.value, b.value)
            if index is None:
                self.report.error("REF005", "these two places are not neighbours", expr.span)
                return WRONG
            return Typed(m.Const(index), entity(graph.edge))
        return Typed(m.EdgeBetween(graph.name, a, b), entity(graph.edge, optional=True))

    def _except(self, expr: ast.Binary, scope: Scope, expected: Type | None) -> Typed:
        a = self.collection(expr.left, scope, expected)
        if a.type.kind == "any":
            return a
        b = self.lower(expr.right, scope, a.type.element() if a.type.universe else None)
        taken: m.Expr
        if b.type.is_collection:
            taken = self.as_set(b)
            if self.fits(b, replace(a.type, kind=b.type.kind)) is None:
                self.mismatch(_a(a.type), b.type, expr.right.span)
        else:
            taken = m.MakeSet((self.coerce(b, a.type.element().or_none(), expr.right.span),))
        type = replace(a.type, unit=False)
        if a.type.kind == "list":
            var = self.fresh("x")
            return Typed(m.Filter(a.ir, var, m.Not(m.Contains(taken, m.Var(var))), is_list=True), type)
        return Typed(m.SetOp("minus", a.ir, taken), type)

    def _arithmetic(self, expr: ast.Binary, scope: Scope, expected: Type | None) -> Typed:
        a = self.lower(expr.left, scope, expected)
        b = self.lower(expr.right, scope, a.type if a.type.is_collection else expected)
        if expr.op == "+" and (a.type.is_collection or b.type.is_collection):
            return self._union(a, b, expr)
        left = self.coerce(a, INT.or_none(), expr.left.span, f"what stands before `{expr.op}`")
        right = self.coerce(b, INT.or_none(), expr.right.span, f"what stands behind `{expr.op}`")
        if "any" in (a.type.kind, b.type.kind):
            return Typed(m.Const(0), ANY if not isinstance(left, m.Const) else INT)
        optional = a.type.optional or b.type.optional
        low, high = _bounds(expr.op, a.type, b.type)
        type = Type("int", low=low, high=high, optional=optional)
        op: Literal["add", "sub", "mul"] = {"+": "add", "-": "sub", "*": "mul"}[expr.op]  # type: ignore[assignment]
        return Typed(m.Arith(op, left, right), type)

    def _union(self, a: Typed, b: Typed, expr: ast.Binary) -> Typed:
        if not a.type.is_collection:
            a = Typed(m.MakeSet((a.ir,)), a.type.present().as_set())
        if not b.type.is_collection:
            b = Typed(m.MakeSet((b.ir,)), b.type.present().as_set())
        left, right = (replace(v.type, kind="set", unit=False, capacity=0) for v in (a, b))
        type = join(left, right)
        if type is None:
            self.mismatch(_a(a.type), b.type, expr.right.span)
            return WRONG
        return Typed(m.SetOp("union", self.as_set(a), self.as_set(b)), type)

    def divide(self, expr: ast.Divide, scope: Scope) -> Typed:
        """``a / b rounded up``."""
        a = self.lower(expr.left, scope, INT)
        left = self.coerce(a, INT.or_none(), expr.left.span, "what is divided")
        right = self.number(expr.right, scope)
        if isinstance(right, m.Const) and right.value == 0:
            self.report.error("TYP209", "division by zero", expr.right.span)
        bound = max(abs(a.type.low), abs(a.type.high)) if a.type.kind == "int" else m.INT_MAX
        low = 0 if a.type.low >= 0 and isinstance(right, m.Const) and right.value > 0 else -bound
        return Typed(
            m.Arith("div_up" if expr.rounded == "up" else "div_down", left, right),
            Type("int", low=low, high=bound, optional=a.type.optional),
        )

    def unary(self, expr: ast.Unary, scope: Scope, expected: Type | None) -> Typed:
        """``not``, minus, ``clockwise from``."""
        match expr.op:
            case "not":
                return Typed(m.Not(self.truth(expr.operand, scope)), BOOL)
            case "-":
                value = self.lower(expr.operand, scope, INT)
                ir = self.coerce(value, INT.or_none(), expr.operand.span, "what stands behind `-`")
                if isinstance(ir, m.Const) and ir.value != m.NONE:
                    return Typed(m.Const(-ir.value), Type("int", low=-ir.value, high=-ir.value))
                return Typed(
                    m.Arith("sub", m.Const(0), ir),
                    Type("int", low=-value.type.high, high=-value.type.low, optional=value.type.optional),
                )
            case _:
                player = self.want(expr.operand, scope, entity("Player", optional=True), "the one it starts from")
                return Typed(m.ClockwiseFrom(player), set_of("Player").as_list(self.world.player_count))

    def is_a(self, expr: ast.IsA, scope: Scope) -> Typed:
        """``x is a Knight``."""
        value = self.item(self.lower(expr.operand, scope))
        if expr.kind not in self.world.kinds:
            return self.unknown("kind of piece", expr.kind, list(self.world.kinds), expr.span)
        if value.type.kind != "any" and value.type.universe != "Piece":
            self.mismatch("a piece", value.type, expr.operand.span)
        elif value.type.kinds and not self.world.overlap(value.type.kinds, (expr.kind,)):
            self.report.error("TYP202", f"{_a(value.type)} is never a {expr.kind}", expr.span)
        found: m.Expr = m.Contains(m.Kind(expr.kind), value.ir)
        return Typed(m.Not(found) if expr.negated else found, BOOL)

    def is_empty(self, expr: ast.IsEmpty, scope: Scope) -> Typed:
        """``S is empty``."""
        value = self.collection(expr.operand, scope)
        none = m.Cmp("eq", m.Size(value.ir, value.type.kind == "list"), m.Const(0))
        return Typed(m.Not(none) if expr.negated else none, BOOL)

    def if_else(self, expr: ast.IfElse, scope: Scope, expected: Type | None) -> Typed:
        """``a if c else b``."""
        condition = self.truth(expr.condition, scope)
        if expected is not None:
            a, b = self.lower(expr.then, scope, expected), self.lower(expr.otherwise, scope, expected)
        else:
            a, b = self.pair(expr.then, expr.otherwise, scope)
        a, b = self.item(a), self.item(b)
        both = self.common(a, b)
        if both is None:
            self.report.error("TYP203", f"one branch is {_a(a.type)}, the other {_a(b.type)}", expr.span)
            return WRONG
        type = join(a.type, b.type) or both[2]
        return Typed(m.IfElse(condition, both[0], both[1]), type)


def _bounds(op: str, a: Type, b: Type) -> tuple[int, int]:
    limit = m.INT_MAX
    if op == "+":
        low, high = a.low + b.low, a.high + b.high
    elif op == "-":
        low, high = a.low - b.high, a.high - b.low
    else:
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        low, high = min(corners), max(corners)
    return max(low, -limit), min(high, limit)
