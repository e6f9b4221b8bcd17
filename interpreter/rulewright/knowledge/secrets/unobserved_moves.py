"""Moves that a player does not observe: information flow, as in Denning's analysis.

A player who cannot count a zone does not see when something leaves it. If it is decided in secret whether, or from
which of several such zones, something is moved, then what they remember of these must not depend on it: memory that was
kept, and is lost when something leaves, would reveal it. So before such a place the engine lets those players forget
what lies in the zones concerned, whichever way the rules go on. Everything else is public: which rules are carried
out follows from answers that all know, so all know what has been moved from where to where.

A value is *secret* if it comes from an answer that not all may know, or from a zone or field of which not all see the
faces; or if it is stored where it hangs on a secret value whether that is done. It is followed through slots, calls and
results, in whatever order (D. E. Denning, P. J. Denning, *Certification of programs for secure information flow*,
Communications of the ACM 20(7), 1977). The answer may be too large, never too small.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import field
from itertools import count
from typing import assert_never

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import callees, control_flow_graph
from rulewright.ir.control_flow.function_shape import ShapeCache, shape
from rulewright.ir.dataflow.effects import EffectAnalysis, Names, instructions_of, locations
from rulewright.ir.declared_sight import sight_of
from rulewright.knowledge.answers.public_answers import public_answers
from rulewright.knowledge.piece_visibility import uncounted
from rulewright.knowledge.public_values import public_values
from rulewright.knowledge.secrets.secret_flow import (
    ALWAYS,
    RESULT,
    Fact,
    PieceOrigin,
    SecretFlow,
    Sort,
    World,
    pieces_of,
    secret_flow,
)

Slot = tuple[str, int]
"""A slot of a function; its result is slot -1."""
Touched = tuple[Names, Names]
"""Zones to or from which something is moved, and those that are shuffled."""
NOTHING: Touched = (Names(), Names())

_MOVES = (m.Move, m.SwapItems, m.Call)
"""Instructions that change what lies where, or call what does."""
_KEPT = 4
"""So many flows of a function are kept for what its expressions may mean, those found last."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The places where something must be forgotten, each a function and an instruction, and the zones concerned."""

    places: dict[tuple[str, int], Names] = field(default_factory=dict)
    """The zones of which those forget before it who cannot count them."""
    shuffled: dict[tuple[str, int], Names] = field(default_factory=dict)
    """Zones whose order may change there: all forget who do not see them."""


_kept: ShapeCache[Forgotten] = ShapeCache()
_worlds: ShapeCache[int] = ShapeCache()
_numbers = count()


def unobserved_moves(
    program: m.Program, kept: Callable[[Callable[[], Forgotten]], Forgotten] | None = None
) -> Forgotten:
    """Moves that must be forgotten in a game; games that differ only in numbers have that in common.

    What was found for this very program before may be `kept` somewhere, where it is looked up first.
    """
    search = _UnobservedMoves(program)
    return _kept.get(search.kind(), search.find if kept is None else lambda: kept(search.find))


@memoized_by_node
def _flows_of(function: m.Function) -> OrderedDict[int, SecretFlow]:
    """The flows of secrets through a function, by the world in which its expressions stand."""
    return OrderedDict()


class _UnobservedMoves:
    """Finds the places where something must be forgotten."""

    def __init__(self, program: m.Program) -> None:
        self.program = program
        self._sight, self._public = sight_of(program), public_values(program)
        self.uncounted = uncounted(program)
        """The zones that not everyone can always count."""
        self._covered = frozenset(z.name for z in program.zones if not self._sight.open(z))
        self._depend = EffectAnalysis.of(program)
        self._forgotten = Forgotten()

    def kind(self) -> Hashable:
        """All that decides upon the outcome: equal in two games, equal places in both."""
        program = self.program
        return self._meaning(), self._public.kind, program.kinds, tuple(map(shape, program.functions))

    def _meaning(self) -> Hashable:
        """All that decides upon what an expression means for secrets."""
        zones = tuple((z.name, z.name in self._covered, self._seen_by_all(z)) for z in self.program.zones)
        fields = tuple((f.name, self._seen_by_all(f)) for f in self.program.fields)
        return zones, fields, self._depend.all_reads()

    def _seen_by_all(self, declared: m.Zone | m.Field) -> tuple[bool, bool]:
        return self._sight.everybody(declared), self._sight.everybody(declared, "count")

    def find(self) -> Forgotten:
        """Look at all functions."""
        program = self.program
        mixing = (i for f in program.functions for i in f.code if isinstance(i, m.SwapItems))
        if not self.uncounted and not any(i.zone in self._covered for i in mixing):
            return self._forgotten
        hidden = [f"field {f.name}" for f in program.fields if not self._sight.everybody(f)]
        zones = [f"zone {name}" for name in self._covered]
        tokens = frozenset((*hidden, *zones, "side")) | locations(program.zones)
        self._zones = frozenset(z.name for z in program.zones)
        self._world = World(self._zones, self.uncounted, tokens, self._depend)
        number = _worlds.get(self._meaning(), lambda: next(_numbers))
        self._flows = {f.name: self._flow(f, number) for f in program.functions}
        self._pieces = {f.name: frozenset(pieces_of(f)) for f in program.functions}
        self._facts = self._find_facts()
        self._origins = self._find_origins()
        self._touched = self._touching()
        self._find()
        return self._forgotten

    def _flow(self, f: m.Function, world: int) -> SecretFlow:
        known = _flows_of(f)
        found = known.get(world)
        if found is None:
            found = known[world] = secret_flow(f, self._world)
            if len(known) > _KEPT:
                known.popitem(last=False)
        return found

    # -------------------------------------------------------------------------------------------------- answers

    def _find_facts(self) -> frozenset[Fact]:
        """All that follows from the answers that not all may know, and from what is always hidden."""
        answers = public_answers(self.program)
        untold = [
            (Sort.UNTOLD, f.name, pc)
            for f in self.program.functions
            for pc, _ in instructions_of(f, (m.Choose, m.Chance))
            if not answers.known_to_all(f.name, pc)
        ]
        follows: dict[Fact, list[Fact]] = {}
        for flow in self._flows.values():
            for premise, conclusions in flow.follows.items():
                follows.setdefault(premise, []).extend(conclusions)
        follows.setdefault(ALWAYS, []).extend(untold)
        return frozenset(reachable((ALWAYS,), lambda fact: follows.get(fact, ())))

    # ---------------------------------------------------------------------------------------------------- pieces

    def _find_origins(self) -> dict[Slot, set[str]]:
        """For each slot with pieces the zones they may come from."""
        found: dict[Slot, set[str]] = {}
        after: dict[Slot, list[Slot]] = {}
        waiting: list[Slot] = []

        def come(slot: Slot, zones: Iterable[str]) -> None:
            known = found.setdefault(slot, set())
            if not known.issuperset(zones):
                known.update(zones)
                waiting.append(slot)

        for name, flow in self._flows.items():
            loose = self._is_loose(name)
            for function, slot, source in flow.comes:
                if slot == RESULT or slot in self._pieces[function]:
                    come((function, slot), self._zones if loose and source.slots else source.zones)
                    for held in source.slots:
                        after.setdefault((name, held), []).append((function, slot))
            for called, there, function, slot in flow.copies:
                after.setdefault((called, there), []).append((function, slot))
        while waiting:
            here = waiting.pop()
            for to in after.get(here, ()):
                come(to, found[here])
        return found

    def _is_loose(self, name: str) -> bool:
        return (Sort.LOOSE, name, 0) in self._facts

    def _from(self, name: str, source: PieceOrigin) -> Names:
        """The zones from which pieces may come."""
        if source.slots and self._is_loose(name):
            return self._zones
        return source.zones.union(*(self._origins.get((name, slot), ()) for slot in source.slots))

    # ----------------------------------------------------------------------------------------------------- code

    def _touching(self) -> dict[str, Touched]:
        """For each function the zones that it, and what it calls, may take from, bring to or shuffle."""
        found = {f.name: self._touched_by(f, instructions_of(f, _MOVES), {}) for f in self.program.functions}
        grows = True
        while grows:
            grows = False
            for f in self.program.functions:
                now = joined([found[f.name], *(found[called] for called in callees(f))])
                if now != found[f.name]:
                    found[f.name], grows = now, True
        return found

    def _touched_by(
        self, f: m.Function, instructions: Iterable[tuple[int, m.Instr]], known: dict[str, Touched]
    ) -> Touched:
        return joined(self._touches(f, pc, i, known) for pc, i in instructions)

    def _touches(self, f: m.Function, pc: int, i: m.Instr, known: dict[str, Touched]) -> Touched:
        match i:
            case m.Move():
                zones = self._from(f.name, self._flows[f.name].moves[pc])
                return (zones | {i.zone}) & self.uncounted, Names()
            case m.SwapItems(zone) if zone in self._covered:
                return Names(), frozenset((zone,))
            case m.Call(function):
                return known.get(function, NOTHING)
            case (
                m.SwapItems() | m.SetField() | m.Reset() | m.Flip() | m.Merge() | m.Eliminate() | m.SetLocal()
                | m.Append() | m.Jump() | m.JumpUnless() | m.Return() | m.FinishWin() | m.FinishRank() | m.Fail()
                | m.Choose() | m.Chance() | m.Show() | m.Tell() | m.Fired() | m.Observe() | m.Turn()
            ):  # fmt: skip
                return NOTHING
            case _:
                assert_never(i)

    def _find(self) -> None:
        for f in self.program.functions:
            for pc, i in self._forks(f):
                branch = ((at, f.code[at]) for at in control_flow_graph(f).branch(pc))
                touched = self._touched_by(f, branch, self._touched)
                ways = (pc + 1, *(x.to for x in i.extras)) if isinstance(i, m.Choose) else (pc,)
                for way in ways:
                    self._add(f.name, way, *touched)
            for pc in self._flows[f.name].moves:
                if (Sort.MOVES, f.name, pc) in self._facts:
                    self._add(f.name, pc, *self._touches(f, pc, f.code[pc], self._touched))

    def _forks(self, f: m.Function) -> Iterator[tuple[int, m.Instr]]:
        """The places where it is secret which way the rules go on."""
        forks = instructions_of(f, (m.JumpUnless, m.Choose))
        return ((pc, i) for pc, i in forks if (Sort.FORK, f.name, pc) in self._facts)

    def _add(self, name: str, pc: int, moved: Names, shuffled: Names) -> None:
        at = self._forgotten
        for found, names in ((at.places, moved), (at.shuffled, shuffled)):
            if names:
                found[name, pc] = found.get((name, pc), Names()) | names


def joined(parts: Iterable[Touched]) -> Touched:
    """All that is touched by any of several."""
    moved, shuffled = zip(NOTHING, *parts, strict=True)
    return Names().union(*moved), Names().union(*shuffled)
