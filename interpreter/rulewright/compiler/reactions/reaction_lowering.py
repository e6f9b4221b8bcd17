"""Lowering of reactions.

Each reaction becomes a function of the event's parameters and of the one who reacts; it is called where a window is
open (:mod:`rulewright.compiler.reactions.windows`).
"""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import NO, FunctionBuilder
from rulewright.compiler.lowering.statements.control_flow import FunctionLowerer
from rulewright.compiler.reactions.reaction_order import DURING, INSTEAD, Events, Reacting
from rulewright.compiler.reactions.windows import PLAYER, WindowLowerer
from rulewright.compiler.symbols.static_types import BOOL, Type
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import FieldInfo
from rulewright.ir import model as m
from rulewright.ir.rule_places import OR_INSTEAD
from rulewright.syntax import ast


class ReplacementLowerer:
    """Lowers the functions that stand before a procedure which something may be done instead of."""

    def __init__(self, world: SymbolTable, events: Events, windows: WindowLowerer) -> None:
        self.world, self.events, self.windows = world, events, windows

    def stages(self, name: str) -> list[FunctionBuilder]:
        """The functions that stand before a procedure which something may be done instead of. One looks for what may
        replace the event, and does so again when that proceeds; if reactions happen by themselves, it is given which of
        them have happened to this event, and another function begins with none."""
        if not self.events.of(INSTEAD, name):
            return []
        marks = self.windows.marks(name)
        last = self._replaced(name, marks)
        if not marks:
            return [last]
        first, slots = self._builder(self.entry(name), name, [])
        nothing = [NO if type.kind == "bool" else m.MakeSet(()) for _, type in marks]
        self._ending(first, m.Call(last.name, (*map(m.Local, slots), *nothing), first.result_slot, first.place(name)))
        return [first, last]

    def entry(self, name: str) -> str:
        """The function that is called when rules call a procedure."""
        found = self.events.of(INSTEAD, name)
        return f"begin {_again(name)}" if any(r.decl.by is None for r in found) else _again(name) if found else name

    def _replaced(self, name: str, marks: list[tuple[str, Type]]) -> FunctionBuilder:
        code, slots = self._builder(_again(name), name, marks)
        happened = {reaction: len(slots) + at for at, (reaction, _) in enumerate(marks)}
        end, order = code.label(), self.windows.order(self.world.calls[name].decl, code)
        self.windows.window(self.events.of(INSTEAD, name), slots, order, code, end, name, happened)
        self._ending(code, m.Call(name, tuple(map(m.Local, slots)), code.result_slot, code.place(name)), end)
        return code

    def _builder(self, stage: str, name: str, marks: list[tuple[str, Type]]) -> tuple[FunctionBuilder, list[int]]:
        """The beginning of a function that takes what a procedure takes, and the marks behind that; and the slots of
        the former."""
        info = self.world.calls[name]
        code = FunctionBuilder(stage, "system", info.decl.word != "effect", info.result)
        slots = [code.slot(param, type) for param, type in info.params]
        for reaction, type in marks:
            code.slot(_happened(reaction), type)
        code.params = len(code.slots)
        code.result_slot = code.slot("result", info.result.or_none()) if info.result is not None else None
        return code, slots

    @staticmethod
    def _ending(code: FunctionBuilder, call: m.Call, end: int | None = None) -> None:
        code.add(call)
        if end is not None:
            code.mark(end)
        code.add(m.Return(m.Local(code.result_slot) if code.result_slot is not None else None))


def _happened(reaction: str) -> str:
    return f"{reaction} has happened"


def _again(name: str) -> str:
    return name + OR_INSTEAD


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
        params, body = reacting.params, decl.body
        if decl.by is not None:
            params += ((decl.by, PLAYER),)
        if decl.each is not None:
            params += ((decl.each.name, self.windows.member(reacting).type),)
        if decl.moment == INSTEAD:
            marks = [(_happened(name), type) for name, type in self.windows.marks(reacting.event)]
            passed_on = (*range(len(reacting.params)), *range(len(params), len(params) + len(marks)))
            code.goes_on = (_again(reacting.event), passed_on)
            params += tuple(marks)
        if decl.by is not None and decl.with_ is not None:
            means, who = decl.with_, ast.Name(decl.by, span=decl.span)
            choice = ast.Choose(
                who, False, None, means.name, means.kind, None, means.source, decl.where, (), None, None, span=decl.span
            )
            body = (choice, *body)
        self.functions.lower(code, params, body, changing=len(reacting.params))
        if decl.by is None and decl.moment != DURING:
            self.windows.checked(reacting)
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
