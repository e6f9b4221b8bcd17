"""Agreement: in how many positions an agent picks what the person has picked there.

The agent knows what the player knew. Of one that draws among all options alike the share is known without trying it:
the mean of one over the number of options.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.engine import Agent, Dice
from rulewright.foundation import dataclass
from rulewright.play import Game
from rulewright_lab.agents import agent
from rulewright_lab.experiments.statistics.paired_differences import rounded, wilson
from rulewright_lab.playtests.kept_games import PeopleGame


@dataclass(slots=True)
class Agreement:
    """The picks of an agent beside those of people, at decisions with several options."""

    positions: int = 0
    same: int = 0
    chance: float = 0.0
    """As many would be the same at random."""

    def add(self, same: bool, size: int) -> None:
        """Take in a position."""
        self.positions += 1
        self.same += same
        self.chance += 1 / size

    def data(self) -> dict[str, object]:
        """Contents as plain data; the interval is that of Wilson."""
        low, high = wilson(self.same, self.positions)
        return {
            "positions": self.positions,
            "same": self.same,
            "share": rounded(self.same / self.positions),
            "interval": [rounded(low), rounded(high)],
            "random": rounded(self.chance / self.positions),
        }


def agreement(
    game: Game, games: Sequence[PeopleGame], word: str, reached: Callable[[int], None] | None = None
) -> dict[str, Agreement]:
    """For each question the agreement of an agent with people; `reached` gets the number of positions so far.

    RulesetError if there is no such agent.
    """
    playing: Agent = agent(game, word)
    found: dict[str, Agreement] = {}
    done = 0
    for one in games:
        for number, here in enumerate(one.positions):
            decision = here.state.decision
            if here.event is None or here.size < 2 or decision is None:
                continue
            picked = game.pick(here.state, playing, Dice(one.seed, f"agreement, decision {number}"))
            found.setdefault(decision.name, Agreement()).add(picked == here.option, here.size)
            done += 1
            if reached is not None:
                reached(done)
    return found
