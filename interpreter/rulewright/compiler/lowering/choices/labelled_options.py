"""Lowering of ``either``: one of several labelled options."""

from __future__ import annotations

from rulewright.compiler.lowering.choices.choices import Way
from rulewright.compiler.lowering.choices.possibility import PossibilityLowerer
from rulewright.compiler.lowering.conditions import YES
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder, Loop
from rulewright.compiler.lowering.protocols import Interruptions, LowerBlock
from rulewright.compiler.lowering.statements.asked_players import AskedLowerer
from rulewright.compiler.lowering.statements.restrictions import RestrictionLowerer
from rulewright.compiler.symbols.scope import Scope
from rulewright.compiler.symbols.static_types import INT
from rulewright.ir import model as m
from rulewright.syntax import ast


class LabelledOptionLowerer:
    """Lowers ``who chooses either``."""

    def __init__(
        self,
        expressions: ExpressionLowerer,
        restrictions: RestrictionLowerer,
        possibility: PossibilityLowerer,
        asked: AskedLowerer,
        interruptions: Interruptions,
        lower_block: LowerBlock,
    ) -> None:
        self.context, self.restrictions, self.possibility = expressions.context, restrictions, possibility
        self.asked, self.interruptions, self.lower_block = asked, interruptions, lower_block

    def choose(self, s: ast.Either, scope: Scope, code: FunctionBuilder, way: Way | None = None) -> None:
        """``who chooses either`` one of the labelled options; one that leads nowhere is not offered."""
        self.context.needs_procedure(code, "ask", s.span)
        who, who_is = self.asked.lower(s.who, scope)
        label = s.label or "either"
        slot = code.slot(label, INT.or_none())
        end, refused = code.label(), code.label()
        starts = [code.label() for _ in s.options]
        extras = []
        for option, start in zip(s.options, starts, strict=True):
            guard = self.possibility.of_body(option.body, scope, code.name)
            restrictions = self.restrictions.lower(option.restrictions, scope, code.name)
            extras.append(
                m.Extra(option.label, None if guard == YES else guard, restrictions, start, option.trivia.cites)
            )
        on_empty: int | None = refused if s.otherwise is not None else None
        if way is not None:
            extras.append(m.Extra(way.key, None if way.guard == YES else way.guard, (), way.to))
            on_empty = on_empty or way.on_empty
        seen: dict[str, ast.Option] = {}
        for option in s.options:
            if option.label in seen:
                self.context.error("CHO302", f"two options are called `{option.label}`", option.span)
            seen[option.label] = option
        self.interruptions.ask(
            m.Choose(
                label, code.place(label), who, who_is, "", None, False, "", None, (), tuple(extras), slot,
                on_empty, False, s.trivia.cites,
            ),
            code,
            refused,
        )  # fmt: skip
        code.loops.append(Loop(s.label, True, end, len(code.blocks) - 1))
        for option, start in zip(s.options, starts, strict=True):
            code.mark(start)
            code.add(m.Fired(f"{code.name}.{option.label}"))
            self.lower_block(option.body, scope.inner(), code)
            code.add(m.Jump(end))
        code.loops.pop()
        code.mark(refused)
        self.lower_block(s.otherwise or (), scope.inner(), code)
        code.mark(end)
