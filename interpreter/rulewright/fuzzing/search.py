"""Looks for trouble in one portion of games: whole games at random, then many short ones from the middle of them."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

from rulewright.engine import Dice, State
from rulewright.fuzzing.corpus import Kept
from rulewright.fuzzing.drawing import Pick, explore
from rulewright.fuzzing.drive import Course, Drive
from rulewright.fuzzing.properties import steady
from rulewright.fuzzing.reached import Reached, pairs_of
from rulewright.fuzzing.troubles import Found, Setting, Trouble
from rulewright.game import Game

DIVES = 30
"""Short games that begin in the middle, for each whole game."""

DEPTH = 40
"""Decisions of a short game."""

LAUNCHES = 3
"""Turns of each whole game at which short games may begin."""

LOOK = 4
"""So many options are tried by a player who strives for something."""


@dataclass(frozen=True, slots=True)
class Portion:
    """What one process is to do."""

    setting: Setting
    seed: int
    games: int
    most: int
    """A game that is not over after so many decisions does not end."""
    known: Reached
    """What had been reached when the portion was handed out."""
    kept: tuple[Kept, ...] = ()
    """Games that are played again first, to begin in their middle."""
    keep_going: bool = False
    """Whether to search on when something was found."""
    until: float | None = None
    """When to leave off, as :func:`time.time` tells it."""


@dataclass(slots=True)
class Harvest:
    """What came of it."""

    setting: Setting
    games: int = 0
    dives: int = 0
    decisions: int = 0
    reached: Reached = field(default_factory=Reached)
    witnesses: Counter[str] = field(default_factory=Counter)
    found: list[Found] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    """Games in which something was reached for the first time."""


def aims(game: Game) -> list[str]:
    """The queries that count something for a player."""
    return [
        query.name
        for query in game.program.queries
        if query.name.isidentifier()
        and query.ty.kind == "int"
        and [slot.ty.universe for slot in query.params] == ["Player"]
    ]


def search(game: Game, portion: Portion) -> Harvest:
    """Play a portion of games."""
    return _Search(game, portion).run()


class _Search:
    def __init__(self, game: Game, portion: Portion) -> None:
        self.game, self.portion = game, portion
        self.drive = Drive(game)
        self.dice = Dice(portion.seed, "fuzzing")
        self.harvest = Harvest(portion.setting)
        self.times = portion.known.rules
        self.pairs = portion.known.pairs
        self.aims = aims(game)
        self.launches: list[tuple[tuple[int, ...], State]] = []

    def run(self) -> Harvest:
        """All games."""
        portion = self.portion
        for kept in portion.kept:
            if self.enough():
                return self.harvest
            course = self.drive.again(kept.numbers)
            self.note((), course)
            self.launch((), course)
        for _ in range(portion.games):
            if self.enough():
                return self.harvest
            course = self.whole()
            self.harvest.games += 1
            if course.trouble is None and not course.over:
                told = f"the game is not over after {portion.most} decisions"
                course.trouble = Trouble("endless", self.game.program.main, told)
            self.note((), course)
            self.launch((), course)
        if portion.games:
            wrong = steady(self.game, portion.seed, portion.most)
            if wrong is not None:
                self.harvest.found.append(Found(wrong, portion.setting, ()))
        if self.launches and not self.enough():
            explore(self.dive, portion.seed, DIVES * max(portion.games, 1))
        return self.harvest

    def late(self) -> bool:
        """Whether time is up."""
        return self.portion.until is not None and time.time() >= self.portion.until

    def enough(self) -> bool:
        """Whether to leave off."""
        return self.late() or (bool(self.harvest.found) and not self.portion.keep_going)

    def whole(self) -> Course:
        """A whole game. Some like the first options, some the last, some strive for what a query counts, most like
        any."""
        below, most = self.dice.below, self.portion.most
        like = below(6)
        if like == 0:
            return self.drive.play(lambda size: min(below(size), below(size)), most, dice=self.dice)
        if like == 1:
            return self.drive.play(lambda size: max(below(size), below(size)), most, dice=self.dice)
        if like in (2, 3) and self.aims:
            policy = self.game.policy(f"greedy:{self.aims[below(len(self.aims))]}", LOOK)
            return self.drive.play(
                below, most, dice=self.dice, player=lambda state: self.game.pick(state, policy, self.dice)
            )
        return self.drive.play(below, most, dice=self.dice)

    def launch(self, before: tuple[int, ...], course: Course) -> None:
        """Remember some turns of a game, to begin there."""
        turns = course.turns
        for number in sorted(self.dice.some(len(turns), LAUNCHES)) if turns else ():
            so_many, state = turns[number]
            self.launches.append(((*before, *course.numbers[:so_many]), state))

    def dive(self, pick: Pick) -> float | None:
        """A short game; how much of it was seldom reached before."""
        before, state = self.launches[pick(len(self.launches))]
        if self.late():
            return 0.0
        course = self.drive.play(pick, DEPTH, state)
        self.harvest.dives += 1
        new = 0.0
        for rules in course.reached.turns:
            new += sum(1 / (1 + self.times[rule]) for rule in rules)
            new += sum(pair not in self.pairs for pair in pairs_of(rules))
        self.note(before, course)
        return None if course.trouble is not None else new

    def note(self, before: tuple[int, ...], course: Course) -> None:
        """Count what came of a game, and keep it if it is worth it."""
        harvest, setting = self.harvest, self.portion.setting
        numbers = (*before, *course.numbers)
        harvest.decisions += len(course.numbers)
        harvest.witnesses.update(list(course.witnesses))
        seen = self.portion.known.turns, harvest.reached.turns
        if any(rules not in seen[0] and rules not in seen[1] for rules in course.reached.turns):
            harvest.kept.append(Kept(setting, numbers))
        harvest.reached.join(course.reached)
        if course.trouble is not None and all(f.trouble.key != course.trouble.key for f in harvest.found):
            harvest.found.append(Found(course.trouble, setting, numbers))
