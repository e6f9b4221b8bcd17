"""Marks of blocks that are going on.

A reaction during a block is offered at the questions of the procedures that it calls. Where one of these is called from
elsewhere too, it has to be known whether the block is going on: a field that no rule names says so.
"""

from __future__ import annotations

from rulewright.compiler.reactions.reaction_order import DURING, Events
from rulewright.compiler.symbols.static_types import BOOL
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import FieldInfo
from rulewright.syntax import ast


def mark_blocks(world: SymbolTable, events: Events) -> None:
    """Declare a field for each block of which it must be known whether it is going on."""
    needed = {r.event: r.decl for r in events.all() if r.decl.moment == DURING and events.elsewhere(r.event)}
    world.marks = {block: f"during {block}" for block in needed}
    declared = {
        world.marks[block]: ast.FieldDecl(world.marks[block], (), ast.NamedType("Bool"), None, None, (), span=decl.span)
        for block, decl in needed.items()
    }
    world.fields = world.fields | {n: FieldInfo((), BOOL, None, decl) for n, decl in declared.items()}


__all__ = ["mark_blocks"]
