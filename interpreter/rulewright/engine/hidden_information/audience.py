"""The players who may know an answer: the audiences of all that it goes to, evaluated when it is given.

What an answer goes to is known from the program (`answer_flow`); here the keys are worked out in
the frames of the moment, and the audiences of those zones and fields are asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import and_, or_
from typing import assert_never

from rulewright.engine.cells.layout import FieldPlace, ZonePlace
from rulewright.engine.cells.support import bits_of
from rulewright.engine.codegen.blocks import Question
from rulewright.engine.hidden_information.changes_since import slots_since
from rulewright.engine.hidden_information.frame_values import value_in_frame
from rulewright.engine.hidden_information.visibility import NAMED, observers, seers_of_all
from rulewright.engine.runtime.canonical_form import Frame, frames
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.simultaneous_node import is_decided_at_once
from rulewright.ir import model as m
from rulewright.ir.control_flow.successors import Slots, reads_slot
from rulewright.ir.declared_sight import sight_of
from rulewright.ir.information_flow.answer_flow import Answer, Answers, Flow
from rulewright.ir.information_flow.decided_branches import Kinds
from rulewright.ir.information_flow.sinks import Sink
from rulewright.ir.information_flow.unseen_ways import End, Sight, UnseenWays, slots_after
from rulewright.ir.model import NONE

_NAMES = frozenset(("face", NAMED))
_FACETS = {"face": frozenset(("face",)), "count": frozenset(("face", "back", "count"))}


def audience(
    engine: Engine,
    cells: list[int],
    stack: list[int],
    question: Question,
    player: int | None,
    value: int,
    extra: bool,
    told: int = 0,
) -> tuple[str, ...] | None:
    """The seats that may know an answer, asked for before it is carried out; None: all, as in games without secrets.

    `player` is the one who gives it, `value` a member, or (`extra`) one of the words beside them. `told` are those who
    may know it in any case.
    """
    if not has_secrets(engine):
        return None
    held = list(frames(engine, stack))
    given = list(stack)
    if not extra:
        given[held[-1].base + question.into] = value
    is_piece = question.instr.universe == "Piece" and not extra and value != NONE
    kinds = frozenset(kind.name for kind in engine.program.kinds if kind.members >> value & 1) if is_piece else None
    answer = _answer(engine, question.function, question.pc, kinds)
    found = _Asked(engine, cells, given, held, answer, kinds, player).audience(None if extra else value)
    return seats_of(engine, found | told if player is None else found | told | 1 << player)


def has_secrets(engine: Engine) -> bool:
    """True if anything in the game is not seen by all. What is paid alone is no secret: where all else is seen, so is
    what it follows from."""

    def find(program: m.Program) -> bool:
        fields = (field for field in program.fields if field.name != m.PAID)
        declared: list[m.Zone | m.Field] = [*program.zones, *fields]
        return not all(map(sight_of(program).open, declared))

    return engine.once("any secrets", find)


def has_hidden_information(engine: Engine) -> bool:
    """True if there is anything in a game that not all know, were it only what others decide at the same time."""
    places = ((f.name, pc) for f in engine.program.functions for pc in range(len(f.code)))
    return has_secrets(engine) or any(is_decided_at_once(engine, place) for place in places)


def answer_known_to(
    engine: Engine, cells: list[int], stack: list[int], held: Sequence[Frame], pc: int, player: int, by_word: bool
) -> int:
    """The players who may know what was answered to a question of the last of some frames, as a set; `by_word`: which
    of its words, or that it was none of them."""
    frame = held[-1]
    i = engine.program.functions[frame.function].code[pc]
    assert isinstance(i, m.Choose)
    value = stack[frame.base + engine.compiled.offsets[frame.function][i.into]]
    asked = _asked(engine, cells, stack, held, pc, player, value if i.universe == "Piece" else NONE)
    return asked.audience(None if by_word else value) | 1 << player


def answer_told_to(
    engine: Engine, cells: list[int], stack: list[int], held: Sequence[Frame], pc: int, player: int | None, piece: int
) -> int:
    """The players to whom the rules tell, by what they do with it, that a piece was the answer to a question of the
    last of some frames, as a set. Who sees it where it lies now is not asked: it may have come there since. Neither are
    the locals that were given something since: nobody knew these when it was answered."""
    return _asked(engine, cells, stack, held, pc, player, piece).told(piece, slots_since(engine, held[-1], pc))


def _asked(
    engine: Engine, cells: list[int], stack: list[int], held: Sequence[Frame], pc: int, player: int | None, piece: int
) -> _Asked:
    frame = held[-1]
    kinds = frozenset(kind.name for kind in engine.program.kinds if kind.members >> piece & 1) if piece >= 0 else None
    answer = _answer(engine, engine.program.functions[frame.function].name, pc, kinds)
    return _Asked(engine, cells, stack, [*held[:-1], Frame(frame.function, pc, frame.base)], answer, kinds, player)


def _answer(engine: Engine, function: str, pc: int, kinds: Kinds) -> Answer:
    known = engine.cache("answers")
    if (function, pc, kinds) not in known:
        known[function, pc, kinds] = _answers(engine).of(function, pc, kinds)
    found: Answer = known[function, pc, kinds]
    return found


def _answers(engine: Engine) -> Answers:
    return engine.once("answers of the program", Answers)


def _ways(engine: Engine) -> UnseenWays:
    return engine.once("ways of the program", lambda program: UnseenWays(program, _answers(engine)))


def _everyone(engine: Engine) -> int:
    return (1 << engine.layout.sizes["Player"]) - 1


class _Asked:
    """One question, when it is answered."""

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
        self.everyone = _everyone(engine)
        self._unsettled: frozenset[int] = frozenset()

    def audience(self, member: int | None) -> int:
        """The players who may know that it was this member, or (None) one of the words beside the members."""
        if member is not None:
            return self._which(member)
        last = len(self.frames) - 1
        traces = [trace for trace in self.answer.whether if not self._asks_them(trace, last)]
        return self._seen_by(traces, last, 0) if traces else self.everyone

    def _asks_them(self, trace: Sink, frame: int) -> bool:
        """True if who answers is asked something else then, which others need not hear of."""
        if trace.sort != "asked" or trace.index is None:
            return False
        return self._value(frame, trace.index[0]) == self.player

    def told(self, piece: int, unsettled: frozenset[int]) -> int:
        """The players who learn that it was this piece, wherever it lies, whatever is in some slots."""
        self._unsettled = unsettled
        return self._which(piece, False)

    def _which(self, member: int, lying: bool = True) -> int:
        """The players who may know that it was this member; `lying`: also those who see a piece where it lies."""
        found = self._flows()
        there = self._seeing(member) if lying and self.answer.piece and member != NONE else 0
        piece = member if self.answer.piece else None
        seers = {
            (trace, frame): self._seers(trace, frame, there, piece)
            for flow, _, frame in found
            for trace in flow.traces
            if not self._asks_them(trace, frame)
        }
        if not seers:
            return there if self.answer.piece else self.everyone
        seen = reduce(or_, seers.values())
        if seen == reduce(and_, seers.values()):
            return seen
        known: dict[frozenset[tuple[Sink, int]], bool] = {}
        for player in bits_of(seen):
            theirs = frozenset(place for place, those in seers.items() if those >> player & 1)
            if theirs not in known:
                known[theirs] = self._is_missed(found, theirs, frozenset(seers), piece)
            seen &= ~(known[theirs] << player)
        return seen

    def _is_missed(
        self,
        found: Sequence[tuple[Flow, Slots, int]],
        seen: frozenset[tuple[Sink, int]],
        traces: frozenset[tuple[Sink, int]],
        piece: int | None,
    ) -> bool:
        """True if there is a way on which the answer goes somewhere and nowhere where it is seen."""
        ways = _ways(self.engine)
        ends = frozenset((End(),))
        for number, (flow, begun, frame) in enumerate(found):
            sight = Sight(
                frozenset(trace for trace, at in seen if at == frame),
                frozenset(t for t in flow.traces if (t, frame) not in traces or self._is_no_place(t, piece)),
            )
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
            flow = _answers(self.engine).after(function.name, frame.pc, slots, self.answer.piece, self.kinds)
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
        """The players who see a value of a field, or a zone; if it cannot be told which, those who see all of them."""
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
        return value_in_frame(self.engine, self.cells, self.stack, self.frames[frame], e)


def seats_of(engine: Engine, players: int) -> tuple[str, ...] | None:
    """The keys of some players; None: all of them."""
    if not _everyone(engine) & ~players:
        return None
    keys = engine.layout.universes["Player"].keys
    return tuple(keys[p] for p in bits_of(players))
