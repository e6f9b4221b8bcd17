"""Parameters: what they are, in an order in which each knows those it is made of, and what options make of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulewright.compiler.cycles import described, find_cycles, topological_order
from rulewright.compiler.declaration_facts import pays
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.symbols.constants import constant
from rulewright.compiler.symbols.static_types import ANY, INT, Type
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import FieldInfo, Scope
from rulewright.compiler.tree_walk import named_in, nodes
from rulewright.diagnostics import Report
from rulewright.ir import model as m
from rulewright.ir.model import PAID
from rulewright.syntax import ast

LONGEST = 64
"""Most members of a list whose type is not written."""


class Parameters:
    """Gives every parameter its value for one game."""

    def __init__(
        self, world: SymbolTable, lower: ExpressionLowerer, options: dict[str, ast.Expr], report: Report
    ) -> None:
        self.world, self.lower, self.options, self.report = world, lower, options, report
        """Options that belong to a parameter are taken out of `options`."""
        self.first_values: Mapping[str, ast.Expr] = {}
        self.late: list[ast.Parameter] = []
        """Parameters about later declarations, each behind the parameters that it is made of."""
        self._order: list[str] = []

    def declare(self, decls: list[ast.Parameter], first_values: Mapping[str, ast.Expr]) -> None:
        """Take in all parameters that need nothing but enums; `first_values` are those that a variant has replaced,
        for their types."""
        self.first_values, self._order = first_values, [d.name for d in decls]
        by_name = {d.name: d for d in decls}
        needs = {
            d.name: [n for n in named_in(self.options.get(d.name, self._written(d))) if n in by_name] for d in decls
        }
        for circle in find_cycles(needs):
            way = described(circle, "needs")
            self.report.error(
                "REF008", f"parameters must not depend on each other in a cycle: {way}", by_name[circle[-1]].span
            )
            self.world.params |= dict.fromkeys(circle, (ANY, 0))

        late: set[str] = set()
        for name in topological_order(needs):
            if name not in self.world.params:
                decl = by_name[name]
                if self._is_late(decl) or not late.isdisjoint(needs[name]):
                    late.add(name)
                    self.late.append(decl)
                else:
                    self.world.params[name] = self._param(decl, first_values.get(name, decl.value))
        self._in_order()

    def declare_late(self) -> None:
        """Take in the others, when everything else is known that can be named in them."""
        for decl in self.late:
            first = self.first_values.get(decl.name, decl.value)
            self.world.params[decl.name] = self._param(decl, first) if decl.key is None else self._keyed(decl, first)
        self._in_order()

    def _in_order(self) -> None:
        self.world.params = {name: self.world.params[name] for name in self._order if name in self.world.params}

    def _is_late(self, decl: ast.Parameter) -> bool:
        named = [n.name for n in nodes(decl.type) if isinstance(n, ast.NamedType)] if decl.type is not None else []
        known = self.world
        return decl.key is not None or any(n not in (*known.universes, *known.dice, "Int", "Bool") for n in named)

    def _keyed(self, decl: ast.Parameter, first: ast.Expr) -> tuple[Type, int | tuple[int, ...]]:
        """``param forward[Player] = [north, south]``: a table, with a value for each."""
        key = decl.key or ""
        if not (key == "Player" or self.world.has_words(key)):
            named = ["Player", *(name for name in self.world.type_names() if self.world.has_words(name))]
            self.lower.context.unknown("enum or party", key, named, decl.span)
            return ANY, 0
        count = self.world.size(key)
        entry = next((node for node in nodes(first) if isinstance(node, ast.Entry)), None)
        one = self._wanted(decl, first if entry is None else entry.value)
        if decl.type is None and entry is None:
            if one.kind not in ("list", "any"):
                self.lower.context.mismatch("a list", one, first.span, f"the value of `{decl.name}`")
            one = one.element()
        given = self.options.get(decl.name, self._written(decl))
        by_name = isinstance(given, ast.SetOf) or (isinstance(given, ast.Comprehension) and not given.listed)
        listed = one.as_list(max(count, self.world.most_players, LONGEST))
        type, value = self._given(decl, one.keyed_by(key, count) if by_name else listed)
        values = value if isinstance(value, tuple) else ()
        if len(values) < count or (len(values) > count and key != "Player"):
            if self.report.failed and not values:
                return ANY, 0
            message = f"`{decl.name}` needs {count} values, one for each {key}, and has {len(values)}"
            self.report.error("TYP207", message, self._written(decl).span)
            return ANY, 0
        table = f"{decl.name}[{key}]"
        one = one.or_none() if m.NONE in values else one
        self.world.tables[table] = m.Table(table, key, one.run_time(), values[:count])
        self.world.keyed[decl.name] = key, one, table
        return type, values

    def _written(self, decl: ast.Parameter) -> ast.Expr:
        for other in decl.by_count:
            if self.world.player_count in other.counts:
                return other.value
        return decl.value

    def _param(self, decl: ast.Parameter, first: ast.Expr) -> tuple[Type, int | tuple[int, ...]]:
        return self._given(decl, self._wanted(decl, first))

    def _given(self, decl: ast.Parameter, wanted: Type) -> tuple[Type, int | tuple[int, ...]]:
        chosen = self.options.pop(decl.name, None)
        if chosen is not None:
            return self._chosen(decl, chosen, wanted)
        written = self._written(decl)
        return wanted, self._value(decl, written, wanted)

    def _value(self, decl: ast.Parameter, written: ast.Expr, wanted: Type) -> int | tuple[int, ...]:
        before = len(self.lower.context.report.found)
        ir = self.lower.want(written, Scope(), wanted, f"the value of `{decl.name}`")
        if len(self.lower.context.report.found) > before:
            return 0
        value = constant(ir, wanted, written.span, self.lower.context.report, self.world)
        return (() if wanted.kind == "list" else 0) if value is None else value

    def _wanted(self, decl: ast.Parameter, first: ast.Expr) -> Type:
        if decl.type is not None:
            return self.world.resolve(decl.type)
        with self.lower.context.reporting_to(Report()):
            type = self.lower.lower(first, Scope()).type
        nothing = isinstance(first, ast.ListOf) and not first.items
        if type.kind == "none" or (type.is_collection and not type.universe) or nothing:
            self.report.error("TYP221", f"cannot infer the type of `{decl.name}`", decl.span, hint="write its type")
            return ANY
        if type.kind == "int":
            return INT
        if type.kind == "list" and not type.keys:
            type = type.as_list(max(type.capacity, LONGEST))
        return replace(type, low=INT.low, high=INT.high) if type.universe == "Int" else type.present()

    def _chosen(self, decl: ast.Parameter, chosen: ast.Expr, wanted: Type) -> tuple[Type, int | tuple[int, ...]]:
        """The value of an option: whatever is wrong with it is wrong with the option."""
        quiet = Report()
        with self.lower.context.reporting_to(quiet):
            value = self._value(decl, chosen, wanted)
        if quiet.failed:
            why = next(d for d in quiet.found if d.is_error)
            self.report.error(
                "VAR405", f"`{decl.name}` cannot have this value: {why.message}", chosen.span, hint=why.hint
            )
            value = self._value(decl, self._written(decl), wanted)
        return wanted, value


def declare_payments(world: SymbolTable, rules: Rules) -> None:
    """Declare the field if some rule pays."""
    paying = next(filter(pays, rules.decls.values()), None)
    if paying is None:
        return
    by_player = ast.IndexPart(None, "Player")
    decl = ast.FieldDecl(PAID, (by_player,), ast.NamedType("Int"), None, None, (), span=paying.span)
    world.fields = world.fields | {PAID: FieldInfo(("Player",), INT, None, decl)}
