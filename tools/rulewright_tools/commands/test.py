"""``rulewright test``: runs the scenarios of rulesets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools import watching
from rulewright_tools.console import CommandError, Exit, out, plural, print_json, put
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require
from rulewright_tools.limit_options import Budget, Deadline, limits


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


@guarded
def run_tests(
    paths: arg.Paths,
    only: Annotated[
        str | None, typer.Option("--only", "-k", metavar="TEXT", help="Only scenarios with this in the title.")
    ] = None,
    format: Annotated[TestFormat, typer.Option("--format", help="How to report.")] = TestFormat.TEXT,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            "--variant",
            "-v",
            metavar="FILE",
            help="File of variants whose scenarios are run, too; several are possible.",
        ),
    ] = None,
    watch: arg.Watch = False,
    budget: Budget = None,
    deadline: Deadline = None,
) -> Exit:
    """Run the scenarios of rulesets.

    A failure shows the line, what was expected and found, the rule that was running, and the log up to there. A
    scenario that makes no sense has failed, and the others are run all the same.

    Of a file of variants the scenarios in it are run, with the ruleset that it changes, as it says itself.

    With --watch they are run again after each change of a file, each time with as much time as --deadline allows; as
    JSON each report is one line. Ctrl-C ends it, with the exit code of the last run.

    Examples:

      rulewright test rulesets

      rulewright test rulesets/my-game --watch

      rulewright test quick-hands.rules

      rulewright test rulesets/my-game -k "takes back" --format junit > scenarios.xml
    """
    if format is TestFormat.JUNIT:
        if watch:
            raise CommandError("--watch runs again and again, and a JUnit report is one; give --format json or text")
        require("junitparser")

    def once() -> Exit:
        with rw.limited(limits(budget, deadline)):
            ran = [run(target, tuple(variant or ()), only) for target in arg.targets(paths)]
        if format is TestFormat.JSON:
            (watching.one_line if watch else print_json)(report(ran))
        elif format is TestFormat.JUNIT:
            put(junit(ran))
        else:
            show(ran)
        failed = any(not result.passed for one in ran for result in one.results)
        return Exit.FINDINGS if failed else Exit.FINE

    def watched() -> list[Path]:
        folders = [folder for one in arg.targets(paths) for folder in watching.folders_of(one.folder)]
        return list(dict.fromkeys([*folders, *map(Path, paths), *map(Path, variant or ())]))

    return watching.watch(once, watched, as_lines=format is TestFormat.JSON) if watch else once()


def run(target: arg.Target, variants: Sequence[str], only: str | None) -> Ran:
    """The scenarios of a ruleset, or of the files that were named in its place, and what came of them."""
    ruleset, _ = target.open(variants)
    meant = None if target.named else {rw.files.shown(Path(file)) for file in (*target.files, *variants)}

    def wanted(title: str, file: str) -> bool:
        return (only is None or only.lower() in title.lower()) and (meant is None or file in meant)

    planned = list(rw.scenarios.planned(ruleset, wanted))
    plans = [one for one in planned if not isinstance(one, rw.scenarios.ScenarioResult)]
    ran = iter(rw.scenarios.run_scenarios(plans))
    return Ran(
        ruleset.name, tuple(one if isinstance(one, rw.scenarios.ScenarioResult) else next(ran) for one in planned)
    )


def show(ran: list[Ran]) -> None:
    """Results for a person."""
    console = out()
    for one in ran:
        failed = [result for result in one.results if not result.passed]
        passed = (f"{len(failed)} failed", "red") if failed else ("all passed", "green")
        console.print(Text.assemble((one.ruleset, "bold"), f": {plural(len(one.results), 'scenario')}, ", passed))
        for result in failed:
            console.print()
            for line in story(result):
                console.print(line)


def story(result: rw.scenarios.ScenarioResult) -> list[str]:
    """The failures, line by line."""
    failure = result.failure
    assert failure is not None
    lines = [f'FAILED "{result.title}"']
    place = f"{failure.span.file}:{failure.span.line}"
    told = (
        ("about", " ".join(f"@{cite}" for cite in result.cites)),
        ("line", f"{place}  {failure.text}"),
        ("because", failure.message),
        ("expected", failure.expected),
        ("found", failure.found),
        ("rule", failure.rule),
    )
    lines += [f"  {word:<9} {text}".rstrip() for word, text in told if text]
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
        "rulesets": [{"ruleset": one.ruleset, "scenarios": [_entry(result) for result in one.results]} for one in ran],
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
