"""``rulewright compare``: what two rulesets, variants or player counts say differently."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, out, plural, print_json
from rulewright_tools.error_boundary import guarded
from rulewright_tools.progress import working
from rulewright_tools.reports.compare_report import as_json, as_markdown, as_text
from rulewright_tools.reports.divergence_report import Played, played, played_data
from rulewright_tools.session.seat_policies import policies_of, split
from rulewright_tools.vocabulary import named


class CompareFormat(StrEnum):
    """Formats of differences."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


@guarded
def compare(
    old: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="RULESET[:VARIANT or FILE.rules][:PARAM=VALUE][:PLAYERS]",
            callback=arg.with_notice,
        ),
    ],
    new: Annotated[
        str | None,
        typer.Argument(
            metavar="[B]", help="Likewise; `:Variant` is one of A's. Without it, A is compared with what it changes."
        ),
    ] = None,
    players: arg.Players = None,
    all: arg.All = False,
    quote: arg.Quote = False,
    games: arg.Games = 0,
    seats: arg.Seats = None,
    seed: arg.Seed = 0,
    format: Annotated[CompareFormat, named("--format")] = CompareFormat.TEXT,
) -> Exit:
    """Compare what rules say, clause by clause: two rulesets, a variant, two numbers of players.

    Comments, formatting, the order of declarations and the layout of tables do not count.

    With --games games of both sides are played with equal seeds and equal answers; of those the one that parts first is
    narrated: what both have in common, and what each asks then. The answers are random, or with --seats those
    that agents give in the first of both games: they come to positions that random play does not reach.

    --all shows all lines of what is new or gone, and what only cites other statements now; --quote the statements of
    the rulebook. Exit code 0: they say the same. Exit code 1: they differ. Exit code 2: a side cannot be read.

    Examples:

      rulewright compare carolus-magnus:2 :3
      rulewright compare quick.rules
      rulewright compare breakthrough:size=5 :size=6 --games 5
      rulewright compare my-game ":Long war" --all
      rulewright compare my-game:goal=9 :my-variant.rules --quote
      rulewright compare quick-hands.rules --games 20 --players 3 --seats mcts:50
    """
    found = rw.compare(old, new, players)
    if seats and not games:
        raise CommandError("--seats names the players: it needs --games")
    divergences = _divergences(found, games, seed, split(seats)) if games else None
    if format is CompareFormat.JSON:
        print_json(as_json(found, all, quote) | ({} if divergences is None else {"play": played_data(divergences)}))
    elif format is CompareFormat.MARKDOWN:
        out().print(as_markdown(found, all, quote, all), end="")
        for line in played(divergences or ()):
            out().print(f"    {line}" if line else "")
    else:
        for text in as_text(found, all, quote, all):
            out().print(text)
        for line in played(divergences or ()):
            out().print(line)
    return Exit.FINE if found.equal and not (all and found.cited) else Exit.FINDINGS


def _divergences(found: rw.diff.Comparison, count: int, seed: int, words: tuple[str, ...]) -> list[Played]:
    """The moments at which games of both sides part, for each number of players that was compared."""
    played: list[Played] = []
    with working("loading") as shown:
        for counts in found.players:
            games = (_game(found.old, counts[0]), _game(found.new, counts[1]))
            shown.at(f"{found.new.title}, {plural(counts[1], 'player')}")
            alike = counts[0] == counts[1]
            played.append(Played(counts, _first(*games, count, seed, words) if alike else None))
    return played


def _first(
    old: rw.Game, new: rw.Game, count: int, seed: int, words: tuple[str, ...]
) -> lab.divergence.Divergence | None:
    return lab.divergence.first_divergence(old, new, seed, count, agents=policies_of(old, words))


def _game(side: rw.diff.Edition, count: int) -> rw.Game:
    return rw.load(side.ruleset, count, side.variants, side.options)
