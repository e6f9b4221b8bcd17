"""EXM128: a change lays pieces where nothing takes them from any more."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.program_words import new_instructions, words_of
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def filling_zones(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """Pieces go to a zone out of which nothing comes once the game is going on: it only fills."""
    parts = _Parts(examined)
    new = new_instructions(examined.program, base.program)
    for function in examined.functions.values():
        for pc in new[function.name]:
            i, part = function.code[pc], parts.last(function.name, pc)
            if not isinstance(i, m.Move) or i.zone == "box" or part is None:
                continue
            takers = (
                parts.last(other.name, at)
                for other in examined.functions.values()
                for at, one in enumerate(other.code)
                if _takes_from(one, i.zone)
            )
            if all(one is None or one < part for one in takers):
                yield Suspect(
                    "EXM128",
                    function.name,
                    i.zone,
                    f"`{i.zone}` only fills: nothing comes out of it any more once the game is going on",
                    "if these pieces are to come back, lay them where they are taken from",
                    kinds=(ast.Move, ast.Draw, ast.MoveHeld),
                    words=frozenset((i.zone, *words_of(function, i.what))),
                )


def _takes_from(i: m.Instr, zone: str) -> bool:
    """True if pieces of a zone are moved, or asked for, by an instruction."""
    looked: object = i.what if isinstance(i, m.Move) else i if isinstance(i, m.Choose | m.Chance | m.SetLocal) else None
    if isinstance(i, m.Exchange):
        return True
    return any(isinstance(node, m.ZoneGet | m.ZoneList | m.Top) and node.zone == zone for node in nodes(looked))


class _Parts:
    """The parts of a game: what the game itself does, one after the other, a loop with all that it calls as one."""

    def __init__(self, examined: ExaminedProgram) -> None:
        self._main = examined.functions[examined.program.main]
        self._called: dict[str, int] = {}
        for pc, i in enumerate(self._main.code):
            if isinstance(i, m.Call):
                for function in examined.closure(i.function):
                    self._called[function.name] = max(self._called.get(function.name, -1), self._part(pc))

    def last(self, function: str, pc: int) -> int | None:
        """The last part in which an instruction may be carried out; None if it never is."""
        return self._part(pc) if function == self._main.name else self._called.get(function)

    def _part(self, pc: int) -> int:
        loops = (at for at, i in enumerate(self._main.code) if at > pc and isinstance(i, m.Jump) and i.to <= pc)
        return max(loops, default=pc)


__all__ = ["filling_zones"]
