"""Interruptions: what may be done during a question, before it is answered."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.lowering.choices.reasking import still_offered
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.statements.procedure_calls import procedure_called
from rulewright.compiler.reactions.reaction_order import Events
from rulewright.compiler.reactions.windows import WindowLowerer
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.tree_walk import nodes
from rulewright.ir import model as m
from rulewright.syntax import ast


class InterruptionLowerer:
    """Asks questions, and offers beside their options what may be done first."""

    def __init__(self, world: SymbolTable, events: Events, windows: WindowLowerer) -> None:
        self.world, self.events, self.windows = world, events, windows
        self._giving: dict[str, bool] = {}

    def interrupted(self, who_is: str, code: FunctionBuilder) -> bool:
        """Nobody interrupts a reaction or what is decided at once; only who is asked alone may do something first."""
        return who_is == "player" and code.alone is None and bool(self.windows.meanwhile(code))

    def ask(self, i: m.Choose, code: FunctionBuilder, gone: int, afresh: tuple[m.Instr, ...] = ()) -> None:
        """A question, with what may be done during it: after that it is asked again with what is left."""
        if code.alone is not None:
            i = replace(i, secret=True)
        if not self.interrupted(i.who_is, code):
            code.add(i)
            return
        found = self.windows.meanwhile(code)
        again, anew, on = code.label(), code.label(), code.label()
        starts = [code.label() for _ in found]
        extras = [self.windows.interruption(*one, i.who, to) for one, to in zip(found, starts, strict=True)]
        code.mark(again)
        code.add(replace(i, extras=(*i.extras, *extras)))
        code.add(m.Jump(on))
        for (reacting, _), start in zip(found, starts, strict=True):
            code.mark(start)
            self.windows.react(reacting, [], i.who, code)
            code.add(m.Jump(anew))
        code.mark(anew)
        code.add(*afresh)
        if i.on_empty is None:
            code.add(m.JumpUnless(still_offered(i), gone))
        code.add(m.Jump(again))
        code.mark(on)

    def may_give_nothing(self, name: str) -> bool:
        """True if the answer that a procedure gives back may have vanished."""
        if name not in self._giving:
            self._giving[name] = False  # a cycle gives nothing more
            info = self.world.calls[name]
            promised = info.result is not None and info.result.kind in ("int", "entity") and not info.result.optional
            inside = list(nodes(info.decl.body)) if promised else []
            called = {procedure_called(self.world, n.value) for n in inside if isinstance(n, ast.Let)}
            chosen = any(isinstance(n, ast.Choose) and n.many is None for n in inside)
            self._giving[name] = (chosen and self.events.interrupted(name)) or any(
                self.may_give_nothing(call.operand.name)
                for call in called
                if call is not None and isinstance(call.operand, ast.Name)
            )
        return self._giving[name]

    def giving_nothing(self) -> list[str]:
        """The procedures whose answer may have vanished, as they are now."""
        self._giving.clear()
        return [name for name in self.world.calls if self.may_give_nothing(name)]
