"""EXM145: a hidden answer that something open gives away before the next player is asked."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import slots_stored
from rulewright.ir.declared_sight import DeclaredSight, sight_of
from rulewright.syntax import ast


def answers_told_by_traces(examined: ExaminedProgram) -> Iterator[Suspect]:
    """Players are asked one after the other, each answer is laid where the others do not see it; and in the same round
    of the loop, before the next one is asked, it is put into, or taken out of, something that all of them see.
    """
    sight = sight_of(examined.program)
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.Choose) or i.secret or i.who_is != "player" or not isinstance(i.who, m.Local):
                continue
            body = _behind(function, pc, i)
            if not any(_hides(examined, sight, one, i) for one in body):
                continue
            traces = [found for one in body for found in _shown(examined, sight, one, i)]
            for shown, written in traces[:1]:
                answer = function.slots[i.into].name
                yield Suspect(
                    "EXM145",
                    function.name,
                    f"{answer} in {shown}",
                    f"`{answer}` is hidden from the other players, but `{shown}`, which everyone sees, changes with it "
                    "before the next one is asked, and so tells it",
                    f"change `{shown}` when all have been asked, or ask all of them together (`each … at once`)",
                    kinds=(ast.Assign, ast.Move),
                    words=frozenset((written, answer)),
                )


def _behind(function: m.Function, pc: int, asked: m.Choose) -> tuple[m.Instr, ...]:
    """The instructions that are carried out with an answer, up to the end of a loop in which others are asked the same;
    none if there is no such loop, or if they do not follow one after the other."""
    found: list[m.Instr] = []
    for at in range(pc + 1, len(function.code)):
        i = function.code[at]
        if isinstance(i, m.Jump):
            if i.to > pc:
                return ()
            again = range(i.to, pc)
            named = (slots_stored(function.code[n]) for n in again)
            return tuple(found) if isinstance(asked.who, m.Local) and any(asked.who.slot in s for s in named) else ()
        if isinstance(i, m.Choose | m.Chance | m.Turn | m.JumpUnless) or asked.into in slots_stored(i):
            return ()
        found.append(i)
    return ()


def _hides(examined: ExaminedProgram, sight: DeclaredSight, i: m.Instr, asked: m.Choose) -> bool:
    """True if an instruction lays an answer down as something of who gave it that not everybody sees."""
    answer = m.Local(asked.into)
    match i:
        case m.SetField(name, (whose,), value) if whose == asked.who and value == answer:
            return not sight.everybody(examined.fields[name])
        case m.Move(m.MakeSet((piece,)), zone=name, index=(whose,)) if whose == asked.who and piece == answer:
            return not sight.everybody(_zone(examined, name))
        case _:
            return False


def _shown(examined: ExaminedProgram, sight: DeclaredSight, i: m.Instr, asked: m.Choose) -> Iterator[tuple[str, str]]:
    """The open things that an instruction changes by the answer itself, and what is written there."""
    answer = m.Local(asked.into)
    match i:
        case m.SetField(name, _, m.SetOp("union" | "minus", m.FieldGet(read), m.MakeSet((item,)))):
            if read == name and item == answer and sight.open(examined.fields[name]):
                yield name, name
        case m.SetField(name, _, value) if value == answer and sight.open(examined.fields[name]):
            yield name, name
        case m.Move(m.MakeSet((piece,)), zone=to) if piece == answer and isinstance(
            asked.source, m.ZoneGet | m.ZoneList
        ):
            if sight.open(_zone(examined, asked.source.zone)):
                yield asked.source.zone, to
        case _:
            pass


def _zone(examined: ExaminedProgram, name: str) -> m.Zone:
    return next(zone for zone in examined.program.zones if zone.name == name)


__all__ = ["answers_told_by_traces"]
