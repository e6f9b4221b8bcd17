"""Moves that a player does not observe: information flow, as in Denning's analysis.

Of a zone that somebody cannot count they do not see when something leaves it. If it is decided in secret whether, or
from which of several such zones, something is moved, then what they remember of these must not depend on it: memory
that was kept, and is lost when something leaves, would tell them. So before such a place the engine lets those
players forget what lies in the zones concerned, whichever way the rules go on. Pieces that are exchanged leave each
zone with as many as before, so of that even those do not hear who can count, and all forget who do not see the faces.
Everything else is public: which rules are carried out follows from answers that all know, so all know what has been
moved from where to where.

A value is *secret* if it comes from an answer that not all may know, or from a zone or field of which not all see the
faces; or if it is stored where it hangs on a secret value whether that is done. It is followed through slots, calls and
results, in whatever order (D. E. Denning, P. J. Denning, *Certification of programs for secure information flow*,
Communications of the ACM 20(7), 1977). The answer may be too large, never too small.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import field

from rulewright.ir import model as m
from rulewright.ir.dataflow.answer_flow import Answers, Flow
from rulewright.ir.dataflow.call_graph import callees
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.dataflow.expression_reads import Names, expression_reads, first_reads, instructions_of, known_reads
from rulewright.ir.dataflow.function_shape import shape
from rulewright.ir.dataflow.shape_cache import ShapeCache
from rulewright.ir.dataflow.traces import Trace
from rulewright.lazy_dataclass import dataclass

Slot = tuple[str, int]
"""A slot of a function; its result is slot -1."""
RESULT = -1
Touched = tuple[Names, Names, Names]
"""Zones to or from which something is moved, that are shuffled, and from which pieces are exchanged."""

_FLOWS = (m.SetLocal, m.Append, m.Return, m.Choose, m.Chance, m.Call, m.Exchange, m.Move)
"""Instructions through which something flows from slot to slot, or after which it lies elsewhere."""
_FORKS = (m.JumpUnless, m.Choose)
"""Instructions after which the rules may go on in several ways."""
_MOVES = (m.Move, m.SwapItems, m.Exchange, m.Call)
"""Instructions that change what lies where, or call what does."""


@dataclass(frozen=True, slots=True)
class Reads:
    """The slots, zones and hidden things that an expression looks at."""

    slots: tuple[int, ...]
    zones: Names
    anywhere: bool
    """True if it asks where pieces lie: then they may come from any zone."""
    hidden: bool
    """True if it looks at something that is hidden from somebody."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The places where something must be forgotten, each a function and an instruction, and the zones concerned."""

    places: dict[tuple[str, int], Names] = field(default_factory=dict)
    """The zones of which those forget before it who cannot count them."""
    shuffled: dict[tuple[str, int], Names] = field(default_factory=dict)
    """Zones whose order may change there: all forget who do not see them."""
    exchanged: dict[tuple[str, int], Names] = field(default_factory=dict)
    """Zones from which pieces may be exchanged there for some of another zone."""


_kept: ShapeCache[Forgotten] = ShapeCache()


def unobserved_moves(program: m.Program) -> Forgotten:
    """Moves that must be forgotten in a game; games that differ only in numbers have that in common."""
    search = _UnobservedMoves(program)
    return _kept.get(search.kind(), search.find)


class _UnobservedMoves:
    """Finds the places where something must be forgotten."""

    def __init__(self, program: m.Program) -> None:
        self.program = program
        self._everyone = m.Const((1 << next(u.size for u in program.universes if u.name == "Player")) - 1)
        self.uncounted = frozenset(z.name for z in program.zones if not self._all_see(z, ("face", "count", "back")))
        """The zones that not everyone can always count."""
        self._covered = frozenset(z.name for z in program.zones if z.faced or not self._all_see(z, ("face",)))
        self._depend = EffectAnalysis.of(program)
        self._forgotten = Forgotten()

    def kind(self) -> Hashable:
        """All that decides upon the outcome: equal in two games, equal places in both."""
        zones = tuple((z.name, z.name in self._covered, self._seen_by_all(z)) for z in self.program.zones)
        fields = tuple((f.name, self._seen_by_all(f)) for f in self.program.fields)
        return zones, fields, self._depend.all_reads(), tuple(map(shape, self.program.functions))

    def _seen_by_all(self, declared: m.Zone | m.Field) -> tuple[bool, bool]:
        return self._all_see(declared, ("face",)), self._all_see(declared, ("face", "count", "back"))

    def find(self) -> Forgotten:
        """Look at all functions."""
        program = self.program
        mixing = [i for f in program.functions for i in f.code if isinstance(i, m.SwapItems | m.Exchange)]
        if not self.uncounted and not any(isinstance(i, m.Exchange) or i.zone in self._covered for i in mixing):
            return self._forgotten
        self._uncounted_tokens = frozenset(f"zone {name}" for name in self.uncounted)
        self._answers = Answers(program)
        self._pieces = {
            f.name: {n for n, slot in enumerate(f.slots) if slot.ty.universe == "Piece"} for f in program.functions
        }
        hidden = [f"field {f.name}" for f in program.fields if not self._all_see(f, ("face",))]
        self._hidden = frozenset((*hidden, *(f"zone {name}" for name in self._covered), "where", "side"))
        self._secret: set[Slot] = set()
        self._astray: set[Slot] = set()
        """Slots of which it is secret from where the pieces in them come."""
        self._doubtful: set[Slot] = set()
        """Slots of which it is secret whether they are none."""
        self._again: set[str] = set()
        """Functions in which something may follow from what this step has found."""
        self._handed: set[str] = set()
        """Functions about which this step has found something that their callers see."""
        self._loose: set[str] = set()
        """Functions in which it is secret whether something is moved."""
        self._origins: dict[Slot, set[str]] = {}
        self._shared: dict[str, int] = {}
        """The number of parameters that a function hands back."""
        for i in (i for f in program.functions for i in f.code if isinstance(i, m.Call)):
            self._shared[i.function] = max(self._shared.get(i.function, 0), len(i.shared))
        self._known: dict[int, Reads] = {}
        self._looks = {f.name: known_reads(f) for f in program.functions}
        self._read = {f.name: first_reads(f) for f in program.functions}
        self._flows = {f.name: instructions_of(f, _FLOWS) for f in program.functions}
        self._at = ("", 0)
        """The instruction of this step."""
        self._zones = frozenset(z.name for z in program.zones)
        self._public = {
            (f.name, pc): self._known_to_all(f.name, pc)
            for f in program.functions
            for pc, i in enumerate(f.code)
            if isinstance(i, m.Choose | m.Chance)
        }
        self._trace_slots()
        self._touched = self._touching()
        self._find()
        return self._forgotten

    def _all_see(self, declared: m.Zone | m.Field, facets: tuple[str, ...]) -> bool:
        return any(a.by == self._everyone and (a.facet == "all" or a.facet in facets) for a in declared.audiences)

    # -------------------------------------------------------------------------------------------------- answers

    def _known_to_all(self, name: str, pc: int) -> bool:
        """True if all may know every answer of a question."""
        answer = self._answers.of(name, pc)
        whether = not answer.whether or any(map(self._told_by, answer.whether))
        return whether and self._told(name, answer.which, answer.piece)

    def _told(self, name: str, flow: Flow, piece: bool) -> bool:
        """True if all see where something goes; if it goes nowhere, all hear of it, but of a piece none needs to."""
        if flow.traces or piece:
            return any(self._told_by(trace, piece) for trace in flow.traces)
        return not flow.returned and not any(slot < self._shared.get(name, 0) for slot in flow.handed)

    def _told_by(self, trace: Trace, piece: bool = False) -> bool:
        if piece and trace.sort == "field":  # others only tell where it lies
            return any(
                m.Audience("face", self._everyone) in f.audiences for f in self.program.fields if f.name == trace.name
            )
        if trace.sort not in ("zone", "field"):
            return trace.sort == "open"
        declared: Iterable[m.Zone | m.Field] = self.program.zones if trace.sort == "zone" else self.program.fields
        facets = ("face",) if trace.facet == "face" else ("face", "count", "back")
        return any(self._all_see(d, facets) for d in declared if d.name == trace.name)

    # ---------------------------------------------------------------------------------------------------- slots

    def _trace_slots(self) -> None:
        """Find the secret slots, and the zones their pieces come from, until nothing is added."""
        functions = {f.name: f for f in self.program.functions}
        callers: dict[str, list[str]] = {name: [] for name in functions}
        for f in functions.values():
            for called in callees(f):
                callers[called].append(f.name)
        waiting = dict.fromkeys(functions)
        while waiting:
            name = next(iter(waiting))
            del waiting[name]
            self._again.clear()
            self._handed.clear()
            inside = self._secret_branches(functions[name])
            for pc, i in self._flows[name]:
                self._at = name, pc
                self._step(name, pc, i, pc in inside)
            waiting.update(dict.fromkeys(sorted(self._again)))
            for handed in sorted(self._handed):
                waiting.update(dict.fromkeys(callers[handed]))

    def _mark(self, facts: set[Slot], slot: Slot) -> None:
        if slot not in facts:
            facts.add(slot)
            self._found(slot)

    def _found(self, slot: Slot) -> None:
        """Something was found about a slot: it is looked at again who reads it, but those who are to come anyway."""
        name, number = slot
        at, pc = self._at
        if number == RESULT or number < self._shared.get(name, 0):
            self._handed.add(name)
        read = self._read[name].get(number)
        if read is not None and (name != at or read <= pc):
            self._again.add(name)

    def _come(self, slot: Slot, zones: Iterable[str]) -> None:
        """The pieces in a slot may come from some zones."""
        known = self._origins.setdefault(slot, set())
        if not known.issuperset(zones):
            known.update(zones)
            self._found(slot)

    def _step(self, name: str, pc: int, i: m.Instr, hidden: bool) -> None:
        match i:
            case m.SetLocal() | m.Append():
                self._store((name, i.slot), name, i.value, hidden)
            case m.Return():
                if i.value is not None:
                    self._store((name, RESULT), name, i.value, hidden)
                elif hidden:
                    self._mark(self._secret, (name, RESULT))
            case m.Choose() | m.Chance():
                self._answer((name, i.into), name, i, hidden, self._public[name, pc])
            case m.Call(function, args, into, _, shared):
                for number, arg in enumerate(args):
                    self._store((function, number), name, arg, False)
                if into is not None:
                    self._copy((function, RESULT), (name, into), hidden)
                for number, slot in enumerate(shared):
                    self._copy((function, number), (name, slot), hidden)
                if hidden or function in self._loose:
                    self._lose(name)
            case m.Exchange():
                zones = self._from(name, i.left) | self._from(name, i.right)
                for slot in self._pieces[name]:
                    if self._origins.get((name, slot), set()) & zones:
                        self._come((name, slot), zones)
                if hidden:
                    self._lose(name)
            case m.Move():
                for slot in self._reads(name, i.what).slots:
                    self._come((name, slot), (i.zone,))
                if hidden:
                    self._lose(name)

    def _lose(self, name: str) -> None:
        """Something may be moved in secret: it is not known any more where the pieces lie that slots hold."""
        if name not in self._loose:
            self._loose.add(name)
            self._again.add(name)
            self._handed.add(name)
        for slot in self._pieces[name]:
            self._mark(self._astray, (name, slot))

    def _store(self, slot: Slot, name: str, value: m.Expr, hidden: bool) -> None:
        """A slot gets a value."""
        if not (slot in self._secret and slot in self._doubtful) and (hidden or self._is_secret(name, value)):
            self._mark(self._secret, slot)
            self._mark(self._doubtful, slot)
        if slot not in self._astray and (hidden or self._is_astray(name, value)):
            self._mark(self._astray, slot)
        if slot[1] == RESULT or slot[1] in self._pieces[slot[0]]:
            self._come(slot, self._from(name, value))

    def _answer(self, slot: Slot, name: str, i: m.Choose | m.Chance, hidden: bool, public: bool) -> None:
        """A slot gets a member of a set. That somebody is asked, and what, is known to all."""
        if hidden or not public:
            self._mark(self._secret, slot)
        source = i.source
        if source is not None:
            self._come(slot, self._from(name, source))
        if isinstance(i, m.Choose) or not isinstance(source, m.ZoneGet | m.ZoneList):
            doubtful = hidden or not public
        else:  # none is drawn where nothing lies
            doubtful = hidden or source.zone in self.uncounted or self._is_astray(name, source)
        if doubtful:
            self._mark(self._doubtful, slot)
        while isinstance(source, m.Filter):
            source = source.source
        if hidden or (source is not None and self._is_astray(name, source)):
            self._mark(self._astray, slot)

    def _copy(self, source: Slot, slot: Slot, hidden: bool) -> None:
        for found in (self._secret, self._astray, self._doubtful):
            if hidden or source in found:
                self._mark(found, slot)
        self._come(slot, self._origins.get(source, ()))

    def _is_secret(self, name: str, e: m.Expr) -> bool:
        """True if not all know the value of an expression."""
        match e:
            case m.Cmp(_, m.Local(slot), m.Const(m.NONE)):
                return (name, slot) in self._doubtful
        reads = self._reads(name, e)
        return reads.hidden or any((name, slot) in self._secret for slot in reads.slots)

    def _reads(self, name: str, e: m.Expr) -> Reads:
        """The reads of an expression of a function, found once."""
        known = self._known.get(id(e))
        if known is None:
            known = self._known[id(e)] = self._find_reads(name, e)
        return known

    def _find_reads(self, name: str, e: m.Expr) -> Reads:
        known = self._looks[name]
        looks = known.get(id(e))
        if looks is None:
            looks = known[id(e)] = expression_reads(e)
        found = self._depend.through(looks.reads)
        told = found
        if not looks.reads.asked and looks.counted:
            # Where all see how many lie somewhere, to ask for just that is no secret.
            told = found - (looks.counted - self._uncounted_tokens - looks.uncounted)
        return Reads(
            looks.slots,
            frozenset(token[5:] for token in found if token.startswith("zone ")),
            "where" in found,
            not self._hidden.isdisjoint(told),
        )

    def _is_astray(self, name: str, what: m.Expr) -> bool:
        """True if it may be secret from which zone pieces are taken, or how many of them."""
        match what:
            case m.ZoneGet(_, index) | m.ZoneList(_, index):
                return any(self._is_secret(name, key) for key in index)
            case m.Local(slot):
                return (name, slot) in self._astray
            case m.First() | m.Single() | m.ToList() | m.ToSet():
                return self._is_astray(name, what.of)
            case m.Item():
                return self._is_astray(name, what.list) or self._is_secret(name, what.at)
            case m.Top():
                return any(self._is_secret(name, key) for key in (*what.index, what.count))
            case m.MakeSet(items) | m.MakeList(items):
                return any(self._is_astray(name, item) for item in items)
            case m.Lowest():
                return self._is_astray(name, what.of) or self._is_secret(name, what.count)
        return True

    def _from(self, name: str, e: m.Expr) -> Names:
        """The zones from which the pieces of a value may come."""
        reads, pieces = self._reads(name, e), self._pieces[name]
        slots = [slot for slot in reads.slots if slot in pieces] if pieces else ()
        if reads.anywhere or (slots and name in self._loose):
            return self._zones
        found = reads.zones.union(*(self._origins.get((name, slot), ()) for slot in slots)) if slots else reads.zones
        return found if found or slots else self._zones

    # ----------------------------------------------------------------------------------------------------- code

    def _secret_branches(self, f: m.Function) -> set[int]:
        """The instructions of which it is secret whether they are carried out."""
        return {at for pc in self._forks(f) for at in self._answers.branch(f.name, pc)}

    def _forks(self, f: m.Function) -> Iterator[int]:
        """The places where it is secret which way the rules go on."""
        for pc, i in instructions_of(f, _FORKS):
            secret_way = isinstance(i, m.JumpUnless) and self._is_secret(f.name, i.condition)
            if secret_way or (isinstance(i, m.Choose) and i.extras and not self._public[f.name, pc]):
                yield pc

    def _touching(self) -> dict[str, Touched]:
        """For each function the zones that it, and what it calls, may take from, bring to, shuffle or exchange."""
        found: dict[str, Touched] = {f.name: (Names(), Names(), Names()) for f in self.program.functions}
        grows = True
        while grows:
            grows = False
            for f in self.program.functions:
                now = self._touched_by(f, instructions_of(f, _MOVES), found)
                if now != found[f.name]:
                    found[f.name], grows = now, True
        return found

    def _touched_by(
        self, f: m.Function, instructions: Iterable[tuple[int, m.Instr]], known: dict[str, Touched]
    ) -> Touched:
        moved, shuffled, exchanged = set[str](), set[str](), set[str]()
        for _, i in instructions:
            match i:
                case m.Move():
                    moved |= self._from(f.name, i.what) | {i.zone}
                case m.SwapItems(zone) if zone in self._covered:
                    shuffled.add(zone)
                case m.Exchange():
                    exchanged |= self._from(f.name, i.left) | self._from(f.name, i.right)
                case m.Call(function):
                    moved |= known[function][0]
                    shuffled |= known[function][1]
                    exchanged |= known[function][2]
        return frozenset(moved & self.uncounted), frozenset(shuffled), frozenset(exchanged & self._covered)

    def _find(self) -> None:
        for f in self.program.functions:
            for pc in self._forks(f):
                branch = ((at, f.code[at]) for at in self._answers.branch(f.name, pc))
                touched = self._touched_by(f, branch, self._touched)
                i = f.code[pc]
                ways = (pc + 1, *(x.to for x in i.extras)) if isinstance(i, m.Choose) else (pc,)
                for way in ways:
                    self._add(f.name, way, *touched)
            for pc, i in instructions_of(f, _MOVES):
                if self._astray_move(f.name, i):
                    self._add(f.name, pc, *self._touched_by(f, ((pc, i),), self._touched))

    def _astray_move(self, name: str, i: m.Instr) -> bool:
        """True if an instruction moves something, and it may be secret from where or to where."""
        match i:
            case m.Move():
                return self._is_astray(name, i.what) or any(self._is_secret(name, key) for key in i.index)
            case m.Exchange():
                return self._is_astray(name, i.left) or self._is_astray(name, i.right)
        return False

    def _add(self, name: str, pc: int, moved: Names, shuffled: Names, exchanged: Names) -> None:
        at = self._forgotten
        for found, names in ((at.places, moved), (at.shuffled, shuffled), (at.exchanged, exchanged)):
            if names:
                found[name, pc] = found.get((name, pc), Names()) | names
