"""Games of one agent against others on all other seats, kept in a file: what is there already is not played again.

The seats go round from game to game, and the games of such a round have one seed, so that chance favours nobody. What
a decision costs is measured in processor time, as far as there was a choice.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from hashlib import blake2b
from math import sqrt
from pathlib import Path
from typing import Any

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import Agent, Dice, EngineName, Passes, Policy, State
from rulewright.ir.model import Program

SEED = 7
CERTAIN = 1.96
"""The quantile of the normal distribution for intervals of 95 %."""
ROUNDS_IN_TURN = 2
"""So many rounds of a contest are played before it is the turn of the next."""


@dataclass(frozen=True, slots=True)
class Contest:
    """An agent on one seat, another one on all others, and the share of wins that the first should have."""

    game: str
    players: int
    agent: str
    other: str
    games: int
    wanted: float | None = None

    def __str__(self) -> str:
        others = f"{self.other}" if self.players == 2 else f"{self.players - 1} × {self.other}"
        return f"{self.game}, {self.players} players: {self.agent} against {others}"

    @property
    def key(self) -> str:
        """The key by which its games are kept."""
        return "|".join((self.game, rules_digest(self.game), str(self.players), self.agent, self.other))


@cache
def rules_digest(name: str) -> str:
    """A number that changes with the rules of a shipped game."""
    folder = Path(__file__).parents[2] / "rulesets" / name
    found = blake2b(digest_size=6)
    for path in sorted(folder.glob("*.rules")) + sorted(folder.glob("*.json")):
        found.update(path.read_bytes())
    return found.hexdigest()


@dataclass(frozen=True, slots=True)
class Played:
    """A game of a contest."""

    contest: str
    number: int
    share: float
    """The points of the agent: 1, or its part if others are first with it."""
    decisions: int
    seconds: float
    """The processor time that its decisions took together."""


@dataclass(slots=True)
class Timed:
    """An agent, the number of its decisions, and the time they took."""

    agent: Any
    decisions: int = 0
    seconds: float = 0.0

    def begin(self, program: Program, wanted: EngineName, passes: Passes) -> Callable[[State, Dice], int]:
        """The way in which it chooses, with a clock."""
        choose = self.agent.begin(program, wanted, passes)

        def timed(state: State, dice: Dice) -> int:
            begun = time.process_time()
            chosen: int = choose(state, dice)
            self.seconds += time.process_time() - begun
            self.decisions += 1
            return chosen

        return timed


@dataclass(slots=True)
class Score:
    """The games of a contest by now."""

    contest: Contest
    games: list[Played] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The part that the agent has won."""
        return sum(game.share for game in self.games) / len(self.games) if self.games else 0.0

    @property
    def ends(self) -> tuple[float, float]:
        """Its interval of 95 % (E. B. Wilson, *Probable inference, the law of succession, and statistical inference*,
        Journal of the American Statistical Association 22, 1927)."""
        return wilson(self.share, len(self.games))

    @property
    def seconds(self) -> float | None:
        """The processor time of a decision in the mean; None where it was not measured."""
        decisions = sum(game.decisions for game in self.games)
        return sum(game.seconds for game in self.games) / decisions if decisions else None

    @property
    def is_over(self) -> bool:
        """True if all games are played, or if the wanted share is outside the interval: it is not reached then. Looking
        after each round makes a wrong end somewhat likelier than one in twenty."""
        wanted = self.contest.wanted
        missed = wanted is not None and len(self.games) >= 2 * self.contest.players and self.ends[1] < wanted
        return len(self.games) >= self.contest.games or missed

    def __str__(self) -> str:
        low, high = self.ends
        cost = "" if self.seconds is None else f"; {self.seconds:.2g} s a decision"
        return f"{self.share:.0%} ({low:.0%} to {high:.0%}) of {len(self.games)}{cost}"


def wilson(share: float, games: int) -> tuple[float, float]:
    """The interval of 95 % of a share."""
    if not games:
        return 0.0, 1.0
    square = CERTAIN**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = CERTAIN / (1 + square / games) * sqrt(share * (1 - share) / games + square / (4 * games**2))
    return max(0.0, middle - half), min(1.0, middle + half)


class Contests:
    """Contests that are played in turn, so that after any time something is known of each."""

    def __init__(self, load: Callable[[str, int], rw.Game], record: Path | None, say: Callable[[str], None]) -> None:
        self._load, self._record, self._say = load, record, say
        self._known = {(game.contest, game.number): game for game in read(record)}

    def scores(self, contests: Sequence[Contest], until: float) -> Iterator[Score]:
        """The score of each contest, when all are over, or at a time of the clock: then with the games by then."""
        scores = [Score(one) for one in contests]
        for score in scores:
            while (known := self._known.get((score.contest.key, len(score.games)))) and not score.is_over:
                score.games.append(known)
        begun, played = time.monotonic(), 0
        while (open_ones := [score for score in scores if not score.is_over]) and time.monotonic() < until:
            for score in open_ones:
                before = played
                for _ in range(ROUNDS_IN_TURN * score.contest.players):
                    if score.is_over or time.monotonic() >= until:
                        break
                    score.games.append(self._play(score.contest, len(score.games)))
                    played += 1
                if played == before:
                    break
                left = sum(one.contest.games - len(one.games) for one in scores if not one.is_over)
                minutes = (time.monotonic() - begun) / played * left / 60
                self._say(f"{score.contest}: {score}; {left} games, at most {minutes:.0f} minutes left")
        yield from scores

    def _play(self, contest: Contest, number: int) -> Played:
        """A game with a number: who has the agent's seat follows from it."""
        game = self._load(contest.game, contest.players)
        agent = lab.agent(game, contest.agent, noise=0)
        mine: Agent = agent if isinstance(agent, Policy) else Timed(agent)
        seats: list[Agent] = [lab.agent(game, contest.other, noise=0)] * contest.players
        seats[seat := number % contest.players] = mine
        places = game.playout(SEED + number // contest.players, policies=seats).places
        share = (places[seat] == 1) / max(1, places.count(1)) if places else 0.0
        took = (mine.decisions, mine.seconds) if isinstance(mine, Timed) else (0, 0.0)
        played = Played(contest.key, number, share, *took)
        self._known[contest.key, number] = played
        if self._record is not None:
            with self._record.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(played)) + "\n")
        return played


def read(record: Path | None) -> list[Played]:
    """The games in a file; a last line that was cut off is removed, so that the next game begins a line of its own."""
    if record is None or not record.exists():
        return []
    *whole_lines, rest = record.read_text("utf-8").split("\n")
    if rest:
        record.write_text("".join(f"{line}\n" for line in whole_lines), "utf-8")
    return [Played(**json.loads(line)) for line in whole_lines]
