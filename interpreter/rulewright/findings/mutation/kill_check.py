"""Judges one mutant: the first test that finds it wins, those about the changed rule before all others."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rulewright.compiler import sources
from rulewright.compiler.overlays.addresses import walk
from rulewright.compiler.scenarios.compile_cache import compiled, plan_scenario
from rulewright.diagnostics import RulesetError
from rulewright.engine import Dice
from rulewright.findings.check import check
from rulewright.findings.fuzzing import MOST, Found
from rulewright.findings.fuzzing import Setting as FuzzSetting
from rulewright.findings.fuzzing.search.coverage import Reached
from rulewright.findings.fuzzing.search.exploration import Exploration, Explorers, Explores, explore, portion_seed
from rulewright.findings.fuzzing.search.portion_search import Portion, search
from rulewright.findings.fuzzing.search.positions import Positions
from rulewright.findings.mutation.baseline import Original, Setting, course, rounds, same_game, told_by
from rulewright.findings.mutation.mutants import Mutant
from rulewright.findings.mutation.mutation_report import MutantStatus, Outcome, Stage
from rulewright.findings.mutation.operators.operator_api import used_in
from rulewright.play.game import Game
from rulewright.play.scenarios import run_scenario
from rulewright.syntax import ast

ROUNDS, ANSWERS = 4, 1 << 15
"""Portions of a search by seeded runs for each whole game of the fuzzer, and the answers in each of them."""


def fuzzed(game: Game, setting: tuple[int, tuple[str, ...]], seed: int, games: int, most: int) -> str | None:
    """The first trouble in seeded runs and in some whole games, in a sentence."""
    own = FuzzSetting(*setting)
    found = explored(game, Explorers().of(game, frozenset()), own, seed, ROUNDS * games)
    if found is None:
        found = search(game, Portion(own, seed, games, most, Reached())).found
    return None if found is None else found.trouble.told


def explored(game: Game, machine: Explores, setting: FuzzSetting, seed: int, portions: int) -> Found | None:
    """The first trouble in some portions of a search by seeded runs."""
    known = Positions(Dice(seed, "positions"))
    for number in range(portions):
        portion = Exploration(setting, portion_seed(seed, number), ANSWERS, MOST, known.choose(), known.known)
        result = explore(game, machine, portion)
        known.take(result)
        if result.found is not None:
            return result.found
    return None


def first_of_all(scenarios: Iterable[ast.Scenario], mutant: Mutant) -> list[ast.Scenario]:
    """All scenarios, those first that cite the same statements, then those that name the declaration."""
    return sorted(scenarios, key=lambda scenario: -_about(scenario, mutant))


def _about(scenario: ast.Scenario, mutant: Mutant) -> int:
    cites = {cite for clause in (scenario, *walk(scenario)) for cite in clause.trivia.cites}
    reasons = {line.because.parts[0] for line in scenario.lines if isinstance(line, ast.SRefused) and line.because}
    named = mutant.name in reasons or mutant.name in used_in(scenario)
    return 2 * (not cites.isdisjoint(mutant.cites)) + named


WHOLE = 16
"""After so many mutants the garbage collector looks at everything, and else at what is young."""


class Judge:
    """Judges the mutants of one ruleset."""

    def __init__(self, original: Original, seed: int, games: int, fuzz: int) -> None:
        self.original, self.seed, self.games, self.fuzz = original, seed, games, fuzz
        self._judged = 0

    def judge(self, mutant: Mutant) -> MutantStatus:
        """Judge a mutant.

        What was compiled for it holds cycles; it goes at once, as the next mutant needs as much memory.
        """
        status = _Case(self, mutant).verdict()
        self._judged += 1
        gc.collect(1 if self._judged % WHOLE else 2)
        return status


class _Case:
    def __init__(self, judge: Judge, mutant: Mutant) -> None:
        self.judge, self.mutant = judge, mutant
        self.original = judge.original
        self.ruleset = mutant.applied(self.original.ruleset)
        self.source = sources(self.ruleset)
        self.source.units = self.original.source.units
        self.seconds: dict[str, float] = {}
        self.changed: dict[Setting, Game] = {}
        """The games that are others now."""
        self.differs = False
        """True once a game was seen to go another way."""

    def verdict(self) -> MutantStatus:
        """All stages, until one finds it."""
        with self.timed("compiling"):
            error = self.compile()
        if error is not None:
            return self.status("caught", "errors", error)
        if not self.changed:
            return self.status("equivalent")
        stages = (("scenarios", self.scenarios), ("check", self.check), ("games", self.play), ("fuzzer", self.fuzz))
        for stage, look in stages:
            with self.timed(stage):
                found = look()
            if found is not None:
                return self.status("caught", stage, found)  # type: ignore[arg-type]
        return self.status("survived" if self.differs else "unchanged")

    def status(self, outcome: Outcome, stage: Stage | None = None, told: str = "") -> MutantStatus:
        """The verdict."""
        return MutantStatus(self.mutant, outcome, stage, told, tuple(self.seconds.items()))

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Note how long a stage takes."""
        begun = time.process_time()
        yield
        self.seconds[stage] = time.process_time() - begun

    # ------------------------------------------------------------------------------------------------ stages

    def compile(self) -> str | None:
        """Make all games; the first error, or which of them are others now."""
        for finding in self.source.findings:
            if finding.is_error:
                return f"[{finding.code}] {finding.message}"
        for setting, original in self.original.games.items():
            known = all(title in self.source.variants for title in setting[1])
            _, program, found = compiled(self.source, *setting, {}) if known else (None, None, [])
            wrong = next((f"[{d.code}] {d.message}" for d in found if d.is_error), None)
            if program is None or wrong is not None:
                return wrong or "a variant no longer fits"
            if not same_game(program, original.program):
                self.changed[setting] = Game(program, self.ruleset)
        return None

    def check(self) -> str | None:
        """A new error or warning of `check`."""
        for key, found in told_by(check(self.ruleset, self.source)).items():
            if key not in self.original.findings:
                return f"[{found.code}] {found.message}"
        return None

    def scenarios(self) -> str | None:
        """The first scenario that fails; those that are about the changed rule are run first."""
        for scenario in first_of_all(self.source.rules.scenarios, self.mutant):
            plan, wrong = plan_scenario(self.source, scenario)
            if plan is None:
                return next((f"[{d.code}] {d.message}" for d in wrong if d.is_error), scenario.title)
            failure = run_scenario(plan).failure
            if failure is not None:
                return f'"{scenario.title}": {failure.message}'
        return None

    def play(self) -> str | None:
        """Games with the same seeds as those of the original: what breaks, and whether one goes another way."""
        original = self.original
        for one in rounds(self.judge.seed, self.judge.games, original.policies):
            for setting, game in self.changed.items():
                before, broken = original.course(setting, one)
                most = original.most(setting, one)
                try:
                    now, game_played = course(game, one, most)
                except RulesetError as error:
                    self.differs = True
                    return f"[{error.diagnostics[0].code}] {error.diagnostics[0].message}"
                self.differs = self.differs or now != before
                if news := [name for name in game_played.broken if name not in broken]:
                    return f"`{news[0]}` does not hold"
                if not game_played.finished:
                    return f"a game is not over after {most} decisions"
        return None

    def fuzz(self) -> str | None:
        """The first finding of the fuzzer in the first of the games that changed."""
        setting, game = next(iter(self.changed.items()))
        if not self.judge.fuzz:
            return None
        longest = max((self.original.most(setting, one) for one in rounds(self.judge.seed, 1, ())), default=0)
        found = fuzzed(game, setting, self.judge.seed, self.judge.fuzz, longest)
        self.differs = self.differs or found is not None
        return found
