"""A tally of games at random: uses of rules, and of the probes that are laid into them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from rulewright.diagnostics import RulesetError
from rulewright.engine import Agent
from rulewright.examination.playing.pair import MOST, Pair, each
from rulewright.examination.playing.probes import Probe, probing
from rulewright.ir import model as m
from rulewright.play.game import Game


class Tally:
    """Uses of rules in games, all together and in how many games there were any."""

    def __init__(self) -> None:
        self.played = 0
        self.uses, self.games = Counter[str](), Counter[str]()

    def play(self, game: Game, seed: int, agents: Sequence[Agent] = ()) -> None:
        """Play one game; RulesetError if the rules stop in it."""
        fired = game.new_fired()
        game.playout(seed, fired=fired, most=MOST, policies=agents)
        now = {name: times for name, times in zip(game.rule_names, fired, strict=True) if times}
        self.uses.update(now)
        self.games.update(now.keys())
        self.played += 1


def probed(game: Game, probes: Iterable[Probe], program: m.Program | None = None) -> Game:
    """The game, or a `program` of it that is changed a little at the same places, with some probes in it."""
    return Game(probing(game.program if program is None else program, probes), game.ruleset, game.backend)


def observed(pairs: Sequence[Pair], probes_of: Callable[[Pair], Iterable[Probe] | None], share: float) -> Tally | None:
    """The tally of a share of the games of the change, with any number of players, with these probes in them.

    Where there are none (None) nothing is played. None if the rules stop in a game: whoever plays it is told.
    """
    tally = Tally()
    for pair in each(pairs):
        probes = probes_of(pair)
        if probes is None:
            continue
        game = probed(pair.game, probes)
        try:
            for seed in pair.budget.seeds(share):
                tally.play(game, seed)
        except RulesetError:
            return None
    return tally


__all__ = ["Tally", "observed", "probed"]
