"""Seeded runs by the Python engine, where there is no machine code: of the rules it notes which were used in turns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import compress
from operator import or_
from typing import Protocol

from rulewright.diagnostics import RulesetError
from rulewright.engine import Aim, Checks, Explored, GatheredAnswers, Mode, Origin, State, laid, state_of, witnessed
from rulewright.engine.random_numbers import MASK
from rulewright.findings.fuzzing.search.coverage import TurnUses, turn_of
from rulewright.findings.fuzzing.search.runs import game_of
from rulewright.findings.fuzzing.search.universal_properties import resumed
from rulewright.play.game import Game
from rulewright.play.scenarios.recording.replayed_game import Listener

STEPS = 10_000
"""The steps that a distance may take."""


class Distance(Protocol):
    """The distance from a target."""

    def of(self, state: State, steps: int) -> int | None:
        """The distance of a state; None if it cannot be measured in so many steps."""


class PythonRuns:
    """Explores one game, as :class:`rulewright.engine.Explorer` does.

    Coverage has a byte for each rule that was used, and for each witness that held.
    """

    scale = 128
    """Of so many answers one is given: they take longer."""

    def __init__(self, game: Game, broken: Collection[str], distances: Sequence[Distance] = ()) -> None:
        """A run ends when one of the assertions with these names does not hold."""
        self._game, self._distances, self._broken = game, distances, broken
        self._assertions = [assertion.name for assertion in game.program.assertions]
        self._witnesses = [one.name for one in game.program.assertions if one.word == "witness"]
        turn = turn_of(game.program)
        self._turn = (turn,) if turn else ()
        names = *game.rule_names, *(f"witness {name}" for name in self._witnesses)
        self._names = (*names, *("" for _ in range(-len(names) % 8)))
        self.known = self.covered = bytes(len(self._names))
        self.turns: frozenset[frozenset[str]] = frozenset()

    def explore(self, origin: Origin, count: int, seed: int, most: int, aim: Aim | None = None) -> Explored:
        """Play runs with successive seeds of at most so many answers, until one covers what none has covered before, or
        comes near to its target."""
        answers, unfinished = 0, None
        self.covered = bytes(len(self._names))
        for number in range(count):
            one = self._run(origin, seed + number & MASK, most, aim)
            answers += one.answers
            unfinished = one.unfinished if unfinished is None else unfinished
            if one.last is not None:
                failed = one.failed, one.assertion, one.rule
                return Explored(
                    number, answers, one.last, one.position, one.distance, *failed, unfinished, one.unmeasured
                )
        return Explored(count, answers, unfinished=unfinished)

    def forget_turns(self) -> None:
        """Forget the turns."""
        self.turns = frozenset()

    def _run(self, origin: Origin, seed: int, most: int, aim: Aim | None) -> Explored:
        fired, given = self._game.new_fired(), 0
        uses = TurnUses(self._game.rule_names, fired)
        checks = Checks(self._game.engine) if self._broken else None
        listener = Listener(self._game.engine, self._turn, lambda *_: self._close(uses))
        answers = GatheredAnswers(seed)
        try:
            with listener.listening():
                listener.awake = True
                state = self._begin(origin, seed, fired)
                state = resumed(state, Mode(fired=fired, watch=checks.watch if checks is not None else None))
                while True:
                    if checks is not None:
                        checks.look(state)
                        fallen = [name for name, _ in checks.broken if name in self._broken]
                        if fallen:
                            self._cover(uses.used)
                            assertion = self._assertions.index(fallen[0])
                            return Explored(0, given, (seed, given), failed=True, assertion=assertion)
                    if given or state.decision is None:
                        found = self._noted(origin, (seed, given), state, uses, aim)
                        if found is not None:
                            return found
                        if given == most:
                            return Explored(0, given, unfinished=seed)
                    assert state.decision is not None
                    state = state.choose(answers(len(state.decision.options)))
                    given += 1
        except RulesetError:
            self._cover(uses.used)
            return Explored(0, given, (seed, given), failed=True)

    def _noted(
        self, origin: Origin, run: tuple[int, int], state: State, uses: TurnUses, aim: Aim | None
    ) -> Explored | None:
        """A run that is over or left in a state at rest; None if it goes on."""
        held = (f"witness {name}" for name in witnessed(state))
        is_new, given, distance = self._cover({*uses.used, *held}), run[1], None
        if state.decision is None:
            self._close(uses)
            return Explored(0, given, run if is_new else None)
        if aim is not None:
            distance = self._distances[aim.number].of(state, STEPS)
            if distance is None:
                return Explored(0, given, run, failed=True, unmeasured=True)
        if is_new or (aim is not None and distance is not None and distance < aim.below):
            position = Origin(b"", b"", (*origin.seeded_runs, run), "", origin.numbers, laid(state).rest)
            return Explored(0, given, run, position, distance)
        return None

    def _begin(self, origin: Origin, seed: int, fired: list[int]) -> State:
        if origin.rest is None:
            return self._game.start(seed, fired=fired)
        engine = self._game.engine
        state = state_of(engine, origin.rest)
        state.cells = list(state.cells)
        state.cells[engine.layout.seed] = seed
        for counter in engine.layout.counters.values():
            state.cells[counter] = 0
        return state

    # ------------------------------------------------------------------------------------------------- coverage

    def _close(self, uses: TurnUses) -> None:
        """A turn is over."""
        self.turns |= {used} if (used := uses.close()) else set()

    def _cover(self, names: Collection[str]) -> bool:
        """Add rules and witnesses to what is covered, and to what is known; true if any was not known."""
        before, now = self.known, bytes(name in names for name in self._names)
        self.covered, self.known = (bytes(map(or_, one, now)) for one in (self.covered, before))
        return self.known != before

    def used(self, covered: bytes) -> frozenset[str]:
        """The rules that were used."""
        return frozenset(compress(self._game.rule_names, covered))

    def witnessed(self, covered: bytes) -> frozenset[str]:
        """The witnesses that held."""
        return frozenset(name for name in self._witnesses if covered[self._names.index(f"witness {name}")])

    def met(self, covered: bytes) -> Mapping[str, frozenset[str]]:
        """For each rule that was used in a turn all that were used in one with it, itself included."""
        rules = frozenset[str]().union(*self.turns)
        return {rule: frozenset[str]().union(*(turn for turn in self.turns if rule in turn)) for rule in rules}

    # ------------------------------------------------------------------------------------------------ positions

    def first_new(self, origin: Origin, found: Explored, known: bytes, aim: Aim | None = None) -> Explored:
        """The run as it is: each was looked at after every answer."""
        return found

    def restored(self, origin: Origin, state_after: Callable[[tuple[int, ...]], State | None]) -> Origin | None:
        """A position with its state; None if what led there leads to no question any more."""
        if origin.is_beginning or origin.rest is not None:
            return origin
        state = game_of(self._game, origin.way)[1]
        if state is None or state.decision is None:
            return None
        found = laid(state, origin.numbers)
        return Origin(b"", b"", origin.seeded_runs, "", origin.numbers, found.rest)

    def distance(self, origin: Origin, number: int) -> int | None:
        """The distance of a position from a target; None if it cannot be measured."""
        assert origin.rest is not None
        return self._distances[number].of(state_of(self._game.engine, origin.rest), STEPS)
