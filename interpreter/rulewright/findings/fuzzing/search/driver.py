"""Plays a game forwards by numbers of options, and looks at it wherever it rests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from rulewright.diagnostics import RulesetError
from rulewright.engine import Checks, Dice, Mode, State, witnessed
from rulewright.engine.states.state import advance
from rulewright.findings.fuzzing.deadlines import UNLIMITED, Limits, OutOfTime
from rulewright.findings.fuzzing.failures import Key, Violation, of_error
from rulewright.findings.fuzzing.search.coverage import Reached, TurnUses, turn_of
from rulewright.findings.fuzzing.search.players import Pick, known, named
from rulewright.findings.fuzzing.search.universal_properties import look_closely, of_broken, resumed
from rulewright.play.game import Game
from rulewright.play.scenarios.recording.replayed_game import Listener, Moment, startable

NEW = 6
"""So often a decision is new."""

SHARE = 1 / 3
"""The part of the time that close looks may take, where time is limited: without games there is nothing to look at."""

OTHERS = 8
"""So many other options are tried where one leads to an error that is passed over."""


@dataclass(slots=True)
class Turn:
    """A turn of a game."""

    before: int
    """The number of decisions answered before it."""
    state: State
    """The first state."""
    rules: frozenset[str] = frozenset()
    """The rules that were used in it."""


@dataclass(slots=True)
class Course:
    """A game, or a part of one, that was played."""

    numbers: list[int] = field(default_factory=list)
    """The numbers of the options taken, chance included."""
    trouble: Violation | None = None
    state: State | None = None
    """The last state; None if the rules failed before the first question."""
    over: bool = False
    cut: bool = False
    """True if it was left because time was up."""
    passed: dict[Key, None] = field(default_factory=dict)
    """Troubles that were met and passed over."""
    turns: list[Turn] = field(default_factory=list)
    """The turns with a question."""
    moments: list[Moment] = field(default_factory=list)
    """Beginnings of procedures, if they were requested."""
    reached: Reached = field(default_factory=Reached)
    witnesses: dict[str, None] = field(default_factory=dict)


class Drive:
    """Plays games of one setting; chance is a decision like the others.

    With dice the state is looked at closely in one of `every` rests, and where a decision is new: it takes a while, so
    that where time is limited only a share of it goes there. These dice decide nothing else, so the same games are
    played whatever is looked at.
    Troubles to be `passed` over do not end a game: what comes after them is wanted.
    """

    def __init__(
        self,
        game: Game,
        every: int = 32,
        moments: bool = False,
        limits: Limits = UNLIMITED,
        passed: Callable[[Key], bool] = frozenset[Key]().__contains__,
        checked: bool = True,
    ) -> None:
        self.game = game
        self.checked = checked
        """False: what must always hold is not asked."""
        self.limits = limits
        self.passed = passed
        self.every = every
        self.moments = moments
        self.looked: Counter[str] = Counter()
        """The number of times each decision was looked at closely."""
        self.looks: Counter[str] = Counter()
        """All that was looked at closely, by kind."""
        self._began = limits.now()
        self._looking = 0.0
        """Seconds of close looks."""
        self.turn = turn_of(game.program)
        self.has_witnesses = any(a.word == "witness" for a in game.program.assertions)
        self.observed_functions = startable(game.program) if moments else (self.turn,) if self.turn else ()

    def play(
        self,
        pick: Pick,
        most: int,
        dice: Dice | None = None,
        player: Callable[[State], int] | None = None,
    ) -> Course:
        """Play until the end, until something is wrong, or until `most` decisions are answered.

        A `player` answers instead of `pick` where it is not chance that decides. With `dice` states are looked at
        closely.
        """
        return _Playing(self, pick, most, dice, player).play()

    def curious(self, decision: str, dice: Dice) -> bool:
        """True if a state in which this is decided is to be looked at closely."""
        wanted = self.looked[decision] < NEW or not dice.below(self.every)
        if wanted and self.limits.until is not None:
            wanted = self._looking <= SHARE * (self.limits.now() - self._began)
        self.looked[decision] += wanted
        return wanted

    def look(self, state: State, dice: Dice) -> Iterator[tuple[Violation, tuple[int, ...]]]:
        """A close look, whose time counts."""
        began = self.limits.now()
        try:
            yield from look_closely(self.game, state, dice, self.limits, self.looks)
        finally:
            self._looking += self.limits.now() - began

    def again(self, numbers: Iterable[int]) -> Course:
        """Play these numbers; one that is too large means the last option."""
        given = list(numbers)
        left = iter(given)
        return self.play(lambda size: min(next(left), size - 1), len(given))


class _Playing:
    def __init__(
        self, drive: Drive, pick: Pick, most: int, dice: Dice | None, player: Callable[[State], int] | None
    ) -> None:
        self.drive, self.pick, self.most, self.dice, self.player = drive, pick, most, dice, player
        self.game = drive.game
        self.engine = drive.game.engine
        self.fired = self.engine.new_fired()
        self.uses = TurnUses(self.engine.rule_names, self.fired)
        self.mode = Mode(True, True, self.fired)
        self.checks: Checks | None = None
        self.watched()
        self.course = Course()
        self.begun = False
        self.turn: Turn | None = None
        self.listener = Listener(self.engine, drive.observed_functions, self.hear)

    def watched(self) -> None:
        """Watch from here on."""
        if not self.drive.checked:
            return
        self.checks = Checks(self.engine)
        self.mode = replace(self.mode, watch=self.checks.watch)

    def hear(self, function: str, cells: list[int], args: list[int]) -> None:
        """A procedure begins."""
        if self.drive.moments:
            self.course.moments.append(Moment(len(self.course.numbers), function, tuple(args), list(cells)))
        if function == self.drive.turn:
            self.close_turn()
            self.begun = True

    def close_turn(self) -> None:
        """Note which rules were used since the last turn began."""
        used = self.uses.close()
        if used:
            self.course.reached.add(used)
        if self.turn is not None:
            self.turn.rules = used
            self.turn = None

    def play(self) -> Course:
        """The course of the game."""
        course = self.course
        with self.listener.listening():
            try:
                self.on(self.first())
            except RulesetError as error:
                course.over = not self.stops(of_error(error.diagnostics[0]))
            except OutOfTime:
                course.cut = True
        self.close_turn()
        return course

    def first(self) -> State:
        """The state to begin with."""
        cells, stack = self.engine.begin(0)
        block = self.engine.push(stack, self.game.program.main, ())
        self.listener.awake = True
        state = advance(self.engine, cells, stack, 3, block, self.mode, None)
        self.listener.awake = False
        return state

    def on(self, state: State) -> None:
        """Play on from a state."""
        course = self.course
        while True:
            course.state = state
            if self.checks is not None:
                self.checks.look(state)
                if any(self.stops(of_broken(self.game, one, self.checks.sides(one))) for one in self.checks.broken):
                    return
            if self.drive.has_witnesses:
                course.witnesses.update(dict.fromkeys(witnessed(state)))
            decision = state.decision
            if decision is None:
                course.over = True
                return
            if len(course.numbers) >= self.most:
                return
            if self.begun:
                self.turn = Turn(len(course.numbers), state)
                course.turns.append(self.turn)
                self.begun = False
            if self.dice is not None and self.drive.curious(decision.name, self.dice):
                for trouble, further in self.drive.look(state, self.dice):
                    if self.stops(trouble):
                        course.numbers.extend(further)
                        return
            self.drive.limits.spend()
            asks_player = self.player is not None and decision.seat is not None
            number = self.player(state) if asks_player and self.player else self.pick(len(decision.options))
            after = self.answered(state, number)
            if after is None:
                return
            if named(decision):
                course.reached.answers[known(decision, decision.options[course.numbers[-1]])] += 1
            state = after

    def answered(self, state: State, wanted: int) -> State | None:
        """The state after an answer, or after another one if the answer leads to an error that is passed over.

        None if it leads to another error, or if all do.
        """
        assert state.decision is not None
        size = len(state.decision.options)
        for number in range(wanted, wanted + min(size, 1 + OTHERS)):
            self.course.numbers.append(number % size)
            self.listener.awake = True
            try:
                return state.choose(number % size)
            except RulesetError as error:
                if self.stops(of_error(error.diagnostics[0])):
                    return None
            finally:
                self.listener.awake = False
            self.course.numbers.pop()
            self.watched()
            state = resumed(state, self.mode)
        self.course.over = True
        return None

    def stops(self, trouble: Violation) -> bool:
        """True if a trouble ends the game; if not, it is counted."""
        if self.drive.passed(trouble.key):
            self.course.passed[trouble.key] = None
            return False
        self.course.trouble = trouble
        return True
