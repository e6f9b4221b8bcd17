"""EXM129: pieces that a change lays open when nobody is asked any more."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.program_words import new_instructions, words_of
from rulewright.ir import model as m
from rulewright.ir.control_flow.questions import QuestionsBehind
from rulewright.ir.declared_sight import sight_of
from rulewright.syntax import ast


def laid_open_late(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """Pieces are drawn from where they lie hidden to where all see them, behind the last question of the game."""
    zones, sight = {zone.name: zone for zone in examined.program.zones}, sight_of(examined.program)
    new, behind = new_instructions(examined.program, base.program), QuestionsBehind(examined.program)
    for function in examined.functions.values():
        for pc in new[function.name]:
            match function.code[pc]:
                case m.Move(m.Top(source), zone=to) as i if (
                    to in zones
                    and sight.open(zones[to])
                    and not sight.everybody(zones[source])
                    and not behind.asks(function.name, pc)
                ):
                    yield Suspect(
                        "EXM129",
                        function.name,
                        f"{source} to {to}",
                        f"this lays `{to}` open too late for anybody to answer: nobody is asked any more before the "
                        "game is over",
                        "if players are to know it when they decide, write it before the last question",
                        kinds=(ast.Draw, ast.Move),
                        words=frozenset((source, to, *words_of(function, i.what))),
                    )
                case _:
                    pass


__all__ = ["laid_open_late"]
