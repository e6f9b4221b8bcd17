"""EXM124: something that is done in the turn of each player, and does not depend on whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.program_words import words_of
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot, slots_stored
from rulewright.syntax import ast


def every_turns(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A number of players grows in a procedure for one player, by an amount and for players that have nothing to do
    with that one, nor with any answer: so it grows in each turn of a round.
    """
    for function in examined.functions.values():
        if function.word not in ("procedure", "phase") or not function.params or not _has_turns(examined, function):
            continue
        if function.slots[0].ty.universe != "Player":
            continue
        own = _depending(function)
        for pc, i in enumerate(function.code):
            match i:
                case m.SetField(name, (whose, *_), m.Arith("add", m.FieldGet(read))) if name == read:
                    guards = [
                        one
                        for one in function.code[:pc]
                        if isinstance(one, m.JumpUnless) and one.to > pc and reads_slot(one, own)
                    ]
                    chosen = any(start <= pc < end for start, end in _options(function))
                    if not guards and not chosen and not reads_slot(i, own):
                        yield Suspect(
                            "EXM124",
                            function.name,
                            name,
                            f"`{name}` grows here in each turn of a player, whoever that is: several times in a round, "
                            "as often as there are players",
                            "if once in a round is meant, write it before or behind the turns of a round",
                            kinds=(ast.InsertOp,),
                            words=frozenset((name, *words_of(function, whose))),
                        )
                case _:
                    pass


def _has_turns(examined: ExaminedProgram, called: m.Function) -> bool:
    """True if a function is called in a loop, with a player that the loop gives."""
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if isinstance(i, m.Call) and i.function == called.name and i.args and isinstance(i.args[0], m.Local):
                back = (one.to for one in function.code[pc:] if isinstance(one, m.Jump))
                if any(to <= pc for to in back):
                    return True
    return False


def _depending(function: m.Function) -> frozenset[int]:
    """The slots whose values come from the parameters, or from an answer."""
    found = set(range(function.params))
    for i in function.code:
        if isinstance(i, m.Choose | m.Chance):
            found |= set(slots_stored(i))
    changed = True
    while changed:
        before = len(found)
        for i in function.code:
            if isinstance(i, m.SetLocal) and reads_slot(i.value, frozenset(found)):
                found.add(i.slot)
        changed = len(found) > before
    return frozenset(found)


def _options(function: m.Function) -> Iterator[tuple[int, int]]:
    """The stretches of instructions that are the options of a question."""
    for i in function.code:
        starts = sorted(extra.to for extra in i.extras) if isinstance(i, m.Choose) else []
        if starts:
            ends = [function.code[to - 1] for to in starts[1:]]
            joined = max((end.to for end in ends if isinstance(end, m.Jump)), default=len(function.code))
            yield starts[0], joined


__all__ = ["every_turns"]
