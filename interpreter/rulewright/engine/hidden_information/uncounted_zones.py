"""Zones of which a player does not see how much lies there."""

from __future__ import annotations

from rulewright.engine.cells.layout import Instance
from rulewright.engine.found_secrets import forgotten_places
from rulewright.engine.hidden_information.visibility import seen, sight
from rulewright.engine.runtime.position import Position
from rulewright.ir.dataflow.effects import locations


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
        for zone in declared:
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


__all__ = ["Uncounted", "unsure"]
