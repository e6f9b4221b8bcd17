"""The elements of a board that look different to a viewer since an earlier position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rulewright_tools.render.picture import Picture
from rulewright_tools.render.svg.board import Thing
from rulewright_tools.studio.host.game.observer import Perspective
from rulewright_tools.studio.host.play.line_of_play import LineOfPlay

_Place = tuple[str, str]
"""The universe of the places of a map, and the key of a place or edge of it."""


def base_of(play: LineOfPlay, at: int, numbers: Sequence[int], perspective: Perspective) -> int:
    """The position with which the one that is looked at is compared: the viewer's last decision, or, for a viewer who
    decides nothing, the last one that looked different to them."""
    here = numbers[at]
    earlier = [one for one in range(at) if numbers[one] < here]
    if not earlier:
        return at
    return next(
        (one for one in reversed(earlier) if perspective.seat is not None and _is_to_move(play, one, perspective.seat)),
        earlier[-1],
    )


def changed_elements(before: Picture, now: Picture, things: Iterable[Thing]) -> list[str]:
    """The places and edges of a board, by the ids of their elements, that look different in two pictures."""
    seen = {("place", *at) for at in _differing(_spots(before), _spots(now))}
    seen |= {("edge", *at) for at in _differing(_edges(before), _edges(now))}
    return [thing.id for thing in things if (thing.kind, thing.universe, thing.key) in seen]


def _is_to_move(play: LineOfPlay, at: int, seat: int) -> bool:
    state = play.positions[at]
    decision = state.decision
    return decision is not None and (decision.seat == seat or (decision.secret and state.turn_of(seat) is not None))


def _spots(picture: Picture) -> Mapping[_Place, object]:
    """The spots by their keys, without where they are drawn: maps are laid out anew as regions merge."""
    return {(one.place, spot.key): replace(spot, x=0, y=0) for one in picture.maps for spot in one.spots}


def _edges(picture: Picture) -> Mapping[_Place, object]:
    return {(one.place, edge.key): edge for one in picture.maps for edge in one.edges}


def _differing(before: Mapping[_Place, object], now: Mapping[_Place, object]) -> set[_Place]:
    return {key for key in now if before.get(key) != now[key]}
