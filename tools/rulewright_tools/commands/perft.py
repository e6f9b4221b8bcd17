"""``rulewright perft``: how many sequences of exactly so many moves there are, an oracle for the rules."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, Format, out, plural, print_json
from rulewright_tools.error_boundary import guarded
from rulewright_tools.limit_options import limited
from rulewright_tools.progress import working


class Unit(StrEnum):
    """The unit that counts as one step of a sequence."""

    MOVE = "move"
    DECISION = "decision"


class Counting:
    """Counts sequences; equal states reached on different ways are counted once and remembered."""

    def __init__(self, game: rw.Game, unit: Unit) -> None:
        self.unit = unit
        self._fired = game.new_fired()
        self._move = game.rule_names.index(game.model.move) if unit is Unit.MOVE else 0
        self._game = game
        self._known: dict[tuple[bytes, int], int] = {}

    def start(self, seed: int) -> rw.State:
        """The beginning of a game in which calls of the move are counted."""
        return self._game.start(seed=seed, fired=self._fired)

    def below(self, state: rw.State, depth: int) -> int:
        """The number of sequences of exactly `depth` steps from here."""
        if depth == 0:
            return 1
        decision = state.decision
        if decision is None:
            return 0
        if depth == 1 and (self.unit is Unit.DECISION or self._game.ends_move(state)):
            return len(decision.options)
        key = (state.to_bytes(), depth)
        if (known := self._known.get(key)) is None:
            known = self._known[key] = sum(number for _, number in self.by_option(state, depth))
        return known

    def by_option(self, state: rw.State, depth: int) -> list[tuple[str, int]]:
        """For each option of the decision the number of sequences that begin with it."""
        decision = state.decision
        if decision is None or depth == 0:
            return []
        found = []
        for option in decision.options:
            after, steps = self._choose(state, option)
            found.append((option.key, self.below(after, depth - steps)))
        return found

    def _choose(self, state: rw.State, option: rw.Option) -> tuple[rw.State, int]:
        """The state after an answer, and whether that ended a step.

        A move has ended when the next one begins or the game is over.
        """
        begun = self._fired[self._move]
        after = state.choose(option)
        ended = self.unit is Unit.DECISION or after.decision is None or self._fired[self._move] > begun
        return after, int(ended)

    def by_move(self, state: rw.State, depth: int) -> list[tuple[str, int]]:
        """For each first move, all its choices joined, the number of sequences that begin with it."""
        found: list[tuple[str, int]] = []
        decision = state.decision
        if decision is None or depth == 0:
            return found
        for option in decision.options:
            after, ended = self._choose(state, option)
            if ended:
                found.append((option.key, self.below(after, depth - 1)))
            else:
                found.extend((f"{option.key} {rest}", number) for rest, number in self.by_move(after, depth))
        return found


def _counted(game: rw.Game, unit: Unit | None) -> Unit:
    """Moves, if the rules say what a move is; else decisions."""
    if unit is Unit.MOVE and not game.model.move:
        raise CommandError("the ruleset does not say what a move is (`move` in its ruleset.json); use --unit decision")
    return unit or (Unit.MOVE if game.model.move else Unit.DECISION)


@guarded
@limited
def perft(
    ruleset: arg.Ruleset,
    depth: Annotated[int, typer.Option("--depth", "-d", min=0, help="Length of the sequences.")],
    divide: Annotated[bool, typer.Option("--divide", help="Also show the number for each first move.")] = False,
    unit: Annotated[
        Unit | None, typer.Option("--unit", help="What a step is; as the ruleset says, if not given.")
    ] = None,
    players: arg.Players = None,
    seed: arg.Seed = 0,
    variant: arg.Variants = None,
    option: arg.Options = None,
    format: Annotated[Format, typer.Option("--format", help="How to report.")] = Format.TEXT,
) -> Exit:
    """Count the move sequences of exactly a given length.

    Sequences of games that end earlier do not count, and chance does not: it is settled by the seed.

    Examples:

      rulewright perft rulesets/tic-tac-toe --depth 5

      rulewright perft rulesets/breakthrough --depth 3 --divide --option size=6
    """
    game = arg.load(ruleset, players, variant, option)
    counted = _counted(game, unit)
    counting = Counting(game, counted)
    state = counting.start(seed)
    with working(f"{game.title}, {plural(len(game.seats), 'player')}"):
        total = counting.below(state, depth)
        first = counting.by_move(state, depth) if divide else None
    if format is Format.JSON:
        report: dict[str, object] = {
            "ruleset": game.name,
            "players": len(game.seats),
            "seed": seed,
            "unit": counted.value,
            "depth": depth,
            "sequences": total,
        }
        if first is not None:
            report["divide"] = [{"move": key, "sequences": number} for key, number in first]
        print_json(report)
    else:
        for key, number in first or ():
            out().print(f"{key}: {number}")
        out().print(f"{total}" if first is None else f"total: {total}")
    return Exit.FINE
