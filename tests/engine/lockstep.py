"""Random games on both backends at once, compared whenever they rest: machine code with all its passes, and Python code
of the program as it was before any pass.

Equal must be: the cells and the stack, or else their canonical bytes; who is asked, what is offered and in which order;
the steps that were taken; whether an answer ends in an error; the result, and how often each rule was used. What an
error says is always found out by the Python backend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from shipped_programs import shipped_game

import rulewright as rw
from rulewright.compiler import sources
from rulewright.engine import ALL_PASSES, Engine, Passes, engine_of
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.suspended_state import SuspendedState
from rulewright.engine.runtime.canonical_form import state_bytes
from rulewright.engine.runtime.machine import ASK
from rulewright.engine.stepping.native_stepper import NativeStepper
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.engine.stepping.stepper import Stepper, base_of
from rulewright.findings.fuzzing.configurations import settings
from rulewright.findings.fuzzing.failures import Setting
from rulewright.ir.model import Program

NO_PASSES: Passes = frozenset()
MOST = 20_000
"""Decisions of one game, at most."""


class Differs(Exception):
    """Raised where the backends differ."""


@dataclass
class Tally:
    """Counts of what was compared."""

    games: int = 0
    decisions: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    """Games that ended in an error of the rules, by its code."""
    handed_over: int = 0
    """Answers that the machine code left to the Python backend, although they were no errors."""

    def add(self, other: Tally) -> None:
        """Take in other games."""
        self.games += other.games
        self.decisions += other.decisions
        self.errors += other.errors
        self.handed_over += other.handed_over


def played(program: Program, games: int) -> Tally:
    """Some games of a program, with seeds from 0 on."""
    both, total = Lockstep(program), Tally()
    for seed in range(games):
        total.add(both.play(seed))
    return total


class Lockstep:
    """A program on both backends. :class:`Unsupported` if it is not compiled."""

    def __init__(self, program: Program, passes: Passes = ALL_PASSES, of_python: Passes = NO_PASSES) -> None:
        """Python plays the program as it was before any pass, if nothing else is said: so a pass that is wrong is told,
        which both engines would make."""
        engine = engine_of(program, of_python)
        self.native = NativeStepper(engine, Backend(program, passes=passes))
        self.python = PythonStepper(engine)
        self._handed_over = 0

    def play(self, seed: int, most: int = MOST, first: int | None = None) -> Tally:
        """One game; the answers follow from the seed, but for the `first`."""
        tally, r = Tally(1), Random(seed)
        try:
            options = self._both(lambda stepper: stepper.begin(seed), tally)
            while options and tally.decisions < most:
                number = r.randrange(options) if first is None or tally.decisions else first
                tally.decisions += 1
                options = self._both(lambda stepper: stepper.apply(number), tally)  # noqa: B023
        except rw.RulesetError as error:
            tally.errors[error.diagnostics[0].code] += 1
        except Differs as difference:
            raise Differs(f"seed {seed}, after {tally.decisions} decisions: {difference}") from None
        else:
            rules = range(len(self.python.engine.rule_names))
            used = [[stepper.uses(rule) for rule in rules] for stepper in (self.native, self.python)]
            if used[0] != used[1] and not self.native.handed_over:
                raise Differs(f"seed {seed}: rules were used {used[0]} and {used[1]} times")
        tally.handed_over, self.native.handed_over = self.native.handed_over, 0
        self._handed_over = 0
        return tally

    def _both(self, step: Callable[[Stepper], int], tally: Tally) -> int:
        """Let both do something, and compare; the number of options then, or the error, if it ends in one."""
        one, two = (_end(step, stepper) for stepper in (self.native, self.python))
        if isinstance(one, rw.RulesetError) and isinstance(two, rw.RulesetError):
            if one.diagnostics != two.diagnostics:
                raise Differs(f"the errors are {one} and {two}")
            if tally.decisions:
                self._compare()  # the question is asked as before
            raise two
        if isinstance(one, rw.RulesetError) or isinstance(two, rw.RulesetError) or one != two:
            raise Differs(f"it comes to {one} and {two}")
        self._compare()
        handed_over, self._handed_over = self.native.handed_over != self._handed_over, self.native.handed_over
        if not handed_over and self.native.spent != self.python.spent:
            raise Differs(f"the steps are {self.native.spent} and {self.python.spent}")
        return two

    def _kinds(self, rest: SuspendedState) -> list[int] | None:
        """The pieces that are offered, by what they are alike."""
        engine = self.python.engine
        if rest.status != -ASK or engine.question(rest.stack, base_of(engine, rest.stack)).instr.universe != "Piece":
            return None
        return [engine.program.alike[piece] for piece in rest.members]

    def _compare(self) -> None:
        one, two = self.native.rest(), self.python.rest()
        engine = self.python.engine
        if engine.layout.known >= 0:  # what players remember is not kept natively
            one, two = (replace(rest, cells=forgetful(engine, rest.cells)) for rest in (one, two))
            # so another of some alike pieces may stand for them
            if self._kinds(one) == self._kinds(two) is not None:
                one = replace(one, members=two.members)
        if one == two:
            return
        if one.status != two.status or (one.status == 1 and one.who != two.who):
            raise Differs(f"they rest as {one.status, one.who} and {two.status, two.who}")
        if one.cells == two.cells and one.stack == two.stack:
            raise Differs(f"offered are {one.members, one.extras} and {two.members, two.extras}")
        if state_bytes(engine, one.cells, one.stack) != state_bytes(engine, two.cells, two.stack):
            cells = [n for n, pair in enumerate(zip(one.cells, two.cells, strict=True)) if pair[0] != pair[1]]
            raise Differs(f"the states differ in cells {cells}, stacks {one.stack} and {two.stack}")


def _end(step: Callable[[Stepper], int], stepper: Stepper) -> rw.RulesetError | int:
    """The number of options that a step leads to, or its error."""
    try:
        return step(stepper)
    except rw.RulesetError as error:
        return error


def forgetful(engine: Engine, cells: list[int]) -> list[int]:
    """The cells without what players remember of hidden pieces."""
    found = list(cells)
    found[engine.layout.memory] = engine.layout.initial[engine.layout.memory]
    return found


@dataclass(frozen=True)
class Shipped:
    """A game of a shipped ruleset."""

    name: str
    setting: Setting

    def load(self) -> rw.Game:
        """The game."""
        if not self.setting.variants and not self.setting.options:
            return shipped_game(self.name, self.setting.players)
        return rw.load(self.name, self.setting.players, self.setting.variants, dict(self.setting.options))

    def __str__(self) -> str:
        more = [*self.setting.variants, *("=".join(option) for option in self.setting.options)]
        return f"{self.name} {self.setting.players}" + "".join(f", {one}" for one in more)


def shipped(folder: Path, everything: bool = True) -> Iterator[Shipped]:
    """Each number of players of a ruleset; with everything also each variant, each two of them, and each option."""
    for setting in settings(sources(rw.open_ruleset(folder)), None, (), {}, everything):
        yield Shipped(folder.name, setting)
