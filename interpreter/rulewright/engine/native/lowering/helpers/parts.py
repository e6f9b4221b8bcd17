"""The parts of a compilation that are there before any function: each function is made with them."""

from __future__ import annotations

from rulewright.engine.cells.layout import Layout
from rulewright.engine.native.lowering.helpers.list_functions import ListFunctions
from rulewright.engine.native.memory_map import MemoryMap
from rulewright.engine.native.webassembly.module import Module
from rulewright.engine.native.webassembly.terms import Global
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one compilation."""

    program: m.Program
    layout: Layout
    memory: MemoryMap
    module: Module
    lists: ListFunctions
    frame: Global
    """The address of the topmost frame."""
    budget: Global
    """So many steps are left."""
