"""Observers of an answer when it is given: the audiences of the zones and fields it may go to.

Where it goes is known from the program (`answer_flow`); the keys are evaluated here in the frames of the moment.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import reduce
from operator import and_, or_
from typing import assert_never

from rulewright.engine.cells.layout import FieldPlace, ZonePlace
from rulewright.engine.hidden_information.answers.changes_since import value_or_none
from rulewright.engine.hidden_information.visibility import NAMED, observers, seers_of_all
from rulewright.engine.runtime.canonical_form import Frame
from rulewright.engine.runtime.machine import Engine
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import Slots, reads_slot
from rulewright.ir.declared_sight import sight_of
from rulewright.ir.model import NONE
from rulewright.knowledge.answers.answer_flow import Answer, Answers, Flow
from rulewright.knowledge.answers.decided_branches import Kinds
from rulewright.knowledge.answers.sinks import Sink
from rulewright.knowledge.answers.unobserved_paths import End, Sight, UnobservedPaths, slots_after

_NAMES = frozenset(("face", NAMED))
_FACETS = {"face": frozenset(("face",)), "count": frozenset(("face", "back", "count"))}


def answers_of(engine: Engine) -> Answers:
    """The flow of the answers of a game."""
    return engine.once("answers of the program", Answers)


def ways_of(engine: Engine) -> UnobservedPaths:
    """The ways of its answers that are not seen."""
    return engine.once("unobserved paths", lambda program: UnobservedPaths(program, answers_of(engine)))


def everyone(engine: Engine) -> int:
    """All players, as a set."""
    return (1 << engine.layout.sizes["Player"]) - 1


class AnswerObservers:
    """The players who see where the answer of one question goes, when it is answered."""

    def __init__(
        self,
        engine: Engine,
        cells: list[int],
        stack: list[int],
        held: Sequence[Frame],
        answer: Answer,
        kinds: Kinds,
        player: int | None,
    ) -> None:
        """`player` is the one who answers; None: chance."""
        self.engine, self.player = engine, player
        self.layout = engine.layout
        self.cells = cells
        self.stack = stack
        self.frames = held
        self.answer, self.kinds = answer, kinds
        self.everyone = everyone(engine)
        self.possible = 0
        """The players who would know the answer if it went where they see it."""
        self.aloud = False
        """True if it goes nowhere, so that only the log has it."""
        self._unsettled: frozenset[int] = frozenset()

    def audience(self, member: int | None, options: Collection[int] = ()) -> int:
        """The players who may know that it was this member, or (None) one of the words beside the members, which lead
        to these instructions.

        They see something of what is done then, or nothing, and know that of every other option they would see it.
        """
        if member is not None:
            return self._which(member)
        last, traces = len(self.frames) - 1, self.answer.whether
        here = self.frames[last]
        known = self.engine.cache("unseen options")

        def unseen(theirs: tuple[bool | None, ...]) -> frozenset[int]:
            key = here.function, here.pc, theirs
            if key not in known:
                function = self.engine.program.functions[here.function].name
                known[key] = ways_of(self.engine).unseen_options(function, here.pc, self._sight(traces, theirs, None))
            found: frozenset[int] = known[key]
            return found

        always = self._certainly(traces)
        if any(always) and len(unseen(always)) < 2:
            return self.everyone
        seers = self._each(traces, last, 0, None)
        counted = [those for those in seers if those is not None]
        if not counted:
            self.aloud = True
            return self.everyone
        seen = reduce(or_, counted)
        if seen == reduce(and_, counted):
            return seen
        for player in bits_of(seen):
            theirs = unseen(tuple(None if those is None else bool(those >> player & 1) for those in seers))
            if len(theirs) > 1 and not theirs.isdisjoint(options):
                seen &= ~(1 << player)
        return seen

    def _certainly(self, traces: tuple[Sink, ...]) -> tuple[bool | None, ...]:
        """For each of some traces whether all see it whatever the position."""
        return tuple(
            None if trace.sort == "asked" else always is not None
            for trace, always in zip(traces, self._always(traces), strict=True)
        )

    def _each(self, traces: tuple[Sink, ...], frame: int, there: int, piece: int | None) -> list[int | None]:
        """For each of some traces the players who see it; none if it does not count."""
        found: list[int | None] = []
        for trace, always in zip(traces, self._always(traces), strict=True):
            if always is None and not self._asks_them(trace, frame):
                always = self._seers(trace, frame, there, piece)
            found.append(always)
        return found

    def _sight(self, traces: Sequence[Sink], theirs: Sequence[bool | None], piece: int | None) -> Sight:
        """The traces as one player sees them, of each of which it is known whether they do."""
        places = list(zip(traces, theirs, strict=True))
        return Sight(
            frozenset(trace for trace, seen in places if seen),
            frozenset(trace for trace, seen in places if seen is None or self._is_no_place(trace, piece)),
        )

    def _asks_them(self, trace: Sink, frame: int) -> bool:
        """True for another question to the one who answers, which others need not observe."""
        if trace.sort != "asked" or trace.index is None:
            return False
        return self._value(frame, trace.index[0]) == self.player

    def observers_of_piece(self, piece: int, unsettled: frozenset[int]) -> int:
        """The players who learn that it was this piece, wherever it lies, whatever is in some slots."""
        self._unsettled = unsettled
        return self._which(piece, False)

    def _which(self, member: int, lying: bool = True) -> int:
        """The players who may know that it was this member; `lying`: also those who see a piece where it lies."""
        found = self._flows()
        there = self._seeing(member) if lying and self.answer.piece and member != NONE else 0
        piece = member if self.answer.piece else None
        known = self.engine.cache("missed answers")
        way = tuple((self.frames[at].function, self.frames[at].pc) for _, _, at in found)

        def missed(theirs: tuple[bool | None, ...]) -> bool:
            key = way, self.kinds, theirs
            if key not in known:
                known[key] = self._is_missed(found, theirs, piece)
            answer: bool = known[key]
            return answer

        always = tuple(seen for flow, _, _ in found for seen in self._certainly(flow.sinks))
        if any(always) and not missed(always):
            return self.everyone
        seers = [those for flow, _, frame in found for those in self._each(flow.sinks, frame, there, piece)]
        counted = [those for those in seers if those is not None]
        if not counted:
            self.aloud = True
            return there if self.answer.piece else self.everyone
        seen = self.possible = reduce(or_, counted)
        if seen == reduce(and_, counted):
            return seen
        for player in bits_of(seen):
            if missed(tuple(None if those is None else bool(those >> player & 1) for those in seers)):
                seen &= ~(1 << player)
        return seen

    def _always(self, traces: tuple[Sink, ...]) -> tuple[int | None, ...]:
        """For each of some traces all players, if they always see it; none where it depends on the position."""
        known = self.engine.cache("always seen")
        if id(traces) not in known:
            known[id(traces)] = traces, tuple(self.everyone if self._is_open(trace) else None for trace in traces)
        found: tuple[int | None, ...] = known[id(traces)][1]
        return found

    def _is_open(self, trace: Sink) -> bool:
        sight = sight_of(self.engine.program)
        match trace.sort:
            case "zone":
                zone = self.layout.zone_of[trace.name]
                return sight.open(zone) and (trace.facet == "count" or not zone.kinds)
            case "field":
                return not self.answer.piece and sight.open(self.layout.field_of[trace.name])
            case _:
                return trace.sort == "open"

    def _is_missed(
        self, found: Sequence[tuple[Flow, Slots, int]], theirs: Sequence[bool | None], piece: int | None
    ) -> bool:
        """True if there is a way on which the answer goes somewhere and nowhere where some player sees it; of each
        trace it is known whether they do, or that it does not count."""
        ways = ways_of(self.engine)
        ends = frozenset((End(),))
        at = 0
        for number, (flow, begun, frame) in enumerate(found):
            sight = self._sight(flow.sinks, theirs[at : at + len(flow.sinks)], piece)
            at += len(flow.sinks)
            here = self.frames[frame]
            function = self.engine.program.functions[here.function]
            call = function.code[here.pc]
            after = set[End]()
            for end in ends:
                slots = begun
                if number:
                    assert isinstance(call, m.Call)
                    slots = slots_after(call, end.returned, end.handed)
                way = ways.after(function.name, here.pc, begun, slots, self.answer.piece, self.kinds, sight)
                after |= {replace(e, hidden=e.hidden or end.hidden) for e in way}
            if any(end.hidden and not (end.returned or end.handed) for end in after):
                return True
            ends = frozenset(end for end in after if end.returned or end.handed)
        return any(end.hidden for end in ends)

    def _is_no_place(self, trace: Sink, piece: int | None) -> bool:
        """True if nothing comes to be where a trace lies."""
        if trace.sort == "zone":
            return piece is not None and not self._takes(self.layout.zone_of[trace.name], piece)
        return trace.sort == "field" and trace.name == m.PAID

    def seeing(self, traces: Sequence[Sink], member: int) -> int:
        """The players who see one of some traces, about the last frame, of a member that was chosen."""
        piece = member if self.answer.piece else None
        there = self._seeing(member) if piece is not None and piece != NONE else 0
        return self._seen_by(traces, len(self.frames) - 1, there, piece)

    def _flows(self) -> list[tuple[Flow, Slots, int]]:
        """The flows of the answer in its frame, and in those it is returned to, each with the slots it begins in."""
        number = len(self.frames) - 1
        flow = self.answer.which
        found = [(flow, self._into(), number)]
        while (flow.returned or flow.handed) and number > 0:
            number -= 1
            frame = self.frames[number]
            function = self.engine.program.functions[frame.function]
            call = function.code[frame.pc]
            assert isinstance(call, m.Call)
            slots = slots_after(call, flow.returned, flow.handed)
            flow = answers_of(self.engine).after(function.name, frame.pc, slots, self.answer.piece, self.kinds)
            found.append((flow, slots, number))
        return found

    def _into(self) -> Slots:
        """The slot that the answer is put into."""
        i = self.engine.program.functions[self.frames[-1].function].code[self.frames[-1].pc]
        assert isinstance(i, m.Choose | m.Chance)
        return frozenset((i.into,))

    def _seen_by(self, traces: Sequence[Sink], frame: int, there: int, piece: int | None = None) -> int:
        """The players who see at least one of some traces."""
        found = 0
        for trace in traces:
            found |= self._seers(trace, frame, there, piece)
            if found == self.everyone:
                break
        return found

    def _seers(self, trace: Sink, frame: int, there: int, piece: int | None) -> int:
        match trace.sort:
            case "open":
                return self.everyone
            case "asked":
                return 0 if self._asks_them(trace, frame) else self.everyone
            case "turned":
                return there
            case "shown":
                to = self._value(frame, trace.index[0]) if trace.index is not None else 0
                return to & self.everyone if to >= 0 else 0
            case "zone" | "field":
                pass
            case _:
                assert_never(trace.sort)
        declared: m.Zone | m.Field
        place: ZonePlace | FieldPlace
        found = 0
        if trace.sort == "zone":
            declared = self.layout.zone_of[trace.name]
            if piece is not None and not self._takes(declared, piece):
                return 0
            place = self.layout.zones[trace.name]
            if trace.facet == "face":
                found = there  # they see which of them leaves
            if declared.faced and trace.facet == "face" and piece is not None and self._lies_up(piece, trace.face):
                return self.everyone
        else:
            declared = self.layout.field_of[trace.name]
            place = self.layout.fields[trace.name]
        number = self._row(frame, trace.index, [s // place.span for s in place.strides], declared.index)
        facets = _FACETS[trace.facet]
        if trace.sort == "field" and piece is not None:  # unless it names its pieces, it shows but a back to others
            return self._seers_of_row(declared, number, facets) & there | self._seers_of_row(declared, number, _NAMES)
        return found | self._seers_of_row(declared, number, facets)

    def _seers_of_row(self, declared: m.Zone | m.Field, number: int | None, facets: frozenset[str]) -> int:
        """The players who see a value of a field, or a zone; if which one is unknown, those who see all of them."""
        if number is None:
            return seers_of_all(self.engine, self.cells, declared, facets)
        return observers(self.engine, self.cells, declared, number, facets)

    def _takes(self, zone: m.Zone, piece: int) -> bool:
        """True if a piece may lie in a zone at all: in a branch for other kinds it does not go there."""
        kinds = self.engine.program.kinds
        return not zone.kinds or any(kind.members >> piece & 1 for kind in kinds if kind.name in zone.kinds)

    def _row(
        self, frame: int, index: tuple[m.Expr, ...] | None, strides: Sequence[int], universes: Sequence[str]
    ) -> int | None:
        if index is None:
            return None
        number = 0
        for key, stride, universe in zip(index, strides, universes, strict=True):
            value = self._value(frame, key)
            if not 0 <= value < self.layout.sizes[universe]:
                return None
            if universe in self.layout.merged:
                value = self.cells[self.layout.merged[universe].rep + value]
            number += value * stride
        return number

    def _seeing(self, piece: int) -> int:
        """The players who see the face of a piece where it lies."""
        layout = self.layout
        number = self.cells[layout.loc + piece]
        instance = layout.instances[number]
        if instance.faced and not self.cells[layout.down] >> piece & 1:
            return self.everyone
        declared = self.engine.program.zones[instance.zone]
        row = number - layout.zones[declared.name].first
        return observers(self.engine, self.cells, declared, row, _FACETS["face"])

    def _lies_up(self, piece: int, face: int | None) -> bool:
        """True if a piece lies face up in the faced zone that it comes to."""
        return face == 0 or (face is None and not self.cells[self.layout.down] >> piece & 1)

    def _value(self, frame: int, e: m.Expr) -> int:
        """The value of an expression in a frame, or none."""
        if self._unsettled and frame == len(self.frames) - 1 and reads_slot(e, self._unsettled):
            return NONE
        return value_or_none(self.engine, self.cells, self.stack, self.frames[frame], e)
