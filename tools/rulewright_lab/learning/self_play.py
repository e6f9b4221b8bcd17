"""Games of a learnt player against itself, at the speed of machine code, in which features are noted on the way.

Each seat takes the option after which the evaluation expects most for it, among some at random, and any option in a
part of its decisions, which is drawn for each game. Other chance comes than was looked at. The positions are looked at
as they are: what is hidden teaches weights, and these are alike whatever a seat knows (:mod:`.samples`).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.diagnostics import RulesetError
from rulewright.engine import Dice, Stepper, stepper_of
from rulewright.play import Game
from rulewright_lab.evaluation.derived_queries import LEARNT_QUERY, derived_of
from rulewright_lab.evaluation.evaluation import Evaluation
from rulewright_lab.learning.samples import GameSamples, Learning

DICE = "self-play"
LOOK = 48
"""So many options are tried at most."""
NOISES = 5, 15, 40
"""In so many of a hundred decisions a seat takes any option."""
_WORDS = 1 << 64
_CERTAIN = float(1 << 40)
"""The worth of a game that is won, above all that an evaluation gives."""


def self_play(game: Game, learning: Learning, number: int, player: Evaluation | None) -> GameSamples | None:
    """The positions of the game with a number; None if it was not over in time, or ended in an error of the rules."""
    names = tuple(query.name for query in derived_of(game.engine).features.values())
    reading = stepper_of(derived_of(game.engine).program, game.backend, game.passes, names)
    playing = reading
    if player is not None:
        playing = stepper_of(player.program(game.engine), game.backend, game.passes, (LEARNT_QUERY,))
    dice = Dice(learning.seed + number, DICE)
    noises = [100 if player is None else NOISES[dice.below(len(NOISES))] for _ in range(game.players)]
    try:
        answers = _answers(playing, noises, learning, dice, learning.seed + number)
        if answers is None:
            return None
        payoffs = tuple(map(float, playing.payoffs))
        wanted, found = set(dice.some(len(answers), learning.positions)), []
        reading.begin(learning.seed + number)
        for at, (answer, seed) in enumerate(answers):
            if at in wanted:
                found.append(array("q", [value for name in names for value in reading.rates(name)]))
            if seed >= 0:
                reading.reseed(seed)
            reading.apply(answer)
    except RulesetError:
        return None
    return GameSamples(tuple(found), payoffs)


def _answers(
    stepper: Stepper, noises: list[int], learning: Learning, dice: Dice, seed: int
) -> list[tuple[int, int]] | None:
    """The answers of a game, each with the seed of what chance gives after it, -1 where it goes on as before."""
    size, answers = stepper.begin(seed), list[tuple[int, int]]()
    while size:
        if len(answers) == learning.most:
            return None
        seat, answer, after = stepper.seat, 0, -1
        if size > 1 and (seat is None or dice.below(100) < noises[seat]):
            answer = dice.below(size)
        elif size > 1 and seat is not None:
            answer, after = _best(stepper, dice.some(size, LOOK), seat, dice.below(_WORDS)), dice.below(_WORDS)
            stepper.reseed(after)
        answers.append((answer, after))
        size = stepper.apply(answer)
    return answers


def _best(stepper: Stepper, tried: Sequence[int], seat: int, seed: int) -> int:
    """The option after which a seat stands best."""
    here, best, most = stepper.snapshot(), tried[0], -2 * _CERTAIN
    for option in tried:
        stepper.restore(here)
        stepper.reseed(seed)
        over = not stepper.apply(option)
        worths = [float(one) for one in (stepper.payoffs if over else stepper.rates(LEARNT_QUERY))]
        lead = worths[seat] - max((*worths[:seat], *worths[seat + 1 :]), default=0.0)
        worth = lead * _CERTAIN if over else lead
        if worth > most:
            best, most = option, worth
    stepper.restore(here)
    return best
