"""Endings of the game side by side: options that win at once, and ends that another option passes by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from rulewright.examination.findings import Suspect
from rulewright.examination.playing.playing_budget import Pair
from rulewright.examination.playing.probes import Probe, observed
from rulewright.ir import model as m
from rulewright.ir.transform.rewriting import with_slots


@dataclass(frozen=True, slots=True)
class _Due:
    """An end where it is looked for: the instruction that calls it, and what makes it due."""

    function: str
    pc: int
    end: str
    condition: m.Expr
    member: m.Expr | None
    """The member for which it is due, if it is looked for among several."""
    slot: int | None


def ends_at_once(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """In games that one end of a change ends another one, checked later at the same place, is due as well, and another
    player would win: the order of the ends decides, perhaps without intention."""
    known = dict[str, tuple[str, str]]()

    def probes(pair: Pair) -> list[Probe] | None:
        before = {(one.end, other.end) for one, other in _in_turn(pair.base.program)}
        found = list[Probe]()
        for one, other in _in_turn(pair.game.program):
            if (one.end, other.end) not in before:
                name = f"{one.end} while {other.end} is due"
                known[name] = one.end, other.end
                found.append(
                    Probe(one.function, one.pc, name, m.And((other.condition, _other_winners(pair, one, other))))
                )
        return found or None

    tally = observed(pairs, probes, 0.5)
    if tally is None:
        return
    times = Counter[tuple[str, str]]()
    for name, both in known.items():
        times[both] += tally.uses[name]
    functions = {f.name: f for f in pairs[0].game.program.functions}
    for (first, second), often in times.items():
        if often:
            are_known = all(_winners(functions[one]) is not None for one in (first, second) if one in functions)
            means = "would let others win, or nobody" if are_known else "is not looked at then"
            yield Suspect(
                "EXM216",
                second,
                first,
                f"`{second}` holds as well in {often} of {tally.uses[first]} random games that `{first}` ends, and "
                f"{means}: `{first}` is asked first",
                "let the end that is to decide stand first, or let one of them ask that the other one does not hold",
                rule=second,
            )


def _in_turn(program: m.Program) -> Iterator[tuple[_Due, _Due]]:
    """Each two ends that are looked for at one place, in their order."""
    ends = {f.name for f in program.functions if f.word == "end"}
    for function in program.functions:
        found = [
            _due(function, pc) for pc, i in enumerate(function.code) if isinstance(i, m.Call) and i.function in ends
        ]
        yield from combinations([one for one in found if one is not None], 2)


def _due(function: m.Function, pc: int) -> _Due | None:
    """The condition just before the call of an end; of one `for` each of several that there is one."""
    call, asks = function.code[pc], function.code[pc - 1] if pc else None
    if not isinstance(call, m.Call) or not isinstance(asks, m.JumpUnless):
        return None
    looks = function.code[pc - 2] if pc > 1 else None
    match call.args, looks:
        case (m.Local(slot),), m.SetLocal(stored, value) if slot == stored:
            return _Due(
                function.name, pc, call.function, m.Cmp("ne", value, m.Const(m.NONE), nothing=True), value, slot
            )
        case (), _:
            return _Due(function.name, pc, call.function, asks.condition, None, None)
        case _:
            return None


def _other_winners(pair: Pair, one: _Due, other: _Due) -> m.Expr:
    """A condition that two ends let others win; true if that is unknown before it is done."""
    functions = {f.name: f for f in pair.game.program.functions}
    mine, theirs = (_winners(functions[due.end]) for due in (one, other))
    if mine is None or theirs is None:
        return m.Const(1)
    here: m.Expr = mine if one.slot is None else with_slots(mine, {0: m.Local(one.slot)})
    there: m.Expr = theirs if other.member is None else with_slots(theirs, {0: other.member})
    return m.Not(m.SetEq(here, there))


def _winners(end: m.Function) -> m.Expr | None:
    """The players whom an end lets win, if it does nothing else."""
    acts = [i for i in end.code if not isinstance(i, m.Fired | m.Tell | m.Return)]
    match acts:
        case [m.FinishWin(players, parties=None)]:
            return players
        case _:
            return None
