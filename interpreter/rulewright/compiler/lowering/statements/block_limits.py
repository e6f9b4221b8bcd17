"""The beginning and end of blocks: what lasts as long as they do, who watches them, and the ends of the game behind
them.
"""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.coercions import NONE_VALUE
from rulewright.compiler.lowering.function_builder import Block, Ends, FunctionBuilder
from rulewright.compiler.symbols.static_types import BOOL
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.ir import model as m


class BlockLowerer:
    """Lowers the beginning and the end of steps and functions."""

    def __init__(self, world: SymbolTable, ends: Ends, watched: frozenset[str]) -> None:
        self.world, self.ends = world, ends
        self.watched = watched
        """Blocks that properties mention."""

    def enter(self, label: str, rule: str, code: FunctionBuilder) -> Block:
        """The beginning of a block: what lasts as long as it forgets itself, whoever watches is told."""
        mark = self.world.marks.get(label)
        block = Block(label, self._lasting(label), code.slot(mark, BOOL) if mark is not None else None)
        self._forget(block, code)
        if mark is not None and block.before is not None:
            code.add(m.SetLocal(block.before, m.FieldGet(mark, ())), m.SetField(mark, (), m.Const(1)))
        code.add(m.Fired(rule))
        self._observe(label, False, code)
        code.blocks.append(block)
        return block

    def exit(self, block: Block, code: FunctionBuilder) -> None:
        """The end of a block: it forgets, watchers are told, and ends of the game are looked for."""
        if block.before is not None:
            code.add(m.SetField(self.world.marks[block.label], (), m.Local(block.before)))
        self._forget(block, code)
        self._observe(block.label, True, code)
        ends = self.ends.looked[block.label] = tuple(self.ends.after.get(block.label, ()))
        for end in ends:
            self._check_end(end, code)

    def leave(self, down_to: int, code: FunctionBuilder) -> None:
        """Before a jump out of blocks: all that belongs to their end, innermost first."""
        for block in reversed(code.blocks[down_to:]):
            self.exit(block, code)

    def _lasting(self, block: str) -> tuple[str, ...]:
        """Fields that last as long as a block."""
        return tuple(n for n, f in self.world.fields.items() if f.lasting == block)

    def _forget(self, block: Block, code: FunctionBuilder) -> None:
        start = len(code.items)
        if block.fields:
            code.add(m.Reset(block.fields))
            code.settle(start)

    def _observe(self, block: str, leaving: bool, code: FunctionBuilder) -> None:
        """Tell whoever watches that a block begins or ends, if a property mentions it."""
        if block in self.watched:
            code.add(m.Observe(block, leaving))

    def _check_end(self, name: str, code: FunctionBuilder) -> None:
        """Look for an end of the game here."""
        self.world.asked["match", name] = None
        one = code.slot(name, self.ends.types[name])
        on = code.label()
        code.add(m.SetLocal(one, self.ends.matches[name]))
        code.add(m.JumpUnless(m.Cmp("ne", m.Local(one), NONE_VALUE, nothing=True), on))
        code.add(m.Call(name, (m.Local(one),), None, code.place(name)))
        code.mark(on)
