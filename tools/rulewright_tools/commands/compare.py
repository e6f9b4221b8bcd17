"""``rulewright compare``: what two rulesets, variants or player counts say differently."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import Exit, out, print_json
from rulewright_tools.error_boundary import guarded
from rulewright_tools.reports.compare_report import as_json, as_markdown, as_text


class CompareFormat(StrEnum):
    """Formats of differences."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


@guarded
def compare(
    old: Annotated[str, typer.Argument(metavar="A", help="RULESET[:VARIANT or FILE.rules][:PARAM=VALUE][:PLAYERS]")],
    new: Annotated[
        str | None,
        typer.Argument(
            metavar="[B]", help="Likewise; `:Variant` is one of A's. Without it, A is compared with what it changes."
        ),
    ] = None,
    players: arg.Players = None,
    cites: Annotated[bool, typer.Option("--cites", help="Also show what only cites other statements now.")] = False,
    words: Annotated[bool, typer.Option("--words", help="Quote the statements of the rulebook.")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="Show all lines of what is new or gone.")] = False,
    format: Annotated[CompareFormat, typer.Option("--format", help="How to report.")] = CompareFormat.TEXT,
) -> Exit:
    """Compare what rules say, clause by clause: two rulesets, a variant, two numbers of players.

    Comments, formatting, the order of declarations and the layout of tables do not count.

    Exit code 0: they say the same. Exit code 1: they differ. Exit code 2: a side cannot be read.

    Examples:

      rulewright compare my-game other-edition

      rulewright compare my-game ":Long war"

      rulewright compare my-game:2 :3

      rulewright compare my-game:goal=9 :my-variant.rules --words
    """
    found = rw.compare(old, new, players)
    if format is CompareFormat.JSON:
        print_json(as_json(found, cites, words))
    elif format is CompareFormat.MARKDOWN:
        out().print(as_markdown(found, cites, words, whole), end="")
    else:
        for line in as_text(found, cites, words, whole):
            out().print(line)
    return Exit.FINE if found.equal and not (cites and found.cited) else Exit.FINDINGS
