"""Sinks: what the flow of an answer changes in the state, as seen from the frame in which the question stands."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, assert_never

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import Slots, reads_slot
from rulewright.ir.walk import nodes


@dataclass(frozen=True, slots=True)
class Sink:
    """An observable effect of an answer; who sees it can infer the answer."""

    sort: Literal["zone", "field", "shown", "turned", "asked", "open"]
    """``open``: all see it. ``shown``: those see it whom `index` names. ``turned``: those see it who see the piece.
    ``asked``: somebody is asked, whom `index` names; all see that, unless it is who has answered: then it is kept from
    those who may not know the answer."""
    name: str = ""
    index: tuple[m.Expr, ...] | None = None
    """About the frame in which the question stands, as it is when that is answered; None: they are unknown."""
    facet: Literal["face", "count"] = "face"
    """The facet of it that must be seen."""
    face: int | None = None
    """The way in which a piece comes to lie in a faced zone, see :class:`~rulewright.ir.model.Move`."""


OPEN = Sink("open")
NOWHERE_SEEN = Sink("shown")
"""Shown to no player: it is not known beforehand who sees it."""
SHOWN_TO_ALL = Sink("shown", "", ())
"""Shown to all players, however many there are."""


def effect(i: m.Instr, changed: Slots) -> list[Sink]:
    """The sinks of an instruction besides those of what it moves or calls; slots have changed since the question."""
    match i:
        case m.SetField(field, index):
            return [Sink("field", field, stable_index(index, changed))]
        case m.SwapItems(zone, field, index):
            return [Sink("zone" if zone else "field", zone or field, stable_index(index, changed))]
        case m.Show():
            return [Sink("shown", "", stable_index((i.to,), changed))]
        case m.Merge() | m.Eliminate() | m.FinishWin() | m.FinishRank() | m.Flip():
            return [OPEN]
        case m.Reset() | m.Move():
            return []
        case _ if isinstance(i, m.NoStateChange):
            return []
        case _:
            assert_never(i)


def asks(i: m.Choose, changed: Slots) -> Sink:
    """The sink of a question."""
    return Sink("asked", "", stable_index((i.who,), changed)) if i.who_is == "player" else OPEN


def stable_index(index: tuple[m.Expr, ...], changed: Slots) -> tuple[m.Expr, ...] | None:
    """Keys, if they are still what they were when the question was answered."""
    return None if any(reads_slot(key, changed) or _reads_state(key) for key in index) else index


def _reads_state(e: m.Expr) -> bool:
    return any(isinstance(n, m.FieldGet | m.ZoneGet | m.ZoneList | m.Top | m.CallQuery | m.Var) for n in nodes(e))


def without_keys(sink: Sink, everyone: m.Expr) -> Sink:
    """A sink that does not say whose zone or field it is, or to whom something is shown, unless that is `everyone`:
    the same whatever the number of players is."""
    if sink.sort == "shown" and sink.index == (everyone,):
        return SHOWN_TO_ALL
    return sink if not sink.index else replace(sink, index=None)


def in_caller(sink: Sink, call: m.Call, changed: Slots) -> Sink:
    """A sink in a called function, in terms of the caller's frame."""
    if not sink.index:
        return sink
    found = tuple(_given(key, call) for key in sink.index)
    known = [key for key in found if key is not None]
    return replace(sink, index=stable_index(tuple(known), changed) if len(known) == len(found) else None)


def _given(key: m.Expr, call: m.Call) -> m.Expr | None:
    match key:
        case m.Const():
            return key
        case m.Local(slot):
            return call.args[slot] if slot < len(call.args) else None
        case m.Attr() if (inner := _given(key.of, call)) is not None:
            return replace(key, of=inner)
        case m.MakeSet() if len(key.items) == 1 and (inner := _given(key.items[0], call)) is not None:
            return m.MakeSet((inner,))
    return None
