"""Analyses of values that are overwritten before they are read, or read after they have changed."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.syntax import ast

# ----------------------------------------------------------------------------------------------------- overwritten copy
# EXM136: a loop copies from place to place what it has overwritten before.


def overwritten_copies(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A loop goes through places and gives each what the one beside it holds, in an order in which that one has always
    had its turn before: what comes to the first one comes to all of them.
    """
    for function in examined.functions.values():
        for i in function.code:
            match i:
                case m.SetField(
                    field,
                    (m.Local(slot),),
                    m.FieldGet(read, (m.Towards(graph, m.Local(of), m.Const(direction), m.Const(steps)),)),
                ) if field == read and slot == of and _had_its_turn(examined, function, slot, graph, direction, steps):
                    yield Suspect(
                        "EXM136",
                        function.name,
                        field,
                        f"each place gets `{field}` of the one beside it, which has had its turn already: all of them "
                        "get what comes to the first one",
                        "go through them in the opposite order (`by … descending`)",
                        kinds=(ast.Assign,),
                        words=frozenset((field,)),
                    )
                case _:
                    pass


def _had_its_turn(
    examined: ExaminedProgram, function: m.Function, slot: int, name: str, direction: int, steps: int
) -> bool:
    """True if a loop over places comes to the one in that direction before it comes to a place, wherever it is."""
    graph = next(graph for graph in examined.program.graphs if graph.name == name)
    key = _key(examined, function, slot, graph)
    if key is None or direction >= len(graph.towards):
        return False
    pairs = []
    for place in range(len(graph.towards[direction])):
        beside = place
        for _ in range(steps):
            beside = graph.towards[direction][beside] if beside != m.NONE else m.NONE
        if beside != m.NONE:
            pairs.append((beside, place))
    return bool(pairs) and all(key[beside] < key[place] for beside, place in pairs)


def _key(examined: ExaminedProgram, function: m.Function, slot: int, graph: m.Graph) -> list[int] | None:
    """For each place when a loop over all of them comes to it; None if that is not known."""
    own = [i.value for i in function.code if isinstance(i, m.SetLocal) and i.slot == slot]
    match own:
        case [m.First(m.Local(left))] | [m.Item(m.Local(left))]:
            pass
        case _:
            return None
    sources = [i.value for i in function.code if isinstance(i, m.SetLocal) and i.slot == left]
    return _turns(examined, sources[0], graph) if sources else None


def _turns(examined: ExaminedProgram, source: m.Expr, graph: m.Graph) -> list[int] | None:
    """For each place its turn in a set or list, if that is of all places."""
    places = len(graph.neighbours)
    match source:
        case m.Alive(universe) if universe == graph.place:
            return list(range(places))
        case m.Sort(m.Alive(universe), var, m.Attr(table, m.Var(of)), descending) if (
            universe == graph.place and var == of
        ):
            values = examined.tables[table].values
            numbers = [value for value in values if isinstance(value, int)]
            return [-n if descending else n for n in numbers] if len(numbers) == places else None
        case _:
            return None
