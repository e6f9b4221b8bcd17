"""Seeded runs by the Python engine, where there is no machine code; coverage is only which rules were used."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rulewright.diagnostics import RulesetError
from rulewright.engine import Aim, Checks, Explored, GatheredAnswers, Mode, Origin, State
from rulewright.engine.random_numbers import MASK
from rulewright.findings.fuzzing.aim.targets import Nearness
from rulewright.findings.fuzzing.search.universal_properties import resumed
from rulewright.play.game import Game

STEPS = 10_000
"""The steps that a distance may take."""


class PythonRuns:
    """Explores one game, as :class:`rulewright.engine.Explorer` does."""

    def __init__(self, game: Game, distances: Sequence[Nearness], broken: Collection[str]) -> None:
        """A run ends when one of the assertions with these names does not hold."""
        self._game, self._distances, self._broken = game, distances, broken
        self._assertions = [assertion.name for assertion in game.program.assertions]
        self.known = self.covered = bytes(len(game.rule_names) + 7 & -8)
        self._states: list[State] = []

    def explore(self, origin: Origin, count: int, seed: int, most: int, aim: Aim | None = None) -> Explored:
        """Play runs with successive seeds of at most so many answers, until one uses a rule that none has used before,
        or comes near to its target."""
        answers, unfinished = 0, None
        self.covered = bytes(len(self.known))
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

    turns: frozenset[frozenset[str]] = frozenset()
    """The rules that were used in each turn: turns are not noted here."""

    def forget_turns(self) -> None:
        """Do nothing: no turns are known."""

    def _run(self, origin: Origin, seed: int, most: int, aim: Aim | None) -> Explored:
        fired, checks, given = self._game.new_fired(), Checks(self._game.engine) if self._broken else None, 0
        try:
            state = self._begin(origin, seed, fired)
            state = resumed(state, Mode(fired=fired, watch=checks.watch if checks is not None else None))
            answers = GatheredAnswers(seed)
            while True:
                if checks is not None:
                    checks.look(state)
                    fallen = [name for name, _ in checks.broken if name in self._broken]
                    if fallen:
                        self._take_over(fired)
                        assertion = self._assertions.index(fallen[0])
                        return Explored(0, given, (seed, given), failed=True, assertion=assertion)
                if given or state.decision is None:
                    is_new, distance = self._take_over(fired), None
                    if state.decision is None:
                        return Explored(0, given, (seed, given) if is_new else None)
                    if aim is not None:
                        distance = self._distances[aim.number].of(state, STEPS)
                        if distance is None:
                            return Explored(0, given, (seed, given), failed=True, unmeasured=True)
                    if is_new or (aim is not None and distance is not None and distance < aim.below):
                        position = self._kept(state, (*origin.seeded_runs, (seed, given)))
                        return Explored(0, given, (seed, given), position, distance)
                    if given == most:
                        return Explored(0, given, unfinished=seed)
                assert state.decision is not None
                state = state.choose(answers(len(state.decision.options)))
                given += 1
        except RulesetError:
            self._take_over(fired)
            return Explored(0, given, (seed, given), failed=True)

    def _begin(self, origin: Origin, seed: int, fired: list[int]) -> State:
        if origin.is_beginning:
            return self._game.start(seed, fired=fired)
        state, layout = resumed(self._state(origin), Mode()), self._game.engine.layout
        state.cells = list(state.cells)
        state.cells[layout.seed] = seed
        for counter in layout.counters.values():
            state.cells[counter] = 0
        return state

    def _take_over(self, fired: Sequence[int]) -> bool:
        """Add what is covered to what is known; true if anything of it is new."""
        now = bytes(map(bool, fired)).ljust(len(self.known), b"\0")
        before = self.known
        self.covered, self.known = _joined(self.covered, now), _joined(before, now)
        return self.known != before

    def _state(self, origin: Origin) -> State:
        return self._states[int.from_bytes(origin.state, "little")]

    def _kept(self, state: State, seeded_runs: tuple[tuple[int, int], ...]) -> Origin:
        self._states.append(state)
        return Origin((len(self._states) - 1).to_bytes(8, "little"), b"", seeded_runs)

    def first_new(self, origin: Origin, found: Explored, known: bytes, aim: Aim | None = None) -> Explored:
        """The run as it is: each was looked at after every answer."""
        return found

    def restored(self, origin: Origin) -> Origin:
        """The position as it is: all are its own."""
        return origin

    def laid(self, state: State) -> Origin:
        """A position that no run has come to."""
        return self._kept(state, ())

    def distance(self, origin: Origin, number: int) -> int | None:
        """The distance of a position from a target; None if it cannot be measured."""
        return self._distances[number].of(self._state(origin), STEPS)

    def used(self, covered: bytes) -> frozenset[str]:
        """The rules that were used."""
        return frozenset(rule for rule, use in zip(self._game.rule_names, covered, strict=False) if use)

    def met(self, covered: bytes) -> Mapping[str, frozenset[str]]:
        """The rules that were used, each with itself."""
        return {rule: frozenset([rule]) for rule in self.used(covered)}


def _joined(one: bytes, other: bytes) -> bytes:
    return bytes(a | b for a, b in zip(one, other, strict=True))
