"""The stack of a save, checked: each function on it is called by the one before it, and its slots hold what they can.

The slots that surely, and those that perhaps, hold a value at a place are found by definite assignment, as in
compilers. A slot in which nothing was stored yet is 0, whatever its type; a saved frame may have one only where that
can be.
"""

from __future__ import annotations

from typing import Any

from rulewright.engine.persistence.invalid_save import bad, shortened
from rulewright.engine.persistence.restoring import same_names, write
from rulewright.engine.persistence.saving import place_name, value
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.records import Mode
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.budgets import DEEPEST
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import EXIT, slots_stored, successors


@dataclass(frozen=True, slots=True)
class Assigned:
    """For each instruction, before it: the slots that are assigned on every way there, and on some; as bit sets."""

    surely: tuple[int, ...]
    perhaps: tuple[int, ...]


def assigned(function: m.Function) -> Assigned:
    """A forward data-flow analysis. Where no way leads, all is sure and nothing is possible."""
    size = len(function.code) + 1
    everything = (1 << len(function.slots)) - 1
    parameters = (1 << function.params) - 1
    surely, perhaps = [everything] * size, [0] * size
    surely[0] = perhaps[0] = parameters
    todo, seen = [0], {0}
    while todo:
        at = todo.pop()
        if at == size - 1:
            continue
        for to, stored in _ways(function.code[at], at):
            before = surely[to], perhaps[to]
            surely[to] &= surely[at] | stored
            perhaps[to] |= perhaps[at] | stored
            if to not in seen or (surely[to], perhaps[to]) != before:
                seen.add(to)
                todo.append(to)
    return Assigned(tuple(surely), tuple(perhaps))


def _ways(i: m.Instr, at: int) -> list[tuple[int, int]]:
    """The successors of an instruction, and the slots that are stored on the way to each."""
    bits = sum(1 << slot for slot in slots_stored(i))
    # The first way is the one to the next instruction.
    return [(to, 0 if number else bits) for number, to in enumerate(successors(i, at)) if to != EXIT]


class Frames:
    """Puts the frames of a save on a stack, and looks whether the rules could have left them so."""

    def __init__(self, engine: Engine, mode: Mode) -> None:
        self.engine, self.mode = engine, mode
        self.compiled, self.program = engine.compiled, engine.program
        self.stack: list[int] = []
        self.base = 0
        """The position at which the locals of the last frame begin."""

    def build(self, given: list[Any]) -> None:
        """Put all frames on the stack."""
        called = self.program.main if self.mode.whole else given[0]["rule"]
        for number, frame in enumerate(given):
            where = f"frames[{number}]"
            if frame["rule"] != called:
                first = "the game begins with" if not number else f"at `{given[number - 1]['at']}` the rules call"
                raise bad("SAV006", f"`{where}` is the rule {shortened(frame['rule'])}, but {first} `{called}`")
            function = self.compiled.ctx.functions.get(called)
            if function is None:
                raise bad("SAV006", f"`{where}`: there is no rule {shortened(frame['rule'])}")
            pc = self._place(function, frame["at"], where)
            rest = self.program.functions[function].code[pc]
            if isinstance(rest, m.Call) != (number < len(given) - 1):
                waits = "asks, and nothing is called there" if not isinstance(rest, m.Call) else "calls another rule"
                raise bad("SAV006", f"`{where}`: `{called}` {waits} at {shortened(frame['at'])}")
            if isinstance(rest, m.Chance) and not self.mode.ask_chance:
                raise bad("SAV006", f"`{where}`: chance is not asked in this game")
            self._push(function, pc, frame["locals"], where)
            called = rest.function if isinstance(rest, m.Call) else ""

    def _place(self, function: int, at: Any, where: str) -> int:
        """The instruction with this name, at which the rules can rest."""
        places = self.engine.cache("places")
        if function not in places:
            # Where no way of the rules leads there is no code to go on with.
            places[function] = {
                place_name(self.engine, function, pc): pc for pc in self.compiled.suspension_points(function)
            }
        pc = places[function].get(at) if isinstance(at, str) else None
        if not isinstance(pc, int):
            name = self.program.functions[function].name
            raise bad("SAV006", f"`{where}`: the rule `{name}` cannot rest at {shortened(at)}")
        return pc

    def _push(self, function: int, pc: int, given: Any, where: str) -> None:
        declared = self.program.functions[function]
        offsets = self.compiled.offsets[function]
        self.stack += [function, pc, self.base]
        base = self.base = len(self.stack)
        self.stack += [0] * offsets[-1]
        if len(self.stack) > DEEPEST:
            raise bad("SAV006", f"`{where}`: the calls are nested too deeply")
        names = [f"{number} {slot.name}" for number, slot in enumerate(declared.slots)]
        same_names(given, names, f"local of `{declared.name}`")
        known = self._assigned(function)
        for number, (name, slot) in enumerate(zip(names, declared.slots, strict=True)):
            at = base + offsets[number]
            unset = value(self.engine, slot.ty, self.stack, at)
            what = f"{where}.locals[{name}]"
            if not known.surely[pc] >> number & 1 and given[name] == unset:
                continue
            # Pieces change names when a hidden state is dealt anew, those in unused slots with them.
            if not known.perhaps[pc] >> number & 1 and slot.ty.universe != "Piece":
                raise bad("SAV006", f"`{what}` is {shortened(given[name])}, but nothing was stored there yet")
            null = slot.ty.optional or ("slot", declared.name, number) in self.compiled.ctx.null
            write(self.engine, self.stack, at, slot.ty, given[name], what, null)

    def _assigned(self, function: int) -> Assigned:
        cache = self.engine.cache("assigned")
        if function not in cache:
            cache[function] = assigned(self.program.functions[function])
        found: Assigned = cache[function]
        return found
