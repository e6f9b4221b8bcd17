"""The run: portions of games are handed out round by round, findings become stories."""

from __future__ import annotations

import time as clock
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rulewright.compiler import Sources, sources
from rulewright.data.opening import opened
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.engine import Dice, Origin
from rulewright.findings.fuzzing import corpus as corpus_files
from rulewright.findings.fuzzing.aim.aimed_search import AimedSearch
from rulewright.findings.fuzzing.aim.targets import Target
from rulewright.findings.fuzzing.configurations import playable, settings, weaker
from rulewright.findings.fuzzing.corpus import Kept
from rulewright.findings.fuzzing.deadlines import Limits, Now
from rulewright.findings.fuzzing.failures import KINDS, Found, FuzzArgumentError, Key, Setting
from rulewright.findings.fuzzing.fuzz_options import DEFAULTS, FuzzOptions
from rulewright.findings.fuzzing.fuzz_report import FuzzReport, order
from rulewright.findings.fuzzing.reproduction.reproduction import Story, story_of, with_causes, with_few_settings
from rulewright.findings.fuzzing.search.exploration import Exploration, ExplorationResult, portion_seed
from rulewright.findings.fuzzing.search.players import Seats
from rulewright.findings.fuzzing.search.portion_search import Harvest, Portion
from rulewright.findings.fuzzing.search.positions import Positions
from rulewright.findings.fuzzing.search.runs import numbers_of
from rulewright.findings.fuzzing.workers import Result, Work, players
from rulewright.host.files import read_text
from rulewright.play.game import Game
from rulewright.play.loading import load

ACCEPTED = "accepted.txt"
"""The file of a corpus that names accepted findings: one key a line, and comments after `#`."""


def key_of(label: str) -> Key:
    """The key that is written like ``error/RUN007/turn``; an error if there is no such kind."""
    word, _, name = label.strip().partition("/")
    for kind in KINDS:
        if kind == word and name:
            return kind, name.replace("/", " ")
    if word in KINDS:
        raise FuzzArgumentError(f"`{label}` names no finding: nothing follows `{word}/`")
    guess = did_you_mean(word, KINDS)
    raise FuzzArgumentError(
        f"`{label}` names no finding: it must begin with {listing(KINDS)}{'; ' + guess if guess else ''}"
    )


def accepted_in(folder: Path | None) -> list[Key]:
    """The keys that the file of a corpus accepts."""
    file = folder / ACCEPTED if folder is not None else None
    if file is None or not file.is_file():
        return []
    found = []
    for number, line in enumerate(read_text(file).splitlines(), 1):
        label = line.partition("#")[0].strip()
        if label:
            try:
                found.append(key_of(label))
            except FuzzArgumentError as error:
                raise FuzzArgumentError(f"{file}:{number}: {error}") from error
    return found


class Findings:
    """The findings of one run."""

    def __init__(self, seed: int, accepted: Iterable[Key]) -> None:
        self.seed = seed
        self.accepted = frozenset(accepted)
        self.seen: Counter[Key] = Counter()
        """In how many games there was each trouble."""
        self.found: dict[Key, Found] = {}
        """The first game with each trouble that is not accepted."""

    def take(self, harvest: Harvest, games: int) -> Found | None:
        """Add what a portion has found, before which so many games were played; the trouble if it is new."""
        self.seen.update(harvest.seen)
        return self.add(harvest.found, games)

    def add(self, one: Found | None, games: int) -> Found | None:
        """The trouble, if it is new."""
        if one is None or one.trouble.key in self.known:
            return None
        self.found[one.trouble.key] = replace(one, seed=self.seed, game=games + one.game if one.game else 0)
        return self.found[one.trouble.key]

    @property
    def known(self) -> frozenset[Key]:
        """All that need not be found again."""
        return self.accepted.union(self.found)


PORTION = 4
"""Games of the corpus in a portion."""

ROUND = 4
"""Portions that are handed out with the same knowledge: so any number of processes finds the same. One of them has a
whole game, machine code explores in the others."""

ANSWERS, MOST_ANSWERS = 1 << 15, 1 << 20
"""So many answers machine code gives in each portion of the first round and of late ones; they are doubled with every
other round."""

EFFORT = 50_000
"""Decisions that are played at most to shrink one game: a limit that is the same on every machine."""

SHARE = 0.25
"""The part of the time that whole games may take, and games that are led to rules, where time is limited and machine
code explores."""

UNAIMED = 4
"""After so many rounds of a setting, and whenever these have doubled, games are led to each rule that none has used,
with half as many flights."""

ALONE = 2.0, 0.125
"""The seconds, or the share of the time if that is less, in which machine code explores alone at first."""

GRACE = 1.0, 0.05
"""The seconds, or the share of the time if that is more, left after the deadline to reproduce the last finding."""


Progress = Callable[[FuzzReport], None]
Tell = Callable[[Found | Story], None]


def fuzz(
    ruleset: str | Path | Ruleset,
    options: FuzzOptions = DEFAULTS,
    *,
    progress: Progress | None = None,
    tell: Tell | None = None,
) -> FuzzReport:
    """Play a ruleset in unforeseen ways, and look for what must not be.

    Machine code explores: it plays from the beginning, and from positions in which something of the rules was covered
    for the first time, those with what is rare most often. Beside it whole games are played that are looked at closely:
    now and then every option is tried, the state is saved and loaded, and its options must not reveal what is hidden.
    In every rest all invariants and properties are checked. What went wrong is shrunk to a :class:`Story`, as a rule
    with a scenario that fails until the rules are fixed.

    It ends after this many whole `games`, or after this many seconds of `time` (else after half a minute), or with the
    first finding, unless `keep_going` is set: then games go on past what is known, in search of other violations. Keys
    to `accept` (:attr:`Trouble.label`) are never reported, only counted; the file ``accepted.txt`` of a corpus may name
    more. `tell` gets each finding at once, and its story when it is shrunk; `progress` gets the report so far.

    Without `players` games of every number of players are played. With `seats` agents play the whole games.

    The same `seed`, `games` and corpus give the same report, for any number of `jobs`; `time` may not. It is kept, but
    for a little more in which the last stories are reported as far as they are shrunk. RulesetError if the ruleset
    cannot be played, FuzzArgumentError if `accept` or `replay` makes no sense.
    """
    return Run(ruleset, options, progress=progress, tell=tell).run()


class Run:
    """One run."""

    def __init__(
        self,
        ruleset: str | Path | Ruleset,
        plan: FuzzOptions,
        *,
        progress: Progress | None = None,
        tell: Tell | None = None,
        now: Now = clock.time,
    ) -> None:
        self.plan, self.progress, self.tell, self.now = plan, progress, tell, now
        self.limits = Limits(now=now)
        self.ruleset, titles = opened(ruleset, plan.variants)
        self.source: Sources = sources(self.ruleset)
        self.report = FuzzReport(self.ruleset.name, self.ruleset.title, plan.seed)
        self.findings = Findings(plan.seed, [*map(key_of, plan.accept), *accepted_in(plan.folder)])
        self.games: dict[Setting, Game] = {}
        self.positions: dict[Setting, Positions] = {}
        self.looking = 0.0
        """Seconds in which whole games were looked at."""
        self.aimed: dict[Setting, AimedSearch] = {}
        self.aiming = 0.0
        """Seconds in which games were led to rules."""
        chosen = settings(self.source, plan.players, titles, plan.options or {}, plan.everything)
        self.replayed: Kept | None = None
        if plan.replayed is not None:
            self.replayed = self._replayed(plan.replayed, chosen)
            chosen = [self.replayed.setting]
        self.titles = titles
        first, *self.waiting = chosen or [Setting(plan.players or 2, titles)]
        self.report.unplayed = tuple(setting.told for setting in (first, *self.waiting))
        self.report.seats = tuple(plan.seats)
        self.seats = Seats(tuple(plan.seats), plan.look, plan.noise, plan.agent)
        for setting in (first, *self.waiting):
            self.seats.fit(setting.players)
        options = plan.options or {} if plan.replay is None else dict(first.options)
        self._open(first, load(self.ruleset, plan.players or first.players, first.variants, options))
        if self.replayed is not None and self.replayed.seeded_runs:
            self.replayed = Kept(first, tuple(numbers_of(self.games[first], self.replayed.way)))
        self.kept = self._kept()

    def _replayed(self, replay: Path | tuple[int, ...], chosen: Sequence[Setting]) -> Kept:
        """The game that is to be played again."""
        if isinstance(replay, tuple):
            if not chosen:
                raise FuzzArgumentError("numbers of a game mean nothing without the number of its players")
            return Kept(chosen[0], replay)
        kept = corpus_files.read_game(replay, self.report.ruleset)
        if kept is not None and self.plan.players not in (None, kept.setting.players):
            raise FuzzArgumentError(f"{replay}: this is a game of {kept.setting.players} players")
        if kept is None:
            raise FuzzArgumentError(f"{replay}: this is not a game of {self.report.ruleset} that the fuzzer kept")
        return kept

    def _kept(self) -> dict[Setting, deque[Kept]]:
        """The games of the corpus that are to be played again."""
        kept: dict[Setting, deque[Kept]] = {setting: deque() for setting in (*self.games, *self.waiting)}
        found = [self.replayed] if self.replayed is not None else []
        if self.plan.folder is not None and self.replayed is None:
            found = [k for k in corpus_files.read(self.plan.folder, self.report.ruleset) if k.setting in kept]
        for one in found:
            if one.seeded_runs and self.replayed is None:
                self._known(one.setting).kept.append(Origin(b"", b"", one.seeded_runs, "", one.numbers))
            else:
                kept[one.setting].append(one)
        self.report.kept, self.report.replayed = len(found), self.replayed is not None
        return kept

    def _open(self, setting: Setting, game: Game) -> None:
        """A setting is ready to be played."""
        report = self.report
        game.backend = self.plan.engine
        self.seats.agents(game)
        self.games[setting] = game
        usable = report.possible.add(game.flow, game.rule_names)
        for part in setting.parts:
            report.usable_with.setdefault(part, set()).update(usable)
        for assertion in game.program.assertions:
            if assertion.word == "witness":
                report.witnesses.setdefault(assertion.name, 0)
            else:
                report.assertions.add(assertion.name)

    def _next(self, number: int) -> Setting:
        """The next setting. Settings are prepared one by one: with all variants there are many, and time is short."""
        while number >= len(self.games) and self.waiting and not self.limits.over():
            setting = self.waiting.pop(0)
            game = playable(self.source, setting)
            if game is not None:
                self._open(setting, game)
                return setting
            self.report.skipped += (setting.told,)
            known = {*self.games, *self.waiting}
            self.waiting += [one for one in weaker(setting, self.titles) if one not in known]
            self.report.unplayed = tuple(one.told for one in self.waiting)
        chosen = list(self.games)
        return chosen[number % len(chosen)]

    def run(self) -> FuzzReport:
        """All rounds."""
        plan, report = self.plan, self.report
        if plan.seconds is not None:
            self.limits.until = self.now() + plan.seconds
        try:
            with players(self.ruleset, plan.jobs, plan.engine) as played:
                for portions in self._rounds() if not self._ends() else ():
                    self._gather(portions, played(self.games, portions))
                    if self._ends() or self.limits.over():
                        break
        except KeyboardInterrupt:
            report.interrupted = True
        report.complete = not report.interrupted and (plan.games is None or report.games >= plan.games or self._ends())
        return report

    def _gather(self, portions: list[Work], results: Iterable[Result]) -> None:
        """Take what the portions of one round have found, until that is enough."""
        begun = self.now()
        for portion, result in zip(portions, results, strict=True):
            if isinstance(portion, Portion) and isinstance(result, Harvest):
                self.looking += self.now() - begun
                self._take(portion, result)
            elif isinstance(result, ExplorationResult):
                self._explored(result)
            if result.interrupted:
                raise KeyboardInterrupt
            if self.progress is not None:
                self.progress(self.report)
            if self._ends():
                break
            begun = self.now()

    def _ends(self) -> bool:
        """True if enough was found to stop."""
        return bool(self.findings.found) and not self.plan.keep_going

    def _rounds(self) -> Iterator[list[Work]]:
        """The portions, round by round; what is known grows between them."""
        if self.replayed is not None:
            yield [self._portion(self.replayed.setting, 0, 0)]
            return
        number, games = 0, self.plan.games
        while games is None or games > self.report.games:
            setting = self._next(number)
            answers = min(ANSWERS << number // (2 * len(self.games)), MOST_ANSWERS)
            several = ROUND if self._known(setting).known else 2  # they would all find the same at first
            explorations = [self._exploration(setting, ROUND * number + at, answers) for at in range(1, several)]
            before = number // len(self.games)
            looks = [self._portion(setting, ROUND * number, 1, before)] if self._is_looked_at(setting) else []
            yield [*explorations, *looks]
            if before >= UNAIMED and not before & (before - 1):
                self._aim(setting, before // 2)
            number += 1

    def _aim(self, setting: Setting, flights: int) -> None:
        """Lead games to the rules that none has used; machine code goes on from where they are used."""
        begun, report, game = self.now(), self.report, self.games[setting]
        wanted = [Target(rule) for rule in report.never_used if rule in game.flow.usable]
        if not wanted or not self._known(setting).known or self._has_its_share(self.aiming):
            return
        if setting not in self.aimed:
            self.aimed[setting] = AimedSearch(game, setting, wanted, self.plan.seed, self.limits)
        search = self.aimed[setting]
        before = search.decisions
        for target in flights * wanted:
            if target in wanted and not self.limits.over():
                for hit in search.fly(target, tuple(wanted)):
                    wanted.remove(hit.target)
                    self._known(setting).kept.append(Origin(b"", b"", hit.way[1], "", hit.way[0]))
        report.answers += search.decisions - before
        self.aiming += self.now() - begun

    @property
    def _elapsed(self) -> float | None:
        """The seconds until now, where time is limited."""
        seconds, until = self.plan.seconds, self.limits.until
        return None if seconds is None or until is None else seconds - (until - self.now())

    def _has_its_share(self, used: float) -> bool:
        """True if so many seconds are the share of the time until now, where that is limited."""
        return self._elapsed is not None and used > SHARE * self._elapsed

    def _is_looked_at(self, setting: Setting) -> bool:
        """True if a whole game is to be looked at in this round: where time is limited they get a share of it."""
        if self.plan.seats or self.kept[setting] or not self._known(setting).known:  # the first round
            return True
        most, part = ALONE
        if self._elapsed is not None and self._elapsed < min(most, part * (self.plan.seconds or 0)):
            return False
        return not self._has_its_share(self.looking)

    def _known(self, setting: Setting) -> Positions:
        """Coverage and positions of a setting."""
        if setting not in self.positions:
            self.positions[setting] = Positions(Dice(self.plan.seed, f"positions {setting}"))
        return self.positions[setting]

    def _exploration(self, setting: Setting, number: int, answers: int) -> Exploration:
        known = self._known(setting)
        seed, passed = portion_seed(self.plan.seed, number), self.findings.known
        origins, failures = known.choose(), dict(known.failures)
        return Exploration(setting, seed, answers, self.plan.most, origins, known.known, passed, failures, self.limits)

    def _explored(self, result: ExplorationResult) -> None:
        """Count what machine code has covered, and report what it has found."""
        report, known = self.report, self.positions[result.setting]
        reached = known.take(result)
        if self.plan.folder is not None:
            kept = [Kept(result.setting, *one.origin.way) for one in reached]
            corpus_files.write(self.plan.folder, report.ruleset, kept)
        if result.runs:
            self._played(result.setting)
        report.runs += result.runs
        report.answers += result.answers
        report.stopped += result.stopped
        report.used |= result.used
        if result.runs:
            report.uses(result.setting, result.used)
        for name in result.witnessed:
            report.witnesses[name] = max(1, report.witnesses[name])
        report.met |= result.met
        report.turns |= result.turns
        self.findings.seen.update(result.seen)
        found = self.findings.add(result.found, 0)
        if found is not None:
            self._found(found, result.interrupted)
        report.count(self.findings.seen, self.findings.accepted)

    def _portion(self, setting: Setting, number: int, size: int, before: int = 0) -> Portion:
        kept = self.kept[setting]
        again = tuple(kept.popleft() for _ in range(min(PORTION, len(kept))))
        known, passed = self.report.reached.copy(), self.findings.known
        seed = portion_seed(self.plan.seed, number)
        return Portion(setting, seed, size, self.plan.most, known, again, passed, self.limits, self.seats, before)

    def _played(self, setting: Setting) -> None:
        """Note that a setting was played."""
        report, text = self.report, setting.told
        if text in report.unplayed:
            report.settings += (text,)
            report.unplayed = tuple(other for other in report.unplayed if other != text)

    def _take(self, portion: Portion, harvest: Harvest) -> None:
        """Count what a portion has reached, keep what is worth it, and report what it has found."""
        report, corpus = self.report, self.plan.folder
        found = self.findings.take(harvest, report.games)
        self._known(portion.setting).kept += harvest.origins
        self.kept[portion.setting].extendleft(reversed(portion.kept[harvest.again :]))
        self._played(harvest.setting)
        report.games += harvest.games
        report.decisions += harvest.decisions
        report.looks.update(harvest.looks)
        report.reached.join(harvest.reached)
        report.uses(portion.setting, harvest.reached.rules)
        for name, times in harvest.witnesses.items():
            report.witnesses[name] = report.witnesses.get(name, 0) + times
        if corpus is not None:
            corpus_files.write(corpus, report.ruleset, harvest.kept)
        if found is not None:
            self._found(found, harvest.interrupted)
        report.count(self.findings.seen, self.findings.accepted)

    def _found(self, found: Found, interrupted: bool) -> None:
        """Report a finding at once, then its story."""
        report, corpus = self.report, self.plan.folder
        if corpus is not None and found.numbers:
            kept = Kept(found.setting, found.numbers)
            corpus_files.write(corpus, report.ruleset, [kept])
            found = replace(found, kept=corpus_files.path_of(corpus, report.ruleset, kept))
        if self.tell is not None:
            self.tell(found)
        limits = self._story_limits(interrupted)
        story = story_of(self.games[found.setting], self.source, found, limits)
        if not limits.interrupted:
            story = with_few_settings(self.source, story, limits)
            story = with_causes(self.ruleset, story, limits)
        report.stories = order([*report.stories, story])
        if self.tell is not None:
            self.tell(story)
        if limits.interrupted:
            raise KeyboardInterrupt

    def _story_limits(self, interrupted: bool) -> Limits:
        """The limits for one story: if the search goes on, it is left half of the time."""
        limits = self.limits
        if interrupted:
            return replace(limits, decisions=0)
        if limits.until is not None and self.plan.seconds is not None:
            least, part = GRACE
            limits = replace(limits, until=limits.until + max(least, part * self.plan.seconds))
        searches_on = self.plan.keep_going and self.replayed is None and not self.limits.over()
        return limits.share(2 if searches_on else 1, EFFORT)
