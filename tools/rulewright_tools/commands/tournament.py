"""``rulewright tournament``: agents against each other, on every seat, and how strong they are."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools import arguments as arg
from rulewright_tools.console import (
    CommandError,
    Exit,
    Format,
    plural,
    print_json,
    print_note,
    print_text,
    write_page,
)
from rulewright_tools.crews import crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require, require_pictures
from rulewright_tools.limit_options import Time, ending_at
from rulewright_tools.outputs import by_ending
from rulewright_tools.progress import working
from rulewright_tools.vocabulary import named

LOOK, NOISE = 8, 0
"""So many options are tried by greedy agents, and so often they take any."""
AT_LEAST = 10
"""The number of rounds before --until is checked."""


@guarded
def tournament(
    context: typer.Context,
    ruleset: arg.Ruleset,
    agents: Annotated[
        list[str],
        typer.Argument(metavar="AGENT…", help="Two or more: random, greedy:QUERY, mcts:N, learnt:FILE …"),
    ],
    games: arg.Games = 200,
    players: arg.Players = None,
    seed: arg.Seed = 0,
    jobs: arg.Jobs = "1",
    variant: arg.Variants = None,
    option: arg.Options = None,
    until: arg.Until = None,
    keep: arg.Keep = None,
    decisions: arg.Decisions = 20_000,
    time: Time = None,
    output: arg.Output = None,
    format: Annotated[Format, named("--format")] = Format.TEXT,
) -> Exit:
    """Let agents play against each other, and report how strong they are.

    Every agent meets every other one with their seats exchanged in every way; the games of such a round have one seed.
    Ratings are on the scale of Elo (model of Bradley and Terry), with the interval in which they lie in 95 of a hundred
    cases; the mean of all is 0. Agents of other programs are written "pipe:COMMAND" (see the page on agents); one that
    dies, answers nonsense or is late loses its game.

    With --until "± 50 Elo" it stops when no rating is less certain than by so much; rounds are played to their end.
    With --keep FILE the games are kept there, one a line, and those in it already are not played again. --output
    FILE.html writes a page with pictures. A game that is left is a draw. The figures are the same for any number of
    jobs.

    Examples:

      rulewright tournament connect-four mcts:20 mcts:100 random --games 12
      rulewright tournament tic-tac-toe mcts:50 random --keep games.jsonl
      rulewright tournament my-game mcts:50 random --games 8 --output ratings.html
      rulewright tournament my-game mcts:50 random --games 1000 --until "± 50 Elo"
      rulewright tournament my-game mcts:100 "pipe:python my_agent.py" --games 20 --format json
    """
    require("choix")
    report = by_ending(output, ".html").page
    certain = _certainty(until)
    if report is not None:
        require_pictures()
    if len(agents) < 2 or len(set(agents)) < len(agents):
        raise CommandError("a tournament needs two agents or more, each of them once")
    game = arg.load(ruleset, players, variant, option)
    meant = lab.tournaments.Tournament(tuple(agents), seed, decisions, LOOK, NOISE)
    for one in agents:
        lab.agent(game, one, LOOK, NOISE)  # raises at once if there is none such
    if game.players == 1:
        raise CommandError(f"{game.title} is for one player here: there are no opponents")
    played = _Games(game, meant, keep)
    with crew(jobs) as workers, working("playing") as shown, ending_at(time) as ending:
        for done in played.rounds(games, workers, certain):
            shown.describe(f"{plural(done * played.size, 'game')} of {games}")
    played.interrupted = ending.early
    if not played.matches:
        if ending.by == "time":
            raise CommandError("the time was over before the first round was: give more with --time")
        print_note("stopped before the first round was over")
        return Exit.INTERRUPTED
    table = lab.tournaments.standings(played.matches, len(agents), seed)
    if format is Format.JSON:
        print_json(played.report(table))
    else:
        print_text("\n".join(played.report_lines(table)) + "\n")
    if report is not None:
        from rulewright_tools.reports.html.repeating import command_line
        from rulewright_tools.reports.pages.tournament_page import tournament_page

        write_page(report, tournament_page(played.report(table), game, command_line(context)))
    if ending.early:
        print_note(ending.note(plural(len(played.matches), "game")))
    return ending.exit()


def _certainty(until: str | None) -> float | None:
    """The points of Elo within which the ratings are to be known."""
    if until is None:
        return None
    found = re.fullmatch(r"(?:±|\+-)?\s*([0-9]+(?:\.[0-9]+)?)(?:\s*Elo)?", until.strip())
    if found is None or float(found[1]) < 1:
        raise CommandError(f'--until {until}: write how well the ratings are to be known, such as "± 50 Elo"')
    return float(found[1])


class RoundPlayer:
    """Plays rounds of a tournament; errors of the rules are returned as data. It can be sent to other processes."""

    def __init__(self, game: rw.Game, meant: lab.tournaments.Tournament) -> None:
        self._game, self._meant = game, meant

    def __call__(self, number: int) -> list[lab.tournaments.Match] | tuple[rw.Diagnostic, ...]:
        """The games of a round."""
        try:
            return lab.tournaments.played_round(self._game, self._meant, number)
        except rw.RulesetError as error:
            return error.diagnostics


class _Games:
    """The games of a tournament, round by round."""

    def __init__(self, game: rw.Game, meant: lab.tournaments.Tournament, record: Path | None) -> None:
        self.game, self.meant = game, meant
        self.size = len(lab.tournaments.lineups(len(meant.agents), game.players))
        self.records = lab.tournaments.Records(record, game, meant) if record is not None else None
        self.matches: list[lab.tournaments.Match] = []
        self.interrupted = False

    def rounds(self, games: int, jobs: rw.workers.Jobs, until: float | None) -> Iterator[int]:
        """Play rounds until there are so many games, or the ratings are certain enough; the number of rounds so far."""
        known = self.records.known(self.size) if self.records is not None else []
        wanted = -(-games // self.size)
        for one in known[:wanted]:
            self.matches += one
        done = min(len(known), wanted)
        with closing(self._played(range(done, wanted), jobs)) as more:
            while done < wanted and not self._certain(until, done):
                matches = next(more)
                if self.records is not None:
                    self.records.add(matches)
                self.matches += matches
                done += 1
                yield done

    def _certain(self, until: float | None, done: int) -> bool:
        """True if every rating is known well enough."""
        if until is None or done < AT_LEAST:
            return False
        table = lab.tournaments.standings(self.matches, len(self.meant.agents), self.meant.seed)
        return all(one.high - one.low <= 2 * until for one in table)

    def _played(self, numbers: range, jobs: rw.workers.Jobs) -> Generator[list[lab.tournaments.Match], None, None]:
        """The rounds with these numbers, in their order."""
        left = iter(numbers)
        player = RoundPlayer(self.game, self.meant)
        with closing(
            rw.workers.map_in_order(player, lambda: next(left, None), jobs, f"rounds of {self.game.name}")
        ) as all_:
            for _, found in all_:
                if isinstance(found, tuple):
                    raise rw.RulesetError(found)
                yield found

    def report(self, table: list[lab.tournaments.Standing]) -> dict[str, object]:
        """The report as plain data."""
        game, agents = self.game, self.meant.agents
        won = lab.tournaments.points(self.matches, len(agents))
        return {
            "ruleset": game.name,
            "title": game.title,
            "players": game.players,
            "variants": list(game.variants),
            "options": dict(game.parameters),
            "seed": self.meant.seed,
            "complete": not self.interrupted,
            "games": len(self.matches),
            "unfinished": sum(not match.finished for match in self.matches),
            "agents": [
                {
                    "agent": agents[one.agent],
                    "games": one.games,
                    "score": round(one.score, 4),
                    "elo": round(one.elo, 1),
                    "interval": [round(one.low, 1), round(one.high, 1)],
                    "failed": one.failed,
                }
                for one in table
            ],
            "meetings": [
                {"agent": agents[a], "against": agents[b], "points": points, "of": points + won[b][a]}
                for a, row in enumerate(won)
                for b, points in enumerate(row)
                if points + won[b][a]
            ],
            "failures": sorted({match.why for match in self.matches if match.why}),
        }

    def report_lines(self, table: list[lab.tournaments.Standing]) -> Iterator[str]:
        """The report as lines."""
        words = self.meant.agents
        width = max(map(len, words), default=0)
        yield f"{self.game.title}, {plural(self.game.players, 'player')}: {plural(len(self.matches), 'game')}"
        yield f"{'':{width}}    Elo   95 %           score  games"
        for one in table:
            ends = f"{one.low:+.0f} … {one.high:+.0f}"
            failed = f"  {plural(one.failed, 'game')} lost without an answer" if one.failed else ""
            figures = f"{one.elo:+5.0f}   {ends:13}  {100 * one.score:4.0f} %  {one.games:5}"
            yield f"{words[one.agent]:{width}}  {figures}{failed}"
        yield from sorted({match.why for match in self.matches if match.why})
