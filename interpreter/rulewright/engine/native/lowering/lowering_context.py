"""The parts that all lowered code of a program shares: module and memory, numbers of functions, facts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce
from operator import or_

from rulewright.engine.cells.interchange import Interchange
from rulewright.engine.cells.layout import layout_of
from rulewright.engine.native.lowering.coverage import Coverage
from rulewright.engine.native.lowering.helpers.assertion_functions import AssertionFunctions
from rulewright.engine.native.lowering.helpers.common_functions import ListFunctions, Parts, RankingFunctions
from rulewright.engine.native.lowering.helpers.equivalence_functions import EquivalenceFunctions
from rulewright.engine.native.lowering.helpers.piece_functions import KeptMap, PieceFunctions
from rulewright.engine.native.lowering.helpers.position_functions import PositionFunctions
from rulewright.engine.native.lowering.memo_tables import MemoTables
from rulewright.engine.native.lowering.program_facts import PassLog, ProgramFacts
from rulewright.engine.native.lowering.write_journal import WriteJournal
from rulewright.engine.native.memory_map import (
    BUDGET,
    ENTRY,
    FRAME,
    MemoryMap,
    compared_fields,
    is_large,
    single_zones,
    words,
)
from rulewright.engine.native.observation_plan import Covered, Measured, Observed
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.values import Unsupported, Value
from rulewright.engine.native.webassembly.encoding import Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import Module
from rulewright.engine.native.webassembly.terms import I32, I64, Local
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.assertion_queries import AssertionQueries
from rulewright.ir.control_flow.control_flow_graph import CallGraph, callees
from rulewright.ir.dataflow.memoized_queries import component_queries
from rulewright.ir.dataflow.nullability import Nullability
from rulewright.ir.graphs import unfolded
from rulewright.ir.intervals import of_type
from rulewright.ir.rule_places import RulePlaces, rule_numbers
from rulewright.ir.transform.optimizer import Optimizer
from rulewright.ir.types import BOOL, INT
from rulewright.ir.walk import ExprFacts

MOST_BYTES = 1 << 24
"""So much memory the sets of an area take at most."""


@dataclass(frozen=True, slots=True)
class GrownMap:
    """A growing map: two functions, and the addresses of what they find."""

    find: int
    """The function that finds the places that there are by now."""
    put: int
    """The function that keeps them up to date when a piece is put on a place."""
    members: int
    """The places that there are, a set."""
    items: int
    """The places that there are, as a list."""
    covered: int
    """The places on which pieces lie, a set, and behind it their number."""
    capacity: int
    """The places that there are at most."""


class LoweringContext:
    """The state of one compilation; with `assertions` these are checked, too, policies can ask the queries among
    `rated`, rows of many games hold all that is counted in them, if something is `measured`, and rows of some games
    what seats see, as it is `observed`; what runs cover is noted in a program that is `covered`, turn by turn."""

    counted = False
    """True if instructions are counted: then each game is played from its begin."""

    def __init__(
        self,
        program: m.Program,
        assertions: AssertionQueries | None = None,
        passes: Passes = ALL,
        rated: tuple[str, ...] = (),
        searches: bool = False,
        measured: Measured | None = None,
        observed: Observed | None = None,
        covered: Covered | None = None,
    ) -> None:
        more = (*assertions.invariants, *assertions.shared) if assertions is not None else ()
        self.layout = layout_of(program)
        self.null = Nullability(program).places
        """The parameters, results, slots and lists that may be or hold none."""
        self.optimizer = Optimizer(program, passes, more)
        """The passes over the program; facts besides are found on the program before them."""
        before, program = program, self.optimizer.whole
        self.program = program
        self.log = PassLog(passes, self.optimizer.done)
        self.found = ProgramFacts(program)
        self.memory = MemoryMap(
            self.layout,
            program,
            compared_fields(program, self.found.rules) if "value-sets" in passes else (),
            single_zones(self.found.nodes) if "occupants" in passes else (),
        )
        self.module = self._module()
        self.budget = self.module.add_global(I64, 0, "budget")
        self.frame = self.module.add_global(I32, 0, "frame")
        self.entry = self.module.add_global(I32)
        assert (self.budget.number, self.frame.number, self.entry.number) == (BUDGET, FRAME, ENTRY)
        self.floor = self.memory.reserve(8)
        """The address of the number below which no budget may be: it is raised by who wants the code to stop."""
        self.queries = {q.name: q for q in program.queries}
        self.functions = {f.name: i for i, f in enumerate(program.functions)}
        self.calls = CallGraph(program.functions)
        self.at_once = self._find_at_once()
        """The functions without questions that call none with one, nor themselves: their callers wait."""
        self.tables = {t.name: t for t in program.tables}
        self.kinds = {k.name: k for k in program.kinds}
        self.sided = reduce(or_, (kind.members for kind in program.kinds if kind.sides), 0)
        """The pieces that have sides, as a set."""
        self.areas = {a.name: a for a in program.areas}
        self.facts = ExprFacts(self.queries)
        self._interchange = Interchange(self.layout, [])
        self.alike = bool(self._interchange.classes)
        """True if there are pieces that are alike."""
        self.rule_numbers = rule_numbers(program)
        self.fired = self.memory.reserve(8 * len(self.rule_numbers))
        """The address of a counter for each rule."""
        self.covered = covered
        """The turn and the distances of a program that notes what runs cover."""
        self.offered_words: dict[int, int] = {}
        """For each question the words of the set that is offered."""
        declare = self.module.declare
        self.ending = declare((I32,), (I32,))
        """The function that gives the rule which ends the game, given the one that finishes it."""
        self.pop_frame = declare((I32,), (I32,))
        """The function that drops a frame and returns whether another one goes on."""
        self.draw_of_few = declare((I64, I32), (I32,))
        """The function that draws from a set of one word, given the number of the question that chance decides."""
        self.draw_of_many = declare((I32,), (I32,))
        """The function that draws from what lies where offers lie, a set or a list."""
        self.draw_below = declare((I32, I32), (I32,))
        """The function that draws one of the first so many numbers, given the number of the question, too."""
        self.pick = declare((I64,), (I32,))
        """The function that answers at random, given a set of one word, while :attr:`left` is not 0."""
        self.left = self.module.add_global(I32)
        """The global variable with the number of answers that may still be given at random at the question."""
        self.rated, self.searches, self.measured, self.observed = rated, searches, measured, observed
        self.looking = self.module.add_global(I32) if rated else None
        """The global variable that is not 0 while a policy looks ahead: then the rules stop where chance decides."""
        self.lists = ListFunctions(self.module)
        self.parts = Parts(program, self.layout, self.memory, self.module, self.lists, self.frame, self.budget)
        self.positions = PositionFunctions(self.module, self.memory)
        witnesses = assertions.witnesses if assertions is not None else ()
        self.coverage = (
            Coverage(self.parts, self.rule_numbers, covered.turn, len(witnesses)) if covered is not None else None
        )
        """Instrumentation of a program that is made to explore."""
        self._list_results: dict[str, int] = {}
        self._numbers: dict[tuple[type, str, bool], int] = {}
        self.waiting: list[tuple[m.QueryDef | m.AreaMap | m.Graph, bool]] = []
        """The queries, areas and growing maps that is needed and that are not written yet; True: as questions
        about the earlier state."""
        self._grown: dict[tuple[str, bool], GrownMap] = {}
        self._area_sets: dict[tuple[str, bool], int] = {}
        floods = component_queries(program.queries, self.graphs) if "components" in passes else {}
        self.memos = MemoTables(self.layout, self.memory, before, self.optimizer.charges, more, passes, floods)
        noted = self.coverage.witness if self.coverage is not None else None
        self.assertions = (
            AssertionFunctions(self.parts, assertions, self.memos, self.query_number, noted)
            if assertions is not None
            else None
        )
        """The functions that check the assertions, if they are checked."""
        imagining = self.found.nodes if "journal" in passes else ()
        self.journal = WriteJournal(program, self.memory, self.module, imagining)
        """The notes of what imagined effects store into fields."""
        self.keeps_openings = "openings" in passes and assertions is None and not self.counted
        """True if the way to the first question is played once."""
        self.function_numbers = [declare((I32, I32), (I32,)) for _ in program.functions]

    def _module(self) -> Module:
        return Module()

    def _find_at_once(self) -> frozenset[str]:
        found: set[str] = set()
        waiting = {f.name: f for f in self.program.functions if not any(isinstance(i, m.Choose) for i in f.code)}
        waiting.pop(self.program.main, None)
        while True:
            ready = [name for name, function in waiting.items() if found.issuperset(callees(function))]
            if not ready:
                return frozenset(found)
            found.update(ready)
            for name in ready:
                del waiting[name]

    def rule_body(self, function: int) -> FunctionBody:
        """An empty body for code of the rules."""
        return self.module.body(function)

    def query_number(self, name: str, export: str = "", earlier: bool = False) -> int:
        """The function for a query of the state of now or of the earlier one, which is written if anybody asks for
        it."""
        query = self.queries[name]
        params = [kind for slot in query.params for kind in self.types(slot.ty)]
        return self._number(query, earlier, params, self.types(query.ty), export)

    def area_number(self, name: str, earlier: bool = False) -> int:
        """The function that gives, for a place, the address of the set of places that hang together with it."""
        return self._number(self.areas[name], earlier, (I32,), (I32,))

    def _number(
        self,
        needed: m.QueryDef | m.AreaMap,
        earlier: bool,
        params: Sequence[Type],
        gives: tuple[Type, ...],
        export: str = "",
    ) -> int:
        key = type(needed), needed.name, earlier
        if key not in self._numbers:
            self._numbers[key] = self.module.declare(params, gives, export)
            self.waiting.append((needed, earlier))
        return self._numbers[key]

    def area_sets(self, name: str, earlier: bool) -> tuple[int, int]:
        """The address of the sets of an area, a row for each place, and the bytes of a row."""
        size = self.layout.sizes[self.areas[name].place]
        span = 8 * words(size)
        if span * size > MOST_BYTES:
            raise Unsupported("areas of so many places")
        if (name, earlier) not in self._area_sets:
            self._area_sets[name, earlier] = self.memory.reserve(span * size)
        return self._area_sets[name, earlier], span

    def grown(self, name: str, earlier: bool = False) -> GrownMap:
        """A growing map, whose functions are written when it is needed."""
        found = self._grown.get((name, earlier))
        if found is None:
            graph = self.graphs[name]
            size = len(graph.neighbours)
            most = max((around.bit_count() for around in graph.neighbours), default=0)
            capacity = min(size, max(1, self.layout.pieces * (1 + most)))
            functions = self.module.declare(()), self.module.declare((I32,))
            members, items = self.memory.reserve(8 * words(size)), self.memory.reserve(4 * (1 + capacity))
            covered = self.memory.reserve(8 * words(size) + 4)
            found = self._grown[name, earlier] = GrownMap(*functions, members, items, covered, capacity)
            self.waiting.append((graph, earlier))
        return found

    @cached_property
    def imagines(self) -> bool:
        """True if some expression asks what would be after an effect."""
        return any(isinstance(node, m.After) for node in self.found.nodes)

    def is_interchangeable(self, universe: str) -> bool:
        """True if members of a universe may be offered as one."""
        return universe == "Piece" and self.alike

    def list_result(self, function: str, capacity: int) -> int:
        """The address where a function leaves the list that it gives."""
        if function not in self._list_results:
            self._list_results[function] = self.memory.reserve(4 * (1 + capacity))
        return self._list_results[function]

    @cached_property
    def pieces(self) -> PieceFunctions:
        """The functions that move pieces."""
        needed = {node.graph for node in self.found.nodes if isinstance(node, m.Grown)}
        tables = ((graph, self.memos.find(f"map {name}")) for name, graph in self.graphs.items() if name in needed)
        maps = tuple(KeptMap(graph, table, self.grown(graph.name).put) for graph, table in tables if table is not None)
        return PieceFunctions(self.parts, maps)

    @cached_property
    def equivalence_classes(self) -> EquivalenceFunctions:
        """The functions that find one piece for all that are interchangeable."""
        return EquivalenceFunctions(self.parts, self._interchange)

    @cached_property
    def ranking(self) -> RankingFunctions:
        """The functions that rank players."""
        return RankingFunctions(self.module)

    @cached_property
    def rule_places(self) -> RulePlaces:
        """The rules to which instructions belong."""
        return RulePlaces(self.program)

    @cached_property
    def graphs(self) -> dict[str, m.Graph]:
        """The maps, growing ones as far as they may grow."""
        return {g.name: unfolded(g) for g in self.program.graphs}

    def typed(self, locals_: tuple[Local, ...], ty: m.Ty, null: bool) -> Value:
        """A value of a declared type."""
        if ty.kind == "set":
            bits = self.layout.set_bits(ty)
            if is_large(bits) and locals_:
                return Value(is_set=True, bits=bits, base=locals_[0])
            return Value(locals_, is_set=True, bits=bits)
        low, high = self.bounds(ty)
        return Value(locals_, null=null, low=low, high=high, is_list=ty.kind == "list", capacity=ty.capacity)

    def bounds(self, ty: m.Ty) -> tuple[int, int]:
        """The bounds of a number, index or truth, or of the items of a list: those of numbers are not tested."""
        if ty.kind == "list":
            ty = {"Bool": BOOL, "Int": INT}.get(ty.universe, m.Ty("entity", ty.universe))
        within = of_type(ty, self.layout.sizes)
        assert within is not None
        return within

    def types(self, ty: m.Ty) -> tuple[Type, ...]:
        """The types of the locals of a value; of a large set one has its address."""
        if ty.kind != "set" or is_large(self.layout.set_bits(ty)):
            return (I32,)
        return (I64,) * words(self.layout.set_bits(ty))
