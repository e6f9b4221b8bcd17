"""A run with an aim: random games first, then flights to each target in turn, in each setting in turn."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rulewright.compiler import sources
from rulewright.data.opening import opened
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError
from rulewright.engine import backend_of
from rulewright.findings.fuzzing import corpus as corpus_files
from rulewright.findings.fuzzing.aim.aim_report import AimReport, Attained, Missed
from rulewright.findings.fuzzing.aim.aimed_search import AimedSearch
from rulewright.findings.fuzzing.aim.branch_distance import STEP, BranchDistance
from rulewright.findings.fuzzing.aim.targets import Target, targets_of
from rulewright.findings.fuzzing.aim.ways import Ways, condition_of
from rulewright.findings.fuzzing.configurations import playable, settings
from rulewright.findings.fuzzing.corpus import Kept
from rulewright.findings.fuzzing.deadlines import Limits, Now, OutOfTime
from rulewright.findings.fuzzing.failures import FuzzArgumentError, Setting
from rulewright.findings.fuzzing.fuzz_options import FuzzOptions
from rulewright.findings.fuzzing.search.runs import game_of
from rulewright.findings.model_finding import Laid, position_search
from rulewright.play.game import Game
from rulewright.play.loading import load

LAID = 10
"""Targets that were missed and of which a position is laid; the solver takes some seconds for each."""

RANDOM = 200
"""Random games of each setting: rules that they use need no aim."""


def fuzz_at(
    ruleset: str | Path | Ruleset,
    aims: Sequence[str],
    options: FuzzOptions,
    *,
    progress: Callable[[AimReport], None] | None = None,
    tell: Callable[[Attained], None] | None = None,
    now: Now = clock.time,
) -> AimReport:
    """Search for games that use rules which random games do not use, or that break properties.

    An aim is the label of a rule, the key of a property or invariant (``property/no_debts``), or ``rules``: all rules
    that 200 random games do not use. Positions are led by branch distance. It ends
    after so many flights (`games` of the options), or after so many seconds of `time`, or when all is reached. The same
    seed and `games` give the same report. FuzzArgumentError if an aim names nothing.
    """
    return _Run(ruleset, aims, options, progress, tell, now).run()


class _Run:
    def __init__(
        self,
        ruleset: str | Path | Ruleset,
        aims: Sequence[str],
        options: FuzzOptions,
        progress: Callable[[AimReport], None] | None,
        tell: Callable[[Attained], None] | None,
        now: Now,
    ) -> None:
        self.options, self.progress, self.tell = options, progress, tell
        opened_ruleset, titles = opened(ruleset, options.variants)
        self.source = sources(opened_ruleset)
        self.report = AimReport(opened_ruleset.name, opened_ruleset.title, options.seed)
        self.limits = Limits(now=now)
        self.searches: dict[Setting, AimedSearch] = {}
        chosen = settings(self.source, options.players, titles, options.options or {}, options.everything)
        chosen = chosen or [Setting(options.players or 2, titles)]
        first = chosen[0]
        given = dict(options.options or {})
        self.games: dict[Setting, Game] = {first: load(opened_ruleset, first.players, first.variants, given)}
        for setting in chosen[1:]:
            game = playable(self.source, setting)
            if game is not None:
                self.games[setting] = game
        for game in self.games.values():
            game.backend = options.engine
        self.named, self.all_rules = targets_of(aims, self.games.values())
        self.report.settings = [setting.told for setting in self.games]
        if not aims:
            raise FuzzArgumentError("no aim is named")

    def run(self) -> AimReport:
        """The report."""
        report, options = self.report, self.options
        if options.seconds is not None:
            self.limits.until = self.limits.now() + options.seconds
        report.wanted = list(dict.fromkeys(self.named))  # if time ends before it is known which others are wanted
        try:
            report.never_used = self._random()
            usable = set[str]().union(*(game.flow.usable for game in self.games.values()))
            wanted = [*self.named, *(Target(rule) for rule in report.never_used if self.all_rules)]
            report.wanted = list(dict.fromkeys(t for t in wanted if t.kind != "rule" or t.name in usable))
            report.idle = [t.label for t in dict.fromkeys(wanted) if t not in report.wanted]
            self._search()
        except OutOfTime:
            pass
        except KeyboardInterrupt:
            report.interrupted = True
        reached = {one.target for one in report.reached}
        report.missed = [self._missed(target) for target in report.wanted if target not in reached]
        try:
            for number, one in enumerate(report.missed[:LAID] if not report.interrupted else ()):
                report.missed[number] = self._laid(one)
        except KeyboardInterrupt:
            report.interrupted = True
        done = options.games is not None and report.flights >= options.games
        report.complete = not report.interrupted and (done or not report.missed)
        return report

    def _random(self) -> list[str]:
        """Play random games; the rules that none of them has used."""
        used: set[str] = set()
        names: dict[str, None] = {}
        for game in self.games.values():
            fired = game.new_fired()
            backend_of(game.program, game.backend, RANDOM, (), False, game.passes)  # compiled before the first of them
            for seed in range(self.options.seed, self.options.seed + RANDOM):
                if self.limits.over():
                    raise OutOfTime
                with suppress(
                    RulesetError
                ):  # what was used until then counts, the fuzzer without an aim reports the error
                    self.report.random_decisions += game.playout(seed, fired=fired, most=self.options.most).decisions
                self.report.games += 1
            names |= dict.fromkeys(game.rule_names)
            used |= {name for name, times in zip(game.rule_names, fired, strict=True) if times}
            self._tell_progress()
        return [name for name in names if name not in used]

    def _search(self) -> None:
        """Fly to each target in turn, in each setting in turn."""
        report, most = self.report, self.options.games
        open_targets = dict.fromkeys(report.wanted)
        while open_targets:
            for target in report.wanted:
                for setting, game in self.games.items():
                    if target not in open_targets or not _is_possible(game, target):
                        continue
                    if (most is not None and report.flights >= most) or self.limits.over():
                        return
                    search = self._search_of(setting)
                    before = search.decisions
                    try:
                        hits = search.fly(target, tuple(open_targets))
                    finally:
                        report.decisions += search.decisions - before
                    report.flights += 1
                    for hit in hits:
                        del open_targets[hit.target]
                        self._reached(Attained(hit.target, setting, hit.numbers, report.flights, hit.message))
                    self._tell_progress()

    def _search_of(self, setting: Setting) -> AimedSearch:
        """The search in a setting; it takes a while to make one."""
        if setting not in self.searches:
            game, seed = self.games[setting], self.options.seed
            targets = [target for target in self.report.wanted if _is_possible(game, target)]
            self.searches[setting] = AimedSearch(game, setting, targets, seed, self.limits)
        return self.searches[setting]

    def _reached(self, one: Attained) -> None:
        self.report.reached.append(one)
        if self.options.folder is not None:
            corpus_files.write(self.options.folder, self.report.ruleset, [Kept(one.setting, one.numbers)])
        if self.tell is not None:
            self.tell(one)

    def _missed(self, target: Target) -> Missed:
        """The position that came nearest to a target."""
        known = [(found, setting) for setting, one in self.searches.items() if (found := one.nearest(target))]
        if not known:
            return Missed(target, next(iter(self.games)), None, (), ())
        (position, near), setting = min(known, key=lambda one: one[0][0].order)
        numbers, state = game_of(self.games[setting], position.origin.way)
        obstacles = tuple(near.obstacles(state)) if state is not None else ()
        return Missed(target, setting, position.distance / STEP, tuple(numbers), obstacles)

    def _laid(self, missed: Missed) -> Missed:
        """With a position laid by a solver, if there is one, and one from which the rule is used is found."""
        game, target = self.games[missed.setting], missed.target
        search = position_search(game)
        if search is None or target.kind != "rule":
            return missed
        flights = self._search_of(missed.setting)
        for way in Ways(game.program, BranchDistance(game.program)).to(target.name):
            found = search.used(target.name, condition_of(way), lambda state: flights.used_from(state, target))
            if isinstance(found, Laid):
                return replace(missed, laid=found.changes, scenario=found.scenario)
        return missed

    def _tell_progress(self) -> None:
        if self.progress is not None:
            self.progress(replace(self.report, seconds_left=self.limits.left()))


def _is_possible(game: Game, target: Target) -> bool:
    """True if a target may be reached in a game."""
    if target.kind == "rule":
        return target.name in game.flow.usable
    return any(assertion.name == target.name for assertion in game.program.assertions)
