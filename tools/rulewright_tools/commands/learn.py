"""``rulewright learn``: an evaluation of positions, learnt from games that are played for it."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
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
    will_write,
    write_file,
)
from rulewright_tools.crews import ClusterOption, JobsOption, crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require
from rulewright_tools.limit_options import limited
from rulewright_tools.progress import Working, working
from rulewright_tools.reports.learning_text import report, report_lines
from rulewright_tools.session.learning_games import LearningGames
from rulewright_tools.session.seat_policies import Look


@guarded
@limited
def learn(
    ruleset: arg.Ruleset,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Write the weights to this file.")],
    games: Annotated[
        int, typer.Option("--games", "-g", min=1, help="How many games to play, all rounds together.")
    ] = 1000,
    rounds: Annotated[
        int,
        typer.Option("--rounds", min=1, metavar="K", help="Learn so often, each time playing as was learnt before."),
    ] = 1,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--with", metavar="AGENT", help="Let this agent play, too: mcts:50, greedy:score …; several are possible."
        ),
    ] = None,
    positions: Annotated[
        int, typer.Option("--positions", min=1, metavar="N", help="How many positions of each game are looked at.")
    ] = 12,
    players: arg.Players = None,
    seed: arg.Seed = 0,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    look: Look = 8,
    most: Annotated[
        int,
        typer.Option("--most", min=1, metavar="N", help="Leave a game after N decisions: nothing is learnt from it."),
    ] = 20_000,
    engine: arg.Engine = arg.EngineChoice.AUTO,
    format: Annotated[Format, typer.Option("--format", help="How to report.")] = Format.TEXT,
) -> Exit:
    """Learn from games how well a seat stands, and write that to a file of weights.

    Games are played at random, by the agents after --with, and from the second round on by the player that was learnt.
    At some positions of each the features of all seats are noted: the measures of the rules, what a seat holds by kind,
    fields, places and what can be reached from them, the player to decide. Their weights are fitted to the results
    (logistic regression, or ridge regression where the rules pay something). The report shows how well games that
    were held out are predicted, and shows the largest weights, each of a feature as large as usual.

    The file names an agent: learnt:FILE looks to the end of its turn, mcts:200:learnt:FILE searches with it. The same
    arguments give the same file, for any number of jobs and with either engine.

    Examples:

      rulewright learn connect-four --games 600 --rounds 3 -o four.json

      rulewright learn my-game --games 200 --with mcts:50 --jobs 2 -o weights.json

      rulewright tournament connect-four learnt:four.json mcts:100:learnt:four.json mcts:100 --games 60
    """
    require("sklearn")
    will_write(output)
    if games // rounds < lab.learning.LEAST_GAMES:
        least = lab.learning.LEAST_GAMES
        raise CommandError(f"--games {games} is too few: {least} are needed for each of {plural(rounds, 'round')}")
    game = arg.load(ruleset, players, variant, option, engine)
    learning = lab.learning.Learning(tuple(agents or ()), seed, positions, most, look)
    for word in learning.agents:
        lab.agent(game, word, look)  # an error at once if there is none such
    with crew(jobs, cluster) as workers, working("playing", games) as shown:
        learner = _Learner(game, LearningGames(game, learning, workers), games, shown)
        for number in range(rounds):
            learner.round(
                range(number * games // rounds, (number + 1) * games // rounds), f"round {number + 1} of {rounds}"
            )
    write_file(output, lab.learning.weights_text(game, learning, rounds, learner.fitted[-1]))
    if format is Format.JSON:
        print_json(report(game, learning, learner.fitted, learner.unfinished, str(output)))
    else:
        print_text("\n".join(report_lines(game, learner.fitted, learner.unfinished, str(output))) + "\n")
        print_note(f"wrote {output}")
    return Exit.FINE


class _Learner:
    """Rounds of games, after each of which all games so far are learnt from."""

    def __init__(self, game: rw.Game, games: LearningGames, total: int, shown: Working) -> None:
        self._game, self._games, self._total, self._shown = game, games, total, shown
        self._begun = perf_counter()
        self._samples: list[lab.learning.GameSamples] = []
        self.unfinished = 0
        self.fitted: list[lab.learning.Fitted] = []

    def round(self, numbers: range, name: str) -> None:
        """Play the games with these numbers, and learn."""
        player = self.fitted[-1].evaluation if self.fitted else None
        for number, one in enumerate(self._games.played(numbers, player), numbers.start + 1):
            if one is None:
                self.unfinished += 1
            else:
                self._samples.append(one)
            left = (perf_counter() - self._begun) / number * (self._total - number)
            self._shown.reached(number)
            self._shown.describe(f"{name}: game {number} of {self._total}, {left:.0f} s left")
        self._shown.describe(f"{name}: fitting")
        self.fitted.append(lab.learning.fitted(self._game, self._samples))
