"""EXM152: a draw that gives back what was laid on the pile just before."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.syntax import ast


def draws_of_what_was_laid(examined: ExaminedProgram) -> Iterator[Suspect]:
    """Something is laid on a stack, and with nothing between that could change its order pieces are drawn from it."""
    stacks = {zone.name for zone in examined.program.zones if zone.order == "stack"}
    for function in examined.functions.values():
        targets = {i.to for i in function.code if isinstance(i, m.Jump | m.JumpUnless)}
        laid: m.Move | None = None
        for pc, i in enumerate(function.code):
            if pc in targets:
                laid = None
            match i:
                case m.Move(m.Top(zone, index), zone=to):
                    same = laid is not None and (laid.zone, laid.index) == (zone, index)
                    if same and (to, i.index) != (zone, index):
                        yield Suspect(
                            "EXM152",
                            function.name,
                            f"from {zone} to {to}",
                            f"what is drawn here was laid on `{zone}` just before: it comes back, the same as before",
                            f"draw first, shuffle `{zone}` between, or lay it there `at bottom`",
                            kinds=(ast.Draw,),
                            words=frozenset((zone, to)),
                        )
                    laid = None
                case m.Move(zone=zone, at="top") if zone in stacks:
                    laid = i
                case m.Call() if laid is not None and not _changes(examined, i, laid.zone):
                    pass
                case m.Fired() | m.Tell() | m.Observe() | m.SetField() | m.Show():
                    pass
                case _:
                    laid = None


def _changes(examined: ExaminedProgram, call: m.Call, zone: str) -> bool:
    """True if what is called may change what lies in a zone."""
    return any(f"zone {zone}" in examined.effects.writes(i) for i in examined.carried_out((call,)))


__all__ = ["draws_of_what_was_laid"]
