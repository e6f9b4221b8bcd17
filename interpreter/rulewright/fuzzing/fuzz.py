"""The run: portions of games are handed out round by round, what they find is told as stories."""

from __future__ import annotations

import time as clock
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rulewright.analysis import OptionValue, Sources, sources
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError
from rulewright.engine.chance import mix
from rulewright.fuzzing import corpus as corpus_files
from rulewright.fuzzing.corpus import Kept
from rulewright.fuzzing.reached import could_meet
from rulewright.fuzzing.report import FuzzReport, order
from rulewright.fuzzing.search import Harvest, Portion, search
from rulewright.fuzzing.settings import playable, settings
from rulewright.fuzzing.story import story_of
from rulewright.fuzzing.troubles import Found, Setting
from rulewright.game import Game, load, opened
from rulewright.workers import workers

PORTION = 4
"""Whole games of a portion."""

ROUND = 4
"""Portions that are handed out with the same knowledge: so any number of processes finds the same."""

MOST = 5_000
"""A game that is not over after so many decisions does not end, unless said otherwise."""

SECONDS = 30.0
"""How long is searched if neither time nor games are said."""


@dataclass(frozen=True, slots=True)
class _Task:
    """What another process needs to load the games; hashable, so that it does it once."""

    ruleset: str
    files: tuple[str, ...]


def fuzz(
    ruleset: str | Path | Ruleset,
    players: int | None = None,
    variants: Sequence[str] = (),
    options: Mapping[str, OptionValue] | None = None,
    *,
    everything: bool = False,
    games: int | None = None,
    time: float | None = None,
    seed: int = 0,
    jobs: int = 1,
    most: int = MOST,
    corpus: str | Path | None = None,
    keep_going: bool = False,
    progress: Callable[[FuzzReport], None] | None = None,
) -> FuzzReport:
    """Play a ruleset in ways that nobody has thought of, and look for what must not be.

    Whole games are played at random, and from the turns of these many short ones that Hypothesis steers towards rules
    that were seldom used. In every rest all invariants and properties are asked; now and then every option is tried,
    the state is saved and loaded, and it is looked for options that betray what is hidden. What went wrong is shrunk
    to a :class:`Story`, as a rule with a scenario that fails until the rules are mended.

    It ends after so many whole `games`, or after so many seconds of `time` (else after half a minute), or with the
    first finding, unless it shall `keep_going`. Without `players` games of every
    number of players are played; with `everything` also with every variant, each two of them, and each named value of
    a parameter. In a folder `corpus` games that reached something new are kept, and later runs begin with them.
    The same `seed`, `games` and corpus give the same report, for any number of `jobs`; `time` may not. `progress`
    gets the report so far. RulesetError if the ruleset cannot be played.
    """
    return _Run(opened(ruleset, variants), players, options or {}, everything, seed, most, keep_going).run(
        games, time, jobs, Path(corpus) if corpus is not None else None, progress, variants
    )


class _Run:
    def __init__(
        self,
        chosen: tuple[Ruleset, tuple[str, ...]],
        players: int | None,
        options: Mapping[str, OptionValue],
        everything: bool,
        seed: int,
        most: int,
        keep_going: bool,
    ) -> None:
        self.ruleset, titles = chosen
        self.source: Sources = sources(self.ruleset)
        self.most, self.seed, self.keep_going = most, seed, keep_going
        self.report = FuzzReport(self.ruleset.name, self.ruleset.title, seed)
        self.games: dict[Setting, Game] = {}
        first, *self.waiting = settings(self.source, players, titles, options, everything) or [
            Setting(players or 2, titles)
        ]
        self.report.unplayed = tuple(setting.told for setting in (first, *self.waiting))
        self._open(first, load(self.ruleset, players or first.players, titles, options))

    def _open(self, setting: Setting, game: Game) -> None:
        """A setting is ready to be played."""
        report = self.report
        self.games[setting] = game
        report.rules = tuple(sorted({*report.rules, *could_meet(game.program, game.rule_names)}))
        for assertion in game.program.assertions:
            if assertion.word == "witness":
                report.witnesses.setdefault(assertion.name, 0)

    def _next(self, number: int) -> Setting:
        """Whose turn it is. Settings are made ready one by one: with all variants there are many, and time is short."""
        while number >= len(self.games) and self.waiting:
            setting = self.waiting.pop(0)
            game = playable(self.source, setting)
            if game is not None:
                self._open(setting, game)
                return setting
            self.report.skipped += (setting.told,)
            self.report.unplayed = tuple(told for told in self.report.unplayed if told != setting.told)
        chosen = list(self.games)
        return chosen[number % len(chosen)]

    def run(
        self,
        games: int | None,
        time: float | None,
        jobs: int,
        corpus: Path | None,
        progress: Callable[[FuzzReport], None] | None,
        variants: Sequence[str],
    ) -> FuzzReport:
        """All rounds."""
        report = self.report
        seconds = SECONDS if games is None and time is None else time
        until = clock.time() + seconds if seconds is not None else None
        wanted = {*self.games, *self.waiting}
        kept = (
            [k for k in corpus_files.read(corpus, report.ruleset) if k.setting in wanted] if corpus is not None else []
        )
        report.kept = len(kept)
        found: dict[tuple[str, str], Found] = {}
        task = _Task(str(self.ruleset.folder), tuple(v for v in variants if v.endswith(".rules")))
        try:
            with _players(jobs) as played:
                for portions in self._rounds(games, until, kept):
                    for harvest in played(self.games, task, portions):
                        self._take(harvest, found)
                        if corpus is not None:
                            corpus_files.write(corpus, report.ruleset, harvest.kept)
                            corpus_files.write(
                                corpus, report.ruleset, [Kept(f.setting, f.numbers) for f in harvest.found]
                            )
                        if harvest.interrupted:
                            raise KeyboardInterrupt
                        if progress is not None:
                            progress(report)
                        if found and not self.keep_going:
                            break
                    if (found and not self.keep_going) or (until is not None and clock.time() >= until):
                        break
        except KeyboardInterrupt:
            report.interrupted = True
        report.complete = not report.interrupted and (games is None or report.games >= games or bool(found))
        report.stories = order([story_of(self.games[f.setting], self.source, f) for f in found.values()])
        return report

    def _rounds(self, games: int | None, until: float | None, kept: Sequence[Kept]) -> Iterator[list[Portion]]:
        """The portions, round by round; what is known grows between them."""
        number, left = 0, games
        turns: Counter[Setting] = Counter()
        while left is None or left > 0:
            portions = []
            known = self.report.reached.copy()
            for _ in range(ROUND):
                size = PORTION if left is None else min(PORTION, left)
                if size <= 0:
                    break
                left = None if left is None else left - size
                setting = self._next(number)
                mine = [k for k in kept if k.setting == setting]
                turn = turns[setting]
                turns[setting] += 1
                again = tuple(mine[turn * PORTION : (turn + 1) * PORTION])
                own = mix(mix(self.seed & (1 << 64) - 1) + number) & (1 << 63) - 1
                portions.append(Portion(setting, own, size, self.most, known, again, self.keep_going, until))
                number += 1
            yield portions

    def _take(self, harvest: Harvest, found: dict[tuple[str, str], Found]) -> None:
        report = self.report
        told = harvest.setting.told
        if told in report.unplayed:
            report.settings += (told,)
            report.unplayed = tuple(other for other in report.unplayed if other != told)
        report.games += harvest.games
        report.dives += harvest.dives
        report.decisions += harvest.decisions
        report.reached.join(harvest.reached)
        for name, times in harvest.witnesses.items():
            report.witnesses[name] = report.witnesses.get(name, 0) + times
        for one in harvest.found:
            found.setdefault(one.trouble.key, one)


Played = Callable[[Mapping[Setting, Game], _Task, Sequence[Portion]], Iterator[Harvest]]


@contextmanager
def _players(jobs: int) -> Iterator[Played]:
    """Who plays the portions: this process, or several others; in both cases the harvests come in their order."""
    if jobs <= 1:
        yield lambda games, _task, portions: (search(games[portion.setting], portion) for portion in portions)
        return
    with workers(jobs) as pool:
        yield lambda _games, task, portions: pool.map(_elsewhere, [task] * len(portions), portions)


def _elsewhere(task: _Task, portion: Portion) -> Harvest:
    return search(_loaded(task, portion.setting), portion)


@lru_cache(maxsize=4)
def _loaded(task: _Task, setting: Setting) -> Game:
    ruleset, _ = opened(task.ruleset, task.files)
    return load(ruleset, setting.players, setting.variants, dict(setting.options))


__all__ = ["MOST", "SECONDS", "FuzzReport", "RulesetError", "fuzz"]
