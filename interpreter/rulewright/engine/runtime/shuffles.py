"""The shuffle at which a game stands: which pile or list it is of, and what lies there."""

from __future__ import annotations

from typing import Any

from rulewright.engine.runtime.position import Position
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.model import NONE


@dataclass(frozen=True, slots=True)
class Shuffle:
    """A stack, row or list that is being shuffled, exchange by exchange, from its last member to its second."""

    name: str
    """Of the zone or field."""
    index: tuple[str, ...]
    keys: tuple[int, ...]
    """The members of those universes that say which of several it is."""
    universe: str
    members: tuple[int, ...]
    """The pieces as they lie now: a stack from the top."""
    left: int
    """So many members, the first ones, have not got their place yet."""


def shuffle_of(state: Position) -> Shuffle | None:
    """The shuffle of which an exchange is decided next; None if something else is."""
    question = state.question
    if question is None or not isinstance(question.instr, m.Chance):
        return None
    engine, layout = state.engine, state.engine.layout
    function = engine.compiled.ctx.functions[question.function]
    code = engine.program.functions[function].code
    swap = code[question.pc + 1] if question.pc + 1 < len(code) else None
    if not isinstance(swap, m.SwapItems):
        return None
    made: dict[Any, Any] = engine.cache("shuffled")
    if (function, question.pc) not in made:
        made[function, question.pc] = engine.compiled.in_frame(
            function, question.pc, lambda x, scope: x.value(m.MakeList(swap.index), scope)
        )
    keys = engine.call(made[function, question.pc], state.cells, state.stack, state.base, memory=state.memory)
    name, zone = swap.zone or swap.field, layout.zone_of.get(swap.zone)
    index = zone.index if zone is not None else layout.field_of[name].index
    keys = living(state, index, keys)
    if zone is not None:
        at, universe = layout.instances[layout.instance_number(name, keys)].at, "Piece"
    else:
        place, universe = layout.fields[name], layout.field_of[name].ty.universe
        at = place.at + sum(k * s for k, s in zip(keys, place.strides, strict=True))
    members = state.cells[at + 1 : at + 1 + state.cells[at]]
    if zone is not None and zone.order == "stack":
        members = members[::-1]
    decision = state.decision
    return Shuffle(name, index, keys, universe, tuple(members), len(decision.options) if decision is not None else 0)


def living(state: Position, index: tuple[str, ...], keys: tuple[int, ...]) -> tuple[int, ...]:
    """Keys, with the region that stands for all those it was merged with in place of each of them."""
    merged = state.engine.layout.merged
    return tuple(
        state.cells[merged[u].rep + k] if u in merged and k != NONE else k for u, k in zip(index, keys, strict=True)
    )
