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
from rulewright.engine import Dice
from rulewright.findings.fuzzing import corpus as corpus_files
from rulewright.findings.fuzzing.aim.aim_report import AimReport, Attained, Missed
from rulewright.findings.fuzzing.aim.aimed_search import AimedSearch
from rulewright.findings.fuzzing.aim.branch_distance import STEP, BranchDistance
from rulewright.findings.fuzzing.aim.targets import Nearness, Target, targets_of
from rulewright.findings.fuzzing.aim.ways import Ways, condition_of
from rulewright.findings.fuzzing.configurations import playable, settings
from rulewright.findings.fuzzing.corpus import Kept
from rulewright.findings.fuzzing.deadlines import Limits, Now, OutOfTime
from rulewright.findings.fuzzing.failures import FuzzArgumentError, Setting
from rulewright.findings.fuzzing.fuzzer import FuzzOptions
from rulewright.findings.model_finding import Laid, position_search
from rulewright.play.game import Game
from rulewright.play.loading import load

LAID = 10
"""Targets that were missed and of which a position is laid; the solver takes some seconds for each."""

RANDOM = 200
"""Random games of each setting: rules that they use need no aim."""

TURN = 3
"""Flights to a target before it is the turn of the next."""


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
        searches: list[tuple[Setting, AimedSearch]] = []
        report.wanted = list(dict.fromkeys(self.named))  # if time ends before it is known which others are wanted
        try:
            report.never_used = self._random()
            usable = set[str]().union(*(game.flow.usable for game in self.games.values()))
            wanted = [*self.named, *(Target(rule) for rule in report.never_used if self.all_rules)]
            report.wanted = list(dict.fromkeys(t for t in wanted if t.kind != "rule" or t.name in usable))
            report.idle = [t.label for t in dict.fromkeys(wanted) if t not in report.wanted]
            searches = [
                (setting, AimedSearch(game, Nearness(game, target), self._dice(setting, target), self.limits))
                for target in report.wanted
                for setting, game in self.games.items()
                if target.kind != "rule" or target.name in game.flow.usable
            ]
            self._search(searches)
        except OutOfTime:
            pass
        except KeyboardInterrupt:
            report.interrupted = True
        reached = {one.target for one in report.reached}
        report.missed = [
            self._missed(target, [(s, search) for s, search in searches if search.near.target == target])
            for target in report.wanted
            if target not in reached
        ]
        if not report.interrupted:
            report.missed = [*map(self._laid, report.missed[:LAID]), *report.missed[LAID:]]
        done = options.games is not None and report.flights >= options.games
        report.complete = not report.interrupted and (done or not report.missed)
        return report

    def _dice(self, setting: Setting, target: Target) -> Dice:
        return Dice(self.options.seed, f"aim {target.label} {setting.told}")

    def _random(self) -> list[str]:
        """Play random games; the rules that none of them has used."""
        used: set[str] = set()
        names: dict[str, None] = {}
        for game in self.games.values():
            fired = game.new_fired()
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

    def _search(self, searches: Sequence[tuple[Setting, AimedSearch]]) -> None:
        """Fly to each target in turn."""
        report, most = self.report, self.options.games
        open_targets = dict.fromkeys(report.wanted)
        while open_targets:
            for setting, search in searches:
                for _ in range(TURN):
                    if search.near.target not in open_targets:
                        break
                    if (most is not None and report.flights >= most) or self.limits.over():
                        return
                    before = search.decisions
                    try:
                        hits = search.fly(tuple(open_targets))
                    finally:
                        report.decisions += search.decisions - before
                    report.flights += 1
                    for hit in hits:
                        if hit.target in open_targets:
                            del open_targets[hit.target]
                            self._reached(Attained(hit.target, setting, hit.numbers, report.flights, hit.message))
                    self._tell_progress()

    def _reached(self, one: Attained) -> None:
        self.report.reached.append(one)
        if self.options.folder is not None:
            corpus_files.write(self.options.folder, self.report.ruleset, [Kept(one.setting, one.numbers)])
        if self.tell is not None:
            self.tell(one)

    def _missed(self, target: Target, searches: Sequence[tuple[Setting, AimedSearch]]) -> Missed:
        """The position that came nearest to a target."""
        known = [(search.nearest, setting, search) for setting, search in searches if search.nearest is not None]
        if not known:
            return Missed(target, searches[0][0] if searches else next(iter(self.games)), None, (), ())
        position, setting, search = min(known, key=lambda one: one[0].distance)
        obstacles = tuple(search.near.obstacles(position.state))
        return Missed(target, setting, position.distance / STEP, position.numbers, obstacles)

    def _laid(self, missed: Missed) -> Missed:
        """With a position laid by a solver, if there is one, and one from which the rule is used is found."""
        game, target = self.games[missed.setting], missed.target
        search = position_search(game)
        if search is None or target.kind != "rule":
            return missed
        for way in Ways(game.program, BranchDistance(game.program)).to(target.name):
            found = search.used(target.name, condition_of(way))
            if isinstance(found, Laid):
                return replace(missed, laid=found.changes, scenario=found.scenario)
        return missed

    def _tell_progress(self) -> None:
        if self.progress is not None:
            self.progress(replace(self.report, seconds_left=self.limits.left()))
