"""Replacements: what is done instead of a procedure."""

from __future__ import annotations

from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.reactions.reaction_order import INSTEAD, Events, Reacting
from rulewright.compiler.reactions.windows import WindowLowerer
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.ir import model as m


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
