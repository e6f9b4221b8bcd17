"""Players who want something, so that games go where nobody gets by chance: far ahead, into debt, to their very end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.diagnostics import RulesetError
from rulewright.engine import Dice, Mode, State
from rulewright.fuzzing.search.biased_players import Player
from rulewright.fuzzing.search.universal_properties import resumed
from rulewright.play.game import Game

Aim = Callable[[State, int], int]
"""A function that rates a player's standing in a state."""

LOOK = 4
"""So many options are tried at most."""

NOISE = 10
"""In so many of a hundred decisions they do not mind."""


def aims(game: Game) -> list[Aim]:
    """The aims of a game: to last, and whatever a query or a field counts of one player, much or little."""
    found: list[Aim] = [lambda _state, _seat: 0]
    for query in game.program.queries:
        if query.name.isidentifier() and query.ty.kind == "int" and [s.ty.universe for s in query.params] == ["Player"]:
            found.append(_asked(query.name, game.engine.layout.universes["Player"].keys))
    for declared in game.program.fields:
        if declared.index == ("Player",) and declared.ty.kind == "int":
            found.append(_held(game.engine.layout.fields[declared.name].at))
    return found


def _asked(query: str, seats: Sequence[str]) -> Aim:
    return lambda state, seat: int(state.ask(query, seats[seat]))


def _held(at: int) -> Aim:
    return lambda state, seat: int(state.cells[at + seat])


def striving(wanted: Sequence[Aim], players: int, other: Player, dice: Dice) -> Player:
    """Each seat strives for one thing, one answer ahead; above all to be still in a game that is not over.

    Where nothing is to be gained it answers like an `other`.
    """
    mine = [wanted[dice.below(len(wanted))] for _ in range(players)]
    signs = [-1 if dice.below(4) == 0 else 1 for _ in range(players)]

    def player(state: State) -> int:
        decision = state.decision
        assert decision is not None
        size, seat = len(decision.options), decision.seat
        assert seat is not None
        if size == 1 or decision.secret or dice.below(100) < NOISE:
            return other(state)
        quiet = resumed(state, Mode(ask_chance=True))
        best, most = 0, (False, 0)
        rest: Sequence[int] = range(size) if size <= LOOK else [other(state) for _ in range(LOOK - 1)]
        for n, number in enumerate(dict.fromkeys((other(state), *rest))):
            try:
                after = quiet.choose(number)
                stays = after.decision is not None and not after.cells[after.engine.layout.out] >> seat & 1
                worth = stays, signs[seat] * mine[seat](after, seat)
            except RulesetError:
                return number  # what goes wrong is what we look for
            if n == 0 or worth > most:
                best, most = number, worth
        return best

    return player
