"""Features of the fields: what is noted for a seat, and where seats are noted."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulewright.engine import Engine
from rulewright.ir import NONE, PAID, Field
from rulewright_lab.evaluation.feature_table import FEW, CellPlan, PieceOwners, Reading, SeatsOf

_Amount = Callable[[int], int]


def _number(cell: int) -> int:
    return 0 if cell == NONE else cell


def _size(cell: int) -> int:
    return cell.bit_count()


def _given(cell: int) -> int:
    return int(cell != NONE)


_AMOUNTS: dict[str, _Amount] = {"int": _number, "bool": _number, "entity": _given, "set": _size, "list": _number}
"""A value as an amount; the first cell of a list is its length."""


class FieldFeatures:
    """Amounts in fields that have a key for seats, and the seats that are values of others."""

    def __init__(self, engine: Engine, seats: SeatsOf, owners: PieceOwners, plan: CellPlan) -> None:
        self._engine, self._seats, self._owners, self._plan = engine, seats, owners, plan
        names: list[str] = []
        self._amounts: list[tuple[int, int, tuple[int, ...], _Amount]] = []
        """Of a field with a key for seats, or for pieces with an owner: a cell, its row, whose it is, and how it
        counts."""
        self._holders: list[tuple[int, int, str, bool]] = []
        """Of a field of seats: a cell, its row, the universe, and whether it is a set."""
        for field in engine.program.fields:
            if not field.is_internal or field.name == PAID:
                for name, found in self._of(field):
                    if name not in names:
                        names.append(name)
                    found(names.index(name))
        self.names = tuple(names)

    def _of(self, field: Field) -> Iterator[tuple[str, Callable[[int], None]]]:
        """The features of a field: the name of each, and what notes a cell of it under its row."""
        layout, place = self._engine.layout, self._engine.layout.fields[field.name]
        about = self._seats.position(field.index)
        piecewise = field.index == ("Piece",) and self._owners.any
        holds = about < 0 and field.ty.universe in self._seats and field.ty.kind in ("entity", "set")
        if about < 0 and not piecewise and not holds:
            return
        others = [universe for at, universe in enumerate(field.index) if at != about]
        detailed = len(others) == 1 and not piecewise and layout.sizes[others[0]] <= FEW
        for number in range(place.count):
            cell, keys = place.at + number * place.span, layout.keys_of(number, field.index)
            rest = [key for at, key in enumerate(keys) if at != about]
            names = [field.name + (" of own pieces" if piecewise else "")]
            if detailed:
                names.append(f"{field.name}, {layout.key(others[0], rest[0])}")
            for name in names:
                if holds:
                    yield f"{name} (held)", self._noted_holder(cell, field)
                else:
                    whose = self._owners.of(keys[0]) if piecewise else self._seats.of(field.index[about], keys[about])
                    if whose:
                        yield name, self._noted_amount(cell, whose, _AMOUNTS[field.ty.kind])

    def _noted_holder(self, cell: int, field: Field) -> Callable[[int], None]:
        place = self._plan.place(cell)
        return lambda row: self._holders.append((place, row, field.ty.universe, field.ty.kind == "set"))

    def _noted_amount(self, cell: int, whose: tuple[int, ...], amount: _Amount) -> Callable[[int], None]:
        place = self._plan.place(cell)
        return lambda row: self._amounts.append((place, row, whose, amount))

    def add(self, reading: Reading, to: list[int], first: int) -> None:
        """Add all amounts."""
        cells, players = reading.cells, self._seats.players
        for cell, row, whose, amount in self._amounts:
            if value := amount(cells[cell]):
                for seat in whose:
                    to[(first + row) * players + seat] += value
        for cell, row, universe, is_set in self._holders:
            value = cells[cell]
            if value == NONE or (is_set and not value):
                continue
            members = range(value.bit_length()) if is_set else (value,)
            for member in members:
                if not is_set or value >> member & 1:
                    for seat in self._seats.of(universe, member):
                        to[(first + row) * players + seat] += 1
