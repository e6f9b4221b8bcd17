"""Facts that follow from the printed map, for places that are known."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.fuzzing.model_finding.symbolic_values import Number, Value
from rulewright.ir import model as m
from rulewright.ir.model import NONE

Part = Callable[[m.Expr], int | Number]


class MapFacts:
    """The facts of the maps of a program; growing maps have none that are printed."""

    def __init__(self, program: m.Program) -> None:
        self._graphs = {graph.name: graph for graph in program.graphs if graph.shape != "growing"}

    def value(self, e: m.Expr, part: Part) -> Value | None:
        """The value of an expression; None if it is no such fact, or of places that are not known."""
        match e:
            case m.NeighboursOf(name) if name in self._graphs:
                place = part(e.place)
                if not isinstance(place, int):
                    return None
                return self._graphs[name].neighbours[place] if place != NONE else 0
            case m.Towards(name) if name in self._graphs:
                known = [part(one) for one in (e.place, e.direction, e.steps)]
                numbers = [one for one in known if isinstance(one, int)]
                if len(numbers) < len(known):
                    return None
                return self._towards(self._graphs[name], numbers[0], numbers[1], numbers[2])
            case m.DistanceOf(name) if name in self._graphs:
                start, end = part(e.start), part(e.end)
                if not isinstance(start, int) or not isinstance(end, int):
                    return None
                return NONE if NONE in (start, end) else self._graphs[name].distance[start][end]
            case _:
                return None

    @staticmethod
    def _towards(graph: m.Graph, place: int, direction: int, steps: int) -> Value | None:
        if NONE in (place, direction, steps):
            return NONE
        if steps < 0:
            return None
        for _ in range(steps):
            place = graph.towards[direction][place]
            if place == NONE:
                break
        return place


__all__ = ["MapFacts"]
