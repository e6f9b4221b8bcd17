"""``rulewright learn``: an evaluation of positions, learnt from games that are played for it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import Annotated

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
    write_file,
)
from rulewright_tools.crews import crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require
from rulewright_tools.limit_options import Time, ending_at
from rulewright_tools.outputs import by_ending
from rulewright_tools.progress import Working, working
from rulewright_tools.reports.learning_text import report, report_lines
from rulewright_tools.session.learning_games import LearningGames
from rulewright_tools.vocabulary import named

POSITIONS = 12
"""So many positions of each game are looked at."""
RECENT = 3
"""Of a player against itself the games of the last rounds are learnt from: those before were of other players."""


class Features(StrEnum):
    """Kinds of features."""

    ALL = "all"
    RULES = "rules"


@guarded
def learn(
    ruleset: arg.Ruleset,
    output: Annotated[list[Path], named("--output")],
    games: arg.Games = 1000,
    rounds: Annotated[int, named("--rounds", min=1)] = 1,
    agents: Annotated[list[str] | None, named("--agent")] = None,
    features: Annotated[Features, named("--features")] = Features.ALL,
    players: arg.Players = None,
    seed: arg.Seed = 0,
    jobs: arg.Jobs = "1",
    variant: arg.Variants = None,
    option: arg.Options = None,
    time: Time = None,
    format: Annotated[Format, named("--format")] = Format.TEXT,
) -> Exit:
    """Learn from games how well a seat stands, and write that to a file of weights.

    Games are played at random, by the agents after --agent, and from the second round on by the player that was learnt.
    At some positions of each the features of all seats are noted: the measures of the rules, what a seat holds by kind,
    fields, places and what can be reached from them, the player to decide. Their weights are fitted to the results
    (logistic regression, or ridge regression where the rules pay something). The report shows how well games that
    were held out are predicted, and shows the largest weights, each of a feature as large as usual.

    With --features rules the features are derived from the rules as queries of their own language, with prospects: the
    gain if the boundary of an area around a piece was shut, divided by what is missing. Then all runs in machine code,
    and from the second round on the player that was learnt plays against itself.

    The file names an agent: learnt:FILE looks to the end of its turn, mcts:200:learnt:FILE searches with it. The same
    arguments give the same file, for any number of jobs and with either engine.

    Examples:

      rulewright learn connect-four --games 60 --output four.json
      rulewright learn my-game --games 60 --rounds 2 --output weights.json
      rulewright learn connect-four --games 60 --features rules -o more.json
      rulewright learn tic-tac-toe --games 40 --agent mcts:10 --output tic.json
      rulewright tournament connect-four learnt:four.json mcts:100:learnt:four.json mcts:100 --games 60
    """
    require("sklearn")
    (file,) = by_ending(output, ".json").values()
    if games // rounds < lab.learning.LEAST_GAMES:
        least = lab.learning.LEAST_GAMES
        raise CommandError(f"--games {games} is too few: {least} are needed for each of {plural(rounds, 'round')}")
    game = arg.load(ruleset, players, variant, option)
    learning = lab.learning.Learning(tuple(agents or ()), seed, POSITIONS, is_derived=features is Features.RULES)
    for one in learning.agents:
        lab.agent(game, one)  # an error at once if there is none such
    with crew(jobs) as workers, working("playing", games) as shown, ending_at(time) as ending:
        learner = _Learner(game, learning, LearningGames(game, learning, workers), games, shown)
        for number in range(rounds):
            learner.round(
                range(number * games // rounds, (number + 1) * games // rounds), f"round {number + 1} of {rounds}"
            )
    if not learner.fitted:
        raise CommandError("stopped before the first round was over: nothing is written")
    write_file(file, lab.learning.weights_text(game, learning, len(learner.fitted), learner.fitted[-1]))
    if format is Format.JSON:
        print_json(report(game, learning, learner.fitted, learner.unfinished, str(file)))
    else:
        print_text("\n".join(report_lines(game, learner.fitted, learner.unfinished, str(file))) + "\n")
        print_note(f"wrote {file}")
    if ending.early:
        print_note(ending.note(plural(len(learner.fitted), "round")))
    return ending.exit()


class _Learner:
    """Rounds of games, after each of which all games so far are learnt from."""

    def __init__(
        self, game: rw.Game, learning: lab.learning.Learning, games: LearningGames, total: int, shown: Working
    ) -> None:
        self._is_derived = learning.is_derived
        self._game, self._games, self._total, self._shown = game, games, total, shown
        self._begun = perf_counter()
        self._samples: list[list[lab.learning.GameSamples]] = []
        self.unfinished = 0
        self.fitted: list[lab.learning.Fitted] = []

    def round(self, numbers: range, name: str) -> None:
        """Play the games with these numbers, and learn."""
        player = self.fitted[-1].evaluation if self.fitted else None
        self._samples.append([])
        for number, one in enumerate(self._games.played(numbers, player), numbers.start + 1):
            if one is None:
                self.unfinished += 1
            else:
                self._samples[-1].append(one)
            left = (perf_counter() - self._begun) / number * (self._total - number)
            self._shown.reached(number)
            self._shown.describe(f"{name}: game {number} of {self._total}, {left:.0f} s left")
        self._shown.describe(f"{name}: fitting")
        samples = [one for some in self._samples[-RECENT if self._is_derived else 0 :] for one in some]
        self.fitted.append(lab.learning.fitted(self._game, samples, is_derived=self._is_derived))
