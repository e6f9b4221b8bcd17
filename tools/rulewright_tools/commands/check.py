"""``rulewright check``: everything that can be said about a ruleset without playing it."""

from __future__ import annotations

import difflib
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
from rulewright import reporting
from rulewright_tools import arguments as arg
from rulewright_tools.console import (
    CommandError,
    Exit,
    out,
    plural,
    print_json,
    put,
    say,
    show_diagnostics,
    write_file,
)
from rulewright_tools.error_boundary import guarded


class CheckFormat(StrEnum):
    """Formats of findings."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


Codes = list[str] | None


@guarded
def check(
    paths: arg.Paths,
    format: Annotated[CheckFormat, typer.Option("--format", help="How to report.")] = CheckFormat.TEXT,
    select: Annotated[
        Codes,
        typer.Option(
            "--select",
            metavar="CODE",
            help="Report only these and errors, such as REF014 or REF; separate several with commas.",
        ),
    ] = None,
    ignore: Annotated[
        Codes, typer.Option("--ignore", metavar="CODE", help="Leave these out; errors are reported all the same.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 for remarks, too.")] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Apply the safe fixes, which do not change what the rules mean.")
    ] = False,
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="With --fix or --diff: also apply fixes that may change the rules.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing; print what --fix would change.")] = False,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Work everything out again, whatever was found before.")
    ] = False,
) -> Exit:
    """Check rulesets: syntax, data files, names, types, citations and variants, for every number of players.

    Exit code 0: nothing, or remarks only. Exit code 1: there are errors or warnings, with --diff also if a file would
    change. Exit code 2: there is nothing here that could be checked.

    Examples:

      rulewright check rulesets/my-game

      rulewright check rulesets/my-game --fix

      rulewright check rulesets --select REF,DAT --format sarif > findings.sarif
    """
    if unsafe_fixes and not (fix or diff):
        raise CommandError("--unsafe-fixes says which fixes are applied; give --fix or --diff with it")
    wanted = _wanted(_prefixes("--select", select), _prefixes("--ignore", ignore))
    found: list[rw.Diagnostic] = []
    would_change = 0
    folders = arg.folders(paths)
    for folder in folders:
        if fix or diff:
            changed, left = _mend(folder, wanted, unsafe=unsafe_fixes, write=not diff, told=format is CheckFormat.TEXT)
            would_change += changed if diff else 0
        else:
            left = findings(folder, no_cache)
        found.extend(finding for finding in left if finding.is_error or wanted(finding))
    if format is CheckFormat.JSON:
        print_json(reporting.to_json(found))
    elif format is CheckFormat.SARIF:
        print_json(reporting.to_sarif(found))
    elif not diff:
        show_diagnostics(found, on_stderr=False)
        if found:
            say(reporting.summary(found) + _mendable(found, fixing=fix, unsafe=unsafe_fixes))
        else:
            out().print(f"{plural(len(folders), 'ruleset')} checked, nothing found")
    counts = reporting.count(found)
    bad = counts.errors or counts.warnings or would_change or (strict and counts.infos)
    return Exit.FINDINGS if bad else Exit.FINE


def _mendable(found: list[rw.Diagnostic], *, fixing: bool, unsafe: bool) -> str:
    """The options, not given, that would fix findings."""
    fixes = [one.fix for one in found if one.fix is not None]
    safe = 0 if fixing else sum(fix.safe for fix in fixes)
    other = 0 if fixing and unsafe else sum(not fix.safe for fix in fixes)
    told = [f"{safe} can be fixed with --fix"] if safe else []
    told += (
        [f"{other} with --fix --unsafe-fixes" if safe else f"{other} can be fixed with --fix --unsafe-fixes"]
        if other
        else []
    )
    return "".join(f"; {one}" for one in told)


def findings(folder: str, no_cache: bool = False) -> list[rw.Diagnostic]:
    """All findings about one ruleset, also those that kept it from being read whole."""
    try:
        with rw.disk_cache.without_cache() if no_cache else nullcontext():
            return rw.check_folder(folder)
    except rw.RulesetError as error:
        return _unreadable(error)


def _unreadable(error: rw.RulesetError) -> list[rw.Diagnostic]:
    """The findings that keep a ruleset from being read; a missing ruleset is none of them."""
    if any(one.span.line for one in error.diagnostics):
        return list(error.diagnostics)
    raise error


# ------------------------------------------------------------------------------------------------------ which


def _prefixes(option: str, given: Codes) -> tuple[str, ...]:
    """Codes and beginnings of codes, as they are written after an option."""
    words = [word.strip().upper() for text in given or () for word in text.split(",") if word.strip()]
    known = reporting.codes()
    for word in words:
        if not any(code.startswith(word) for code in known):
            groups = ", ".join(dict.fromkeys(code[:3] for code in known))
            raise CommandError(f"{option} {word}: no code begins with this; the groups are {groups}")
    if given and not words:
        raise CommandError(f"{option}: give a code, such as REF014, or the beginning of one")
    return tuple(words)


def _wanted(select: tuple[str, ...], ignore: tuple[str, ...]) -> rw.fixing.FixFilter:
    """Findings that are selected and not ignored."""

    def wanted(finding: rw.Diagnostic) -> bool:
        selected = not select or finding.code.startswith(select)
        return selected and not (ignore and finding.code.startswith(ignore))

    return wanted


# ---------------------------------------------------------------------------------------------------- mending


def _mend(
    folder: str, wanted: rw.fixing.FixFilter, *, unsafe: bool, write: bool, told: bool
) -> tuple[int, list[rw.Diagnostic]]:
    """Fix one ruleset; how many files are different now, or would be, and what is still found."""
    try:
        fixed = rw.fix(rw.open_ruleset(folder), unsafe=unsafe, wanted=wanted)
    except rw.RulesetError as error:
        return 0, _unreadable(error)
    for path, (before, after) in fixed.texts.items():
        if write:
            _write(Path(path), before, after)
        elif told:
            _print_diff(path, before, after)
    if write and told:
        for one in fixed.applied:
            what = one.fix.message if one.fix is not None else ""
            out().print(f"fixed {one.span.file}:{one.span.line}: {one.code} {one.message}: {what}")
    return len(fixed.texts), list(fixed.remaining)


def _write(path: Path, before: str, after: str) -> None:
    """Write a fixed file, unless somebody has changed it since it was read."""
    raw = rw.files.read_text(path, as_is=True)
    if raw.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n") != before:
        raise CommandError(f"{path} was changed while it was checked; run the command again")
    write_file(path, rw.fixing.line_ends_of(raw, after))


def _print_diff(path: str, before: str, after: str) -> None:
    now, then = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for line in difflib.unified_diff(now, then, f"{path} (now)", f"{path} (fixed)"):
        put(line if line.endswith("\n") else line + "\n")
