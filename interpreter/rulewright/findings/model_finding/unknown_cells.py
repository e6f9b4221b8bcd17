"""Cells of a position that may hold something else: fields, and pieces that lie in sets and bags.

A cell becomes unknown when a formula asks for it; all others stay as they are. Pieces may lie where they lie, where
they begin, or in a zone that a condition reads. What lies in stacks and rows, sides, regions that were joined, and
lists stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import z3

from rulewright.engine import Engine
from rulewright.findings.model_finding.symbolic_values import Number, Truth, Value
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m
from rulewright.ir.model import NONE

FEW = 3
"""Pieces that are alike and lie in one zone, of which so many may lie elsewhere."""
WIDEST = 10**6
"""A number without bounds is sought up to here."""


class UnknownCells:
    """The unknown cells beside a position."""

    def __init__(self, engine: Engine, cells: Sequence[int]) -> None:
        self._engine, self._layout, self._cells = engine, engine.layout, cells
        self._fields: dict[int, tuple[m.Field, z3.ArithRef | Mapping[int, z3.BoolRef]]] = {}
        self._pieces: dict[int, z3.ArithRef] = {}
        self._queried: dict[int, None] = {}
        self._takes: dict[int, int] = {}
        self._may_move: dict[int, bool] = {}
        self._moving = Counter[tuple[int, int]]()

    def field(self, declared: m.Field, number: int) -> Value:
        """The value of a field under the keys of this number, row by row."""
        place = self._layout.fields[declared.name]
        at, ty = place.at + number * place.span, declared.ty
        if ty.kind == "list":
            return tuple(self._cells[at + 1 : at + 1 + self._cells[at]])
        if declared.is_internal or declared.is_record:
            return self._cells[at]
        if at not in self._fields:
            name = f"{declared.name} {number}"
            if ty.kind == "set":
                universe = range(self._layout.set_bits(ty))
                self._fields[at] = declared, {one: z3.Bool(f"{name} {one}") for one in universe}
            else:
                self._fields[at] = declared, z3.Int(name)
        found = self._fields[at][1]
        return found if isinstance(found, Mapping) else Number(found, ty.optional)

    def within(self, piece: int, instance: int) -> Truth:
        """A condition that a piece lies in a zone, by the number of its instance."""
        if not self._movable(piece):
            return self._cells[self._layout.loc + piece] == instance
        if not self._may_lie(piece, instance):
            return False
        self._queried[instance] = None
        return self._place(piece) == instance

    def instances(self, piece: int) -> list[int]:
        """The zones in which a piece may lie."""
        here = self._cells[self._layout.loc + piece]
        if not self._movable(piece):
            return [here]
        return [number for number in range(len(self._layout.instances)) if self._may_lie(piece, number)]

    def list_of(self, instance: int) -> tuple[int, ...]:
        """The pieces of a stack (from the top) or row, which stay."""
        found = self._layout.instances[instance]
        lying = tuple(self._cells[found.at + 1 : found.at + 1 + self._cells[found.at]])
        return lying[::-1] if found.stack else lying

    def _place(self, piece: int) -> z3.ArithRef:
        if piece not in self._pieces:
            self._pieces[piece] = z3.Int(f"piece {piece}")
        return self._pieces[piece]

    def _movable(self, piece: int) -> bool:
        """True if a piece may lie elsewhere: a few of those that are alike and lie in one zone."""
        if piece not in self._may_move:
            here, alike = self._here(piece), self._engine.program.alike[piece]
            self._moving[here, alike] += 1
            few = self._moving[here, alike] <= FEW
            self._may_move[piece] = few and not self._layout.instances[here].ordered
        return self._may_move[piece]

    def _may_lie(self, piece: int, instance: int) -> bool:
        found = self._layout.instances[instance]
        if found.ordered:
            return False
        zone = found.zone
        if zone not in self._takes:
            kinds = self._engine.program.zones[zone].kinds
            of_kinds = (kind.members for kind in self._engine.program.kinds if kind.name in kinds)
            self._takes[zone] = sum_of(of_kinds)
        return bool(self._takes[zone] >> piece & 1)

    # ------------------------------------------------------------------------------------------ what must hold

    def bounds(self) -> Iterator[z3.BoolRef]:
        """Conditions of unknown cells, whatever is sought: their types."""
        for declared, found in self._fields.values():
            if not isinstance(found, Mapping):
                yield _typed(declared.ty, found, self._layout.sizes)
        for piece, place in self._pieces.items():
            now = (cells[self._layout.loc + piece] for cells in (self._cells, self._layout.initial))
            may = dict.fromkeys((*now, *(one for one in self._queried if self._may_lie(piece, one))))
            yield z3.Or([place == one for one in may if self._may_lie(piece, one) or one == self._here(piece)])

    def overfull(self, model: z3.ModelRef) -> Iterator[z3.BoolRef]:
        """Conditions that a model breaks: zones hold no more than they can. There are many zones, and few matter."""
        lying: dict[int, list[int]] = {}
        for piece, place in self._pieces.items():
            lying.setdefault(model.eval(place, model_completion=True).as_long(), []).append(piece)
        for number, pieces in lying.items():
            instance = self._layout.instances[number]
            staying = sum(1 for piece in bits_of(self._cells[instance.at]) if piece not in self._pieces)
            if staying + len(pieces) > instance.capacity:
                coming = [place == number for place in self._pieces.values()]
                yield z3.AtMost(*coming, max(0, instance.capacity - staying))

    def _here(self, piece: int) -> int:
        return self._cells[self._layout.loc + piece]

    def changes(self) -> list[z3.BoolRef]:
        """For each unknown cell a condition that it holds something else than in the position."""
        found = []
        for at, (_, one) in self._fields.items():
            now = self._cells[at]
            if isinstance(one, Mapping):
                found.append(z3.Or([there != bool(now >> member & 1) for member, there in one.items()]))
            else:
                found.append(one != now)
        return [*found, *(place != self._here(piece) for piece, place in self._pieces.items())]

    def within_reach(self, far: int) -> Iterator[z3.BoolRef]:
        """Conditions that numbers are not farther from what they are."""
        for at, (declared, one) in self._fields.items():
            if not isinstance(one, Mapping) and declared.ty.kind == "int" and self._cells[at] != NONE:
                now = self._cells[at]
                yield z3.Or(z3.And(one >= now - far, one <= now + far), one == NONE)

    def changed(self, model: z3.ModelRef) -> tuple[dict[int, int], dict[int, int]]:
        """Cells of fields that hold something else in a model, with their values, and such pieces with their zones."""
        cells, pieces = dict[int, int](), dict[int, int]()
        for at, (_, one) in self._fields.items():
            if isinstance(one, Mapping):
                value = sum(1 << member for member, there in one.items() if _holds(model, there))
            else:
                value = model.eval(one, model_completion=True).as_long()
            if value != self._cells[at]:
                cells[at] = value
        for piece, place in self._pieces.items():
            number = model.eval(place, model_completion=True).as_long()
            if number != self._here(piece):
                pieces[piece] = number
        return cells, pieces


def sum_of(sets: Iterator[int]) -> int:
    """The union of some bit sets."""
    found = 0
    for one in sets:
        found |= one
    return found


def _holds(model: z3.ModelRef, condition: z3.BoolRef) -> bool:
    return bool(z3.is_true(model.eval(condition, model_completion=True)))


def _typed(ty: m.Ty, found: z3.ArithRef, sizes: Mapping[str, int]) -> z3.BoolRef:
    """A condition that an unknown value is of its type."""
    match ty.kind:
        case "bool":
            low, high = 0, 1
        case "entity":
            low, high = 0, sizes[ty.universe] - 1
        case _:
            low, high = max(ty.low, -WIDEST), min(ty.high, WIDEST)
    inside = z3.And(found >= low, found <= high)
    return z3.Or(inside, found == NONE) if ty.optional else inside


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
