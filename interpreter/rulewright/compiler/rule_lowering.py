"""All that lowers the rules of one game, put together."""

from __future__ import annotations

from rulewright.compiler.lowering.choices.possibility import PossibilityLowerer
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import Ends
from rulewright.compiler.lowering.lowering_context import LoweringContext
from rulewright.compiler.lowering.statement_lowering import StatementLowerer
from rulewright.compiler.lowering.statements.control_flow import BlockLowerer
from rulewright.compiler.lowering.statements.functions import FunctionLowerer
from rulewright.compiler.lowering.statements.restrictions import RestrictionLowerer
from rulewright.compiler.reactions.reaction_lowering import ReactionLowerer, ReplacementLowerer
from rulewright.compiler.reactions.reaction_order import Events
from rulewright.compiler.reactions.windows import InterruptionLowerer, WindowLowerer
from rulewright.ir import model as m
from rulewright.syntax import ast


class RuleLowering:
    """The lowerers of one game. Each is given those that it needs, so what is made first needs least."""

    def __init__(
        self, context: LoweringContext, events: Events, limits: dict[str, ast.Limits], watched: frozenset[str]
    ) -> None:
        world = context.world
        self.context, self.events = context, events
        self.ends = Ends()
        self.expressions = ExpressionLowerer(context)
        self.restrictions = RestrictionLowerer(self.expressions, limits)
        self.possibility = PossibilityLowerer(self.expressions, self.restrictions)
        self.windows = windows = WindowLowerer(self.expressions, self.possibility, events)
        self.replacements = ReplacementLowerer(world, events, windows)
        context.entry = self.replacements.entry
        blocks = BlockLowerer(world, self.ends, watched)
        self.interruptions = InterruptionLowerer(world, events, windows)
        self.statements = StatementLowerer(
            self.expressions,
            self.restrictions,
            self.possibility,
            blocks,
            windows,
            self.interruptions,
            self.replacements.entry,
        )
        self.functions = FunctionLowerer(context, blocks, windows, self.statements.block)
        self.reactions = ReactionLowerer(self.expressions, self.functions, windows, self.replacements)

    def window(self, decl: ast.Reaction) -> object:
        """All that a window shows of a reaction besides its head: when it is offered, and whether it changes the event.

        Two reactions with the same head for which this is the same are the same to all windows.
        """
        reacting = self.events.reacting(decl)
        if decl.by is None:
            return reacting.changes
        slots = range(len(reacting.params))
        numbered, self.context.numbered = self.context.numbered, 0
        made = self.windows.option(reacting, list(slots), m.Local(len(slots)), 0)
        self.context.numbered = numbered
        return reacting.changes, made

    def reach(self) -> object:
        """All that others ask of the procedures and reactions that one calls, as these are now: during which blocks it
        may be interrupted, and which results may be none for that."""
        during = self.events.reach()
        return during, self.interruptions.giving_nothing()
