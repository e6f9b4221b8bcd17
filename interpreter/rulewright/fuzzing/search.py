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
from rulewright.fuzzing.striving import aims, striving
from rulewright.fuzzing.tastes import curious, first_ones, gathered, indifferent, last_ones
from rulewright.fuzzing.troubles import Found, Setting, Trouble
from rulewright.game import Game

DIVES = 30
"""Short games that begin in the middle, for each whole game."""

DEPTH = 40
"""Decisions of a short game."""

LAUNCHES = 2
"""Short games begin at so many rare turns of each whole game, and at so many others."""


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
    interrupted: bool = False


def search(game: Game, portion: Portion) -> Harvest:
    """Play a portion of games; what was reached until somebody presses ctrl-C is not lost."""
    searching = _Search(game, portion)
    try:
        return searching.run()
    except KeyboardInterrupt:
        searching.harvest.interrupted = True
        return searching.harvest


class _Search:
    def __init__(self, game: Game, portion: Portion) -> None:
        self.game, self.portion = game, portion
        self.drive = Drive(game)
        self.dice = Dice(portion.seed, "fuzzing")
        self.harvest = Harvest(portion.setting)
        self.times = portion.known.rules
        self.pairs = portion.known.pairs
        self.answers = Counter(portion.known.answers)
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
            self.answers.update(course.reached.answers)
            self.times.update(course.reached.rules)
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
        """A whole game. Tastes take turns, so that a few games already show what each of them leads to."""
        below, number = self.dice.below, self.harvest.games % 4
        if number < 3:
            player = curious(self.answers, below, gathered(below))
            player = striving(self.aims, self.game.players, player, self.dice) if number == 1 else player
        else:
            player = indifferent((below, first_ones(below), last_ones(below), gathered(below))[below(4)])
        return self.drive.play(below, self.portion.most, dice=self.dice, player=player)

    def launch(self, before: tuple[int, ...], course: Course) -> None:
        """Remember some turns of a game, to begin there: those in which seldom used rules are used, and any."""
        turns = course.turns
        if not turns:
            return
        rare = sorted(range(len(turns)), key=lambda number: self.commonness(turns[number].rules))[:LAUNCHES]
        for number in sorted({*rare, *self.dice.some(len(turns), LAUNCHES)}):
            turn = turns[number]
            self.launches.append(((*before, *course.numbers[: turn.before]), turn.state))

    def commonness(self, rules: frozenset[str]) -> int:
        """How often the rule of a turn was used that was used least."""
        return min((self.times[rule] for rule in rules), default=self.portion.most)

    def dive(self, pick: Pick) -> float | None:
        """A short game; how much of it was seldom reached before."""
        before, state = self.launches[pick(len(self.launches))]
        if self.late():
            return 0.0
        player = curious(self.answers, pick, gathered(pick) if pick(2) else pick)
        course = self.drive.play(pick, DEPTH, state, player=player)
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
