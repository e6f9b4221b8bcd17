"""Words for the pieces that fields mention, as one player sees them.

A field over pieces is about the pieces themselves, like a marker that is laid on them: who does not know which piece it
is sees a back where it lies. Only where the faces are shown (``face seen by``) a piece is named wherever it lies.
"""

from __future__ import annotations

from functools import cached_property

from rulewright.engine.cells.layout import Instance
from rulewright.engine.hidden_information.visibility import seen, sight
from rulewright.engine.runtime.option_keys import keys_of
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.visibility import place_of_back


class PieceWords:
    """The words for the pieces of a state; None for a player knows them all."""

    def __init__(self, state: Position, player: int | None) -> None:
        self.state, self.player = state, player
        self.layout = state.engine.layout
        self._rows: dict[tuple[int, bool], str] = {}

    @cached_property
    def known(self) -> frozenset[int]:
        """The pieces that the player knows where they lie."""
        return frozenset(range(self.layout.pieces)) if self.player is None else seen_pieces(self.state, self.player)

    def name(self, piece: int) -> str:
        """The name of a piece."""
        return self.layout.universes["Piece"].keys[piece]

    def word(self, piece: int) -> str:
        """The name of a piece that the player knows, else where its back lies."""
        return self.name(piece) if piece in self.known else self._back(piece)

    def row(self, piece: int, named: bool) -> str:
        """Words for the piece that a value stands for: of alike ones that lie in sight also where."""
        word = self._rows.get((piece, named))
        if word is None:
            word = self._rows[piece, named] = self._row(piece, named)
        return word

    def _row(self, piece: int, named: bool) -> str:
        if not named and piece not in self.known:
            return self._back(piece)
        alike = keys_of(self.state.engine).same[piece] != 1 << piece and piece in self.known
        return f"{self.name(piece)} in {self._lies_in(piece).name}" if alike else self.name(piece)

    def _lies_in(self, piece: int) -> Instance:
        return self.layout.instances[self.state.cells[self.layout.loc + piece]]

    def _back(self, piece: int) -> str:
        """The back of a piece, and where it lies if the player sees that something lies there."""
        assert self.player is not None  # who knows all sees no backs
        return place_of_back(self.state.engine, self.state.cells, piece, self.player)


def seen_pieces(state: Position, player: int) -> frozenset[int]:
    """The pieces whose face the player sees where they lie, or remembers."""
    layout, found = state.engine.layout, frozenset[int]()
    for declared in state.engine.program.zones:
        place = layout.zones[declared.name]
        rows = seen(state, declared, player).rows
        for instance, facets in zip(layout.instances[place.first : place.first + place.count], rows, strict=True):
            if state.cells[instance.at]:
                found |= sight(state, instance, facets, player).known
    return found
