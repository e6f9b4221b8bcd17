"""The information set of a player: the positions that they cannot distinguish from one, as far as a position shows.

What a position shows is the player's view of it, and the question. Most of what two positions have in common is in the
same cells, so only those parts of the view are made of which a cell differs.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.engine.cells.layout import Layout
from rulewright.engine.hidden_information.hidden_state import Hidden, over_pieces
from rulewright.engine.hidden_information.observations.views import view
from rulewright.engine.hidden_information.visibility import dependence
from rulewright.engine.hidden_information.worlds.replay_sampling import as_far
from rulewright.engine.runtime.assertions import Broken, broken
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.visibility import changes
from rulewright.ir.dataflow.effects import locations


class InformationSet:
    """The information set of a player in a state, without positions in which a further invariant is broken."""

    def __init__(self, state: Position, player: int, invariants: frozenset[str] | None) -> None:
        """Of the invariants only those named are evaluated; all of them if none are."""
        self.state, self.player, self.invariants = state, player, invariants
        self._view, self._broken = view(state, player), _names(broken(state, invariants))
        program = state.engine.program
        self._zones = [(zone, *_zone_cells(state.engine.layout, zone.name)) for zone in program.zones]
        self._fields = [
            (field, *_field_cells(state.engine.layout, field.name)) for field in program.fields if not field.is_internal
        ]
        self._common = list(_common_cells(state.engine.layout, player))

    def contains(self, world: Position) -> bool:
        """True if the player could be in this position: they see the same and have the same question."""
        return (
            as_far(self.state, world, self.player)
            and self._seen_alike(world)
            and _names(broken(world, self.invariants)) <= self._broken
        )

    def _seen_alike(self, world: Position) -> bool:
        old, new, engine = self.state.cells, world.cells, world.engine
        if any(old[at:end] != new[at:end] for at, end in self._common):
            return view(world, self.player) == self._view
        zones = [zone for zone, at, end in self._zones if old[at:end] != new[at:end] or changes(engine, zone)]
        fields = [
            field
            for field, at, end in self._fields
            if old[at:end] != new[at:end] or changes(engine, field) or (zones and over_pieces(field))
        ]
        seen, here = view(world, self.player, fields, zones), self._view
        for part, declared in (("fields", fields), ("zones", zones)):
            names = [one.name for one in declared]
            if seen[part] != {name: here[part][name] for name in names if name in here[part]}:
                return False
        return all(here[part] == value for part, value in seen.items() if part not in ("fields", "zones")) and (
            seen.keys() == here.keys()
        )


def _names(found: list[Broken]) -> set[str]:
    """The invariants that do not hold, for any member: for which of them is hidden where the rules have broken it."""
    return {name for name, _ in found}


def concerned(hidden: Hidden) -> frozenset[str]:
    """The invariants that read something which is dealt anew."""
    program = hidden.engine.program
    cache = hidden.engine.cache("invariants")
    if not cache:
        depend = dependence(hidden.engine)
        read = {}
        for a in program.assertions:
            if a.word == "invariant":
                source = depend.reads(a.source) if a.source is not None else frozenset()
                read[a.name] = source | depend.reads(a.condition)
        cache.update(read)  # at once: other threads look at it
    touched = _dealt(hidden)
    return frozenset(name for name, tokens in cache.items() if tokens & touched)


def _dealt(hidden: Hidden) -> frozenset[str]:
    """Tokens of what is dealt anew: pieces stay in the zones between which they are dealt, and take over the sides that
    are up there."""
    zones, layout = hidden.engine.program.zones, hidden.layout
    instances = [there.instance for there in hidden.covered]
    kept = locations(zones)
    if hidden.unsure is not None:
        instances += hidden.unsure.instances
    else:
        down = hidden.state.cells[layout.down] if layout.down >= 0 else 0
        turned = {down >> piece & 1 for pieces in hidden.places.mixed for piece in pieces}
        kept |= {"side"} if len(turned) < 2 else set()
    numbers = {instance.zone for instance in instances}
    return hidden.touched - (kept - locations(zone for number, zone in enumerate(zones) if number in numbers))


def _zone_cells(layout: Layout, name: str) -> tuple[int, int]:
    place = layout.zones[name]
    return place.at, place.at + place.span * place.count


def _field_cells(layout: Layout, name: str) -> tuple[int, int]:
    place = layout.fields[name]
    return place.at, place.at + place.span * place.count


def _common_cells(layout: Layout, player: int) -> Iterator[tuple[int, int]]:
    """The cells upon which the sight of any zone or field may depend."""
    yield layout.out, layout.out + 1
    if layout.down >= 0:
        yield layout.down, layout.down + 1
    if layout.known >= 0:
        yield layout.known + player, layout.known + player + 1
    if layout.sided:
        yield layout.side, layout.side + layout.pieces
    for place in layout.merged.values():
        yield place.alive, place.alive + 1
        yield place.rep, place.rep + place.size
        yield place.members, place.members + place.size
