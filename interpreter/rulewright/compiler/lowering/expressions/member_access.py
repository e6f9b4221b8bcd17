"""Lowering of dot and bracket: dot reads what is printed, bracket what changes."""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.coercions import WRONG, Coercions
from rulewright.compiler.lowering.lowering_context import Expressions, LoweringContext, a_type
from rulewright.compiler.symbols import several_kinds
from rulewright.compiler.symbols.constants import check_bounds
from rulewright.compiler.symbols.static_types import BOOL, INT, Type, entity, set_of
from rulewright.compiler.symbols.symbols import Scope, Typed
from rulewright.diagnostics import Report
from rulewright.ir import model as m
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


class MemberAccessLowerer:
    """Dots and brackets."""

    def __init__(self, context: LoweringContext, coercions: Coercions, expressions: Expressions) -> None:
        self.context, self.coercions, self.expressions = context, coercions, expressions
        self.world = context.world

    def dot(self, expr: ast.Dot, scope: Scope) -> Typed:
        """``x.name``, or a value with its type in front: ``Kind.field``."""
        if isinstance(expr.operand, ast.TypeName) and self.world.has_words(expr.operand.name):
            return self._value_of(expr.operand.name, expr)
        value = self.coercions.item(self.expressions.lower(expr.operand, scope))
        parts = self.world.parts(value.type)
        if not parts:
            return self._member(value, expr)
        name = expr.operand.name if isinstance(expr.operand, ast.Name) else ""
        return self._member_of_each(value, parts, expr, scope.find(name) is not None)

    def _member_of_each(self, value: Typed, parts: tuple[str, ...], expr: ast.Dot, named: bool) -> Typed:
        """The property of this name of a value that is of one of several kinds, each of which has one."""
        held, found, trial = self.context.fresh("held"), [], Report()
        one = Typed(m.Var(held), value.type)
        for part in parts:
            of = self.coercions.narrowed(one, part)
            with self.context.reporting_to(trial):
                found.append(WRONG if of is None else self._member(of, expr))
        joined = self.coercions.joined(found)
        lacking = [part for part, its in zip(parts, found, strict=True) if its.type.kind == "any"]
        lacking += [f"{{{value}}}" for value in several_kinds.own_values(self.world, value.type)[:1]]
        if lacking or joined is None:
            has = next((part for part in parts if part not in lacking and part[0] != "{"), "")
            hint, read = "", print_expr(expr.operand)
            if has:
                question = f"`if {read if named else 'x'} is {a_type(entity(has))}`"
                hint = f"ask first: {question}" if named else f"ask first: `let x = {read}`, {question}"
            why = "each kind has another one"
            if lacking:
                first = lacking[0]
                why = f"`{first[1:-1]}` has none" if first[0] == "{" else f"{a_type(entity(first))} has none"
            message = f"unknown property of {a_type(value.type)} `{expr.name}`: {why}"
            self.context.error("REF002", message, expr.span, hint=hint)
            return WRONG
        body = joined[0][-1]
        for part, its in list(zip(parts, joined[0], strict=True))[-2::-1]:
            body = m.IfElse(self.coercions.is_of(one, part), its, body)
        type = joined[1].or_none() if value.type.optional else joined[1]
        return Typed(m.LetIn(held, value.ir, body), type)

    def _member(self, value: Typed, expr: ast.Dot) -> Typed:
        """The property of this name of a value of one kind."""
        type, world = value.type, self.world
        if type.kind == "any":
            return value
        if type.kind != "entity":
            self.context.error("TYP212", f"{a_type(type)} has no `.{expr.name}`", expr.span)
            return WRONG
        if expr.name == "neighbours":
            if world.is_merged(type.universe):
                return Typed(m.RegionsBeside(type.universe, value.ir), set_of(type.universe))
            graph = world.graph_of(type.universe)
            if graph is not None:
                return Typed(m.NeighboursOf(graph.name, value.ir), set_of(type.universe))
        if expr.name == "borders":
            graph = world.graph_of(type.universe)
            if graph is not None and graph.edge is not None:
                return Typed(m.EdgesOf(graph.name, value.ir), set_of(graph.edge))
        if world.eliminates and type.universe == "Player" and expr.name in ("left", "right"):
            return Typed(self._neighbour(value.ir, expr.name), type)
        found = world.attribute(type, expr.name)
        if found is None:
            known = world.attribute_names(type)
            return self.context.unknown(f"property of {a_type(type)}", expr.name, known, expr.span, "REF002")
        attr_type, table = found
        return self._certain(Typed(m.Attr(table, value.ir), attr_type.or_none() if type.optional else attr_type))

    def _neighbour(self, player: m.Expr, side: str) -> m.Expr:
        """The next player at the table who is still in the game; if none is, the next seat."""
        who, seat, found = (self.context.fresh(name) for name in ("who", "seat", side))
        beside = m.Attr(f"Player.{side}", m.Var(who))
        if side == "left":
            nearest: m.Expr = m.First(m.ClockwiseFrom(m.Var(seat)), is_list=True)
        else:  # the last of a whole round
            around = m.ClockwiseFrom(m.Var(who))
            nearest = m.Item(around, m.Arith("sub", m.Size(around, is_list=True), m.Const(1)))
        there = m.Cmp("ne", m.Var(found), m.Const(m.NONE), nothing=True)
        chosen = m.LetIn(found, nearest, m.IfElse(there, m.Var(found), m.Var(seat)))
        return m.LetIn(who, player, m.LetIn(seat, beside, chosen))

    def _value_of(self, universe: str, expr: ast.Dot) -> Typed:
        index = self.world.enum_value(universe, expr.name)
        if index is None:
            return self.context.unknown(f"value of {universe}", expr.name, list(self.world.keys(universe)), expr.span)
        return Typed(m.Const(index), entity(universe))

    def index(self, expr: ast.Index, scope: Scope) -> Typed:
        """``name[i, j]``."""
        world = self.world
        if scope.reads and (bound := scope.find(print_expr(expr))) is not None:
            return Typed(bound.ir, bound.type)
        if isinstance(expr.operand, ast.Name) and scope.find(expr.operand.name) is None:
            word = expr.operand.name
            if word in world.keyed:
                universe, type, table = world.keyed[word]
                world.reads.add(word)
                index, optional = self._keys(word, (universe,), expr, scope)
                return self._certain(Typed(m.Attr(table, index[0]), type.or_none() if optional else type))
            listed = self._listed_alone(word)
            if listed is not None and len(expr.index) == 1:
                return self._element(listed, expr, scope)
            if word in world.fields:
                field = world.fields[word]
                if len(expr.index) == len(field.index) - 1:
                    index, _ = self._keys(word, field.index[:-1], expr, scope)
                    if (partial := self.coercions.keyed.partial(word, m.FieldGet, index)) is not None:
                        return partial
                index, optional = self._keys(word, field.index, expr, scope)
                return self._certain(Typed(m.FieldGet(word, index), field.type.or_none() if optional else field.type))
            if word in world.zones:
                zone = world.zones[word]
                index, _ = self._keys(word, zone.index, expr, scope)
                return Typed(m.ZoneGet(word, index), zone.type)
            if word not in world.params:
                return self.context.unknown("zone or field", word, [*world.fields, *world.zones], expr.operand.span)
        value = self.coercions.in_order(self.expressions.lower(expr.operand, scope))
        if value.type.keys and len(expr.index) == 1:
            index, optional = self._keys(print_expr(expr.operand), (value.type.keys,), expr, scope)
            return self.coercions.keyed.at(value, index[0], optional)
        if value.type.kind == "list" and len(expr.index) == 1:
            return self._element(value, expr, scope)
        if value.type.kind != "any":
            self.context.error(
                "TYP213", f"{a_type(value.type)} cannot be indexed", expr.span, self.context.hidden(expr.operand)
            )
        return WRONG

    def _element(self, value: Typed, expr: ast.Index, scope: Scope) -> Typed:
        at = self.expressions.number(expr.index[0], scope)
        return Typed(m.Item(value.ir, at), value.type.element().or_none())

    def _listed_alone(self, word: str) -> Typed | None:
        """A list field, stack or row without keys: brackets after it ask for an element."""
        field, zone = self.world.fields.get(word), self.world.zones.get(word)
        if field is not None and not field.index and field.type.kind == "list":
            return Typed(m.FieldGet(word, ()), field.type)
        if zone is not None and not zone.index:
            listed = self.coercions.in_order(Typed(m.ZoneGet(word, ()), zone.type))
            return listed if listed.type.kind == "list" else None
        return None

    def _keys(
        self, name: str, wanted: tuple[str, ...], expr: ast.Index, scope: Scope
    ) -> tuple[tuple[m.Expr, ...], bool]:
        """The keys of a zone or field; and whether one of them may be none."""
        if len(expr.index) != len(wanted):
            self.context.error(
                "TYP207",
                f"`{name}` takes {len(wanted)} key{'s' if len(wanted) != 1 else ''}, not {len(expr.index)}",
                expr.span,
                hint=f"{name}[{', '.join(wanted)}]" if wanted else name,
            )
            return tuple(m.Const(0) for _ in wanted), False
        made: list[m.Expr] = []
        optional = False
        for part, universe in zip(expr.index, wanted, strict=True):
            numbers = self.world.numbers(universe)
            if numbers is not None:
                key, missing = self._number_key(part, numbers, scope, f"the key of `{name}`")
                optional = optional or missing
                made.append(key)
                continue
            type = self.world.universe_type(universe)
            value = self.coercions.item(self.expressions.lower(part, scope, type))
            optional = optional or value.type.optional
            hint = self._right_key(name, universe, value) if len(wanted) == 1 else ""
            made.append(self.coercions.coerce(value, type.or_none(), part.span, f"the key of `{name}`", hint))
        return tuple(made), optional

    def _right_key(self, name: str, universe: str, value: Typed) -> str:
        """Words that show a key as it is written, where a number stands in its place: the one of this name, or the
        first one."""
        universe = self.world.merged_over(universe) or universe  # a region is called by one of its places
        keys = self.world.keys(universe)
        named = universe != "Player" and universe in self.world.key_universes()
        if value.type.kind != "int" or not keys or not named:
            return ""
        number = str(value.ir.value) if isinstance(value.ir, m.Const) else ""
        key = number if number in keys else keys[0]
        written = key if key[:1] == "(" else f'"{key}"'
        return f"it is named like this: `{name}[{written}]`"

    def _number_key(self, part: ast.Expr, numbers: Type, scope: Scope, what: str) -> tuple[m.Expr, bool]:
        """The member for which a number stands, none for a number that is no key; and whether that may be."""
        value = self.expressions.lower(part, scope, INT)
        at = self.coercions.coerce(value, INT.or_none(), part.span, what)
        if value.type.kind == "int":
            check_bounds(at, numbers, part.span, self.context.report)
        if isinstance(at, m.Const):
            return m.Const(at.value - numbers.low if at.value != m.NONE else m.NONE), at.value == m.NONE
        members = m.ListConst(tuple(range(numbers.high - numbers.low + 1)))
        key = m.Item(members, at if not numbers.low else m.Arith("sub", at, m.Const(numbers.low)))
        return key, value.type.optional or value.type.low < numbers.low or value.type.high > numbers.high

    @staticmethod
    def _certain(value: Typed) -> Typed:
        """A truth about nothing is false."""
        if value.type.kind == "bool" and value.type.optional:
            return Typed(m.Cmp("eq", value.ir, m.Const(1)), BOOL)
        return value
