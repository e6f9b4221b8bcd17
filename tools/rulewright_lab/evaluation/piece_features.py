"""Features of the pieces: how many of each kind a seat holds in its zones, or has in those of all, and what is printed
on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.engine import Engine
from rulewright.ir import NONE, Table, Zone
from rulewright_lab.evaluation.feature_table import FEW, CellPlan, PieceOwners, Reading, SeatsOf

_Parts = dict[int, tuple[tuple[int, int], ...]]
"""For a piece what it adds: rows and amounts."""


class PieceFeatures:
    """Pieces in zones that have a key for seats count for these, elsewhere for their owners."""

    def __init__(self, engine: Engine, seats: SeatsOf, owners: PieceOwners, plan: CellPlan) -> None:
        self._engine, self._seats, self._players = engine, seats, seats.players
        program, layout = engine.program, engine.layout
        names: list[str] = []
        self._whose: list[tuple[int, ...] | None] = []
        """For each instance of a zone the seats that hold what lies there; None: the owners of the pieces."""
        parts: list[_Parts] = []
        for zone in program.zones:
            at = seats.position(zone.index)
            parts.append({} if zone.is_internal else self._of(zone, at >= 0, owners, names))
        self._parts = [parts[instance.zone] for instance in layout.instances]
        for instance in layout.instances:
            index = program.zones[instance.zone].index
            at = seats.position(index)
            self._whose.append(seats.of(index[at], instance.keys[at]) if at >= 0 else None)
        self._owners, self._locations = owners, plan.locations(engine)
        self.names = tuple(names)

    def _of(self, zone: Zone, held: bool, owners: PieceOwners, names: list[str]) -> _Parts:
        """The rows and amounts that each piece adds in a zone; new rows get a name."""
        kinds = {kind.name: kind.members for kind in self._engine.program.kinds}
        taken = range(self._engine.layout.pieces)
        if zone.kinds:
            taken_set = 0
            for kind in zone.kinds:
                taken_set |= kinds.get(kind, 0)
            taken = [piece for piece in taken if taken_set >> piece & 1]  # type: ignore[assignment]
        pieces = [piece for piece in taken if held or owners.of(piece)]
        if not pieces:
            return {}
        own, rows = "" if held else "own ", dict[str, int]()
        found: dict[int, list[tuple[int, int]]] = {piece: [] for piece in pieces}
        known = list[dict[int, int]]()
        for name, counted in self._groups(pieces, f"in {zone.name}", own):
            if counted in known:
                continue  # the same by another name
            known.append(counted)
            rows[name] = len(names)
            names.append(name)
            for piece, amount in counted.items():
                found[piece].append((rows[name], amount))
        return {piece: tuple(adds) for piece, adds in found.items()}

    def _groups(self, pieces: Sequence[int], where: str, own: str) -> Iterator[tuple[str, dict[int, int]]]:
        """Features of some pieces in a zone, each with the amount that a piece adds to it."""
        yield f"{own}pieces {where}", dict.fromkeys(pieces, 1)
        program = self._engine.program
        for kind in program.kinds:
            members = [piece for piece in pieces if kind.members >> piece & 1]
            if 0 < len(members) < len(pieces):
                yield f"{own}{kind.name} {where}", dict.fromkeys(members, 1)
        keys = self._engine.layout.universes["Piece"].keys
        named = sorted({keys[piece] for piece in pieces})
        if 1 < len(named) <= FEW:
            for key in named:
                yield f"{own}{key} {where}", {piece: 1 for piece in pieces if keys[piece] == key}
        for table in program.tables:
            if table.universe == "Piece" and table.ty.universe not in self._seats:
                yield from self._printed(table, pieces, where, own)

    def _printed(
        self, table: Table, pieces: Sequence[int], where: str, own: str
    ) -> Iterator[tuple[str, dict[int, int]]]:
        """The sum of a number or truth that is printed on pieces, and the pieces by each of few values."""
        word = table.name.rpartition(".")[2]
        values = {piece: table.values[piece] for piece in pieces}
        plain = {piece: value for piece, value in values.items() if isinstance(value, int) and value != NONE}
        if len(set(plain.values())) < 2 and len(plain) in (0, len(pieces)):
            return  # the same on all
        if table.ty.kind in ("int", "bool"):
            yield f"{own}{word} {where}", plain
        elif table.ty.kind == "entity" and self._engine.layout.sizes.get(table.ty.universe, FEW + 1) <= FEW:
            for member in sorted(set(plain.values())):
                key = self._engine.layout.key(table.ty.universe, member)
                yield f"{own}{word} {key} {where}", {piece: 1 for piece, value in plain.items() if value == member}

    def add(self, reading: Reading, to: list[int], first: int) -> None:
        """Add what each piece adds where it lies."""
        if not self.names:
            return
        players, owners = self._players, self._owners
        parts, whose = self._parts, self._whose
        for piece, instance in enumerate(reading.cells[self._locations]):
            adds = parts[instance].get(piece)
            if adds:
                seats = whose[instance]
                for seat in owners.of(piece) if seats is None else seats:
                    for row, amount in adds:
                        to[(first + row) * players + seat] += amount
