"""A search for games that reach a target: flights from the nearest positions that are known, and again from the
beginning.

It knows everything, answers for everybody, and rolls what it likes: it is no agent in a seat but a generator of tests.
Positions that came nearest are kept and left again, as in Go-Explore (A. Ecoffet et al., *First return, then explore*,
Nature 590, 2021), with branch distance in the place of cells.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from rulewright.diagnostics import RulesetError
from rulewright.engine import Checks, Dice, Mode, State
from rulewright.findings.fuzzing.aim.targets import NOWHERE, Nearness, Target
from rulewright.findings.fuzzing.deadlines import Limits
from rulewright.findings.fuzzing.search.picks import Pick
from rulewright.findings.fuzzing.search.players import first_ones, gathered, last_ones
from rulewright.findings.fuzzing.search.universal_properties import of_broken, resumed
from rulewright.play.game import Game

KEPT = 24
"""So many positions are kept for a target."""

LENGTH = 80
"""Decisions of a flight; every fourth goes on to the end of the game, if it comes before :data:`LONGEST`."""

LONGEST = 3_000

LOOK = 6
"""So many options are tried for a decision that is led."""

LED = 0, 30, 70
"""In so many of a hundred decisions options are tried; flights take turns."""


@dataclass(slots=True)
class Position:
    """A position that came near."""

    distance: int
    state: State
    numbers: tuple[int, ...]
    """The options taken on the way there, chance included."""
    flights: int = 0
    """Flights that began here."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A target was reached."""

    target: Target
    numbers: tuple[int, ...]
    message: str = ""
    """The sentence on what broke, of an assertion."""


@dataclass(slots=True)
class AimedSearch:
    """The search for one target in one game; with others that are met on the way."""

    game: Game
    near: Nearness
    dice: Dice
    limits: Limits
    kept: list[Position] = field(default_factory=list)
    flown: int = 0
    decisions: int = 0

    @property
    def nearest(self) -> Position | None:
        """The position that came nearest."""
        return self.kept[0] if self.kept else None

    def fly(self, wanted: Collection[Target]) -> list[Hit]:
        """One flight; the targets that it has reached."""
        depth = self.near.depth
        found = _Flight(self, wanted).run()
        self.flown += 1
        if self.near.depth != depth:  # what was measured until now means something else
            self.kept = [_measured(self.near, one) for one in self.kept]
            self.kept.sort(key=lambda one: one.distance)
        return found

    def keep(self, position: Position) -> None:
        """Keep a position if it is among the nearest."""
        at = sum(one.distance <= position.distance for one in self.kept)
        self.kept.insert(at, position)
        del self.kept[KEPT:]

    def begin(self) -> Position | None:
        """The position in which the next flight begins: of two that are kept the nearer one, unless many began there;
        None for the beginning of the game."""
        if not self.kept or self.dice.below(4) == 0:
            return None
        two = [self.kept[self.dice.below(len(self.kept))] for _ in range(2)]
        chosen = min(two, key=lambda one: one.distance * (4 + one.flights))
        chosen.flights += 1
        return chosen


def _measured(near: Nearness, one: Position) -> Position:
    return Position(near.of(one.state), one.state, one.numbers, one.flights)


class _Flight:
    """One flight."""

    def __init__(self, search: AimedSearch, wanted: Collection[Target]) -> None:
        self.search, self.game, self.near, self.dice = search, search.game, search.near, search.dice
        names = self.game.rule_names
        self.rules = [(names.index(t.name), t) for t in wanted if t.kind == "rule" and t.name in names]
        self.asserted = {t.name: t for t in wanted if t.kind != "rule"}
        self.aim = names.index(self.near.target.name) if self.near.target.kind == "rule" else -1
        self.hits: list[Hit] = []
        self.fired = self.game.new_fired()
        self.numbers: list[int] = []
        self.led = LED[search.flown % len(LED)]
        below = self.dice.below
        tastes: tuple[Callable[[], Pick], ...] = (
            lambda: gathered(below), lambda: below, lambda: first_ones(below), lambda: last_ones(below)
        )  # fmt: skip
        self.pick = tastes[(0, 0, 1, 1, 2, 3)[below(6)]]()

    def run(self) -> list[Hit]:
        """The targets that were reached."""
        begin = self.search.begin()
        most = LONGEST if self.search.flown % 4 == 3 else LENGTH
        checks = Checks(self.game.engine) if self.asserted else None
        mode = Mode(True, True, self.fired, checks.watch if checks is not None else None)
        try:
            if begin is None:
                state = self.game.start(ask_chance=True, fired=self.fired)
                state = resumed(state, mode)
            else:
                state, self.numbers = resumed(begin.state, mode), list(begin.numbers)
            self._on(state, most, checks)
        except RulesetError:
            pass  # the fuzzer without an aim reports it
        return self.hits

    def _on(self, state: State, most: int, checks: Checks | None) -> None:
        best: Position | None = None
        for _ in range(most):
            self._note(state, checks)
            if state.decision is None or any(hit.target == self.near.target for hit in self.hits):
                break
            self.search.limits.spend()
            number = self._answer(state)
            self.numbers.append(number)
            self.search.decisions += 1
            state = state.choose(number)
            if state.decision is not None and (best is None or len(self.numbers) % 4 == 0 or self.led):
                distance = self.near.of(state)
                if best is None or distance < best.distance:
                    best = Position(distance, state, tuple(self.numbers))
        else:
            self._note(state, checks)
        if best is not None and best.distance < NOWHERE:
            self.search.keep(best)

    def _note(self, state: State, checks: Checks | None) -> None:
        """Note the targets that were reached with the last answer."""
        for at, target in self.rules:
            if self.fired[at]:
                self.hits.append(Hit(target, tuple(self.numbers)))
        self.rules = [(at, target) for at, target in self.rules if not self.fired[at]]
        if checks is not None:
            checks.look(state)
            for one in checks.broken:
                reached = self.asserted.pop(one[0], None)
                if reached is not None:
                    message = of_broken(self.game, one, checks.sides(one)).told
                    self.hits.append(Hit(reached, tuple(self.numbers), message))

    def _answer(self, state: State) -> int:
        """The number of an option: where the flight is led, that after which the target is nearest."""
        assert state.decision is not None
        size = len(state.decision.options)
        if size == 1:
            return 0
        if self.dice.below(100) >= self.led:
            return self.pick(size)
        tried: Sequence[int] = range(size) if size <= LOOK else [self.pick(size) for _ in range(LOOK)]
        rated: list[tuple[int, int, int]] = []
        for order, number in enumerate(self.dice.shuffled(list(dict.fromkeys(tried)))):
            fired = self.game.new_fired()
            try:
                after = resumed(state, Mode(ask_chance=True, fired=fired)).choose(number)
            except RulesetError:
                continue
            if self.aim >= 0 and fired[self.aim]:
                return number
            over = NOWHERE if after.decision is None else self.near.of(after)
            rated.append((over, order, number))
        return min(rated)[2] if rated else self.pick(size)
