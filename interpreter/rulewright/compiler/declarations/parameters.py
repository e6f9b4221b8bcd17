"""Parameters: what they are, in an order in which each knows those it is made of, and what options make of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulewright.compiler.cycles import described, find_cycles, topological_order
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.symbols.consteval import constant
from rulewright.compiler.symbols.scope import Scope
from rulewright.compiler.symbols.static_types import ANY, INT, Type
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.tree_walk import named_in
from rulewright.diagnostics import Report
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

    def declare(self, decls: list[ast.Parameter], first_values: Mapping[str, ast.Expr]) -> None:
        """Take in all parameters; `first_values` are those that a variant has replaced, for their types."""
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

        for name in topological_order(needs):
            if name not in self.world.params:
                decl = by_name[name]
                self.world.params[name] = self._param(decl, first_values.get(name, decl.value))
        self.world.params = {name: self.world.params[name] for name in by_name}

    def _written(self, decl: ast.Parameter) -> ast.Expr:
        for other in decl.by_count:
            if self.world.player_count in other.counts:
                return other.value
        return decl.value

    def _param(self, decl: ast.Parameter, first: ast.Expr) -> tuple[Type, int | tuple[int, ...]]:
        wanted = self._wanted(decl, first)
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
        if type.kind == "list":
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
