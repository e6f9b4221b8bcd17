"""Looks for trouble in one portion of games: whole games, and short ones from the middle of those of agents."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

from rulewright.engine import Dice, State
from rulewright.findings.fuzzing.corpus import Kept
from rulewright.findings.fuzzing.deadlines import Limits, OutOfTime
from rulewright.findings.fuzzing.failures import Found, Key, Setting
from rulewright.findings.fuzzing.search.coverage import Reached
from rulewright.findings.fuzzing.search.driver import Course, Drive
from rulewright.findings.fuzzing.search.players import (
    Pick,
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

DIVES = 30
"""Short games that begin in the middle, for each whole game, where machine code does not explore in their place."""

DEPTH = 40
"""Decisions of a short game."""

LAUNCHES = 2
"""Short games begin at so many rare turns of each whole game, and at so many others."""


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
    dives: int = 0
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
    looks: Counter[str] = field(default_factory=Counter)
    """All that was looked at closely, by kind."""


@dataclass(frozen=True, slots=True)
class Launch:
    """The beginning of a game: the very beginning, or the middle of another one."""

    before: tuple[int, ...]
    game: int
    """The whole game; 0 for a kept one."""
    state: State | None = None
    """The state there; None for the very beginning."""


def search(game: Game, portion: Portion, dives: bool = True) -> Harvest:
    """Play a portion of games, with `dives` short ones from their middle, too; what was reached until Ctrl-C is not
    lost."""
    searching = _Search(game, portion, dives)
    try:
        return searching.run()
    except KeyboardInterrupt:
        searching.harvest.interrupted = True
        return searching.harvest


class _Search:
    def __init__(self, game: Game, portion: Portion, dives: bool) -> None:
        self.game, self.portion, self.dives = game, portion, dives
        self.drive = Drive(game, limits=portion.limits, passed=self.passed)
        self.dice = Dice(portion.seed, "fuzzing")
        self.looks = Dice(portion.seed, "close looks")
        self.harvest = Harvest(portion.setting, looks=self.drive.looks)
        self.times = portion.known.rules
        self.answers = Counter(portion.known.answers)
        self.aims = aims(game)
        self.agents = portion.seats.agents(game)
        self.thoughts = Dice(portion.seed, "agents")
        self.launches: list[Launch] = []

    def run(self) -> Harvest:
        """All games."""
        portion, harvest = self.portion, self.harvest
        with suppress(OutOfTime):
            for kept in portion.kept:
                if self.enough():
                    return harvest
                harvest.again += 1
                course = self.again(kept)
                self.note(Launch((), 0), course)
                self.launch(course, 0)
            for _ in range(portion.games):
                if self.enough():
                    return harvest
                course = self.whole()
                harvest.games += not course.cut
                self.look_at_end(course)
                self.note(Launch((), harvest.games), course)
                self.answers.update(course.reached.answers)
                self.times.update(course.reached.rules)
                self.launch(course, harvest.games)
            if portion.games and not self.enough():
                wrong = steady(self.game, portion.seed, portion.most, portion.limits)
                if wrong is not None and not self.passed(wrong.key):
                    self.find(Found(wrong, portion.setting, (), harvest.games))
            for _ in range(DIVES * portion.games if self.launches and self.dives else 0):
                if self.enough():
                    break
                self.dive(self.dice.below)
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

    def launch(self, course: Course, game: int) -> None:
        """Remember some turns of a game, to begin there: those in which seldom used rules are used, and any."""
        turns = course.turns
        if not turns:
            return
        rare = sorted(range(len(turns)), key=lambda number: self.commonness(turns[number].rules))[:LAUNCHES]
        for number in sorted({*rare, *self.dice.some(len(turns), LAUNCHES)}):
            turn = turns[number]
            self.launches.append(Launch(tuple(course.numbers[: turn.before]), game, turn.state))

    def commonness(self, rules: frozenset[str]) -> int:
        """The number of uses of the least used rule of a turn."""
        return min((self.times[rule] for rule in rules), default=self.portion.most)

    def dive(self, pick: Pick) -> None:
        """A short game."""
        launch = self.launches[pick(len(self.launches))]
        player = curious(self.answers, pick, gathered(pick) if pick(2) else pick)
        course = self.drive.play(pick, DEPTH, launch.state, player=player)
        self.harvest.dives += 1
        self.note(launch, course)
        if course.cut:
            raise OutOfTime

    def note(self, launch: Launch, course: Course) -> None:
        """Count what came of a game, and keep it if it is worth it."""
        harvest, setting = self.harvest, self.portion.setting
        numbers = (*launch.before, *course.numbers)
        harvest.decisions += len(course.numbers)
        harvest.witnesses.update(list(course.witnesses))
        seen = self.portion.known.turns, harvest.reached.turns
        if any(rules not in seen[0] and rules not in seen[1] for rules in course.reached.turns):
            harvest.kept.append(Kept(setting, numbers))
        harvest.reached.join(course.reached)
        harvest.seen.update(list(course.passed))
        if course.trouble is not None:
            self.find(Found(course.trouble, setting, numbers, launch.game, dive=launch.state is not None))

    def find(self, found: Found) -> None:
        """Note a finding."""
        self.harvest.seen[found.trouble.key] += 1
        self.harvest.found = found
