"""Choice of what is worth remembering: areas of the map, the queries that ask for them, and what does not hold.

An area is one flood over the map, and rules ask for the same one hundreds of times between two changes. So each area,
and each query that (itself or through others) asks for one, keeps its results until an instruction changes what it
reads. In the same way a consequence or end whose condition did not hold is looked for again only when the condition
could have become true.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from rulewright.ir import model as m
from rulewright.ir.assertion_queries import compares
from rulewright.ir.dataflow.effects import Tokens
from rulewright.ir.dataflow.piece_effects import ANY, Concerns, PieceEffects, meet
from rulewright.ir.walk import nodes

LONGEST = 64
"""Longer lists are not remembered."""
MOST_CLASSES = 8
"""So many sets of pieces are distinguished at most."""


class MemoizedQueries:
    """The areas, growing maps, queries and conditions of a program that are remembered, and what invalidates
    them."""

    def __init__(self, program: m.Program, more: Collection[str] = ()) -> None:
        """Find what to memoize: the queries in `more` too, and none that compares states."""
        conditions = dict(_conditions(program))
        self._depend = PieceEffects(program, conditions)
        self.conditions = self._often_asked_in_vain(program, tuple(conditions))
        """The names of the conditions that are remembered."""
        self._without: dict[frozenset[str], PieceEffects] = {}
        self._moved: dict[tuple[str, str, int], list[int]] = {}
        """For each zone to which and from which some pieces are taken what is invalid."""
        self.numbers: dict[str, int] = {}
        """``area x``, ``map x``, ``condition x`` or the name of a query to its number, from 1."""
        costly = costly_queries(program, more)
        kept: list[m.QueryDef | m.AreaMap | m.Graph] = [*program.areas]
        kept += (graph for graph in program.graphs if graph.shape == "growing")
        kept += (q for q in program.queries if q.name in costly and _is_small(q.ty))
        for name in (*map(memo_name, kept), *self.conditions):
            self.numbers[name] = len(self.numbers) + 1

    def _often_asked_in_vain(self, program: m.Program, conditions: tuple[str, ...]) -> tuple[str, ...]:
        """The conditions that are evaluated after a statement although it only moves pieces that they are not about:
        where they are evaluated is decided without looking at pieces."""
        left = dict.fromkeys(conditions)
        for function in program.functions:
            for i in function.code:
                if left and isinstance(i, m.Move | m.Flip):
                    tokens, written = self._depend.effects.writes(i), self._depend.writes(function.name, i)
                    readers = [name for name in left if not tokens.isdisjoint(self.reads_of(name))]
                    for name in readers:
                        if not meet(self._depend.reads_of(name), written):
                            del left[name]
        return tuple(name for name in conditions if name not in left)

    def reads_of(self, name: str) -> Tokens:
        """All that an answer depends on."""
        return self._depend.tokens_of(name)

    def invalidated_by(self, function: str, instruction: m.Instr) -> list[int]:
        """The numbers of what is invalid when an instruction of a function has been carried out."""
        return self._reading(self._depend.writes(function, instruction)) if self.numbers else []

    def invalidated_by_taking(self, function: str, move: m.Move) -> dict[tuple[str, int], list[int]]:
        """The memos that a move from some zone invalidates, by the zone's name and the class of the pieces."""
        found: dict[tuple[str, int], list[int]] = {}
        for number, pieces in enumerate(self.piece_classes):
            for zone, moved in self._depend.taken_from(function, move, pieces):
                key = move.zone, zone, moved
                if key not in self._moved:
                    self._moved[key] = self._reading(self._depend.written_by(*key))
                found[zone, number] = self._moved[key]
        return found

    @cached_property
    def piece_classes(self) -> tuple[int, ...]:
        """All pieces in disjoint sets: those of a set are read by the same results, unless there are too many sets."""
        found = [ANY]
        for about in {pieces for readers in self._readers.values() for _, pieces in readers}:
            parts = [part for one in found for part in (one & about, one & ~about) if part]
            found = parts if len(parts) <= MOST_CLASSES else found
        return tuple(found)

    def _reading(self, written: Concerns) -> list[int]:
        """The numbers of what reads something of this."""
        return sorted({i for token, of in written.items() for i, about in self._readers.get(token, ()) if about & of})

    @cached_property
    def _readers(self) -> dict[str, list[tuple[int, int]]]:
        """For each token the numbers of what depends on it, each with the pieces that this is about."""
        found: dict[str, list[tuple[int, int]]] = {}
        for name, index in self.numbers.items():
            for token, pieces in self._depend.reads_of(name).items():
                found.setdefault(token, []).append((index, pieces))
        return found

    def invalidated_around(self, function: str, i: m.Instr, areas: frozenset[str]) -> tuple[list[int], list[int]]:
        """The invalidated memos in two parts, without some areas: what reads something else that the instruction
        writes, and what is invalid only if one of these areas is another one."""
        written = self._depend.writes(function, i)
        if areas not in self._without:
            self._without[areas] = self._depend.without(areas)
        reads_of = self._without[areas].reads_of
        named = {self.numbers[f"area {area}"] for area in areas}
        direct = [n for name, n in self.numbers.items() if n not in named and meet(reads_of(name), written)]
        return direct, [n for n in self.invalidated_by(function, i) if n not in named and n not in direct]

    def depending(self, written: Tokens) -> list[int]:
        """The numbers of what is invalid when something has been written."""
        return [index for name, index in self.numbers.items() if not written.isdisjoint(self.reads_of(name))]


def memo_name(memoized: m.QueryDef | m.AreaMap | m.Graph) -> str:
    """The name under which the results of a query, area or growing map are kept."""
    match memoized:
        case m.AreaMap(name):
            return f"area {name}"
        case m.Graph(name):
            return f"map {name}"
        case m.QueryDef(name):
            return name


def condition_set_by(function: m.Function, i: m.Instr) -> str:
    """The name of the condition of a consequence or end, if an instruction finds out for which players it holds, if
    any; else an empty one."""
    if function.word != "system" or not isinstance(i, m.SetLocal) or function.slots[i.slot].ty.kind == "set":
        return ""
    return f"condition {function.slots[i.slot].name}"


def _conditions(program: m.Program) -> Iterator[tuple[str, m.Expr]]:
    for function in program.functions:
        for i in function.code if function.word == "system" else ():
            if isinstance(i, m.SetLocal) and (name := condition_set_by(function, i)):
                yield name, i.value


def costly_queries(program: m.Program, more: Collection[str] = ()) -> frozenset[str]:
    """The queries that are worth remembering: those that ask for areas, and `more`; none that compares states is."""
    costly: set[str] = set(more)
    for query in program.queries:  # those that a query asks stand before it
        if any(_is_costly(node, costly) for node in nodes(query.body)) and not compares(query.body):
            costly.add(query.name)
    return frozenset(costly)


def _is_small(ty: m.Ty) -> bool:
    return ty.kind != "list" or ty.capacity <= LONGEST


def _is_costly(node: object, costly: set[str]) -> bool:
    return isinstance(node, m.Closure | m.Component | m.ReachFrom | m.Reaches | m.Grown) or (
        isinstance(node, m.CallQuery) and node.query in costly
    )


def component_queries(queries: Iterable[m.QueryDef], graphs: Mapping[str, m.Graph]) -> dict[str, tuple[int, int]]:
    """For each query whose answer is that of a component which of its parameters is the start, and the number of places
    of the map."""
    found: dict[str, tuple[int, int]] = {}
    for query in queries:
        match question_of(query):
            case m.Reaches(m.ReachFrom(start=m.Var(start), across=None) as flood):
                around = graphs[flood.graph].neighbours
                reads_of_start = sum(node == flood.start for node in nodes(query.body))
                order = next((n for n, slot in enumerate(query.params) if slot.name == start), None)
                if order is not None and reads_of_start == 1 and _is_symmetric(around):
                    found[query.name] = order, len(around)
            case _:
                pass
    return found


def question_of(query: m.QueryDef) -> m.Expr:
    """The question of a query, without a ``not`` before it."""
    return query.body.operand if isinstance(query.body, m.Not) else query.body


def _is_symmetric(neighbours: tuple[int, ...]) -> bool:
    for place, around in enumerate(neighbours):
        while around:
            lowest = around & -around
            if not neighbours[lowest.bit_length() - 1] >> place & 1:
                return False
            around ^= lowest
    return True
