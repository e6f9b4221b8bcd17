"""The moment at which games of two sides part, as a story."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

import rulewright_lab as lab
from rulewright_tools.console import plural


@dataclass(frozen=True, slots=True)
class Played:
    """Games of both sides that were played with equal seeds."""

    players: tuple[int, int]
    divergence: lab.divergence.Divergence | None
    """None if all went the same way, or if different numbers of players cannot play the same game."""


def played(games: Iterable[Played]) -> Iterator[str]:
    """The stories, line by line."""
    for one in games:
        yield ""
        old, new = one.players
        if old != new:
            yield f"games of {old} and of {new} players cannot be played alike"
        elif one.divergence is None:
            yield f"{plural(old, 'player')}: {lab.divergence.GAMES} games with equal seeds go the same way"
        else:
            yield from _story(one.divergence)


def _story(divergence: lab.divergence.Divergence) -> Iterator[str]:
    same = (
        f"the same for {plural(divergence.decisions, 'decision')}"
        if divergence.decisions
        else "different from the first"
    )
    yield f"{plural(divergence.players, 'player')}, seed {divergence.seed}: {same}"
    yield from (f"    {line}" for line in divergence.before)
    yield from (f"  ~ {line}" for line in divergence.values)
    yield from (f"  - {line}" for line in divergence.old)
    yield from (f"  + {line}" for line in divergence.new)


def played_data(games: Iterable[Played]) -> list[dict[str, object]]:
    """The comparison of games as plain data."""
    return [
        {"players": list(one.players), "divergence": None if one.divergence is None else asdict(one.divergence)}
        for one in games
    ]
