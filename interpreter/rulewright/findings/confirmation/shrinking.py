"""Positions of moments made smaller, as long as the same neighbours differ."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.findings.confirmation.episodes import Episode, played_again
from rulewright.findings.confirmation.separation import Separator
from rulewright.findings.fuzzing.reproduction.reproduction import leave_out
from rulewright.play.game import Game
from rulewright.play.scenarios.recording.state_diff import Laid

PLAYS = 200
"""So often an episode is played, by the rules or by a neighbour, in smaller positions."""

BESIDE = 6
"""So many things are left in a position: what lies beside shows what else a rule leaves alone, or does not."""


def shrunk(game: Game, episode: Episode, step: int, parted: Sequence[Separator], plays: int = PLAYS) -> Episode:
    """The episode up to a rest, in a position with as little as possible laid out: the same neighbours part from it,
    or, if there are none, the same rules are used in it."""
    best = played_again(game, episode, episode.opening.laid, step) or episode
    left = plays

    def keeps(laid: Sequence[Laid]) -> bool:
        nonlocal best, left
        if left <= 0 or len(laid) < BESIDE:
            return False
        left -= 1
        found = played_again(game, episode, tuple(laid), step)
        if found is None or len(found.answers) < step:
            return False
        for separator in parted:
            left -= 1
            if not _parts(separator, found, step):
                return False
        if not parted and found.used != best.used:
            return False
        best = found
        return True

    leave_out(episode.opening.laid, keeps)
    return best


def _parts(separator: Separator, episode: Episode, step: int) -> bool:
    found = separator.first_difference(episode)
    return found is not None and found.step <= step and found.state is not None
