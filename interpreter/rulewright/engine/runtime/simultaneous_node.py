"""A simultaneous node: those who decide at once, while not all of them have decided."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.runtime.canonical_form import Frame, frames
from rulewright.engine.runtime.machine import Engine
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.control_flow.questions import TurnCode, called_in_turns, public_at_once, turn_at, turns


@dataclass(frozen=True, slots=True)
class SimultaneousNode:
    """The frame in which several decide at once, and the code of their turns."""

    engine: Engine
    frame: Frame
    code: TurnCode

    @property
    def end(self) -> int:
        """The end of the frame in the stack."""
        return self.frame.base + self.engine.compiled.offsets[self.frame.function][-1]

    def slot(self, number: int) -> int:
        """The place of a slot of the frame in the stack."""
        return self.frame.base + self.engine.compiled.offsets[self.frame.function][number]

    def position(self, stack: Sequence[int]) -> int:
        """The number of the turn that is taken."""
        return stack[self.slot(self.code.turn.at)]

    def members(self, stack: Sequence[int]) -> list[int]:
        """The players who decide, in the order of their turns."""
        return self.listed(stack, self.code.turn.members)

    def decided(self, stack: Sequence[int]) -> list[int]:
        """The players who have decided something."""
        return self.listed(stack, self.code.turn.kept[0])

    def listed(self, stack: Sequence[int], slot: int) -> list[int]:
        """The elements of a list in a slot of the frame."""
        at = self.slot(slot)
        return list(stack[at + 1 : at + 1 + stack[at]])

    def write(self, stack: list[int], slot: int, values: Sequence[int]) -> None:
        """Let a list in a slot of the frame hold something."""
        at = self.slot(slot)
        stack[at : at + 1 + len(values)] = [len(values), *values]

    def beginning(self, stack: Sequence[int], turn: int) -> tuple[list[int], int]:
        """The stack at the beginning of a turn, taken before those that are still to come, and the block with which it
        begins."""
        begun, now, members = list(stack[: self.end]), self.position(stack), self.members(stack)
        if turn > now:
            self.write(
                begun, self.code.turn.members, (*members[:now], members[turn], *members[now:turn], *members[turn + 1 :])
            )
        begun[self.slot(self.code.turn.one)] = members[turn]
        return begun, self.engine.compiled.block(self.frame.function, self.code.begin + 1)

    @property
    def appended(self) -> frozenset[int]:
        """The slots that hold lists with something for each who has decided."""
        code = self.engine.program.functions[self.frame.function].code[self.code.begin : self.code.end]
        return frozenset(i.slot for i in code if isinstance(i, m.Append) and i.slot in self.code.turn.kept)

    def holds_together(self, stack: Sequence[int]) -> bool:
        """True if the rules could have filled these slots: each member decides once, those who have decided are members
        before the one in turn, in their order, and what they have decided is kept for each of them."""
        members, now, decided = self.members(stack), self.position(stack), self.decided(stack)
        if (
            not 0 <= now < len(members)
            or len(set(members)) < len(members)
            or stack[self.slot(self.code.turn.one)] != members[now]
        ):
            return False
        kept = all(len(self.listed(stack, slot)) == len(decided) for slot in self.appended)
        return kept and [one for one in members[:now] if one in decided] == decided

    @property
    def revealed_at(self) -> dict[int, int]:
        """The questions of which all may hear that they were answered, see `rulewright.ir.control_flow.questions`."""
        return public_at_once(self.engine.program.functions[self.frame.function], self.code)

    def reveals(self, function: str, pc: int) -> bool:
        """True if all may hear that a question was answered."""
        return function == self.engine.program.functions[self.frame.function].name and pc in self.revealed_at


def simultaneous_node(engine: Engine, stack: Sequence[int]) -> SimultaneousNode | None:
    """The simultaneous node that is going on at a question."""
    if not anywhere(engine):
        return None
    functions = engine.program.functions
    for frame in frames(engine, stack):
        if (code := turn_at(functions[frame.function], frame.pc)) is not None:
            return SimultaneousNode(engine, frame, code)
    return None


def anywhere(engine: Engine) -> bool:
    """True if anything is decided at once in the game."""
    known = engine.cache("simultaneous nodes")
    if "any" not in known:
        known["any"] = any(turns(function) for function in engine.program.functions)
    found: bool = known["any"]
    return found


def may_be_secret(engine: Engine, function: str, question: m.Choose | m.Chance) -> bool:
    """True if several may have to decide at once."""
    if not isinstance(question, m.Choose):
        return False
    known = engine.cache("simultaneous nodes")
    if "called" not in known:
        known["called"] = called_in_turns(engine.program.functions)
    return question.secret or function in known["called"]


def is_decided_at_once(engine: Engine, place: tuple[str, int]) -> bool:
    """True if a question, by its place in the rules (a function and its instruction), is decided at once."""
    known = engine.cache("decided at once")
    if place not in known:
        function = next(one for one in engine.program.functions if one.name == place[0])
        question = function.code[place[1]]
        known[place] = isinstance(question, m.Choose) and may_be_secret(engine, place[0], question)
    found: bool = known[place]
    return found
