"""``rulewright compare``: what two rulesets, variants or player counts say differently."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, out, plural, print_json
from rulewright_tools.error_boundary import guarded
from rulewright_tools.progress import working
from rulewright_tools.reports.compare_report import as_json, as_markdown, as_text
from rulewright_tools.reports.divergence_report import Played, played, played_data
from rulewright_tools.session.seat_policies import Look, Noise, Policies, policies_of, split


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
    cites: Annotated[bool, typer.Option("--cites", help="Also show what only cites other statements now.")] = False,
    words: Annotated[bool, typer.Option("--words", help="Quote the statements of the rulebook.")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="Show all lines of what is new or gone.")] = False,
    play: Annotated[
        bool,
        typer.Option(
            "--play",
            help=f"Play {rw.divergence.GAMES} games of both with equal seeds and answers, and report the first "
            "decision that differs.",
        ),
    ] = False,
    seats: Policies = None,
    look: Look = 8,
    noise: Noise = 10,
    seed: arg.Seed = 0,
    format: Annotated[CompareFormat, typer.Option("--format", help="How to report.")] = CompareFormat.TEXT,
) -> Exit:
    """Compare what rules say, clause by clause: two rulesets, a variant, two numbers of players.

    Comments, formatting, the order of declarations and the layout of tables do not count.

    With --play games of both sides are played with equal seeds and equal answers; of those the one that parts first is
    narrated: what both have in common, and what each asks then. The answers are random, or with --seats those
    that agents give in the first of both games: they come to positions that random play does not reach.

    Exit code 0: they say the same. Exit code 1: they differ. Exit code 2: a side cannot be read.

    Examples:

      rulewright compare my-game other-edition

      rulewright compare my-game ":Long war"

      rulewright compare my-game:2 :3

      rulewright compare my-game:goal=9 :my-variant.rules --words

      rulewright compare quick-hands.rules --play --players 3 --seats mcts:50
    """
    found = rw.compare(old, new, players)
    if seats and not play:
        raise CommandError("--seats names the players: it needs --play")
    divergences = _divergences(found, seed, split(seats), look, noise) if play else None
    if format is CompareFormat.JSON:
        print_json(as_json(found, cites, words) | ({} if divergences is None else {"play": played_data(divergences)}))
    elif format is CompareFormat.MARKDOWN:
        out().print(as_markdown(found, cites, words, whole), end="")
        for line in played(divergences or ()):
            out().print(f"    {line}" if line else "")
    else:
        for text in as_text(found, cites, words, whole):
            out().print(text)
        for line in played(divergences or ()):
            out().print(line)
    return Exit.FINE if found.equal and not (cites and found.cited) else Exit.FINDINGS


def _divergences(found: rw.diff.Comparison, seed: int, words: tuple[str, ...], look: int, noise: int) -> list[Played]:
    """The moments at which games of both sides part, for each number of players that was compared."""
    played: list[Played] = []
    with working("loading") as shown:
        for counts in found.players:
            games = (_game(found.old, counts[0]), _game(found.new, counts[1]))
            shown.at(f"{found.new.title}, {plural(counts[1], 'player')}")
            alike = counts[0] == counts[1]
            played.append(Played(counts, _first(*games, seed, words, look, noise) if alike else None))
    return played


def _first(
    old: rw.Game, new: rw.Game, seed: int, words: tuple[str, ...], look: int, noise: int
) -> rw.divergence.Divergence | None:
    return rw.divergence.first_divergence(old, new, seed, agents=policies_of(old, words, look, noise))


def _game(side: rw.diff.Edition, count: int) -> rw.Game:
    return rw.load(side.ruleset, count, side.variants, side.options)
