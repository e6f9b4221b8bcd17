"""``rulewright check``: static checks of a ruleset, without playing it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import rulewright as rw
from rulewright import reporting
from rulewright_tools import arguments as arg
from rulewright_tools import watching
from rulewright_tools.console import (
    CommandError,
    Exit,
    plural,
    print_json,
    print_note,
    print_text,
    put,
    show_diagnostics,
    write_file,
)
from rulewright_tools.error_boundary import guarded
from rulewright_tools.progress import working
from rulewright_tools.reports.compare_report import in_short
from rulewright_tools.vocabulary import named


class CheckFormat(StrEnum):
    """Formats of findings."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


Codes = list[str] | None


@guarded
def check(
    paths: arg.Paths,
    format: Annotated[CheckFormat, named("--format")] = CheckFormat.TEXT,
    select: arg.Select = None,
    ignore: Annotated[Codes, named("--ignore")] = None,
    strict: Annotated[bool, named("--strict")] = False,
    fix: Annotated[bool, named("--fix")] = False,
    unsafe_fixes: Annotated[bool, named("--unsafe-fixes")] = False,
    diff: arg.Diff = False,
    variant: arg.Variants = None,
    pairs: Annotated[bool, named("--pairs")] = False,
    watch: arg.Watch = False,
) -> Exit:
    """Check rulesets: syntax, data files, names, types, citations and variants, for every number of players.

    A file of variants that belongs to no ruleset is checked with the one that it names: one of
    this name near the file, or a shipped one. What is found is what is in the file, and errors that it causes.

    --select and --ignore take codes, such as REF014 or REF, several with commas; errors are reported all the same.
    PERF, what could be asked with less work, is looked for only where it is selected. Several variants are also checked
    laid over each other. Nothing that was found before is taken from the cache if the variable RULEWRIGHT_CACHE is
    empty.

    With --watch the check is repeated after each change of a file; what has not changed is not worked out again. As
    JSON each report is one line. Ctrl-C ends it, with the exit code of the last check.

    Exit code 0: nothing, or remarks only. Exit code 1: there are errors or warnings, with --diff also if a file would
    change. Exit code 2: there is nothing here that could be checked.

    Examples:

      rulewright check my-game
      rulewright check my-game --fix
      rulewright check quick.rules --format json
      rulewright check my-game --variant quick-hands.rules --watch
      rulewright check rulesets --select REF,DAT --format sarif > findings.sarif
    """
    if unsafe_fixes and not (fix or diff):
        raise CommandError("--unsafe-fixes selects the fixes that are applied; give --fix or --diff with it")
    if watch and (fix or diff):
        raise CommandError("--watch only reports; give it without --fix and --diff")
    selected = _prefixes("--select", select)
    also = tuple(
        group for group in sorted(reporting.QUIET) if group.startswith(tuple(word[: len(group)] for word in selected))
    )
    wanted = _wanted(selected, _prefixes("--ignore", ignore))
    request = _Request(paths, tuple(variant or ()), format, wanted, also, strict, fix, unsafe_fixes, diff, watch, pairs)
    return watching.watch(request.run, request.watched, as_lines=request.as_lines) if watch else request.run()


@dataclass
class _Request:
    """All that the arguments ask for; with --watch again and again."""

    paths: list[str]
    variants: tuple[str, ...]
    format: CheckFormat
    wanted: rw.fixing.FixFilter
    also: tuple[str, ...]
    """Groups that are looked for only where they are selected."""
    strict: bool
    fix: bool
    unsafe: bool
    diff: bool
    watch: bool
    pairs: bool = False

    def __post_init__(self) -> None:
        self.workspace = rw.Workspace(".") if self.watch else None

    @property
    def as_lines(self) -> bool:
        """True if each report is one line."""
        return self.watch and self.format is not CheckFormat.TEXT

    def watched(self) -> list[Path]:
        """The folders and files that decide what is found."""
        targets = arg.targets(self.paths)
        folders = [folder for target in targets for folder in watching.folders_of(target.folder)]
        files = [Path(file) for target in targets for file in target.files]
        files += [Path(variant) for variant in self.variants if variant.endswith(".rules")]
        return list(dict.fromkeys([*folders, *map(Path, self.paths), *files]))

    def run(self) -> Exit:
        """One check."""
        found: list[rw.Diagnostic] = []
        would_change = 0
        targets = arg.targets(self.paths)
        with working("checking", len(targets)) as shown:
            for number, target in enumerate(targets):
                shown.describe(f"checking {target.folder}")
                shown.reached(number)
                if self.fix or self.diff:
                    with shown.aside():
                        changed, left = self._mend(target)
                    would_change += changed if self.diff else 0
                else:
                    left = findings(target, self.variants, self.workspace, self.also, self.pairs)
                found.extend(finding for finding in left if finding.is_error or self.wanted(finding))
        if self.format is CheckFormat.TEXT:
            if not self.diff:
                self._show(found, len(targets))
                if not any(one.is_error for one in found):
                    print_text("".join(line for target in targets for line in _changes(target)))
        else:
            from rulewright_tools.reports.sarif import to_sarif

            report = reporting.to_json(found) if self.format is CheckFormat.JSON else to_sarif(found)
            (watching.one_line if self.as_lines else print_json)(report)
        counts = reporting.count(found)
        bad = counts.errors or counts.warnings or would_change or (self.strict and counts.infos)
        return Exit.FINDINGS if bad else Exit.FINE

    def _show(self, found: list[rw.Diagnostic], rulesets: int) -> None:
        show_diagnostics(found, on_stderr=False)
        if found:
            print_note(reporting.summary(found) + _mendable(found, fixing=self.fix, unsafe=self.unsafe))
        else:
            print_text(f"{plural(rulesets, 'ruleset')} checked, nothing found\n")

    def _mend(self, target: arg.Target) -> tuple[int, list[rw.Diagnostic]]:
        """Fix one ruleset; how many files are different now, or would be, and what is still found."""
        write, as_text = not self.diff, self.format is CheckFormat.TEXT
        try:
            ruleset, _ = target.open(self.variants)
            # Who names a file of variants alone does not mean the ruleset that it changes.
            meant = {rw.files.shown(Path(file)) for file in target.files}
            fixed = rw.fix(
                ruleset,
                unsafe=self.unsafe,
                also=self.also,
                wanted=lambda finding: self.wanted(finding) and (target.named or finding.span.file in meant),
            )
        except rw.RulesetError as error:
            return 0, _unreadable(error)
        for path, (before, after) in fixed.texts.items():
            if write:
                _write(Path(path), before, after)
            elif as_text:
                _print_diff(path, before, after)
        if write and as_text:
            for one in fixed.applied:
                what = one.fix.message if one.fix is not None else ""
                print_text(f"fixed {one.span.file}:{one.span.line}: {one.code} {one.message}: {what}\n")
        return len(fixed.texts), list(fixed.remaining)


def _mendable(found: list[rw.Diagnostic], *, fixing: bool, unsafe: bool) -> str:
    """The options, not given, that would fix findings."""
    fixes = [one.fix for one in found if one.fix is not None]
    safe = 0 if fixing else sum(fix.safe for fix in fixes)
    other = 0 if fixing and unsafe else sum(not fix.safe for fix in fixes)
    remarks = [f"{safe} can be fixed with --fix"] if safe else []
    remarks += (
        [f"{other} with --fix --unsafe-fixes" if safe else f"{other} can be fixed with --fix --unsafe-fixes"]
        if other
        else []
    )
    return "".join(f"; {one}" for one in remarks)


def findings(
    target: arg.Target,
    variants: Sequence[str] = (),
    workspace: rw.Workspace | None = None,
    also: Sequence[str] = (),
    pairs: bool = False,
) -> list[rw.Diagnostic]:
    """All findings about one ruleset, also those that kept it from being read whole.

    A workspace knows from before what has not changed, and so does the cache on disk, for rulesets alone. `also` are
    quiet groups that are looked for, too. Of files of variants that were named without their ruleset only they are
    meant.
    """
    alone = not (variants or target.files or also or pairs)
    try:
        if not (target.named or variants or pairs):
            return (workspace or rw.Workspace(".")).check_variants(target.files, also).together
        if workspace is not None:
            if alone:
                return workspace.check(target.folder)
            with workspace.reading():
                ruleset, titles = target.extend(workspace.ruleset(target.folder), variants)
                return list(rw.check(ruleset, workspace.sources(ruleset), titles, also, pairs))
        if alone:
            return rw.check_folder(target.folder)
        ruleset, titles = target.open(variants)
        return list(rw.check(ruleset, variants=titles, also=also, pairs=pairs))
    except rw.RulesetError as error:
        return _unreadable(error)


def _changes(target: arg.Target) -> Iterator[str]:
    """A line for each thing that the variants of files change; nothing of a ruleset that was named itself."""
    if target.named or not target.files:
        return
    ruleset, titles = rw.rulesets.with_variants(target.folder, target.files)
    for title in titles:
        found = rw.compare(ruleset, rw.diff.Side(ruleset, (title,)))
        yield f'\n"{title}" changes:\n' if found.differences else f'\n"{title}" changes nothing\n'
        yield from (f"  {line}\n" for line in in_short(found))


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
            groups = ", ".join(dict.fromkeys(map(reporting.group_of, known)))
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


def _write(path: Path, before: str, after: str) -> None:
    """Write a fixed file, unless it has changed since it was read."""
    raw = rw.files.read_text(path, as_is=True)
    if raw.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n") != before:
        raise CommandError(f"{path} was changed while it was checked; run the command again")
    write_file(path, rw.files.line_ends_of(raw, after))


def _print_diff(path: str, before: str, after: str) -> None:
    now, then = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for line in difflib.unified_diff(now, then, f"{path} (now)", f"{path} (fixed)"):
        put(line if line.endswith("\n") else line + "\n")
