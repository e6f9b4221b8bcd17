"""Looks for trouble in one portion of whole games."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

from rulewright.engine import Dice, Origin, laid
from rulewright.findings.fuzzing.corpus import Kept
from rulewright.findings.fuzzing.deadlines import Limits, OutOfTime
from rulewright.findings.fuzzing.failures import Found, Key, Setting
from rulewright.findings.fuzzing.search.coverage import Reached
from rulewright.findings.fuzzing.search.driver import Course, Drive
from rulewright.findings.fuzzing.search.players import (
    Seats,
    aims,
    curious,
    first_ones,
    gathered,
    indifferent,
    last_ones,
    played_by,
    striving,
)
from rulewright.findings.fuzzing.search.universal_properties import endless, look_closely, steady
from rulewright.play.game import Game

LAUNCHES = 2
"""Runs begin at so many rare turns of each game of agents, and at so many others."""


@dataclass(frozen=True, slots=True)
class Portion:
    """The work of one process. It ends with the first violation that is not known yet, so that it is soon reported."""

    setting: Setting
    seed: int
    games: int
    most: int
    """A game that is not over after this many decisions does not end."""
    known: Reached
    """Coverage at the time when the portion was handed out."""
    kept: tuple[Kept, ...] = ()
    """Games that are played again first, to begin in their middle."""
    passed: frozenset[Key] = frozenset()
    """Troubles that are accepted or known: they are counted, and games go on after them."""
    limits: Limits = field(default_factory=Limits)
    """Limits after which to stop."""
    seats: Seats = field(default_factory=Seats)
    """The agents that play whole games."""
    before: int = 0
    """The whole games of the setting before it."""


@dataclass(slots=True)
class Harvest:
    """The result of a portion."""

    setting: Setting
    games: int = 0
    decisions: int = 0
    reached: Reached = field(default_factory=Reached)
    witnesses: Counter[str] = field(default_factory=Counter)
    found: Found | None = None
    """The trouble with which it has ended; its number of the game counts those of the portion."""
    seen: Counter[Key] = field(default_factory=Counter)
    """In how many games there was each trouble, those included that were passed over."""
    again: int = 0
    """Kept games that were played again."""
    kept: list[Kept] = field(default_factory=list)
    """Games in which something was reached for the first time."""
    interrupted: bool = False
    origins: list[Origin] = field(default_factory=list)
    """Positions in games of agents from which to explore."""
    looks: Counter[str] = field(default_factory=Counter)
    """All that was looked at closely, by kind."""


def search(game: Game, portion: Portion) -> Harvest:
    """Play a portion of games; what was reached until Ctrl-C is not lost."""
    searching = _Search(game, portion)
    try:
        return searching.run()
    except KeyboardInterrupt:
        searching.harvest.interrupted = True
        return searching.harvest


class _Search:
    def __init__(self, game: Game, portion: Portion) -> None:
        self.game, self.portion = game, portion
        self.drive = Drive(game, limits=portion.limits, passed=self.passed)
        self.dice = Dice(portion.seed, "fuzzing")
        self.looks = Dice(portion.seed, "close looks")
        self.harvest = Harvest(portion.setting, looks=self.drive.looks)
        self.times = portion.known.rules
        self.answers = Counter(portion.known.answers)
        self.aims = aims(game)
        self.agents = portion.seats.agents(game)
        self.thoughts = Dice(portion.seed, "agents")

    def run(self) -> Harvest:
        """All games."""
        portion, harvest = self.portion, self.harvest
        with suppress(OutOfTime):
            for kept in portion.kept:
                if self.enough():
                    return harvest
                harvest.again += 1
                self.note(self.again(kept), 0)
            for _ in range(portion.games):
                if self.enough():
                    return harvest
                course = self.whole()
                harvest.games += not course.cut
                self.look_at_end(course)
                self.note(course, harvest.games)
                self.answers.update(course.reached.answers)
                self.times.update(course.reached.rules)
                if self.agents:
                    self.launch(course)
            if portion.games and not self.enough():
                wrong = steady(self.game, portion.seed, portion.most, portion.limits)
                if wrong is not None and not self.passed(wrong.key):
                    self.find(Found(wrong, portion.setting, (), harvest.games))
        return harvest

    def passed(self, key: Key) -> bool:
        """True if a trouble does not end a game."""
        return key in self.portion.passed

    def enough(self) -> bool:
        """True if it is time to stop."""
        return self.portion.limits.over() or self.harvest.found is not None

    def again(self, kept: Kept) -> Course:
        """A kept game. What is wrong with where it leads may show only to a close look."""
        course = self.drive.again(kept.numbers)
        if course.trouble is None and not course.cut and course.state is not None and not course.over:
            self.look_at_end(course)
            looked = look_closely(self.game, course.state, self.looks, self.portion.limits, self.drive.looks)
            course.trouble = course.trouble or next((wrong for wrong, _ in looked if not self.passed(wrong.key)), None)
        return course

    def look_at_end(self, course: Course) -> None:
        """Report a game that is not over in time."""
        if course.trouble is None and not course.over and len(course.numbers) >= self.portion.most:
            trouble = endless(self.game, self.portion.most)
            if self.passed(trouble.key):
                course.passed[trouble.key] = None
            else:
                course.trouble = trouble

    def whole(self) -> Course:
        """A whole game: that of agents, if there are any. Else tastes take turns, so that a few games already show what
        each of them leads to."""
        below, number = self.dice.below, (self.portion.before + self.harvest.games) % 4
        if self.agents:
            player = played_by(self.agents, self.game, self.thoughts)
        elif self.portion.seats.words:  # all of them are random
            player = indifferent(below)
        elif number < 3:
            player = curious(self.answers, below, gathered(below))
            player = striving(self.aims, self.game.players, player, self.dice) if number == 1 else player
        else:
            player = indifferent((below, first_ones(below), last_ones(below), gathered(below))[below(4)])
        return self.drive.play(below, self.portion.most, dice=self.looks, player=player)

    def launch(self, course: Course) -> None:
        """Let runs begin at some turns of a game: those in which seldom used rules are used, and any."""
        rests = ((turn, turn.state.decision) for turn in course.turns)
        turns = [turn for turn, decision in rests if decision is not None and decision.seat is not None]
        if not turns:
            return
        rare = sorted(range(len(turns)), key=lambda number: self.commonness(turns[number].rules))[:LAUNCHES]
        for number in sorted({*rare, *self.dice.some(len(turns), LAUNCHES)}):
            turn = turns[number]
            self.harvest.origins.append(laid(turn.state, tuple(course.numbers[: turn.before])))

    def commonness(self, rules: frozenset[str]) -> int:
        """The number of uses of the least used rule of a turn."""
        return min((self.times[rule] for rule in rules), default=self.portion.most)

    def note(self, course: Course, game: int) -> None:
        """Count what came of a game, by its number, and keep it if it is worth it."""
        harvest, setting, numbers = self.harvest, self.portion.setting, tuple(course.numbers)
        harvest.decisions += len(course.numbers)
        harvest.witnesses.update(list(course.witnesses))
        seen = self.portion.known.turns, harvest.reached.turns
        if any(rules not in seen[0] and rules not in seen[1] for rules in course.reached.turns):
            harvest.kept.append(Kept(setting, numbers))
        harvest.reached.join(course.reached)
        harvest.seen.update(list(course.passed))
        if course.trouble is not None:
            self.find(Found(course.trouble, setting, numbers, game))

    def find(self, found: Found) -> None:
        """Note a finding."""
        self.harvest.seen[found.trouble.key] += 1
        self.harvest.found = found
