"""Printed things: attributes that stand in a table or map file, and attributes that are computed from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.symbols.constants import constant
from rulewright.compiler.symbols.static_types import Type
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import Binding, Scope
from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.ir import model as m
from rulewright.ir.evaluation import Value
from rulewright.syntax import ast


class Attributes:
    """Reads what is written for one thing (a row, a place, a value) and computes the rest."""

    def __init__(self, world: SymbolTable, lower: ExpressionLowerer, report: Report) -> None:
        self.world, self.lower, self.report = world, lower, report

    def read(
        self,
        written: Iterable[ast.Attribute],
        types: Mapping[str, Type],
        cell: Callable[[ast.Attribute, Type], Value],
        known: Mapping[str, Value] | None = None,
    ) -> dict[str, Value]:
        """All attributes of one thing: `cell` reads those that are not computed; some may be `known` before."""
        written = list(written)
        values = dict(known or {})
        values |= {a.name: cell(a, types[a.name]) for a in written if a.value is None}
        for attribute in written:
            if attribute.value is not None:
                values[attribute.name] = self._computed(attribute, types, values)
        return values

    def scope(self, types: Mapping[str, Type]) -> tuple[Scope, dict[str, str]]:
        """A scope in which attributes are known by their bare names, and the variable of each."""
        scope, names = Scope(), {}
        for name, type in types.items():
            var, binding = self.lower.context.variable(name, type)
            scope.bind(name, Binding(binding.ir, type))
            names[name] = var
        return scope, names

    def _computed(self, attribute: ast.Attribute, types: Mapping[str, Type], values: Mapping[str, Value]) -> Value:
        assert attribute.value is not None
        type = types[attribute.name]
        empty: Value = () if type.kind == "list" else 0
        before = len(self.report.found)
        scope, names = self.scope({n: t for n, t in types.items() if n in values})
        ir = self.lower.want(attribute.value, scope, type, f"`{attribute.name}`")
        if len(self.report.found) > before:
            return empty
        env = {names[n]: v for n, v in values.items() if n in names}
        value = constant(ir, type, attribute.value.span, self.report, self.world, env)
        return empty if value is None else value

    def key(
        self,
        template: str,
        values: Mapping[str, Value],
        types: Mapping[str, Type],
        span: Span,
        purpose: str = "to name it by",
    ) -> str:
        """The text that ``named "…"`` or ``back shows "…"`` gives to something with these attributes."""
        return self.filled(template, {n: self._word(values.get(n, 0), t) for n, t in types.items()}, span, purpose)

    def _word(self, value: Value, type: Type) -> str:
        if value == m.NONE:
            return "no"
        if type.kind == "entity" and isinstance(value, int):
            return self.world.key(type.universe, value)
        if type.kind == "bool":
            return "true" if value else "false"
        return str(value)

    def filled(self, template: str, words: Mapping[str, str], span: Span, purpose: str = "to name it by") -> str:
        """A key: names of attributes in braces are replaced, everything else is text."""

        def word(match: re.Match[str]) -> str:
            name = match.group(1)
            if name not in words:
                self.report.error(
                    "REF002", f"there is no attribute `{name}` {purpose}", span, hint=did_you_mean(name, words)
                )
            return words.get(name, name)

        return " ".join(re.sub(r"\{([a-z_][a-z0-9_]*)\}", word, template).split())
