"""``rulewright examine``: what a variant, or a game, does beyond what was meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Any

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import Exit, plural, print_json, print_note, print_text, show_diagnostics
from rulewright_tools.error_boundary import guarded
from rulewright_tools.limit_options import Time
from rulewright_tools.progress import working
from rulewright_tools.reports.sarif import to_sarif
from rulewright_tools.vocabulary import named


class ExamineFormat(StrEnum):
    """Formats of findings."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


TIME = 60.0

LISTED = 6
"""So many moves that were always or never possible are named of each kind."""


@guarded
def examine(
    ruleset: arg.Ruleset,
    players: arg.Players = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    accept: arg.Accept = None,
    games: arg.Games = 300,
    time: Time = TIME,
    format: Annotated[ExamineFormat, named("--format")] = ExamineFormat.TEXT,
) -> Exit:
    """Examine a variant, or a game: rules that can be played, but say something else than was meant.

    A condition that is decided before it is asked, the things of the wrong player, a mark that is never forgotten: each
    is reported with its line, the weightiest first. Of a variant only what its base does not have as well.

    Each finding is "wrong" (it contradicts what the rules say themselves) or "probably not meant". What nothing speaks
    against, and is not meant all the same, `rulewright confirm` asks about.

    A finding that is meant is accepted in the rules, by a comment at its line with the reason, or left out with
    --accept and its key, which stays the same when lines are moved. An accepted one that is not found is reported.

    --games are those of each kind, played of a variant and of its base; 0: none. With the same number the same are
    played, unless --time ends them early.

    Exit code 0: nothing was found. Exit code 1: there is something. Exit code 2: it cannot be examined.

    Examples:

      rulewright examine quick.rules
      rulewright examine my-game --games 0
      rulewright examine breakthrough --time 5 --format json
      rulewright examine quick-hands.rules --accept EXM103/turn/gold
      rulewright examine my-game --format sarif > findings.sarif
    """
    with working("loading") as shown:
        titles, options = tuple(variant or ()), arg.options_of(option)
        found = rw.examination.examine(ruleset, players, titles, options, shown.describe, games, time or TIME)
    keys = {one.key for one in (*found.findings, *(kept.finding for kept in found.accepted))}
    for key in dict.fromkeys(accept or ()):
        if key not in keys:
            print_note(f"--accept {key}: this is not found any more")
    left = tuple(one for one in found.findings if one.key not in (accept or ()))
    accepted, found = len(found.findings) - len(left) + len(found.accepted), replace(found, findings=left)
    if format is ExamineFormat.JSON:
        print_json(found.data())
    elif format is ExamineFormat.SARIF:
        print_json(to_sarif([*(one.whole_diagnostic for one in found.findings), *found.unneeded]))
    else:
        _show(found, ruleset)
        show_diagnostics(found.unneeded, on_stderr=False)
        if accepted:
            print_text(f"{accepted} accepted\n")
    return Exit.FINE if found.passed else Exit.FINDINGS


def _show(found: rw.examination.Examination, ruleset: str) -> None:
    print_text(f"rulewright confirm {ruleset} asks about the moments in which the rules might mean something else\n")
    for one in found.findings:
        print_text(f"{one.level.value} ({one.key}):\n")
        show_diagnostics([one.diagnostic], on_stderr=False)
        _show_games(one)
    for look in found.first:
        for name, seed in look.broken:
            game = f"the random game of seed {seed} with {look.players} players"
            print_text(f"wrong: `{name}` does not hold in {game}; `rulewright simulate` finds the cause\n")
        if look.ended < look.games or not look.decisions:
            print_text(_first_games(look))
    print_text("".join(f"{line}\n" for line in _never(found.offers)))
    nothing = f"nothing {'else ' if any(look.troubled for look in found.first) else ''}was found"
    nothing += " in these" if found.ended_early else ""
    what = plural(len(found.findings), "finding") if found.findings else nothing
    print_text(f"{_looked_at(found)}: {what}\n")


def _show_games(one: rw.examination.Finding) -> None:
    """The answers before a finding is seen, and a scenario that leads there."""
    if one.story:
        print_text("\n".join(["  after:", *(f"    {line}" for line in one.story)]) + "\n")
    if one.scenario:
        print_text(f"{one.scenario}\n")


def _first_games(one: rw.examination.FirstGames) -> str:
    """The line about the first games of one number of players that did not go as games go."""
    if one.decisions == 0 and one.ended:
        return f"with {one.players} players there is no question in {plural(one.games, 'random game')}\n"
    what = [
        f"{one.stopped} are stopped by an error of the rules" if one.stopped else "",
        f"{one.endless} have no end within {rw.examination.MOST:,} decisions" if one.endless else "",
    ]
    return f"with {one.players} players, of {plural(one.games, 'random game')}: {', '.join(filter(None, what))}\n"


def _never(offers: Mapping[str, Any]) -> Iterator[str]:
    """The lines about moves that were always or never possible in the first games."""
    heads = {
        "never_possible": "never possible",
        "never_refusing": "nothing was ever refused by",
        "never_reached": "never reached",
    }
    for kind, head in heads.items():
        names = offers.get(kind) or ()
        counted = isinstance(names, Mapping)
        shown = [f"`{one}` (in {plural(names[one], 'question')})" if counted else f"`{one}`" for one in names]
        more = [f"{len(names) - LISTED} more"] if len(names) > LISTED else []
        if names:
            yield f"{head}, in {plural(offers['games'], 'random game')}: {', '.join([*shown[:LISTED], *more])}"


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
