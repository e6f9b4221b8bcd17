"""Facts that all closures of a program share: its layout, its optimizer, results of analyses."""

from __future__ import annotations

from collections.abc import Collection
from threading import RLock

from rulewright.engine import faults
from rulewright.engine.cells.layout import layout_of
from rulewright.engine.cells.support import Support
from rulewright.engine.evaluator.registers import MemoLayout
from rulewright.ir import model as m
from rulewright.ir.control_flow.questions import move_in_turns
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.dataflow.nullability import Nullability
from rulewright.ir.declared_sight import hides_anything
from rulewright.ir.graphs import unfolded
from rulewright.ir.model import Program
from rulewright.ir.rule_places import rule_numbers
from rulewright.ir.transform.optimizer import Optimizer
from rulewright.ir.transform.passes import SHARED
from rulewright.knowledge.kept_results import forgotten_places
from rulewright.knowledge.piece_visibility import moves_out_of_sight, uncounted


class Context:
    """Facts about a program that its closures are made from."""

    def __init__(self, program: Program, passes: Collection[str] = SHARED) -> None:
        self.program = program
        self.optimizer = Optimizer(program, passes)
        """The passes over the program: what is written is what they make of queries and instructions."""
        self.layout = layout_of(program)
        self.depend = EffectAnalysis.of(program)
        self.queries = {q.name: q for q in program.queries}
        self.functions = {f.name: i for i, f in enumerate(program.functions)}
        self.tables = self.optimizer.tables
        self.kinds = {k.name: k for k in program.kinds}
        self.graphs = {g.name: unfolded(g) for g in program.graphs}
        self.areas = {a.name: a for a in program.areas}
        self.merged_of = {m.name: m for m in program.merged}
        self.facts = self.optimizer.facts
        self.memo_layout = MemoLayout(self.optimizer.charges.program)
        self.support = Support(self.layout, self.graphs, self.merged_of)
        self.rules = faults.Rules(program)
        self.changing_zones = self._find_changing_zones(("face", "all"))
        """Zones of which it depends on the state of the game who sees the faces, with what that depends on."""
        self.changing_audiences = self._find_changing_zones(("face", "back", "count", "all"))
        """Zones of which it depends on the state who sees anything of them, with what that depends on."""
        self._unobserved = forgotten_places(program) if self.support.player_memory is not None else None
        self.hides = hides_anything(program)
        self.out_of_sight = moves_out_of_sight(program)
        self.moves_in_turns = move_in_turns(program.functions)
        self.uncounted = self._numbers(uncounted(program))
        """The zones, by number, that not everyone can count."""
        self.making = RLock()
        """Held while closures are made: threads that play one game come to new ones at the same time."""
        self.null = Nullability(program).places
        """The parameters, results, slots and lists that may be or hold none."""
        self.rule_numbers = rule_numbers(program)

    def _find_changing_zones(self, facets: tuple[str, ...]) -> dict[str, frozenset[str]]:
        found = {}
        for zone in self.program.zones:
            by = [a.by for a in zone.audiences if a.by is not None and a.facet in facets]
            read = frozenset[str]().union(*(self.depend.reads(e) for e in by))
            if read:
                found[zone.name] = read
        return found

    def sight_changes(self, i: m.Instr) -> tuple[int, ...]:
        """The zones, by number, of which an instruction may change who sees the faces."""
        if not self.changing_zones:
            return ()
        written = self.depend.writes(i)
        names = [name for name, read in self.changing_zones.items() if read & written]
        return self._numbers(names)

    def unobserved(self, function: str, pc: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The zones, by number, where something may be moved or shuffled that a player does not observe."""
        if self._unobserved is None:
            return (), ()
        return (
            self._numbers(self._unobserved.places.get((function, pc), ())),
            self._numbers(self._unobserved.shuffled.get((function, pc), ())),
        )

    def _numbers(self, names: Collection[str]) -> tuple[int, ...]:
        places = [self.layout.zones[name] for name in sorted(names)]
        return tuple(n for place in places for n in range(place.first, place.first + place.count))
