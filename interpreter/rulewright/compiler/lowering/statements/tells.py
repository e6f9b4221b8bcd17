"""Lowering of ``tells``: a line of the log."""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.symbols.scope import Scope
from rulewright.ir import model as m
from rulewright.syntax import ast


class TellLowerer:
    """Lowers ``tells "{p} builds a castle in {place}"``: each value is a number, or something with a name."""

    def __init__(self, expressions: ExpressionLowerer) -> None:
        self.context, self.coercions, self.expressions = expressions.context, expressions.coercions, expressions

    def lower(self, s: ast.Tell, scope: Scope, code: FunctionBuilder) -> None:
        """Nothing settles: nothing has happened."""
        values, types, kinds = [], [], []
        for written in s.values:
            value = self.coercions.item(self.expressions.lower(written, scope))
            if value.type.kind == "any":
                return
            if value.type.kind not in ("int", "entity"):
                wanted = "a number, or something that has a name"
                self.context.mismatch(wanted, value.type, written.span, "what is told")
                return
            values.append(value.ir)
            types.append(value.type.run_time())
            kinds.append(value.type.kinds[0].lower() if len(value.type.kinds) == 1 else "")
        code.add(m.Tell(s.words, tuple(values), tuple(types), tuple(kinds), s.trivia.cites))
