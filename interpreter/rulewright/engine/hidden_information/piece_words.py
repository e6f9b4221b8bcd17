"""Words for the pieces that fields mention as one player may know them, and zones whose pieces cannot be counted."""

from __future__ import annotations

from functools import cached_property

from rulewright.engine.cells.layout import Instance
from rulewright.engine.hidden_information.visibility import seen, sight
from rulewright.engine.runtime.option_keys import keys_of
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.visibility import place_of_back
from rulewright.ir.dataflow.effects import locations
from rulewright.knowledge.kept_results import forgotten_places
from rulewright.knowledge.piece_visibility import uncounted


class Uncounted:
    """The zones of which a player does not see how much lies there."""

    def __init__(self, state: Position, player: int, by_anybody: bool = False) -> None:
        """`by_anybody`: only those of which no player sees it, and in which no place is known."""
        layout, declared = state.engine.layout, state.engine.program.zones
        players = range(layout.sizes["Player"]) if by_anybody else (player,)
        self.instances: list[Instance] = []
        """Each with a number of its own: see `numbers`."""
        self.numbers: list[int] = []
        self.known: frozenset[int] = frozenset()
        """The pieces that they see there nevertheless."""
        hidden_counts = state.engine.once("zones that not all can count", uncounted)
        for zone in declared:
            if zone.name not in hidden_counts:
                continue
            place = layout.zones[zone.name]
            rows = [seen(state, zone, other).rows for other in players]
            for row, facets in enumerate(rows[-1]):
                instance = layout.instances[place.first + row]
                if not any(own[row] for own in rows) and not (by_anybody and instance.ordered):
                    self.instances.append(instance)
                    self.numbers.append(place.first + row)
                    self.known |= sight(state, instance, facets, player).known
        names = [declared[instance.zone].name for instance in self.instances]
        read = locations(declared) if names else frozenset[str]()
        self.zones = read.union(f"zone {name}" for name in names)
        """Tokens of what reads them, as :class:`~rulewright.ir.dataflow.effects.EffectAnalysis` names it."""


def unsure(state: Position, player: int) -> Uncounted | None:
    """The zones that no player can count and between which pieces may go unobserved, if there are several."""
    found = Uncounted(state, player, by_anybody=True)
    if len(found.instances) < 2:
        return None
    known = state.engine.cache("unobserved")
    if "zones" not in known:
        places = forgotten_places(state.engine.program).places
        known["zones"] = frozenset().union(*places.values())
    names = {state.engine.program.zones[instance.zone].name for instance in found.instances}
    return found if names & known["zones"] else None


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
