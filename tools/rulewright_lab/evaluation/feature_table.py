"""The table in which the features of a position are added up: a row for each feature, a column for each seat.

The owners of pieces, as far as that is printed on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rulewright.engine import Engine
from rulewright.foundation import dataclass
from rulewright.ir import NONE, Table


@dataclass(frozen=True, slots=True)
class Reading:
    """All that features read of a position."""

    cells: Sequence[int]
    """Cells of a :class:`CellPlan`, in its order."""
    seat: int | None
    """The seat to move."""
    options: int
    rates: Callable[[str], Sequence[int]]
    """The answers of a query about each player."""


class CellPlan:
    """The cells that features read."""

    def __init__(self) -> None:
        self.cells: list[int] = []
        self._places: dict[int, int] = {}

    def place(self, cell: int) -> int:
        """The place of a cell among those that are read: it is one of them from now on."""
        if cell not in self._places:
            self._places[cell] = len(self.cells)
            self.cells.append(cell)
        return self._places[cell]

    def locations(self, engine: Engine) -> slice:
        """The places of the cells that say where each piece lies: they are next to each other, as they come first."""
        first = self.place(engine.layout.loc) if engine.layout.pieces else 0
        for piece in range(engine.layout.pieces):
            self.place(engine.layout.loc + piece)
        return slice(first, first + engine.layout.pieces)


class Family(Protocol):
    """Some features that are found together."""

    names: tuple[str, ...]

    def add(self, reading: Reading, to: list[int], first: int) -> None:
        """Add what a position has of them; the number of the first one's row is given. Whole numbers only, so that
        the order in which they are added does not matter."""


class SeatsOf:
    """The seats that a member of a universe stands for: a player, or the players of a party."""

    def __init__(self, engine: Engine) -> None:
        program = engine.program
        self.players = program.players
        self._masks: dict[str, tuple[int, ...]] = {"Player": tuple(1 << seat for seat in range(program.players))}
        tables = {table.name: table.values for table in program.tables}
        for universe in program.universes:
            members = tables.get(f"{universe.name}.members")
            if universe.sort == "party" and members is not None:
                self._masks[universe.name] = tuple(one if isinstance(one, int) else 0 for one in members)

    def __contains__(self, universe: str) -> bool:
        return universe in self._masks

    def of(self, universe: str, member: int) -> tuple[int, ...]:
        """The seats of a member; none of NONE."""
        masks = self._masks[universe]
        if member == NONE or not 0 <= member < len(masks):
            return ()
        return tuple(seat for seat in range(self.players) if masks[member] >> seat & 1)

    def position(self, index: Sequence[str]) -> int:
        """The first key of an index that stands for seats; -1 if there is none."""
        return next((at for at, universe in enumerate(index) if universe in self._masks), -1)


FEW = 9
"""Features for each member are made of universes of so many at most."""


class PieceOwners:
    """The seats of each piece, by an attribute that names a player or a party: ``owner`` before any other."""

    def __init__(self, engine: Engine, seats: SeatsOf) -> None:
        found = [
            table
            for table in engine.program.tables
            if table.universe == "Piece" and table.ty.kind == "entity" and table.ty.universe in seats
        ]
        chosen = min(found, key=_preference, default=None)
        self._of: tuple[tuple[int, ...], ...] = ()
        if chosen is not None:
            owner = chosen.ty.universe
            self._of = tuple(seats.of(owner, one if isinstance(one, int) else 0) for one in chosen.values)
        self.any = any(self._of)

    def of(self, piece: int) -> tuple[int, ...]:
        """The seats of a piece."""
        return self._of[piece] if self._of else ()


def _preference(table: Table) -> bool:
    return table.name != "Piece.owner"
