"""Answers of players and of chance that all know when they are given, whatever has led there."""

from __future__ import annotations

from functools import cached_property

from rulewright.ir import model as m
from rulewright.ir.dataflow.expression_reads import instructions_of
from rulewright.ir.declared_sight import Level, sight_of
from rulewright.ir.information_flow.answer_flow import Answers, Flow, Kinds
from rulewright.ir.information_flow.public_values import PublicValues
from rulewright.ir.information_flow.sinks import Sink


class HeardAnswers:
    """Looks where answers go: all know one if they see where it goes, or if it goes nowhere hidden."""

    def __init__(self, program: m.Program, public: PublicValues) -> None:
        self._program, self._public = program, public
        self._fields = {f.name: f for f in program.fields}
        self._answers = Answers(program, keyed=False)
        self._sites: dict[str, list[tuple[str, int, m.Call]]] = {f.name: [] for f in program.functions}
        """The calls of each function, by function and instruction."""
        for function in program.functions:
            for pc, i in instructions_of(function, (m.Call,)):
                self._sites[i.function].append((function.name, pc, i))
        self._which: dict[tuple[str, int], bool] = {}
        pieces = max((kind.members.bit_length() for kind in program.kinds), default=0)
        kinds_of = [frozenset(k.name for k in program.kinds if k.members >> piece & 1) for piece in range(pieces)]
        self._kinds = list(dict.fromkeys(kinds_of))
        """For each piece the kinds that it is of, the same ones once."""

    def which(self, function: str, pc: int) -> bool:
        """True if all know which member was chosen."""
        if (function, pc) not in self._which:
            every: list[Kinds] = [None]
            if self._answers.of(function, pc).piece:
                every = [*self._kinds]
            answers = ((self._answers.of(function, pc, kinds), kinds) for kinds in every)
            self._which[function, pc] = all(self._follows(function, a.which, a.piece, k, ()) for a, k in answers)
        return self._which[function, pc]

    def owners(self, function: str, pc: int) -> frozenset[int]:
        """The slots with players who hear which number or place it was, since they see a field of theirs to which it
        goes; of pieces it depends on what is drawn."""
        answer = self._owned.of(function, pc)
        slots: set[int] = set()
        for trace in () if answer.piece else answer.which.traces:
            field = self._fields.get(trace.name) if trace.sort == "field" else None
            keys = trace.index or ()
            if field is not None and len(keys) == 1 and Level.OWNER in sight_of(self._program).levels(field):
                slots |= {key.slot for key in keys if isinstance(key, m.Local)}
        return frozenset(slots)

    @cached_property
    def _owned(self) -> Answers:
        return Answers(self._program)

    def whether(self, function: str, pc: int) -> bool:
        """True if all know whether it was a member, or which of the words beside them."""
        return self._seen(self._answers.of(function, pc).whether)

    def _follows(self, function: str, flow: Flow, piece: bool, kinds: Kinds, way: tuple[str, ...]) -> bool:
        """The same for what is in some slots of a function, also where it is handed back to."""
        if flow.traces and self._seen(flow.traces, piece):
            return True
        sites = self._sites[function] if flow.returned or flow.handed else ()
        if function in way:
            return False
        for caller, pc, call in sites:
            slots = {call.shared[n] for n in flow.handed if n < len(call.shared)}
            if flow.returned and call.into is not None:
                slots.add(call.into)
            on = self._answers.after(caller, pc, frozenset(slots), piece, kinds)
            both = Flow(tuple(dict.fromkeys((*flow.traces, *on.traces))), on.returned, on.handed)
            if not self._follows(caller, both, piece, kinds, (*way, function)):
                return False
        return bool(sites) or not (piece or flow.traces or flow.returned)

    def _seen(self, traces: tuple[Sink, ...], piece: bool = False) -> bool:
        """True if everybody sees one of some traces, of a piece so that they know which it is, or there are none."""
        public = self._public
        # Who answers may be asked more, in secret: that is as if it were not; that others are asked, is not counted on.
        told = [trace for trace in traces if trace.sort != "asked"]
        return not told or any(
            trace.sort == "open"
            or (trace.sort == "field" and trace.name in (public.naming if piece else public.fields))
            or (trace.sort == "zone" and trace.name in (public.faces if trace.facet == "face" else public.counts))
            for trace in told
        )
