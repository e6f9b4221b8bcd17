"""Observers of an answer that are found from what is carried out after it: answers that were withheld until then.

Where an answer goes to an open place on one way of the rules and to a hidden one on another, it is withheld from those
who do not see it on both. If what is carried out before the rules rest again shows it to them, they observe it after
all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_

from rulewright.engine.hidden_information.answers.observers_at_answer import AnswerObservers, answers_of
from rulewright.engine.runtime.canonical_form import Frame, frames
from rulewright.engine.runtime.machine import Engine
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.knowledge.answers.answer_flow import Answer
from rulewright.knowledge.answers.decided_branches import Kinds
from rulewright.knowledge.answers.revealed_answers import Carried, RevealedAnswers

Done = tuple[str, int, list[int], list[int], int]
"""An instruction that was carried out, as a run notes it: function, instruction, cells, stack, base of the frame."""


@dataclass(frozen=True, slots=True)
class WithheldAnswer:
    """An answer withheld from some of those who may see where it goes."""

    frames: tuple[Frame, ...]
    """The frames when it was given."""
    answer: Answer
    kinds: Kinds
    player: int | None
    member: int
    known: int
    """The players who know it, as a set."""


def observers_after(engine: Engine, withheld: WithheldAnswer, done: Sequence[Done]) -> int:
    """The players who know an answer after what was done, as a set."""
    flow = engine.once("revealed answers", lambda program: RevealedAnswers(program, answers_of(engine)))
    functions, known, carrier = engine.program.functions, withheld.known, len(withheld.frames) - 1
    carried = _carried(engine, withheld)
    for _, pc, cells, stack, base in done:
        chain = [frame for frame in frames(engine, stack) if frame.base <= base]
        chain[-1] = Frame(chain[-1].function, pc, base)
        code = functions[chain[-1].function].code
        if pc >= len(code) or isinstance(code[pc], m.Return):
            if len(chain) - 1 == carrier:
                carrier -= 1
                if carrier < 0:
                    break
                frame = withheld.frames[carrier]
                call = functions[frame.function].code[frame.pc]
                assert isinstance(call, m.Call)
                slots = flow.after_return(carried, pc, call)
                carried = Carried(functions[frame.function].name, frame.pc + 1, slots, withheld.answer.piece)
            continue
        ways = flow.traces_of(carried, [(functions[frame.function].name, frame.pc) for frame in chain[carrier:]])
        if ways:
            seers = AnswerObservers(engine, cells, stack, chain, withheld.answer, withheld.kinds, withheld.player)
            seen = [seers.seeing(traces, withheld.member) for traces in ways]
            known |= reduce(and_, seen)
    return known


def _carried(engine: Engine, withheld: WithheldAnswer) -> Carried:
    """The slot that an answer is put into."""
    frame = withheld.frames[-1]
    function = engine.program.functions[frame.function]
    i = function.code[frame.pc]
    assert isinstance(i, m.Choose | m.Chance)
    return Carried(function.name, frame.pc + 1, frozenset((i.into,)), withheld.answer.piece)
