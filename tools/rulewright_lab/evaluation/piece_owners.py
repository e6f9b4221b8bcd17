"""The owners of pieces, as far as that is printed on them."""

from __future__ import annotations

from rulewright.engine import Engine
from rulewright.ir import Table
from rulewright_lab.evaluation.feature_table import SeatsOf


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
