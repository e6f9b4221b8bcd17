"""Whole games: what else is looked for in rules that change no other ones, which are beside nothing, then.

Most of what is looked for in a change is a mistake in any rules; habits that a game may well have, a tie that the seat
decides or a parameter that is off, are left out, and so is what compares two games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from rulewright.examination.changes.amounts import raised_limits, unspent_prices
from rulewright.examination.changes.assignments import idle_assignments, one_way_relations, overwritten_by_calls
from rulewright.examination.changes.options import free_options, hidden_restrictions
from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import LEVELS, Suspect
from rulewright.examination.notable import NOTABLE
from rulewright.play.game import Game

OF_PROGRAM: tuple[Callable[[ExaminedProgram, ExaminedProgram], Iterable[Suspect]], ...] = (
    unspent_prices,
    hidden_restrictions,
    idle_assignments,
    overwritten_by_calls,
    free_options,
    one_way_relations,
    raised_limits,
    *NOTABLE,
)
"""Analyses of what a change brings that are made of a whole game, too."""

OF_GAMES = frozenset(
    (
        "games that stop",
        "things that count themselves",
        "conditions asked too late",
        "conditions that hold always or never",
        "amounts of nothing",
        "rules of no use",
        "counts that are never 0",
        "things counted twice",
        "ends that are due at once",
        "effects of answers",
        "effects of statements",
        "parts of no effect",
    )
)
"""Analyses that play games and need none of a base."""

LOOKED_FOR = frozenset(code for code in LEVELS if code.startswith("EXM1")) | {
    "EXM201",
    "EXM202",
    "EXM205",
    "EXM206",
    "EXM207",
    "EXM210",
    "EXM211",
    "EXM216",
    "EXM217",
    "EXM218",
    "EXM302",
    "EXM303",
    "EXM304",
    "EXM305",
}
"""Codes that are looked for in a whole game."""


def without_rules(game: Game) -> Game:
    """A game that has the things of another one and no rules: all that stands in that one is new beside it."""
    program = replace(game.program, fields=(), zones=(), queries=(), functions=())
    return Game(program, game.ruleset, game.backend)


__all__ = ["LOOKED_FOR", "OF_GAMES", "OF_PROGRAM", "without_rules"]
