"""Lowering of reactions.

Each reaction becomes a function of the event's parameters and of the one who reacts; it is called where a window is
open (:mod:`rulewright.compiler.reactions.windows`).
"""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.statements.control_flow import FunctionLowerer
from rulewright.compiler.reactions.reaction_order import DURING, INSTEAD, Events, Reacting
from rulewright.compiler.reactions.windows import PLAYER, WindowLowerer
from rulewright.compiler.symbols.static_types import BOOL
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import FieldInfo
from rulewright.ir import model as m
from rulewright.syntax import ast


class ReplacementLowerer:
    """Lowers the functions that stand before a procedure which something may be done instead of."""

    def __init__(self, world: SymbolTable, events: Events, windows: WindowLowerer) -> None:
        self.world, self.events, self.windows = world, events, windows

    def stages(self, name: str) -> list[FunctionBuilder]:
        """The functions that stand before a procedure which something may be done instead of: the first is called in
        its place, and each lets what comes after it go on if nothing replaces the procedure."""
        found = self.events.of(INSTEAD, name)
        if not found:
            return []
        alone = [r for r in found if r.decl.by is None]
        names = [self._stage(name, i) for i in range(len(alone) + 1)]
        return [self._replaced(name, stage, alone[i:]) for i, stage in enumerate(names)]

    def entry(self, name: str) -> str:
        """The function that is called when rules call a procedure."""
        return self._stage(name, 0) if self.events.of(INSTEAD, name) else name

    def behind(self, reacting: Reacting) -> str:
        """The function that goes on when a reaction proceeds: later reactions may still replace the event."""
        alone = [r for r in self.events.of(INSTEAD, reacting.event) if r.decl.by is None]
        return self._stage(reacting.event, alone.index(reacting) + 1 if reacting in alone else len(alone))

    @staticmethod
    def _stage(name: str, number: int) -> str:
        return f"{name} or instead" + (f" {number + 1}" if number else "")

    def _replaced(self, name: str, stage: str, alone: list[Reacting]) -> FunctionBuilder:
        info = self.world.calls[name]
        code = FunctionBuilder(stage, "system", info.decl.word != "effect", info.result)
        slots = [code.slot(param, type) for param, type in info.params]
        code.params = len(slots)
        code.result_slot = code.slot("result", info.result.or_none()) if info.result is not None else None
        end = code.label()
        by_choice = [r for r in self.events.of(INSTEAD, name) if r.decl.by is not None]
        self.windows.window([*alone, *by_choice], slots, self.windows.order(info.decl, code), code, end, name)
        code.add(m.Call(name, tuple(m.Local(s) for s in slots), code.result_slot, code.place(name)))
        code.mark(end)
        code.add(m.Return(m.Local(code.result_slot) if code.result_slot is not None else None))
        return code


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
        """The function of a reaction; the reacting player chooses what with first."""
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


def mark_blocks(world: SymbolTable, events: Events) -> None:
    """Declare a field for each block of which it must be known whether it is going on."""
    needed = {r.event: r.decl for r in events.all() if r.decl.moment == DURING and events.elsewhere(r.event)}
    world.marks = {block: f"during {block}" for block in needed}
    declared = {
        world.marks[block]: ast.FieldDecl(world.marks[block], (), ast.NamedType("Bool"), None, None, (), span=decl.span)
        for block, decl in needed.items()
    }
    world.fields = world.fields | {n: FieldInfo((), BOOL, None, decl) for n, decl in declared.items()}
