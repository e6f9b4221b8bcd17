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

from collections.abc import Iterable, Iterator

from rulewright.ir import model as m
from rulewright.ir.dataflow.answer_flow import Answers, Flow, Trace
from rulewright.ir.dataflow.call_graph import callees
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.walk import nodes
from rulewright.lazy_dataclass import dataclass

Slot = tuple[str, int]
"""A slot of a function; its result is slot -1."""
RESULT = -1
Names = frozenset[str]
Touched = tuple[Names, Names, Names]
"""Zones to or from which something is moved, that are shuffled, and from which pieces are exchanged."""


@dataclass(frozen=True, slots=True)
class Reads:
    """The slots, zones and hidden things that an expression looks at."""

    slots: tuple[int, ...]
    zones: Names
    anywhere: bool
    """True if it asks where pieces lie: then they may come from any zone."""
    hidden: bool
    """True if it looks at something that is hidden from somebody."""


class UnobservedMoves:
    """The places where something must be forgotten, and the zones concerned."""

    def __init__(self, program: m.Program) -> None:
        self.program = program
        self._everyone = m.Const((1 << next(u.size for u in program.universes if u.name == "Player")) - 1)
        self.uncounted = frozenset(z.name for z in program.zones if not self._all_see(z, ("face", "count", "back")))
        """The zones that not everyone can always count."""
        self._covered = frozenset(z.name for z in program.zones if z.faced or not self._all_see(z, ("face",)))
        self.places: dict[tuple[str, int], Names] = {}
        """For a function and an instruction the zones of which those forget before it who cannot count them."""
        self.shuffled: dict[tuple[str, int], Names] = {}
        """The same for zones whose order may change there: all forget who do not see them."""
        self.exchanged: dict[tuple[str, int], Names] = {}
        """The same for zones from which pieces may be exchanged there for some of another zone."""
        mixing = [i for f in program.functions for i in f.code if isinstance(i, m.SwapItems | m.Exchange)]
        if not self.uncounted and not any(isinstance(i, m.Exchange) or i.zone in self._covered for i in mixing):
            return
        self._depend = EffectAnalysis.of(program)
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
        self._grown: set[str] = set()
        """Functions about which something was found in this step."""
        self._loose: set[str] = set()
        """Functions in which it is secret whether something is moved."""
        self._origins: dict[Slot, set[str]] = {}
        self._shared: dict[str, int] = {}
        """The number of parameters that a function hands back."""
        for i in (i for f in program.functions for i in f.code if isinstance(i, m.Call)):
            self._shared[i.function] = max(self._shared.get(i.function, 0), len(i.shared))
        self._known: dict[int, Reads] = {}
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
            return any(map(self._told_by, flow.traces))
        return not flow.returned and not any(slot < self._shared.get(name, 0) for slot in flow.handed)

    def _told_by(self, trace: Trace) -> bool:
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
            self._grown.clear()
            inside = self._secret_branches(functions[name])
            for pc, i in enumerate(functions[name].code):
                self._step(name, pc, i, pc in inside)
            for grown in sorted(self._grown):
                waiting.update(dict.fromkeys((grown, *callers[grown])))

    def _mark(self, facts: set[Slot], slot: Slot) -> None:
        if slot not in facts:
            facts.add(slot)
            self._grown.add(slot[0])

    def _come(self, slot: Slot, zones: Iterable[str]) -> None:
        """The pieces in a slot may come from some zones."""
        known = self._origins.setdefault(slot, set())
        if not known.issuperset(zones):
            known.update(zones)
            self._grown.add(slot[0])

    def _step(self, name: str, pc: int, i: m.Instr, hidden: bool) -> None:
        match i:
            case m.SetLocal(slot, value) | m.Append(slot, value):
                self._store((name, slot), name, value, hidden)
            case m.Return(value):
                if value is not None:
                    self._store((name, RESULT), name, value, hidden)
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
            case m.Exchange(left, right):
                zones = self._from(name, left) | self._from(name, right)
                for slot in self._pieces[name]:
                    if self._origins.get((name, slot), set()) & zones:
                        self._come((name, slot), zones)
                if hidden:
                    self._lose(name)
            case m.Move(what, zone=zone):
                for slot in self._reads(what).slots:
                    self._come((name, slot), (zone,))
                if hidden:
                    self._lose(name)

    def _lose(self, name: str) -> None:
        """Something may be moved in secret: it is not known any more where the pieces lie that slots hold."""
        if name not in self._loose:
            self._loose.add(name)
            self._grown.add(name)
        for slot in self._pieces[name]:
            self._mark(self._astray, (name, slot))

    def _store(self, slot: Slot, name: str, value: m.Expr, hidden: bool) -> None:
        """A slot gets a value."""
        if hidden or self._is_secret(name, value):
            self._mark(self._secret, slot)
            self._mark(self._doubtful, slot)
        if hidden or self._is_astray(name, value):
            self._mark(self._astray, slot)
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
        reads = self._reads(e)
        return reads.hidden or any((name, slot) in self._secret for slot in reads.slots)

    def _reads(self, e: m.Expr) -> Reads:
        """The reads of an expression, found once."""
        if id(e) not in self._known:
            self._known[id(e)] = self._find_reads(e)
        return self._known[id(e)]

    def _find_reads(self, e: m.Expr) -> Reads:
        inside = list(nodes(e))
        counted = {id(node.of) for node in inside if isinstance(node, m.Size)}
        counted |= {id(node.left) for node in inside if isinstance(node, m.SetEq) and node.right == m.Const(0)}
        zones = [node for node in inside if isinstance(node, m.ZoneGet | m.ZoneList | m.Top)]
        # Where all see how many lie somewhere, to ask for just that is no secret.
        seen = {f"zone {z.zone}" for z in zones if id(z) in counted and z.zone not in self.uncounted}
        others = {f"zone {z.zone}" for z in zones if id(z) not in counted}
        found = self._depend.reads(e)
        asks = any(isinstance(node, m.CallQuery | m.Component) for node in inside)
        told = found if asks else found - (seen - others)
        return Reads(
            tuple(dict.fromkeys(node.slot for node in inside if isinstance(node, m.Local))),
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
            case m.First(of) | m.Single(of) | m.ToList(of) | m.ToSet(of):
                return self._is_astray(name, of)
            case m.Item(of, at):
                return self._is_astray(name, of) or self._is_secret(name, at)
            case m.Top(_, index, count):
                return any(self._is_secret(name, key) for key in (*index, count))
            case m.MakeSet(items) | m.MakeList(items):
                return any(self._is_astray(name, item) for item in items)
            case m.Lowest(of, count):
                return self._is_astray(name, of) or self._is_secret(name, count)
        return True

    def _from(self, name: str, e: m.Expr) -> Names:
        """The zones from which the pieces of a value may come."""
        reads, pieces = self._reads(e), self._pieces[name]
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
        for pc, i in enumerate(f.code):
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
                now = self._touched_by(f, range(len(f.code)), found)
                if now != found[f.name]:
                    found[f.name], grows = now, True
        return found

    def _touched_by(self, f: m.Function, pcs: Iterable[int], known: dict[str, Touched]) -> Touched:
        moved, shuffled, exchanged = set[str](), set[str](), set[str]()
        for pc in pcs:
            i = f.code[pc]
            match i:
                case m.Move(what, zone=zone):
                    moved |= self._from(f.name, what) | {zone}
                case m.SwapItems(zone) if zone in self._covered:
                    shuffled.add(zone)
                case m.Exchange(left, right):
                    exchanged |= self._from(f.name, left) | self._from(f.name, right)
                case m.Call(function):
                    moved |= known[function][0]
                    shuffled |= known[function][1]
                    exchanged |= known[function][2]
        return frozenset(moved & self.uncounted), frozenset(shuffled), frozenset(exchanged & self._covered)

    def _find(self) -> None:
        for f in self.program.functions:
            for pc in self._forks(f):
                touched = self._touched_by(f, self._answers.branch(f.name, pc), self._touched)
                i = f.code[pc]
                ways = (pc + 1, *(x.to for x in i.extras)) if isinstance(i, m.Choose) else (pc,)
                for way in ways:
                    self._add(f.name, way, *touched)
            for pc, i in enumerate(f.code):
                if self._astray_move(f.name, i):
                    self._add(f.name, pc, *self._touched_by(f, (pc,), self._touched))

    def _astray_move(self, name: str, i: m.Instr) -> bool:
        """True if an instruction moves something, and it may be secret from where or to where."""
        match i:
            case m.Move(what, index=index):
                return self._is_astray(name, what) or any(self._is_secret(name, key) for key in index)
            case m.Exchange(left, right):
                return self._is_astray(name, left) or self._is_astray(name, right)
        return False

    def _add(self, name: str, pc: int, moved: Names, shuffled: Names, exchanged: Names) -> None:
        for found, names in ((self.places, moved), (self.shuffled, shuffled), (self.exchanged, exchanged)):
            if names:
                found[name, pc] = found.get((name, pc), Names()) | names
