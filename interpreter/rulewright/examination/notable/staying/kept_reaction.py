"""EXM147: something that somebody must have to react, and that is theirs as before when they have."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot
from rulewright.ir.walk import nodes


def kept_reactions(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A reaction is one with a piece out of a zone; neither it nor what it calls moves that piece, turns it over or
    marks it, or changes anything in that zone: so it can be used as often as there is an occasion.
    """
    for function in examined.functions.values():
        if function.word != "reaction" or function.name in base.functions:
            continue
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.Choose) or not isinstance(i.source, m.ZoneGet | m.ZoneList):
                continue
            code = function.code[pc + 1 :]
            if _is_used_up(examined, code, i) or _asks_for_more(examined, i):
                continue
            name = function.slots[i.into].name
            raised = {called for one in code if isinstance(one, m.Call) for called in (one.function.split(" ")[0],)}
            again = next((one for one in sorted(raised) if _answers(examined, function.name, one)), "")
            circle = f", and `{again}` is what it reacts to: it may go round without end" if again else ""
            yield Suspect(
                "EXM147",
                function.name,
                name,
                f"`{name}` is not used up: it stays in `{i.source.zone}` when `{function.name}` has been used{circle}",
                f"if it is to be used once, move it: `move {name} to …`",
                rule=function.name,
            )


def _is_used_up(examined: ExaminedProgram, code: tuple[m.Instr, ...], asked: m.Choose) -> bool:
    """True if a piece is moved, turned, marked, handed on, or taken out of the zone in which it lay."""
    slot = frozenset((asked.into,))
    source = asked.source
    for i in code:
        match i:
            case m.Tell() | m.Fired() | m.Observe() | m.Show():
                continue
            case m.JumpUnless() | m.SetField() if not any(reads_slot(e, slot) for e in _keys(i)):
                pass
            case _ if reads_slot(i, slot):
                return True
            case _:
                pass
        zone = f"zone {source.zone}" if isinstance(source, m.ZoneGet | m.ZoneList) else ""
        if isinstance(i, m.Move | m.Exchange | m.SwapItems) and zone in examined.effects.writes(i):
            return True
    return False


def _keys(i: m.Instr) -> tuple[m.Expr, ...]:
    """The keys under which an instruction changes a field, and the value that it gives to it if that is a set."""
    match i:
        case m.SetField(_, index, value):
            return (*index, *(node for node in nodes(value) if isinstance(node, m.SetOp | m.MakeSet)))
        case _:
            return ()


def _asks_for_more(examined: ExaminedProgram, asked: m.Choose) -> bool:
    """True if it depends on a field whether a piece can be used: that may be what is used up."""
    return asked.where is not None and any(token.startswith("field ") for token in examined.effects.reads(asked.where))


def _answers(examined: ExaminedProgram, reaction: str, event: str) -> bool:
    """True if a reaction is one to this event."""
    return any(
        function.word == "system"
        and function.name.startswith(f"{event} ")
        and any(isinstance(i, m.Call) and i.function == reaction for i in function.code)
        for function in examined.functions.values()
    )


__all__ = ["kept_reactions"]
