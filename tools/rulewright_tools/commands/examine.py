"""``rulewright examine``: what a variant, or a game, does beyond what was meant."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Annotated

import typer

import rulewright as rw
from rulewright import reporting
from rulewright_tools import arguments as arg
from rulewright_tools.console import Exit, plural, print_json, print_note, print_text, show_diagnostics
from rulewright_tools.error_boundary import guarded
from rulewright_tools.limit_options import limited
from rulewright_tools.progress import working


class ExamineFormat(StrEnum):
    """Formats of findings."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


SCREEN = 6
"""Findings that are shown; of the rest only the number is."""


@guarded
@limited
def examine(
    ruleset: arg.Ruleset,
    players: arg.Players = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            "--accept",
            metavar="KEY",
            help="A finding that is meant, by its key, such as EXM101/turn/turn.no_fee: it is left out; several are "
            "possible. One that is not found any more is reported.",
        ),
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="Show all findings, what is only worth knowing and more than a screen, too.")
    ] = False,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            min=0,
            help="Games of each kind that are played of a variant and of its base; 0: none. With the same number the "
            "same are played, unless time ends them early.",
        ),
    ] = 300,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="Seconds for all games together.")] = 60.0,
    format: Annotated[ExamineFormat, typer.Option("--format", help="How to report.")] = ExamineFormat.TEXT,
) -> Exit:
    """Examine a variant, or a game: rules that can be played, but say something else than was meant.

    A price that is asked for and not paid, a condition that is decided before it is asked, the things of the wrong
    player: each is reported with its line, the weightiest first. Of a variant only what its base does not have as well.

    Each finding is "wrong" (it contradicts what the rules say themselves), "probably not meant", or "worth knowing",
    which is only counted unless --all is given.

    A finding that is meant is accepted in the rules, by a comment at its line with the reason, or left out with
    --accept and its key, which stays the same when lines are moved. An accepted one that is not found is reported.

    Exit code 0: nothing, or only what is worth knowing. Exit code 1: there is more. Exit code 2: it cannot be examined.

    Examples:

      rulewright examine quick-hands.rules

      rulewright examine quick-hands.rules --accept EXM101/turn/turn.no_fee

      rulewright examine rulesets/my-game --format sarif > findings.sarif
    """
    with working("loading") as shown:
        titles, options = tuple(variant or ()), arg.options_of(option)
        found = rw.examination.examine(ruleset, titles, players, options, shown.describe, games, seconds)
    keys = {one.key for one in (*found.findings, *(kept.finding for kept in found.accepted))}
    for key in dict.fromkeys(accept or ()):
        if key not in keys:
            print_note(f"--accept {key}: this is not found any more")
    left = tuple(one for one in found.findings if one.key not in (accept or ()))
    accepted, found = len(found.findings) - len(left) + len(found.accepted), replace(found, findings=left)
    if format is ExamineFormat.JSON:
        print_json(found.data())
    elif format is ExamineFormat.SARIF:
        print_json(reporting.to_sarif([*(one.whole_diagnostic for one in found.findings), *found.unneeded]))
    else:
        _show(found, all_)
        show_diagnostics(found.unneeded, on_stderr=False)
        if accepted:
            print_text(f"{accepted} accepted\n")
    return Exit.FINE if found.passed else Exit.FINDINGS


def _show(found: rw.examination.Examination, everything: bool) -> None:
    listed = [one for one in found.findings if everything or one.level is not rw.examination.Level.NOTABLE]
    shown = listed if everything else listed[:SCREEN]
    for one in shown:
        print_text(f"{one.level.value} ({one.key}):\n")
        show_diagnostics([one.diagnostic], on_stderr=False)
        _show_games(one)
    if left := len(listed) - len(shown):
        print_text(f"and {plural(left, 'more finding')}: --all shows them\n")
    if folded := len(found.findings) - len(listed):
        print_text(f"{folded} worth knowing: --all shows them\n")
    print_text(
        f"{_looked_at(found)}: {plural(len(listed), 'finding')}\n"
        if listed
        else f"{_looked_at(found)}: nothing was found\n"
    )


def _show_games(one: rw.examination.Finding) -> None:
    """The position in which a finding is seen, the answers before it, and a scenario that leads there."""
    for title, lines in (("position", one.position.splitlines()), ("after", one.story)):
        if lines:
            print_text("\n".join([f"  {title}:", *(f"    {line}" for line in lines)]) + "\n")
    if one.scenario:
        print_text(f"{one.scenario}\n")


def _looked_at(found: rw.examination.Examination) -> str:
    """The line about the subject of the examination."""
    counts = " or ".join(map(str, found.players))
    what = f"{found.title} with {', '.join(found.variants)}" if found.variants else found.title
    if found.beside_base:
        beside = f", beside {found.base}"
    elif found.base:
        beside = f"; {found.base} cannot be played alone by so many, so nothing of its own is left out"
    else:
        beside = ""
    played = f", and {found.games} games{' of both' if found.beside_base else ''}" if found.games else ""
    early = f" (no time for all games about {', '.join(found.ended_early)})" if found.ended_early else ""
    return f"examined the rules of {what} for {counts} players{beside}{played}{early}"
