"""Plugin of pytest: ``pytest rulesets/`` runs scenarios, and looks at invariants and properties in games of the fuzzer.

Nothing is collected but the rulesets that the command line names or the ini option ``rulewright_rulesets``. A file of
rules gives an item for each of its scenarios, invariants, properties and variants, the manifest one for all games.
Items about games share one search of the fuzzer for each variant, which is the same in each run. Only pytest is
imported before such a ruleset is met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import rulewright as rw
    import rulewright_lab as lab

MANIFEST = "ruleset.json"
GAMES = 1
"""Whole games of the fuzzer for each number of players, without another number."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options of the plugin."""
    group = parser.getgroup("rulewright", "rulesets")
    about = f"whole games of the fuzzer for each number of players, with as much beside each (default: {GAMES})"
    group.addoption("--rulewright-games", type=int, metavar="N", help=about)
    parser.addini("rulewright_games", about, default=str(GAMES))
    parser.addini("rulewright_rulesets", "rulesets, or folders of rulesets, that are collected", "paths", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Collect rulesets, if some are wanted."""
    wanted = {Path(path).resolve() for path in config.getini("rulewright_rulesets")}
    missing = [str(path) for path in sorted(wanted) if not path.exists()]
    if missing:
        raise pytest.UsageError(f"rulewright_rulesets: there is no {missing[0]}")
    wanted.update(path for word in config.args for path in _named(config.invocation_params.dir, word))
    if wanted:
        config.pluginmanager.register(Collector(wanted, _games(config)), "rulewright_rulesets")


def _games(config: pytest.Config) -> int:
    """The number of games of the fuzzer."""
    given = config.getoption("--rulewright-games")
    text = str(config.getini("rulewright_games") if given is None else given)
    if not text.isdecimal():
        raise pytest.UsageError(f"rulewright games: {text} is not a number of games")
    return int(text)


def _named(directory: Path, word: str) -> Iterator[Path]:
    """The ruleset, file or folder of rulesets that a word of the command line means. A folder of rulesets holds no
    Python: tests may keep rulesets beside them, which are not meant to be tested."""
    path = (directory / word.partition("::")[0]).resolve()
    if path.suffix == ".rules" or path.name == MANIFEST or (path.is_dir() and _folder_of(path) is not None):
        yield _folder_of(path) or path
    elif path.is_dir() and any(path.glob(f"*/{MANIFEST}")) and not any(path.glob("*.py")):
        yield path


def _folder_of(path: Path) -> Path | None:
    """The folder of the ruleset to which a file or folder belongs."""
    return next((folder for folder in (path, *[*path.parents][:3]) if (folder / MANIFEST).is_file()), None)


class Collector:
    """Collects the files of the rulesets that are wanted."""

    def __init__(self, wanted: set[Path], games: int) -> None:
        self.wanted, self.games = wanted, games
        self.known: dict[Path, Opened | None] = {}

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> RulesFile | None:
        """A file of rules, or a manifest."""
        path = file_path.resolve()
        if path.suffix != ".rules" and path.name != MANIFEST:
            return None
        if self.wanted.isdisjoint((path, *path.parents)) or (_folder_of(path) is None and path not in self.wanted):
            return None
        made: RulesFile = RulesFile.from_parent(parent, path=file_path)
        made.opened = lambda: self.opened(path)
        return made

    def opened(self, path: Path) -> Opened | None:
        """The ruleset of a file; None if an error of it has been reported."""
        home = _folder_of(path) or path
        if home not in self.known:
            self.known[home] = None
            self.known[home] = Opened(home, self.games)
        return self.known[home]


class Opened:
    """A ruleset with its declarations, and what the fuzzer finds in it. RulesetError if it cannot be played."""

    def __init__(self, path: Path, games: int) -> None:
        import rulewright as rw
        import rulewright_lab as lab
        from rulewright_tools import arguments

        (target,) = arguments.targets([str(path)])
        self.ruleset, self.games = target.open()[0], games
        rw.load(self.ruleset)  # raises the errors of the rules
        self.declared = list(lab.testing.declared(self.ruleset))
        # A file that cannot be read before its first scenario has failed under its own name.
        for one in rw.scenarios.planned(self.ruleset, lambda title, file: title == file):
            self.declared.append(lab.testing.Declared("scenario", one.title, one.span, ""))
        self.findings = cache(self._findings)

    def of(self, path: Path) -> Iterator[lab.testing.Declared]:
        """The declarations of a file."""
        return (one for one in self.declared if Path(one.span.file).resolve() == path)

    def scenario(self, one: lab.testing.Declared) -> rw.scenarios.ScenarioResult:
        """The result of a scenario."""
        import rulewright as rw

        plans = list(rw.scenarios.planned(self.ruleset, lambda *meant: meant == (one.name, one.span.file)))
        at = [plan for plan in plans if plan.span == one.span] or plans
        return rw.scenarios.with_causes(self.ruleset, rw.scenarios.run_scenarios(at[:1])[0])

    def failed_openings(self, variant: str) -> list[rw.scenarios.ScenarioResult]:
        """The numbers of players for whom no game begins, as scenarios that failed."""
        import rulewright as rw

        return list(rw.playing.failed_openings(self.ruleset, [variant] if variant else []))

    def _findings(self, variant: str) -> list[rw.fuzzing.Story]:
        """The findings of the fuzzer with a variant that there are not without it; those without one."""
        import rulewright as rw

        known = [story.trouble.label for story in self.findings("")] if variant else []
        variants = (variant,) if variant else ()
        games = self.games * len(rw.playing.player_counts(self.ruleset))
        search = rw.fuzzing.FuzzOptions(variants=variants, games=games, accept=known)
        report = rw.fuzzing.fuzz(self.ruleset, search)
        if report.interrupted:
            raise KeyboardInterrupt
        return report.stories


class RulesFile(pytest.File):
    """A file of a ruleset."""

    opened: Callable[[], Opened | None]

    def collect(self) -> Iterator[pytest.Item]:
        """An item for each declaration; for the manifest one for all games, and those of scenarios of the ruleset
        beneath that hold for this one."""
        import rulewright as rw

        try:
            opened = self.opened()
        except rw.RulesetError as error:
            raise self.CollectError(rw.reporting.to_text(error.diagnostics)) from None
        if opened is None:
            return
        path = self.path.resolve()
        if path.name == MANIFEST:
            yield self._item(GamesItem, opened, None, "games")
            held = {file.path for file in opened.ruleset.held_scenarios}
            parts = [one for one in opened.declared if one.span.file in held]
        else:
            parts = list(opened.of(path))
        for one in parts:
            if one.word == "scenario":
                name = "can be read" if one.name == one.span.file else one.name
                yield self._item(ScenarioItem, opened, one, name)
            else:
                yield self._item(GamesItem, opened, one, f"{one.word} {one.name}")

    def _item(self, kind: type[RulesItem], opened: Opened, one: lab.testing.Declared | None, name: str) -> RulesItem:
        made: RulesItem = kind.from_parent(self, name=name)
        made.opened, made.declared = opened, one
        return made


class Unkept(Exception):
    """A scenario, invariant or property that does not hold; the message is for people."""


class RulesItem(pytest.Item):
    """An item of a ruleset."""

    opened: Opened
    declared: lab.testing.Declared | None
    """None for the games of the ruleset itself."""

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The file, the line before it, and the title."""
        one = self.declared
        return (self.path, 0, self.name) if one is None else (Path(one.span.file), one.span.line - 1, self.name)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The message of the ruleset; a traceback for other errors alone."""
        import rulewright as rw
        from rulewright_tools import extras

        error = excinfo.value
        if isinstance(error, Unkept):
            return str(error)
        if isinstance(error, rw.RulesetError):
            return rw.reporting.to_text(error.diagnostics)
        if isinstance(error, ModuleNotFoundError) and (sentence := extras.missing_extra(error)) is not None:
            return sentence
        return super().repr_failure(excinfo, style)


class ScenarioItem(RulesItem):
    """A scenario."""

    def runtest(self) -> None:
        """Run it."""
        assert self.declared is not None
        _report([self.opened.scenario(self.declared)])


class GamesItem(RulesItem):
    """Games of the fuzzer: an invariant or property in them, or for the ruleset and its variants everything else."""

    def runtest(self) -> None:
        """Play them, and pick the findings about this item."""
        one = self.declared
        variant = "" if one is None else one.name if one.word == "variant" else one.variant
        whole = one is None or one.word == "variant"
        if whole:
            _report(self.opened.failed_openings(variant))
        if not self.opened.games:
            pytest.skip("no games of the fuzzer are played")
        stories = [story for story in self.opened.findings(variant) if self._is_about(story, variant, whole)]
        if stories:
            raise Unkept("\n\n".join(self._lines(story) for story in stories))

    def _is_about(self, story: rw.fuzzing.Story, variant: str, whole: bool) -> bool:
        about = story.trouble.kind, story.trouble.name
        if not whole:
            return self.declared is not None and about == (self.declared.word, self.declared.name)
        return about not in {(one.word, one.name) for one in self.opened.declared if one.variant == variant}

    def _lines(self, story: rw.fuzzing.Story) -> str:
        from rulewright_tools.reports.fuzz_text import FindingPrinter

        found = FindingPrinter(self.opened.ruleset.path, (), False).story(story)
        one = self.declared
        place = [] if one is None else [one.place]
        return "\n".join((*place, *found))


def _report(results: Sequence[rw.scenarios.ScenarioResult]) -> None:
    """Fail with the scenarios among these that do not hold."""
    failed = [result for result in results if not result.passed]
    if failed:
        from rulewright_tools.commands.test import story

        raise Unkept("\n\n".join("\n".join(story(result)) for result in failed))
