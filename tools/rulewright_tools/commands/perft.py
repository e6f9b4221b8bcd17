"""``rulewright perft``: how many sequences of exactly so many moves there are, an oracle for the rules."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from enum import StrEnum
from typing import Annotated

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, Format, out, plural, print_json
from rulewright_tools.error_boundary import guarded
from rulewright_tools.progress import working
from rulewright_tools.vocabulary import named

_RETURNED = "RUN009"
"""The code of rules that have ended without an end of the game."""

PATIENCE = 2_000
"""Answers that are given before machine code is made: fewer take no longer than that, in a large game as in a small."""


class Unit(StrEnum):
    """The unit that counts as one step of a sequence."""

    MOVE = "move"
    DECISION = "decision"


class _LostCount(Exception):
    """Raised where the uses of a rule are not known any more."""


class _ManyAnswers(Exception):
    """Raised where machine code would be faster."""


class Counting:
    """Counts sequences; equal positions reached on different ways are counted once and remembered.

    It plays in place: what is counted begins at the position of the stepper, which is there again afterwards.
    """

    def __init__(
        self, game: rw.Game, unit: Unit, seed: int, patience: float = float("inf"), begin: rw.State | None = None
    ) -> None:
        """From the beginning of a game with a seed, or from the position in which a scenario begins."""
        self.unit, self._patience, self._in_part = unit, patience, begin is not None
        self._returned = False
        """True if the procedure that a scenario starts is over, without another decision."""
        self._move = game.rule_names.index(game.model.move) if unit is Unit.MOVE else 0
        self._game = game
        self._known: dict[Hashable, int] = {}
        self.stepper = game.stepper(seed)
        begun = self.stepper.uses(self._move) if unit is Unit.MOVE else 1
        if begin is not None:
            self.stepper.load(begin)
            begun = int(unit is Unit.DECISION or game.is_within(begin, game.model.move))
        self.begun = begun > 0
        """True if the first move begins before the first question."""
        self.silent = max(begun - 1, 0)
        """The number of moves that have ended before the first question."""

    def below(self, depth: int, begun: bool) -> int:
        """The number of sequences of exactly `depth` steps from here; a first move may have `begun`."""
        stepper = self.stepper
        if depth <= 0:
            return 1
        if self._returned or not stepper.options:
            return 0
        if depth == 1 and begun and (self.unit is Unit.DECISION or self._game.ends_move(stepper)):
            return stepper.options
        key = stepper.key(), depth, begun
        if (known := self._known.get(key)) is None:
            known = self._known[key] = sum(self.below(depth - steps, now) for _, steps, now in self._each(begun))
        return known

    def _each(self, begun: bool) -> Iterator[tuple[int, int, bool]]:
        """Give each answer in turn: its number, how many steps have ended with it, and whether a move has begun then.

        A move has ended when the next one begins or the game is over. So moves without a decision count, too, if the
        game goes on (a forced pass), but not one that finds the game to be over without a decision: a mate is no move.
        Decisions before the first move are no step.
        """
        stepper, here = self.stepper, self.stepper.snapshot()
        for number in range(stepper.options):
            if self._patience <= 0:
                raise _ManyAnswers
            self._patience -= 1
            before = stepper.uses(self._move)
            left = self._answer(number)
            if stepper.handed_over and self.unit is Unit.MOVE:
                raise _LostCount
            moves = stepper.uses(self._move) - before
            if self.unit is Unit.DECISION:
                yield number, 1, True
            else:
                no_question = left == 0 and moves > 0 and stepper.in_move
                yield number, max(moves + begun - (left > 0 or no_question), 0), begun or moves > 0
            stepper.restore(here)
            self._returned = False

    def _answer(self, number: int) -> int:
        """Give an answer; the number of the next ones, 0 if all is over, also a procedure that a scenario starts."""
        try:
            return self.stepper.apply(number)
        except rw.RulesetError as error:
            self._returned = self._in_part and error.diagnostics[0].code == _RETURNED
            if not self._returned:
                raise
            return 0

    def by_move(self, depth: int, begun: bool) -> list[tuple[str, int]]:
        """For each first move, all its choices joined, the number of sequences that begin with it."""
        found: list[tuple[str, int]] = []
        decision = self.stepper.state().decision
        if decision is None or depth == 0 or self._returned:
            return found
        for number, steps, now in self._each(begun):
            key = decision.options[number].key
            if steps > 0:
                found.append((key, self.below(depth - steps, now)))
            else:
                found.extend((f"{key} {rest}", count) for rest, count in self.by_move(depth, now))
        return found


_Counts = tuple[int, list[tuple[str, int]] | None]


def _count(game: rw.Game, unit: Unit, seed: int, depth: int, divide: bool, begin: rw.State | None = None) -> _Counts:
    """All sequences, and those of each first move.

    Moves are counted by the uses of a rule, which a native game does not know any more once it was handed over.
    """

    def counted(patience: float = float("inf")) -> _Counts:
        counting = Counting(game, unit, seed, patience, begin)
        rest = max(depth - counting.silent, 0)
        first = counting.by_move(rest, counting.begun) if divide else None
        return counting.below(rest, counting.begun), first

    if game.backend == "auto":
        game.backend = "python"
        try:
            return counted(PATIENCE)
        except _ManyAnswers:
            game.backend = "auto"
    try:
        return counted()
    except _LostCount:
        game.backend = "python"
        return counted()


def _counted(game: rw.Game, unit: Unit | None) -> Unit:
    """Moves, if the rules say what a move is; else decisions."""
    if unit is Unit.MOVE and not game.model.move:
        raise CommandError("the ruleset does not say what a move is (`move` in its ruleset.json); use --unit decision")
    return unit or (Unit.MOVE if game.model.move else Unit.DECISION)


@guarded
def perft(
    ruleset: arg.Ruleset,
    depth: Annotated[int, named("--depth", min=0)],
    divide: Annotated[bool, named("--divide")] = False,
    unit: Annotated[Unit | None, named("--unit")] = None,
    players: arg.Players = None,
    seed: arg.Seed = 0,
    variant: arg.Variants = None,
    option: arg.Options = None,
    scenario: arg.Scenario = None,
    format: Annotated[Format, named("--format")] = Format.TEXT,
) -> Exit:
    """Count the move sequences of exactly a given length.

    Sequences of games that end earlier do not count, and chance does not: it is settled by the seed. A step is a move,
    if the rules say what that is, else a decision.

    Examples:

      rulewright perft tic-tac-toe --depth 5
      rulewright perft breakthrough --depth 3 --divide --option size=6
      rulewright perft connect-four --depth 4 --option columns=5
      rulewright perft my-game --depth 2 --scenario "two men against one"
    """
    begin: rw.State | None = None
    if scenario is None:
        game = arg.load(ruleset, players, variant, option)
    elif players is not None or variant or option:
        raise CommandError("--scenario sets the game and its players: leave out the other options")
    else:
        game, begin = rw.Game.of_scenario(ruleset, scenario, seed)
        game.backend = arg.MACHINE.backend
    counted = _counted(game, unit)
    with working(f"{game.title}, {plural(len(game.seats), 'player')}"):
        total, first = _count(game, counted, seed, depth, divide, begin)
    if format is Format.JSON:
        report: dict[str, object] = {
            "ruleset": game.name,
            "players": len(game.seats),
            "seed": seed,
            "unit": counted.value,
            "depth": depth,
            "sequences": total,
        }
        if scenario is not None:
            report["scenario"] = scenario
        if first is not None:
            report["divide"] = [{"move": key, "sequences": number} for key, number in first]
        print_json(report)
    else:
        for key, number in first or ():
            out().print(f"{key}: {number}")
        out().print(f"{total}" if first is None else f"total: {total}")
    return Exit.FINE
