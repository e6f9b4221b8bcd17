"""``rulewright check``: everything that can be said about a ruleset without playing it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

import rulewright as rw
from rulewright import reporting
from rulewright_tools import arguments as arg
from rulewright_tools.console import Exit, out, plural, print_json, say, show_diagnostics
from rulewright_tools.guard import guarded


class CheckFormat(StrEnum):
    """How findings are written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


@guarded
def check(
    paths: arg.Paths,
    format: Annotated[CheckFormat, typer.Option("--format", help="How to report.")] = CheckFormat.TEXT,
) -> Exit:
    """Check rulesets: syntax, data files, names, types, citations and variants, for every number of players.

    Exit code 1: there are findings. Exit code 2: there is nothing here that could be checked.

    Examples:

      rulewright check rulesets/my-game

      rulewright check rulesets --format sarif > findings.sarif
    """
    found: list[rw.Diagnostic] = []
    folders = arg.folders(paths)
    for folder in folders:
        found.extend(findings(folder))
    if format is CheckFormat.JSON:
        print_json(reporting.to_json(found))
    elif format is CheckFormat.SARIF:
        print_json(reporting.to_sarif(found))
    else:
        show_diagnostics(found, on_stderr=False)
        if found:
            say(reporting.summary(found))
        else:
            out().print(f"{plural(len(folders), 'ruleset')} checked, nothing found", markup=False)
    return Exit.FINDINGS if found else Exit.FINE


def findings(folder: str) -> list[rw.Diagnostic]:
    """All findings about one ruleset, also those that kept it from being read whole."""
    try:
        return list(rw.check(rw.open_ruleset(folder)))
    except rw.RulesetError as error:
        if any(one.span.line for one in error.diagnostics):
            return list(error.diagnostics)
        raise
