"""The options of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.compiler import OptionValue
from rulewright.engine import EngineName
from rulewright.findings.fuzzing.search.players import AgentOf
from rulewright.host.workers import Jobs
from rulewright.play.game import Game

MOST = 50_000
"""A game that is not over after this many decisions does not end, by default."""

SECONDS = 30.0
"""The time to search if neither seconds nor games are given."""


@dataclass(frozen=True, slots=True)
class FuzzOptions:
    """Options of a search; see :func:`fuzz`."""

    players: int | None = None
    """Games of this many players only."""
    variants: Sequence[str] = ()
    options: Mapping[str, OptionValue] | None = None
    everything: bool = False
    """True to play every variant, each two of them, and each named value of a parameter."""
    games: int | None = None
    """End after this many whole games."""
    time: float | None = None
    """End after this many seconds."""
    seed: int = 0
    jobs: Jobs = 1
    """The workers that play at the same time."""
    most: int = MOST
    """A game that is not over after this many decisions is a finding."""
    corpus: str | Path | None = None
    """A folder in which games that reached something new are kept; later runs begin with them."""
    keep_going: bool = True
    """Go on after a finding; else end with the first finding."""
    accept: Sequence[str] = ()
    """Keys of findings that are never reported, only counted."""
    engine: EngineName = "auto"
    """With ``python`` the Python engine explores in the place of machine code."""
    seats: Sequence[str] = ()
    """Agents that play whole games, by their words: one for all seats, or one for each."""
    look: int = 8
    """So many options `greedy` and `lead` try."""
    noise: int = 10
    """In so many of a hundred decisions these take any option."""
    agent: AgentOf = Game.policy
    """The function that gives the agents of these words."""
    replay: str | Path | Sequence[int] | None = None
    """Play just one game: from a file of a corpus or from its numbers."""

    @property
    def seconds(self) -> float | None:
        """The time that the search may take."""
        return SECONDS if self.games is None and self.time is None and self.replay is None else self.time

    @property
    def folder(self) -> Path | None:
        """The corpus as a path."""
        return Path(self.corpus) if self.corpus is not None else None

    @property
    def replayed(self) -> Path | tuple[int, ...] | None:
        """The game that is to be played again: its file or its numbers."""
        if self.replay is None or isinstance(self.replay, (str, Path)):
            return Path(self.replay) if self.replay is not None else None
        return tuple(self.replay)


DEFAULTS = FuzzOptions()
"""Half a minute of all that may go wrong."""
