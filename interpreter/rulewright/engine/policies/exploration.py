"""Runs from one position again and again, by machine code that notes what of the rules they cover."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import TYPE_CHECKING, NamedTuple

from rulewright.engine.native.memory_map import ASK, STATUS, TOP
from rulewright.engine.native.observation_plan import Covered
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.suspended_state import SuspendedState
from rulewright.engine.native.tiering import WARM, EngineName, backend_for
from rulewright.engine.random_numbers import MASK
from rulewright.engine.states.state import State
from rulewright.engine.stepping.stepper import rest_of
from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.budgets import TOTAL, scope
from rulewright.ir.model import Program

if TYPE_CHECKING:
    from rulewright.engine.native.backend import Backend
    from rulewright.engine.native.lowering.driver.exploration_functions import ExplorationMap


SeededRun = tuple[int, int]
"""The seed of a run, from which its chance and its answers are drawn, and the answers after which it was left."""
Way = tuple[tuple[int, ...], tuple[SeededRun, ...]]
"""Numbers of options from the beginning of a game, and the runs behind them."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A position at rest, as machine code keeps it, and the runs that have led there."""

    state: bytes = field(repr=False)
    """The bytes of the state; of none at the beginning of the game."""
    kept: bytes = field(repr=False)
    """The memory of turns and assertions."""
    seeded_runs: tuple[SeededRun, ...] = ()
    form: str = ""
    """The machine code whose bytes these are; other machine code finds the position again by its runs."""
    numbers: tuple[int, ...] = ()
    """The numbers of the options that were taken before these runs, chance included: a game that was not drawn from a
    seed."""
    rest: SuspendedState | None = field(default=None, repr=False)
    """The state, of a position to which the Python engine has come."""

    @property
    def is_beginning(self) -> bool:
        """True if this is a game that has not begun."""
        return not (self.seeded_runs or self.state or self.numbers or self.rest)

    @property
    def way(self) -> Way:
        """The way there from the beginning of the game."""
        return self.numbers, self.seeded_runs


BEGINNING = Origin(b"", b"")
"""A game that has not begun."""


def laid(state: State, numbers: tuple[int, ...] = ()) -> Origin:
    """A position to which no seeded run has come, and the numbers of the options that lead there, if some do."""
    return Origin(b"", b"", numbers=numbers, rest=rest_of(state, state.engine))


@dataclass(frozen=True, slots=True)
class Explored:
    """The result of some runs."""

    runs: int
    """The runs that have ended."""
    answers: int
    """The answers of players in all of them, and in the last one."""
    last: tuple[int, int] | None = None
    """The seed and the answers of the run that was left: it has covered something new, come near, or failed."""
    position: Origin | None = None
    """The position in which it did; None if its game is over there, or if it failed."""
    distance: int | None = None
    """The distance of that position from the target."""
    failed: bool = False
    """True if it ended in an error, or an assertion did not hold, or machine code could not go on."""
    assertion: int = -1
    """The number of the assertion that did not hold."""
    rule: int = -1
    """The number of the rule that was used last before it failed."""
    unfinished: int | None = None
    """The seed of a run that was not over after the most answers, if there was one."""
    unmeasured: bool = False
    """True if it failed because the distance could not be measured."""


class Aim(NamedTuple):
    """A target of runs."""

    number: int
    """The number of its distance."""
    below: int
    """The distance below which a run has come near."""


class Explorer:
    """Explores one game."""

    scale = 1
    """Of so many answers one is given: fewer where they take longer."""

    def __init__(self, backend: Backend, witnesses: tuple[str, ...] = (), form: str = "") -> None:
        """The `witnesses` of the game, by name; equal words for the `form` mean the same machine code."""
        self._backend, self._instance, self._form = backend, backend.instance(), form
        found = backend.native.exploration
        assert found is not None
        self._map: ExplorationMap = found
        self._explore = self._instance.known("explore", 9)
        self._keep = self._instance.known("keep", 1)
        self._measure = self._instance.known("measure", 1)
        self._forget = self._instance.known("forget", 1)
        self._origin: Origin | None = None
        self.rule_names, self._witnesses = backend.native.rule_names, witnesses

    def met(self, covered: bytes) -> dict[str, frozenset[str]]:
        """For each rule that was used in a turn all that were used in one with it, itself included."""
        row, names = self._map.coverage.row, self.rule_names
        rows = (int.from_bytes(covered[row * at : row * (at + 1)], "little") for at in range(len(names)))
        return {
            rule: frozenset(names[other] for other in bits_of(bits))
            for rule, bits in zip(names, rows, strict=True)
            if bits
        }

    def forget_turns(self) -> None:
        """Take all sets of rules out of the table of turns."""
        coverage = self._map.coverage
        self._instance.write(coverage.turns, bytes(coverage.places * (8 + coverage.row)))

    @property
    def turns(self) -> frozenset[frozenset[str]]:
        """The rules that were used in each turn since then; some sets may be missing where there are very many."""
        coverage, names = self._map.coverage, self.rule_names
        row = coverage.row
        table = self._instance.read(coverage.turns, coverage.places * (8 + row))
        places = range(0, len(table), 8 + row)
        sets = (int.from_bytes(table[at + 8 : at + 8 + row], "little") for at in places if table[at])
        return frozenset(frozenset(names[rule] for rule in bits_of(rules)) for rules in sets)

    def used(self, covered: bytes) -> frozenset[str]:
        """The rules that were used."""
        return frozenset(rule for at, rule in enumerate(self.rule_names, self._map.coverage.uses) if covered[at])

    def witnessed(self, covered: bytes) -> frozenset[str]:
        """The witnesses that held."""
        first = self._map.coverage.uses + len(self.rule_names)
        return frozenset(name for at, name in enumerate(self._witnesses, first) if covered[at])

    def explore(
        self, origin: Origin, count: int, seed: int, most: int, aim: Aim | None = None, closely: int | None = None
    ) -> Explored:
        """Play runs with successive seeds of at most so many answers, until one covers what none has covered before, or
        comes near to its target.

        It is looked after every segment of answers; after `closely` of them, a number of whole segments, after each.
        """
        from rulewright.engine.native.instance import Trap, watchdog

        instance, here, where = self._instance, scope(), self._map
        here.look()
        if origin is not self._origin and not origin.is_beginning:
            instance.write(where.origin, origin.state)
            instance.write(where.kept, origin.kept)
        self._origin = origin
        failed, wanted = False, (0, 0) if aim is None else (aim.number + 1, aim.below)
        try:
            with watchdog.watching(instance, here):
                coarse = most if closely is None else closely
                self._explore(count, int(origin.is_beginning), seed & MASK, most, coarse, here.steps, TOTAL, *wanted)
        except Trap:
            failed = True
            here.look()
        runs, given = instance.number(where.runs), instance.number(where.runs + 4)
        answers = int.from_bytes(instance.read(where.answers, 8), "little")
        last = (seed + runs & MASK, given)
        endless = seed + instance.number(where.unfinished + 4) & MASK if instance.number(where.unfinished) else None
        if failed:
            part = min(most - given, self._map.segment if aim is None else min(self._map.segment, max(1, given)))
            since = part - instance.number(where.left)
            broken, rule = instance.number(where.broken), instance.number(where.last)
            last, vague = (last[0], given + since), bool(instance.number(where.distance + 4))
            return Explored(runs, answers + since, last, None, None, True, broken, rule, endless, vague)
        if not instance.number(where.is_new):
            return Explored(runs, answers, unfinished=endless)
        if instance.number(STATUS) != ASK:
            return Explored(runs, answers, last, unfinished=endless)
        distance = instance.number(where.distance) if aim is not None else None
        return Explored(runs, answers, last, self._position(origin, last), distance, unfinished=endless)

    def first_new(self, origin: Origin, found: Explored, known: bytes, aim: Aim | None = None) -> Explored:
        """A run again, left after the first answer with which it covers something that is not `known`, or comes near;
        what it covers later is not known then."""
        assert found.last is not None
        seed, answers = found.last
        self.known, segment = known, self._map.segment
        return self.explore(origin, 1, seed, answers, aim, max(0, answers - 1) // segment * segment)

    def restored(self, origin: Origin, state_after: Callable[[tuple[int, ...]], State | None]) -> Origin | None:
        """A position as this machine code keeps it; None if what led there leads to no question any more. What the runs
        cover is known then. `state_after` gives the state after the numbers of options, where nothing else does."""

        if origin.is_beginning or origin.form == self._form:
            return origin
        if origin.rest is not None:
            return self._encoded(origin)
        found, covered = BEGINNING, int.from_bytes(self.known, "little")
        if origin.numbers:
            state = state_after(origin.numbers)
            if state is None:
                return None
            found = self._encoded(laid(state, origin.numbers))
        try:
            for seed, answers in origin.seeded_runs:
                self.known = b"\xff" * self._map.coverage.size  # then no run ends early
                failed = self.explore(found, 1, seed, answers).failed
                covered |= int.from_bytes(self.covered, "little")
                if failed or self._instance.number(STATUS) != ASK:
                    return None
                found = self._position(found, (seed, answers))
        finally:
            self.known = covered.to_bytes(self._map.coverage.size, "little")
        return found

    def _encoded(self, origin: Origin) -> Origin:
        """A position of the Python engine in memory; nothing is remembered of what was before it."""
        assert origin.rest is not None
        state = self._backend.codec.encoded(origin.rest)
        return replace(origin, state=state, kept=bytes(self._map.size), form=self._form)

    def distance(self, origin: Origin, number: int) -> int | None:
        """The distance of a position from a target; None if it cannot be measured."""
        from rulewright.engine.native.instance import Trap

        self._instance.write(0, origin.state)
        self._forget()
        try:
            return self._measure(number)
        except Trap:
            return None

    def _position(self, origin: Origin, run: SeededRun) -> Origin:
        instance, where = self._instance, self._map
        self._keep()
        self._origin = None
        state = instance.read(where.origin, instance.number(TOP))
        kept = instance.read(where.kept, where.size + (instance.number(where.blocks) if where.blocks else 0))
        return Origin(state, kept, (*origin.seeded_runs, run), self._form, origin.numbers)

    @property
    def covered(self) -> bytes:
        """Coverage of the last runs: a row of bits for each rule, of those that it has met in a turn, then a byte
        for each edge."""
        return self._instance.read(self._map.coverage.pairs, self._map.coverage.size)

    @property
    def known(self) -> bytes:
        """Coverage of all runs, in the same form."""
        return self._instance.read(self._map.coverage.known, self._map.coverage.size)

    @known.setter
    def known(self, known: bytes) -> None:
        self._instance.write(self._map.coverage.known, known)


def explorer(
    program: Program,
    turn: str,
    wanted: EngineName = "auto",
    passes: Passes = ALL,
    distances: tuple[str, ...] = (),
) -> Explorer | None:
    """The explorer of a program, of which all assertions must hold, where `turn` counts as one turn and some queries of
    the whole game are `distances` from targets; None if that is left to the Python engine."""
    if scope().pools:  # native steps cannot be paid from what others share
        return None
    backend = backend_for(program, wanted, WARM, True, passes, covered=Covered(turn, distances))
    if backend is None:
        return None
    names = [assertion.name for assertion in program.assertions]
    witnesses = tuple(assertion.name for assertion in program.assertions if assertion.word == "witness")
    return Explorer(backend, witnesses, f"{', '.join(names)} {program.players}")
