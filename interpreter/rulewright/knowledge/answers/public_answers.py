"""Answers of players and of chance that all know when they are given, whatever has led there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property
from threading import local

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import Functions, Slots
from rulewright.ir.control_flow.function_shape import ShapeCache
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.declared_sight import Level, sight_of
from rulewright.ir.facts import Kind, Zoned, from_origins
from rulewright.ir.set_operations import all_have, at_most
from rulewright.knowledge.answers.answer_flow import FORMS, Answers, Flow
from rulewright.knowledge.answers.decided_branches import Kinds
from rulewright.knowledge.answers.sinks import SHOWN_TO_ALL, Sink
from rulewright.knowledge.answers.unobserved_paths import Sight, UnobservedPaths, slots_after
from rulewright.knowledge.public_values import PublicValues, public_values


@dataclass(frozen=True, slots=True)
class Found:
    """Results about the questions of a program so far, each by its function and instruction."""

    which: dict[tuple[str, int], bool]
    whether: dict[tuple[str, int], bool]
    in_sight: dict[tuple[str, int], bool]


class PublicAnswers:
    """Looks where answers go: all know one if they see where it goes, or if it goes nowhere hidden."""

    def __init__(self, program: m.Program, public: PublicValues) -> None:
        self._program, self._public = program, public
        self._fields = {f.name: f for f in program.fields}
        self._answers = Answers(program, keyed=False)
        self._ways = UnobservedPaths(program, self._answers)
        self._functions = {f.name: f for f in program.functions}
        self._sites: dict[str, list[tuple[str, int, m.Call]]] = {f.name: [] for f in program.functions}
        """The calls of each function, by function and instruction."""
        for function in program.functions:
            for pc, i in instructions_of(function, (m.Call,)):
                self._sites[i.function].append((function.name, pc, i))
        self.found = Found({}, {}, {})
        pieces = max((kind.members.bit_length() for kind in program.kinds), default=0)
        kinds_of = [frozenset(k.name for k in program.kinds if k.members >> piece & 1) for piece in range(pieces)]
        self._kinds = list(dict.fromkeys(kinds_of))
        """For each piece the kinds that it is of, the same ones once."""
        self._taken = {zone.name: zone.kinds for zone in program.zones}
        self._traced = _traced.get((public.seen, program.kinds, tuple(self._taken.items())), dict)
        self._looked: dict[str, tuple[object, ...]] = {}
        """The functions whose callers were looked at for the result that is being worked out, with these."""

    def take(self, found: Found) -> None:
        """Take over what was found for this very program before."""
        self.found.which.update(found.which)
        self.found.whether.update(found.whether)
        self.found.in_sight.update(found.in_sight)

    def which(self, function: str, pc: int) -> bool:
        """True if all know which member was chosen."""
        return self._once(self.found.which, self._find_which, function, pc)

    def _find_which(self, function: str, pc: int) -> bool:
        every: list[Kinds] = [None]
        if self._answers.of(function, pc).piece:
            every = [*self._offered(function, pc)]
        return all(self._all_hear(function, pc, kinds) for kinds in every)

    def in_sight(self, function: str, pc: int) -> bool:
        """True if all know which piece was chosen, since they saw it where it lay: it came out of zones that lie open,
        and who sees it there may know the answer."""
        return self._once(self.found.in_sight, self._find_in_sight, function, pc)

    def _find_in_sight(self, function: str, pc: int) -> bool:
        i = self._functions[function].code[pc]
        source = i.source if isinstance(i, m.Choose | m.Chance) else None
        if source is None or not self._lies_open(source):
            return False
        return all(self._told_by_place(function, pc, kinds) for kinds in self._offered(function, pc))

    def member(self, function: str, pc: int) -> bool:
        """True if all know which member was chosen, or which piece, since they saw it where it lay."""
        i = self._functions[function].code[pc]
        of_pieces = isinstance(i, m.Choose | m.Chance) and i.universe == "Piece"
        return self.which(function, pc) or (of_pieces and self.in_sight(function, pc))

    def known_to_all(self, function: str, pc: int) -> bool:
        """True if all know every answer of a question."""
        return self.whether(function, pc) and self.member(function, pc)

    def _told_by_place(self, function: str, pc: int, kinds: Kinds) -> bool:
        """True if those hear which piece of some kinds it was who see it where it lies: by what comes back to a caller,
        or goes into a field only, others learn it."""
        flow = self._answers.of(function, pc, kinds).which
        shared = max((len(call.shared) for _, _, call in self._sites_of(function)), default=0)
        if flow.returned or any(slot < shared for slot in flow.handed):
            return False
        seen = frozenset(
            trace
            for trace in flow.sinks
            if trace.sort in ("open", "turned")
            or (trace.sort == "zone" and trace.facet == "face" and self._takes(trace.name, kinds))
        )
        if len(seen) == len(flow.sinks):
            return True
        sight = Sight(seen, self._ignored(flow, kinds))
        i = self._functions[function].code[pc]
        assert isinstance(i, m.Choose | m.Chance)
        into = frozenset((i.into,))
        return bool(seen) and not any(
            end.hidden for end in self._ways.after(function, pc, into, into, True, kinds, sight)
        )

    def _offered(self, function: str, pc: int) -> Iterator[frozenset[str]]:
        """The kinds of each piece that may be chosen at an instruction, the same ones once."""
        i = self._functions[function].code[pc]
        source = i.source if isinstance(i, m.Choose | m.Chance) else None
        return (kinds for kinds in self._kinds if source is None or self._is_in(source, kinds))

    def _is_in(self, e: m.Expr, kinds: frozenset[str]) -> bool:
        """True if a piece of some kinds may be in a set or list."""

        def own(e: m.Expr, _kind: Kind) -> bool:
            if isinstance(e, Zoned):
                return self._takes(e.zone, kinds)
            return not isinstance(e, m.Kind) or e.name in kinds

        return from_origins(e, own, lambda op, left, right: bool(at_most(op, left, right)))

    def _takes(self, zone: str, kinds: Kinds) -> bool:
        taken = self._taken[zone]
        return not taken or (kinds is not None and not kinds.isdisjoint(taken))

    def _lies_open(self, e: m.Expr) -> bool:
        """True if all see the faces of the pieces of a set or list, where they lie."""
        return from_origins(e, lambda own, _: isinstance(own, Zoned) and own.zone in self._public.faces, all_have)

    def owners(self, function: str, pc: int) -> frozenset[int]:
        """The slots with players who hear which number or place it was, since they see a field of theirs to which it
        goes; of pieces it depends on what is drawn."""
        answer = self._owned.of(function, pc)
        slots: set[int] = set()
        for trace in () if answer.piece else answer.which.sinks:
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
        return self._once(self.found.whether, self._find_whether, function, pc)

    def _once(
        self, known: dict[tuple[str, int], bool], find: Callable[[str, int], bool], function: str, pc: int
    ) -> bool:
        """A finding about a question: the same in all programs in which the function with all that it calls is the
        same, and so are those that call it, as far as they were looked at."""
        if (function, pc) not in known:
            key = find.__name__, function, pc, self._answers.closures[function]
            forms = self._traced.setdefault(key, [])
            for looked, answer in forms:  # noqa: B007 (it is the answer that is given)
                if all(self._callers.get(name) == callers for name, callers in looked.items()):
                    break
            else:
                self._looked = {}
                answer = find(function, pc)
                forms.append((self._looked, answer))
                del forms[:-FORMS]
            known[function, pc] = answer
        return known[function, pc]

    @cached_property
    def _callers(self) -> dict[str, tuple[object, ...]]:
        """For each function where it is called, and all that its callers call."""
        below = self._answers.closures
        return {name: tuple((f, pc, below[f]) for f, pc, _ in sites) for name, sites in self._sites.items()}

    def _sites_of(self, function: str) -> list[tuple[str, int, m.Call]]:
        """The calls of a function: what is being worked out depends on them."""
        self._looked[function] = self._callers[function]
        return self._sites[function]

    def _find_whether(self, function: str, pc: int) -> bool:
        traces = self._answers.of(function, pc).whether
        if not self._seen(traces):
            return False
        public = frozenset(trace for trace in traces if self._is_public(trace, False))
        if not traces or len(public) == len(traces):
            return True
        sight = Sight(public, frozenset(t for t in traces if t.sort == "asked" or t.name == m.PAID))
        return len(self._ways.unseen_options(function, pc, sight)) < 2

    def _all_hear(self, function: str, pc: int, kinds: Kinds) -> bool:
        """True if all know the answers of a question, or those that are pieces of some kinds."""
        answer = self._answers.of(function, pc, kinds)
        if not self._follows(function, answer.which, answer.piece, kinds, ()):
            return False
        i = self._functions[function].code[pc]
        assert isinstance(i, m.Choose | m.Chance)
        return not self._is_missed(function, pc, frozenset((i.into,)), answer.piece, kinds, False, ())

    def _follows(self, function: str, flow: Flow, piece: bool, kinds: Kinds, way: tuple[str, ...]) -> bool:
        """True if all see a place to which it goes, whatever is in some slots of a function, also where it is handed
        back to; or if it goes to none."""
        if flow.sinks and self._seen(flow.sinks, piece):
            return True
        sites = self._sites_of(function) if flow.returned or flow.handed else ()
        if function in way:
            return False
        for caller, pc, call in sites:
            on = self._answers.after(caller, pc, slots_after(call, flow.returned, flow.handed), piece, kinds)
            both = Flow(tuple(dict.fromkeys((*flow.sinks, *on.sinks))), on.returned, on.handed)
            if not self._follows(caller, both, piece, kinds, (*way, function)):
                return False
        return bool(sites) or not (piece or flow.sinks or flow.returned)

    def _is_missed(
        self, function: str, pc: int, slots: Slots, piece: bool, kinds: Kinds, hidden: bool, way: tuple[str, ...]
    ) -> bool:
        """True if there is a way on which it goes where not all see it, and nowhere where they do; `hidden`: it has
        gone there before."""
        flow = self._answers.after(function, pc, slots, piece, kinds)
        sight = Sight(frozenset(t for t in flow.sinks if self._is_public(t, piece)), self._ignored(flow, kinds))
        for end in self._ways.after(function, pc, slots, slots, piece, kinds, sight):
            unseen = hidden or end.hidden
            back = (end.returned or end.handed) and function not in way
            sites = self._sites_of(function) if back else []
            if unseen and not sites:
                return True
            for caller, at, call in sites:
                after = slots_after(call, end.returned, end.handed)
                if self._is_missed(caller, at, after, piece, kinds, unseen, (*way, function)):
                    return True
        return False

    def _ignored(self, flow: Flow, kinds: Kinds) -> frozenset[Sink]:
        """The traces of what is paid, which is no secret, and of what cannot lie there, or only leads to questions."""
        return frozenset(
            trace
            for trace in flow.sinks
            if trace.sort == "asked"
            or (trace.sort == "field" and trace.name == m.PAID)
            or (trace.sort == "zone" and kinds is not None and not self._takes(trace.name, kinds))
        )

    def _seen(self, traces: tuple[Sink, ...], piece: bool = False) -> bool:
        """True if everybody sees one of some traces, of a piece so that they know which it is, or there are none."""
        # Further secret questions to who answers do not count, nor do questions to others.
        answers = [trace for trace in traces if trace.sort != "asked"]
        return not answers or any(self._is_public(trace, piece) for trace in answers)

    def _is_public(self, trace: Sink, piece: bool) -> bool:
        public = self._public
        return (
            trace.sort == "open"
            or trace == SHOWN_TO_ALL
            or (trace.sort == "field" and trace.name in (public.naming if piece else public.fields))
            or (trace.sort == "zone" and trace.name in (public.faces if trace.facet == "face" else public.counts))
        )


_Key = tuple[str, str, int, Functions]
_traced: ShapeCache[dict[_Key, list[tuple[dict[str, tuple[object, ...]], bool]]]] = ShapeCache()
"""By what everybody sees, and what lies where: findings about questions of functions, with the calls on which they
depend."""


class _Recent(local):
    """The last answers that were looked at, of each thread its own: what they find, they keep step by step."""

    def __init__(self) -> None:
        self.kept: deque[tuple[m.Program, PublicAnswers]] = deque(maxlen=2)


_recent = _Recent()


def public_answers(program: m.Program) -> PublicAnswers:
    """The answers of a program that all know: several analyses ask for them, one after the other."""
    for known, answers in _recent.kept:
        if known is program:
            return answers
    found = PublicAnswers(program, public_values(program))
    _recent.kept.append((program, found))
    return found
