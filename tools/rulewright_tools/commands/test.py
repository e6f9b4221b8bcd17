"""``rulewright test``: runs the scenarios of rulesets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated

from rich.text import Text

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools import watching
from rulewright_tools.console import CommandError, Exit, out, plural, print_json, put
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require
from rulewright_tools.limit_options import Time
from rulewright_tools.progress import Working, working
from rulewright_tools.vocabulary import named


class TestFormat(StrEnum):
    """Formats of results."""

    __test__ = False

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"


@dataclass(frozen=True, slots=True)
class Ran:
    """The scenarios of one ruleset and what came of them."""

    ruleset: str
    results: tuple[rw.scenarios.ScenarioResult, ...]
    variants: tuple[str, ...] = ()
    """The variants with which those of the base were run, too."""
    carried: tuple[rw.scenarios.Carried, ...] = ()

    @property
    def failed(self) -> bool:
        """True if something is wrong; that the base's scenarios have changed is not."""
        broken = any(one.outcome == "broken" for one in self.carried)
        return broken or any(not result.passed for result in self.results)


@guarded
def run_tests(
    paths: arg.Paths,
    select: arg.Select = None,
    format: Annotated[TestFormat, named("--format")] = TestFormat.TEXT,
    variant: arg.Variants = None,
    base: Annotated[bool, named("--base")] = False,
    watch: arg.Watch = False,
    time: Time = None,
) -> Exit:
    """Run the scenarios of rulesets.

    A failure shows the line, what was expected and found, the rule that was running, and the log up to there. A
    scenario that makes no sense has failed, and the others are run all the same. Of a whole ruleset a game is begun for
    each number of players: that there is no decision before it is over, or stops, is a failure, too.

    Of a file of variants the scenarios in it are run, with the ruleset that it names. If it holds
    none, those of the ruleset are run with each of its variants, as with --base.

    With a file that holds nothing but scenarios these are run instead of those of the ruleset, such as what `confirm
    --output` writes. With --select only scenarios with one of these texts in the title.

    With --base the scenarios that name no variant, and hold without one, are run with the variants that are given, and
    each difference is listed: "changed: was, is". That is no failure, unless the rules stop with an error.

    With --watch they are run again after each change of a file, each time with as much time as --time allows; as
    JSON each report is one line. Ctrl-C ends it, with the exit code of the last run.

    Examples:

      rulewright test my-game
      rulewright test quick.rules --base
      rulewright test tic-tac-toe --select "a row wins"
      rulewright test quick.rules moments.rules
      rulewright test rulesets/my-game --watch
      rulewright test rulesets/my-game -k "takes back" --format junit > scenarios.xml
    """
    if format is TestFormat.JUNIT:
        if watch:
            raise CommandError("--watch runs again and again, and a JUnit report is one; give --format json or text")
        if base:
            raise CommandError("a JUnit report has no place for the results of --base; give --format json or text")
        require("junitparser")

    files = tuple(path for path in paths if _is_scenarios(path))
    rulesets = [path for path in paths if path not in files]
    if files and not rulesets:
        raise CommandError(f"{files[0]} holds scenarios: name the ruleset, too: rulewright test RULESET {files[0]}")

    def once() -> Exit:
        with rw.limited(rw.Limits(seconds=time)), working("loading") as shown:
            compares = None if format is not TestFormat.JUNIT else False  # such a report has no place for differences
            with_base = True if base else compares
            ran = [
                one
                for target in arg.targets(rulesets)
                for one in run(target, tuple(variant or ()), select or (), with_base, shown, files)
            ]
        if format is TestFormat.JSON:
            (watching.one_line if watch else print_json)(report(ran))
        elif format is TestFormat.JUNIT:
            put(junit(ran))
        else:
            show(ran)
        return Exit.FINDINGS if any(one.failed for one in ran) else Exit.FINE

    def watched() -> list[Path]:
        folders = [folder for one in arg.targets(rulesets) for folder in watching.folders_of(one.folder)]
        return list(dict.fromkeys([*folders, *map(Path, paths), *map(Path, variant or ())]))

    return watching.watch(once, watched, as_lines=format is TestFormat.JSON) if watch else once()


def _is_scenarios(path: str) -> bool:
    """True of a rules file that is no file of variants."""
    return path.endswith(".rules") and Path(path).is_file() and rw.rulesets.changed_ruleset(path) is None


def run(
    target: arg.Target,
    variants: Sequence[str],
    only: Sequence[str],
    base: bool | None,
    shown: Working,
    scenarios: Sequence[str] = (),
) -> list[Ran]:
    """The scenarios of a ruleset, or of the files that were named in its place, and what came of them.

    Those of the base are run with the variants if `base` is true; or, if it is left open, with each variant of files
    that are named without the ruleset and hold no scenario.
    """
    ruleset, combined = target.open(variants)
    for file in scenarios:
        ruleset = rw.rulesets.with_scenarios(ruleset, file)
    files = scenarios or (*target.files, *variants)
    meant = None if target.named and not scenarios else {rw.files.shown(Path(file)) for file in files}

    def named(title: str, file: str) -> bool:
        return not only or any(one.lower() in title.lower() for one in only)

    def own(title: str, file: str) -> bool:
        return meant is None or file in meant

    plans = list(rw.scenarios.planned(ruleset, lambda *one: named(*one) and own(*one), combined))
    alone = base is None and meant is not None and not scenarios and not plans
    alone = alone and not any(rw.scenarios.planned(ruleset, own, combined))
    shown.at(f"{ruleset.name}: {plural(len(plans), 'scenario')}")
    results = tuple(rw.scenarios.with_causes(ruleset, one) for one in rw.scenarios.run_scenarios(plans))
    openings: dict[tuple[str, ...], tuple[rw.scenarios.ScenarioResult, ...]] = {}
    if not only and not scenarios:
        begun: list[tuple[str, ...]] = [()]
        if meant is not None:
            begun = [(title,) for title in rw.rulesets.with_variants(ruleset, target.files)[1]]
        if combined:
            begun.append(combined)
        openings = {titles: tuple(rw.playing.failed_openings(ruleset, titles)) for titles in begun}
    results += tuple(one for failed in openings.values() for one in failed)
    if not base and not alone:
        return [Ran(ruleset.name, results)]
    ruleset, titles = rw.rulesets.with_variants(ruleset, (*target.files, *variants))
    if not titles:
        raise CommandError("--base runs scenarios with a variant: name it with --variant, or its file")
    ran = []
    for laid in [(title,) for title in titles] if alone else [titles]:
        carried = []
        for number, one in enumerate(rw.scenarios.carried_over(ruleset, laid, named)):
            carried.append(one)
            shown.describe(f"{ruleset.name} with {', '.join(laid)}: {plural(number + 1, 'scenario')}")
        ran.append(Ran(ruleset.name, openings.get(laid, ()) if alone else results, laid, tuple(carried)))
    return ran


def show(ran: list[Ran]) -> None:
    """Results for a person."""
    console, before = out(), ""
    for one in ran:
        failed = [result for result in one.results if not result.passed]
        passed = (f"{len(failed)} failed", "red") if failed else ("all passed", "green")
        if one.results or not one.variants:
            console.print(Text.assemble((one.ruleset, "bold"), f": {plural(len(one.results), 'scenario')}, ", passed))
        elif before != one.ruleset:
            console.print(Text.assemble((one.ruleset, "bold"), ": the variants have no scenario of their own"))
        before = one.ruleset
        for result in failed:
            console.print()
            for line in story(result):
                console.print(line)
        for line in chain(unchecked(one), compared(one) if one.variants else ()):
            console.print(line)


def unchecked(ran: Ran) -> Iterator[str]:
    """Remarks on invariants that laid-out positions break."""
    titles: dict[str, list[str]] = {}
    for result in ran.results:
        for name in result.unchecked:
            titles.setdefault(name, []).append(result.title)
    for name, several in titles.items():
        more = f" and {len(several) - 1} more" if len(several) > 1 else ""
        yield f'`{name}` does not hold in the position of "{several[0]}"{more}, so it is not looked at there'


def compared(ran: Ran) -> Iterator[str]:
    """The outcomes of the scenarios of the base with the variants, line by line."""
    counts: Counter[str] = Counter(one.outcome for one in ran.carried)
    tallies = [f"{counts[outcome]} {words}" for outcome, words in _OUTCOMES.items() if counts[outcome]]
    scenarios = f"{plural(len(ran.carried), 'scenario')} of the base"
    yield f"with {', '.join(ran.variants)}: {scenarios}: {', '.join(tallies) or 'none can be run'}"
    reasons = Counter((one.outcome, one.why) for one in ran.carried if one.why and not one.changes)
    for one in ran.carried:
        alike = 0 if one.changes else reasons.get((one.outcome, one.why), 1)
        if one.outcome == "same" or (not one.changes and not alike):
            continue
        if alike:
            reasons[one.outcome, one.why] = 0
        yield ""
        others = f" and {plural(alike - 1, 'scenario')} more" if alike > 1 else ""
        yield f'{_OUTCOMES[one.outcome].upper()} "{one.title}"{others}'
        for change in one.changes:
            yield f"  line      {change.span.file}:{change.span.line}  {change.text}"
            yield f"  changed:  was {change.expected or 'so'}, is {change.found or change.message}"
            yield from (f"  since     {cause.message}" for cause in change.causes)
        if one.why:
            yield f"  because   {one.why}"


_OUTCOMES: dict[str, str] = {
    "same": "the same", "changed": "changed", "broken": "broken", "unfit": "not applicable"
}  # fmt: skip


def story(result: rw.scenarios.ScenarioResult) -> list[str]:
    """The failures, line by line."""
    failure = result.failure
    assert failure is not None
    lines = [f'FAILED "{result.title}"']
    place = f"{failure.span.file}:{failure.span.line}"
    parts = (
        ("about", " ".join(f"@{cite}" for cite in result.cites)),
        ("line", f"{place}  {failure.text}"),
        ("because", failure.message),
        ("expected", failure.expected),
        ("found", failure.found),
        ("rule", failure.rule),
        *(("since", cause.message) for cause in failure.causes),
    )
    lines += [f"  {word:<9} {text}".rstrip() for word, text in parts if text]
    if failure.log:
        lines.append("  log")
        lines.extend(f"    {entry}" for entry in failure.log)
    return lines


def report(ran: list[Ran]) -> dict[str, object]:
    """Results as plain data."""
    results = [result for one in ran for result in one.results]
    return {
        "scenarios": len(results),
        "failed": sum(not result.passed for result in results),
        "rulesets": [_ruleset(one) for one in ran],
    }


def _ruleset(ran: Ran) -> dict[str, object]:
    data: dict[str, object] = {"ruleset": ran.ruleset, "scenarios": [_entry(result) for result in ran.results]}
    if ran.variants:
        data["with"] = {"variants": list(ran.variants), "scenarios": [_carried(one) for one in ran.carried]}
    return data


def _carried(one: rw.scenarios.Carried) -> dict[str, object]:
    return {
        "title": one.title,
        "file": one.span.file,
        "line": one.span.line,
        "outcome": one.outcome,
        "why": one.why,
        "changes": [
            {
                "file": change.span.file,
                "line": change.span.line,
                "text": change.text,
                "was": change.expected,
                "is": change.found or change.message,
                "causes": [cause.data() for cause in change.causes],
            }
            for change in one.changes
        ],
    }


def _entry(result: rw.scenarios.ScenarioResult) -> dict[str, object]:
    entry: dict[str, object] = {
        "title": result.title,
        "file": result.span.file,
        "line": result.span.line,
        "cites": list(result.cites),
        "passed": result.passed,
    }
    if (failure := result.failure) is not None:
        entry["failure"] = {
            "file": failure.span.file,
            "line": failure.span.line,
            "text": failure.text,
            "message": failure.message,
            "expected": failure.expected,
            "found": failure.found,
            "rule": failure.rule,
            "log": list(failure.log),
            "causes": [cause.data() for cause in failure.causes],
        }
    return entry


def junit(ran: list[Ran]) -> str:
    """Results as JUnit XML, which continuous integration systems read."""
    from junitparser import Failure, JUnitXml, TestCase, TestSuite

    xml = JUnitXml("rulewright")
    for one in ran:
        suite = TestSuite(rw.characters.printable(one.ruleset))
        for result in one.results:
            case = TestCase(rw.characters.printable(result.title), classname=rw.characters.printable(one.ruleset))
            if result.failure is not None:
                failure = Failure(rw.characters.printable(result.failure.message))
                failure.text = "\n".join(map(rw.characters.printable, story(result)))
                case.result = [failure]
            suite.add_testcase(case)
        xml.add_testsuite(suite)
    xml.update_statistics()  # type: ignore[no-untyped-call]
    text: bytes = xml.tostring()  # type: ignore[no-untyped-call]
    return text.decode() + "\n"
