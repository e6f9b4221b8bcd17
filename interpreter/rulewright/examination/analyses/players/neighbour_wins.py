"""EXM132: a neighbour wins alone where more than two play."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.syntax import ast


def neighbours_that_win(examined: ExaminedProgram) -> Iterator[Suspect]:
    """The game ends with the player beside somebody as its only winner, and with more than two players there are others
    who have done no worse. Who sits beside somebody among those still in the game may be the last one.
    """
    if examined.program.players <= 2:
        return
    for function in examined.functions.values():
        for i in function.code:
            match i:
                case m.FinishWin(m.MakeSet((m.Attr("Player.left" | "Player.right" as side),))):
                    seat = side.partition(".")[2]
                    yield Suspect(
                        "EXM132",
                        function.name,
                        seat,
                        f"with more than two players only the one to the {seat} wins here, and the others lose with "
                        "whom they have beaten",
                        "if all others win, write `finish with winner players except …`",
                        kinds=(ast.Win,),
                        words=frozenset((seat,)),
                    )
                case _:
                    pass


__all__ = ["neighbours_that_win"]
