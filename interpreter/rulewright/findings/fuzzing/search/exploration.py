"""One portion of a search by seeded runs from some positions, whose failures the Python engine plays again.

Machine code stops at the first invariant or property that does not hold, and at each error of the rules. The Python
engine plays the run again, with chance as a decision: so a finding is a game like any other, and nothing is reported
that only one of the engines has met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from rulewright.engine import Aim, Explored, Origin, SeededRun, State, Way, explorer
from rulewright.engine.random_numbers import MASK, mix
from rulewright.findings.fuzzing.deadlines import Limits
from rulewright.findings.fuzzing.failures import Found, Key, Setting
from rulewright.findings.fuzzing.search.coverage import Pair, turn_of
from rulewright.findings.fuzzing.search.driver import Drive
from rulewright.findings.fuzzing.search.python_runs import PythonRuns
from rulewright.findings.fuzzing.search.runs import game_of, numbers_of
from rulewright.findings.fuzzing.search.universal_properties import endless
from rulewright.play.game import Game

CHUNK = 1 << 15
"""So many answers machine code gives between two looks at the clock, about."""
LENGTHS = (64, 1024, 256)
"""The most answers of runs from a position: they take turns. Those from the beginning are whole games."""
FAILED = 256
"""So many answers a run counts for that has failed: it takes as long as these."""
REPLAYED = 5_000
"""So many answers of a game that does not end are played again: most of them go round in circles long before."""
VAIN = 4
"""After so many failures in which the Python engine finds nothing wrong a portion is over."""

PART = 256
"""The bytes of a map that are looked at together."""

Failure = tuple[int, int]
"""The numbers of the assertion that did not hold, or -1, and of the rule that was used last."""


class Explores(Protocol):
    """Plays seeded runs: machine code, or the Python engine in its place."""

    known: bytes

    @property
    def scale(self) -> int:
        """Of so many answers one is given: fewer where they take longer."""

    @property
    def covered(self) -> bytes:
        """Coverage of the last runs."""

    @property
    def turns(self) -> frozenset[frozenset[str]]:
        """The rules that were used in each turn since these were forgotten."""

    def forget_turns(self) -> None:
        """Forget the turns."""

    def explore(self, origin: Origin, count: int, seed: int, most: int, aim: Aim | None = None) -> Explored:
        """Some runs, until one covers something new or comes near."""

    def first_new(self, origin: Origin, found: Explored, known: bytes, aim: Aim | None = None) -> Explored:
        """A run that is left after the first answer with which it does."""

    def restored(self, origin: Origin, state_after: Callable[[tuple[int, ...]], State | None]) -> Origin | None:
        """A position from elsewhere."""

    def distance(self, origin: Origin, number: int) -> int | None:
        """The distance of a position from a target."""

    def met(self, covered: bytes) -> Mapping[str, frozenset[str]]:
        """The rules that were used in turns with each other."""

    def used(self, covered: bytes) -> frozenset[str]:
        """The rules that were used."""

    def witnessed(self, covered: bytes) -> frozenset[str]:
        """The witnesses that held."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The things for which a portion looks, if it has an aim."""

    rules: frozenset[str]
    """The rules of which the first use is sought,"""
    broken: frozenset[tuple[str, str]]
    """and the assertions that are to be broken: no other trouble is of interest."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """The work of one process."""

    setting: Setting
    seed: int
    answers: int
    """So many answers are given, about."""
    most: int
    """A game that is not over after this many decisions does not end."""
    origins: tuple[Origin, ...]
    known: bytes
    """Coverage at the time when it was handed out; empty at first."""
    passed: frozenset[Key] = frozenset()
    """Troubles that are accepted or known."""
    failures: Mapping[Failure, int] = field(default_factory=dict)
    """For each way to fail the number of runs."""
    limits: Limits = field(default_factory=Limits)
    wanted: Wanted | None = None
    aims: tuple[Aim, ...] = ()
    """For each origin the target of its runs; empty if they have none."""
    lengths: tuple[int, ...] = LENGTHS

    def passes(self, key: Key) -> bool:
        """True if a trouble is none."""
        return key in self.passed if self.wanted is None else key not in self.wanted.broken


@dataclass(frozen=True, slots=True)
class Discovery:
    """A position in which something was covered for the first time, or that came near."""

    origin: Origin
    words: tuple[tuple[int, int], ...]
    """The words of the map with something new, and what is new in each."""
    distance: int | None = None
    """The distance from the target, if there is one."""


@dataclass(slots=True)
class ExplorationResult:
    """The result of a portion."""

    setting: Setting
    runs: int = 0
    answers: int = 0
    reached: list[Discovery] = field(default_factory=list)
    ended: list[Discovery] = field(default_factory=list)
    """Games in which something was covered for the first time when they were over."""
    unreachable: set[Way] = field(default_factory=set)
    """Ways of the corpus that lead to no question."""
    known: bytes = b""
    """Coverage by now."""
    touched: tuple[int, ...] = ()
    """The words of the map in which the portion has covered anything."""
    used: frozenset[str] = frozenset()
    """The rules that were used in turns by now."""
    witnessed: frozenset[str] = frozenset()
    """The witnesses that held in some position by now."""
    met: frozenset[Pair] = frozenset()
    """The rules that were used together in a turn by now, each two in alphabetical order."""
    turns: frozenset[frozenset[str]] = frozenset()
    """The rules that were used in turns, each set once; some may be missing where there are very many."""
    failures: Counter[Failure] = field(default_factory=Counter)
    found: Found | None = None
    seen: Counter[Key] = field(default_factory=Counter)
    """In how many runs that were played again there was each trouble."""
    stopped: int = 0
    """Failures in which the Python engine finds nothing wrong: machine code could not go on."""
    interrupted: bool = False
    uses: dict[str, Way] = field(default_factory=dict)
    """For each wanted rule that was used the way to there."""
    unmeasured: bool = False
    """True if the portion is over because a distance could not be measured."""


class Explorers:
    """The explorers of games, without the assertions that are known not to hold."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, frozenset[str]], tuple[Game, Explores]] = {}

    def of(self, game: Game, passed: frozenset[Key]) -> Explores:
        """The explorer of a game: machine code, unless that cannot play it, or is not to."""
        names = frozenset(name for kind, name in passed if kind in ("invariant", "property"))
        key = id(game), names
        if key not in self._made:
            held = tuple(one for one in game.program.assertions if one.name not in names)
            program = game.program if not names else replace(game.program, assertions=held)
            machine = explorer(program, turn_of(program), wanted=game.backend, passes=game.passes)
            self._made[key] = game, machine or PythonRuns(game, {one.name for one in held if one.word != "witness"})
        return self._made[key][1]


def explore(game: Game, machine: Explores, portion: Exploration) -> ExplorationResult:
    """Explore from some positions; what was reached until Ctrl-C is not lost."""
    searching = _Exploring(game, machine, portion)
    try:
        searching.run()
    except KeyboardInterrupt:
        searching.result.interrupted = True
    searching.close()
    return searching.result


class _Exploring:
    def __init__(self, game: Game, machine: Explores, portion: Exploration) -> None:
        self.game, self.machine, self.portion = game, machine, portion
        self.result = ExplorationResult(portion.setting)
        self._touched = self._before_failures = 0
        self._aim: Aim | None = None
        size = len(machine.known)
        self._known = portion.known if len(portion.known) == size else bytes(size)
        machine.known = self._known
        machine.forget_turns()

    def run(self) -> None:
        """All runs."""
        portion, seed = self.portion, self.portion.seed
        share = max(1, portion.answers // self.machine.scale // len(portion.origins))
        lengths = portion.lengths
        for number, given in enumerate(portion.origins):
            origin = self.machine.restored(given, self._state_after)
            self._known = self.machine.known
            if origin is None:
                self.result.unreachable.add(given.way)
                continue
            most = portion.most if origin.is_beginning else lengths[number % len(lengths)]
            self._aim = portion.aims[number] if portion.aims else None
            left, usual = share, float(CHUNK)
            while left > 0 and not self._is_over():
                count = max(1, int(min(left, CHUNK) / usual))
                found = self.machine.explore(origin, count, seed, most, self._aim)
                seed = seed + found.runs + (found.last is not None) & MASK
                left -= max(1, found.runs, found.answers, FAILED // self.machine.scale * found.failed)
                self._note(origin, found)
                if found.runs:
                    usual = max(1.0, found.answers / found.runs)

    def _state_after(self, numbers: tuple[int, ...]) -> State | None:
        """The state after the numbers of options of a game, if a player is to answer there."""
        state = game_of(self.game, (numbers, ()))[1]
        return state if state is not None and state.decision is not None and state.decision.seat is not None else None

    def _is_over(self) -> bool:
        result = self.result
        return result.found is not None or result.unmeasured or result.stopped >= VAIN or self.portion.limits.over()

    def _note(self, origin: Origin, found: Explored) -> None:
        """Note what came of some runs."""
        result, machine = self.result, self.machine
        result.runs += found.runs + (found.last is not None)
        result.answers += found.answers
        covered = int.from_bytes(machine.covered, "little")
        self._touched |= covered
        if found.unfinished is not None and origin.is_beginning:
            self._endless(found.unfinished)
        if found.last is not None and self.portion.wanted is not None:
            used = self.portion.wanted.rules & machine.used(machine.covered)
            for rule in sorted(used - result.uses.keys()):
                result.uses[rule] = _behind(origin, found.last)
        if found.unmeasured:
            result.unmeasured = True
        elif found.failed and found.last is not None:
            self._before_failures |= covered
            self._failed(found, origin, found.last)
        elif found.last is not None:
            before = self._known
            if found.position is None or self.portion.wanted is None:  # with an aim a few answers more do not matter
                found = machine.first_new(origin, found, before, self._aim)
            self._known = machine.known
            assert found.last is not None
            if self._aim is not None and found.distance is not None:
                self._aim = Aim(self._aim.number, min(self._aim.below, found.distance))
            new = _words(int.from_bytes(before, "little") ^ int.from_bytes(self._known, "little"), len(before))
            if found.position is not None:
                result.reached.append(Discovery(found.position, new, found.distance))
            else:
                way = _behind(origin, found.last)
                result.ended.append(Discovery(Origin(b"", b"", way[1], "", way[0]), new))

    def _failed(self, found: Explored, origin: Origin, last: SeededRun) -> None:
        """Play a run that has failed again, unless that was done before for such ones: at the first, second, fourth and
        so on."""
        result, portion = self.result, self.portion
        key = found.assertion, found.rule
        result.failures[key] += 1
        times = result.failures[key] + portion.failures.get(key, 0)
        if times & times - 1:
            return
        numbers = numbers_of(self.game, _behind(origin, (last[0], last[1] + 1)))
        course = Drive(self.game, limits=portion.limits, passed=portion.passes).again(numbers)
        result.seen.update(list(course.passed))
        trouble, state = course.trouble, course.state
        if trouble is None and state is not None and state.decision is not None and state.decision.seat is None:
            trouble = endless(self.game, portion.most)  # chance goes on and on
        if trouble is not None:
            result.seen[trouble.key] += 1
            if not portion.passes(trouble.key):
                result.found = Found(trouble, portion.setting, tuple(course.numbers), explored=True)
        elif not course.passed:
            result.stopped += 1

    def _endless(self, seed: int) -> None:
        """Report a game that is not over after the most answers, unless that is known."""
        result, portion = self.result, self.portion
        trouble = endless(self.game, portion.most)
        result.seen[trouble.key] += 1
        if not portion.passes(trouble.key) and result.found is None:
            numbers = numbers_of(self.game, ((), ((seed, min(portion.most, REPLAYED)),)))
            result.found = Found(trouble, portion.setting, tuple(numbers[: portion.most]), explored=True)

    def close(self) -> None:
        """Say what is covered by now."""
        result, machine = self.result, self.machine
        result.known = machine.known
        known = (int.from_bytes(result.known, "little") | self._before_failures).to_bytes(len(result.known), "little")
        result.touched = tuple(at for at, _ in _words(self._touched, len(known)))
        met = machine.met(known)
        result.used, result.turns, result.witnessed = frozenset(met), machine.turns, machine.witnessed(known)
        result.met = frozenset((one, other) for one, others in met.items() for other in others if one < other)


def _behind(origin: Origin, run: SeededRun) -> Way:
    """The way to the end of a run that begins in a position."""
    return origin.numbers, (*origin.seeded_runs, run)


def portion_seed(seed: int, number: int) -> int:
    """The seed of a portion of a search, by its number."""
    return mix(mix(seed & MASK) + number) & MASK >> 1


def _words(bits: int, size: int) -> tuple[tuple[int, int], ...]:
    """The words in which there is anything, each with its number; of most parts of a map it is nothing."""
    covered, found = bits.to_bytes(size, "little"), list[tuple[int, int]]()
    for begin in range(0, size, PART):
        part = covered[begin : begin + PART]
        if part.count(0) < len(part):
            found += ((begin // 8 + at, word) for at, word in enumerate(words_of(part)) if word)
    return tuple(found)


def words_of(covered: bytes) -> memoryview:
    """The words of a map."""
    return memoryview(covered).cast("Q")
