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
        self._functions = {f.name: f for f in program.functions}
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
        self._open: dict[tuple[str, int], bool] = {}
        self._taken = {zone.name: zone.kinds for zone in program.zones}

    def which(self, function: str, pc: int) -> bool:
        """True if all know which member was chosen."""
        if (function, pc) not in self._which:
            every: list[Kinds] = [None]
            if self._answers.of(function, pc).piece:
                every = [*self._kinds]
            answers = ((self._answers.of(function, pc, kinds), kinds) for kinds in every)
            self._which[function, pc] = all(self._follows(function, a.which, a.piece, k, ()) for a, k in answers)
        return self._which[function, pc]

    def in_sight(self, function: str, pc: int) -> bool:
        """True if all know which piece was chosen, since they saw it where it lay: it came out of zones that lie open,
        and who sees it there may know the answer."""
        if (function, pc) not in self._open:
            i = self._functions[function].code[pc]
            source = i.source if isinstance(i, m.Choose | m.Chance) else None
            self._open[function, pc] = (
                source is not None
                and self._lies_open(source)
                and all(self._told_by_place(function, self._answers.of(function, pc, k).which, k) for k in self._kinds)
            )
        return self._open[function, pc]

    def member(self, function: str, pc: int) -> bool:
        """True if all know which member was chosen, or which piece, since they saw it where it lay."""
        i = self._functions[function].code[pc]
        of_pieces = isinstance(i, m.Choose | m.Chance) and i.universe == "Piece"
        return self.which(function, pc) or (of_pieces and self.in_sight(function, pc))

    def known_to_all(self, function: str, pc: int) -> bool:
        """True if all know every answer of a question."""
        return self.whether(function, pc) and self.member(function, pc)

    def _told_by_place(self, function: str, flow: Flow, kinds: Kinds) -> bool:
        """True if those hear which piece of some kinds it was who see it where it lies: by what comes back to a caller,
        or goes into a field only, it is told to others."""
        shared = max((len(call.shared) for _, _, call in self._sites[function]), default=0)
        if flow.returned or any(slot < shared for slot in flow.handed):
            return False
        return not flow.traces or any(
            trace.sort in ("open", "turned")
            or (trace.sort == "zone" and trace.facet == "face" and self._takes(trace.name, kinds))
            for trace in flow.traces
        )

    def _takes(self, zone: str, kinds: Kinds) -> bool:
        taken = self._taken[zone]
        return not taken or (kinds is not None and not kinds.isdisjoint(taken))

    def _lies_open(self, e: m.Expr) -> bool:
        """True if all see the faces of the pieces of a set or list, where they lie."""
        match e:
            case m.ZoneGet(zone) | m.ZoneList(zone) | m.Top(zone):
                return zone in self._public.faces
            case m.Filter(source) | m.Leading(source) | m.ToSet(source) | m.ToList(source):
                return self._lies_open(source)
            case m.SetOp(op, left, right):
                return self._lies_open(left) and (op == "minus" or self._lies_open(right))
            case _:
                return False

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
