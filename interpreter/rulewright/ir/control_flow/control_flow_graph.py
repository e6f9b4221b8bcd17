"""The control-flow graph of a function, and what depends on which way is taken in it."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.foundation.node_memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.digraphs import immediate_dominators, reachable
from rulewright.ir.control_flow.successors import EXIT, successors


class ControlFlowGraph:
    """The ways through one function: a node for each instruction, and :data:`EXIT`, to which all leads that ends."""

    def __init__(self, code: Sequence[m.Instr]) -> None:
        self._after = {
            pc: tuple(dict.fromkeys(to if to < len(code) else EXIT for to in successors(i, pc)))
            for pc, i in enumerate(code)
        }
        self._after[EXIT] = ()
        before: dict[int, list[int]] = {pc: [] for pc in self._after}
        for pc, ways in self._after.items():
            for to in ways:
                before[to].append(pc)
        ends = reachable(before, EXIT)
        for endless in (pc for pc in self._after if pc not in ends):
            self._after[endless] += (EXIT,)
            before[EXIT].append(endless)
        for pc, i in enumerate(code):
            if isinstance(i, m.Fail):  # where the rules go on, this way was not taken
                before[pc] = [one for one in before[pc] if len(self._after[one]) == 1]
        self._postdominators: dict[int, int] = {}
        if any(len(to) > 1 for to in self._after.values()):
            self._postdominators = immediate_dominators(before, EXIT)
        self._branches: dict[int, tuple[int, ...]] = {}

    def after(self, pc: int) -> tuple[int, ...]:
        """The instructions to which the rules may go on."""
        return self._after[pc]

    def end(self, pc: int) -> int:
        """The instruction at which all ways from a branch come together again."""
        return self._postdominators.get(pc, EXIT)

    def branch(self, pc: int) -> tuple[int, ...]:
        """The instructions that depend on which way is taken at a branch (F. E. Allen's control dependence)."""
        if pc not in self._branches:
            end = self.end(pc)
            found: dict[int, None] = {}
            waiting = list(self._after[pc])
            while waiting:
                at = waiting.pop()
                if at not in (end, EXIT) and at not in found:
                    found[at] = None
                    waiting.extend(self._after[at])
            self._branches[pc] = tuple(sorted(found))
        return self._branches[pc]


@memoized_by_node
def control_flow_graph(function: m.Function) -> ControlFlowGraph:
    """The control-flow graph of a function."""
    return ControlFlowGraph(function.code)
