"""Keys of positions that are the same for symmetric ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product

from rulewright.engine import Engine, SuspendedState, bits_of
from rulewright.ir import MOST_AUTOMORPHISMS, Symmetry, map_symmetries
from rulewright.ir import model as m
from rulewright_lab.theory.symmetry.grounding import Patience
from rulewright_lab.theory.symmetry.invariance import is_symmetry

PATIENCE = 1_000_000
"""Expressions that are looked at to find the symmetries of a game: a few seconds."""
Key = tuple[tuple[int, ...], tuple[int, ...]]
_Cell = tuple[int, Callable[[int], int] | None]
"""From where a cell is taken, and what becomes of its value."""


class Symmetries:
    """The symmetries of the rules of a game that could be proved."""

    def __init__(self, engine: Engine) -> None:
        self._engine, program = engine, engine.program
        self.proved = _proved(program)
        self._frames: dict[tuple[int, int], tuple[tuple[int, m.Ty | None], ...]] = {}

    @property
    def order(self) -> int:
        """The number of positions that can be as one at most."""
        return len(self.proved) + 1

    @cached_property
    def _plans(self) -> list[list[_Cell]]:
        return [self._plan(symmetry) for symmetry in self.proved]

    def key(self, at: SuspendedState) -> tuple[Key, int]:
        """The least of the keys of all positions that are symmetric to this one, and how many these are."""
        cells, stack = tuple(at.cells), tuple(at.stack)
        held = list(self._held(stack))
        keys = {
            (_permuted(cells, plan), _turned(stack, held, symmetry))
            for plan, symmetry in zip((None, *self._plans), ({}, *self.proved), strict=True)
        }
        return min(keys), len(keys)

    def _held(self, stack: Sequence[int]) -> Iterator[tuple[int, m.Ty | None]]:
        """The places in the stack of slots that hold something permuted, with their types; None if nothing asks any
        more for what is there."""
        base = 3
        while base <= len(stack):
            function, pc = stack[base - 3], stack[base - 2]
            offsets = self._engine.compiled.offsets[function]
            for offset, ty in self._moving(function, pc):
                yield base + offset, ty
            base += offsets[-1] + 3

    def _moving(self, function: int, pc: int) -> tuple[tuple[int, m.Ty | None], ...]:
        known = self._frames.get((function, pc))
        if known is None:
            live = self._engine.interchange.live(function, pc)
            slots = self._engine.program.functions[function].slots
            offsets = self._engine.compiled.offsets[function]
            moving = {universe for symmetry in self.proved for universe in symmetry}
            known = self._frames[function, pc] = tuple(
                (offsets[number], slot.ty if number in live else None)
                for number, slot in enumerate(slots)
                if slot.ty.universe in moving
            )
        return known

    def _plan(self, symmetry: Symmetry) -> list[_Cell]:
        """For each cell from where it comes in the permuted state."""
        engine = self._engine
        plan: list[_Cell] = [(at, None) for at in range(len(engine.layout.initial))]
        sizes = engine.layout.sizes
        for declared in engine.program.fields:
            place, change = engine.layout.fields[declared.name], _change(declared.ty, symmetry)
            for keys in product(*(range(sizes[universe]) for universe in declared.index)):
                to = [
                    symmetry[universe][key] if universe in symmetry else key
                    for universe, key in zip(declared.index, keys, strict=True)
                ]
                here, there = (
                    place.at + sum(stride * key for stride, key in zip(place.strides, row, strict=True))
                    for row in (keys, to)
                )
                for number in range(place.span):
                    plan[there + number] = here + number, change
        return plan


def _proved(program: m.Program) -> tuple[Symmetry, ...]:
    """All symmetries that are proved: what two of them do together is one, too."""
    found: list[Symmetry] = []
    patience = Patience(PATIENCE)
    for candidate in map_symmetries(program):
        if candidate in found or not is_symmetry(program, candidate, patience):
            continue
        waiting = [candidate]
        while waiting and len(found) < MOST_AUTOMORPHISMS:
            new = waiting.pop()
            if new not in found and not _is_still(new):
                found.append(new)
                same = [one for one in found if one.keys() == new.keys()]
                waiting += [_together(one, other) for one in same for other in same]
    return tuple(found)


def _together(one: Symmetry, other: Symmetry) -> Symmetry:
    """The permutation that takes members where two take them, one after the other."""
    return {universe: tuple(other[universe][to] for to in places) for universe, places in one.items()}


def _is_still(symmetry: Symmetry) -> bool:
    return all(places == tuple(range(len(places))) for places in symmetry.values())


def _change(ty: m.Ty, symmetry: Symmetry) -> Callable[[int], int] | None:
    """The change of a value of a type; None if it stays."""
    places = symmetry.get(ty.universe)
    if places is None:
        return None
    if ty.kind == "entity":
        return lambda value: value if value == m.NONE else places[value]
    return lambda value: sum(1 << places[one] for one in bits_of(value))


def _permuted(cells: tuple[int, ...], plan: Sequence[_Cell] | None) -> tuple[int, ...]:
    """The cells of the permuted state."""
    if plan is None:
        return cells
    return tuple(cells[at] if change is None else change(cells[at]) for at, change in plan)


def _turned(stack: Sequence[int], held: Iterable[tuple[int, m.Ty | None]], symmetry: Symmetry) -> tuple[int, ...]:
    """The stack of the permuted state, without what nothing asks for."""
    found = list(stack)
    for at, ty in held:
        change = None if ty is None else _change(ty, symmetry)
        found[at] = 0 if ty is None else found[at] if change is None else change(found[at])
    return tuple(found)
