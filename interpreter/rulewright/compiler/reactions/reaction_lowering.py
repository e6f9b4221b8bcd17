"""Lowering of reactions.

Each reaction becomes a function of the event's parameters and of the one who reacts; it is called where a window is
open (:mod:`rulewright.compiler.reactions.windows`).
"""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.statements.functions import FunctionLowerer
from rulewright.compiler.reactions.reaction_order import INSTEAD, Reacting
from rulewright.compiler.reactions.replacements import ReplacementLowerer
from rulewright.compiler.reactions.windows import PLAYER, WindowLowerer
from rulewright.syntax import ast


class ReactionLowerer:
    """Lowers the functions of reactions."""

    def __init__(
        self,
        expressions: ExpressionLowerer,
        functions: FunctionLowerer,
        windows: WindowLowerer,
        replacements: ReplacementLowerer,
    ) -> None:
        self.expressions, self.functions = expressions, functions
        self.windows, self.replacements = windows, replacements
        self.world = expressions.world

    def lower(self, reacting: Reacting) -> FunctionBuilder:
        """The function of a reaction; whoever reacts chooses what with first."""
        decl = reacting.decl
        info = self.world.calls.get(reacting.event)
        asks = decl.by is not None or info is None or info.decl.word != "effect"
        if decl.anyway and (decl.by is None or decl.moment == "during"):
            hint = "`during` is offered beside other questions" if decl.by is not None else "say who may react: `by p`"
            self.windows.context.error("CHO314", "nobody is asked for this reaction by itself", decl.span, hint=hint)
        code = FunctionBuilder(decl.name, "reaction", asks, reacting.result)
        if decl.moment == INSTEAD:
            code.goes_on = (self.replacements.behind(reacting), len(reacting.params))
        params, body = reacting.params, decl.body
        if decl.by is not None:
            params += ((decl.by, PLAYER),)
        if decl.by is not None and decl.with_ is not None:
            means, who = decl.with_, ast.Name(decl.by, span=decl.span)
            choice = ast.Choose(
                who, False, None, means.name, means.kind, None, means.source, decl.where, (), None, None, span=decl.span
            )
            body = (choice, *body)
        self.functions.lower(code, params, body, changing=len(reacting.params))
        if decl.by is None and decl.where is not None:
            self.expressions.truth(decl.where, self.windows.seen(reacting, range(len(reacting.params)), None))
        return code
