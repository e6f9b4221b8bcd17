"""Growing maps: which of their places are drawn, and where."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import rulewright as rw


@lru_cache(maxsize=4)
def lattice(game: rw.Game, name: str) -> rw.playing.PlaceGraph:
    """All places that a growing map can ever have."""
    return game.places(name)


def spread(game: rw.Game, name: str, taken: Collection[str]) -> dict[str, tuple[int, int]]:
    """The places where something lies and those beside them, each with where it is drawn, in thousandths of a step.

    The lattice closes upon itself, so places are walked from (0, 0): a row that leaves it at one side goes on, and does
    not come back at the other.
    """
    places = lattice(game, name).nodes
    origin = next(key for key, data in places.items() if data["pos"] == (0, 0))
    steps = {way: places[there]["pos"] for way, there in places[origin]["toward"].items()}
    found: dict[str, tuple[int, int]] = {}
    for start in (origin, *sorted(taken)):
        if start in found:
            continue
        found[start] = places[start]["pos"]
        wave = [start]
        for here in wave:
            for way, there in places[here]["toward"].items() if here in taken else ():
                if there not in found:
                    (x, y), (dx, dy) = found[here], steps[way]
                    found[there] = (x + dx, y + dy)
                    wave.append(there)
    return found
