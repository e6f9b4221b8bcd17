"""A first look at a game: how many random games end, are stopped, have no end, or have no decision."""

from __future__ import annotations

from time import process_time

from rulewright.diagnostics import RulesetError
from rulewright.findings.games.offers import Offers
from rulewright.findings.games.playing_budget import MOST
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.play.game import Game

FIRST = 20
"""Games of each number of players, at most."""
WATCHING = 0.9
"""The part of the time in which it is looked at what is offered and refused: each game takes as long as many others."""


@dataclass(frozen=True, slots=True)
class FirstGames:
    """The first random games of one number of players."""

    players: int
    games: int
    ended: int
    stopped: int
    """Games in which an error of the rules stops play."""
    endless: int
    """Games that were not over after 4,000 decisions."""
    decisions: float
    """The mean of those that have ended."""
    broken: tuple[tuple[str, int], ...] = ()
    """Invariants and properties that do not hold, each with the first seed of a game in which it does not."""

    @property
    def troubled(self) -> bool:
        """True if a game did not end, something does not hold, or there was no decision in any."""
        return self.ended < self.games or self.decisions == 0 or bool(self.broken)

    def data(self) -> dict[str, object]:
        """The look as plain data."""
        return {
            "players": self.players,
            "games": self.games,
            "ended": self.ended,
            "stopped": self.stopped,
            "endless": self.endless,
            "decisions": round(self.decisions, 1),
            "broken": [{"name": name, "seed": seed} for name, seed in self.broken],
        }


def first_games(game: Game, most: int, seconds: float | None, offers: Offers) -> FirstGames:
    """Play so many random games, fewer if so many seconds of the processor are over before; one at least.
    The `offers` in them are counted."""
    begun, decisions, stopped, endless, games = process_time(), list[int](), 0, 0, 0
    broken = dict[str, int]()

    def over(share: float) -> bool:
        return seconds is not None and process_time() - begun > seconds * share

    for seed in range(min(FIRST, most)):
        if seed and over(1):
            break
        games += 1
        try:
            played = game.playout(seed, most=MOST, check=True)
            for name in played.broken:
                broken.setdefault(name.partition(" ")[0], seed)
            if not over(WATCHING):
                offers.add(game, seed, MOST)
        except RulesetError:
            stopped += 1
            continue
        if played.finished:
            decisions.append(played.decisions)
        else:
            endless += 1
    mean = sum(decisions) / len(decisions) if decisions else 0.0
    return FirstGames(game.players, games, len(decisions), stopped, endless, mean, tuple(sorted(broken.items())))
