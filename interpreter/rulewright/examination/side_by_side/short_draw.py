"""EXM208 and EXM209: draws from a zone in which there is too little."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.diagnostics import RulesetError
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.pair import Pair, each
from rulewright.examination.playing.probes import Probe
from rulewright.examination.playing.program_words import instruction_words, new_instructions
from rulewright.examination.playing.tally import Tally, probed
from rulewright.ir import model as m
from rulewright.play.game import Game
from rulewright.syntax import ast

OFTEN = 0.5
"""A draw of the base that gets too little in fewer of the games is not spoken of."""
GAMES = 15


@dataclass(frozen=True, slots=True)
class _Draw:
    """A draw from the top of a zone, with a look at whether there is too little."""

    zone: str
    to: str
    words: str
    new: bool
    look: Probe


def missing_pieces(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A draw of the base gets too little since the change, which draws from the same zone, and never did before; or a
    draw that the change brings gets too little in some games, and nothing says what happens then.
    """
    told = set[str]()
    for pair in each(pairs):
        draws = list(_draws(pair.game, pair.base))
        new = [one for one in draws if one.new]
        if not new:
            continue
        here, games = _short(pair, pair.game, draws)
        if here is None or games < GAMES:
            return  # whoever plays the game is told
        zones = {one.zone for one in new}
        others = [one for one in draws if not one.new and one.zone in zones and here[one.look.name] >= OFTEN * games]
        known = [one for one in _draws(pair.base, pair.base) if one.words in {other.words for other in others}]
        there, _ = _short(pair, pair.base, known) if known else (Counter[str](), 0)
        for one in new:
            fits = [other for other in others if other.zone == one.zone]
            before = {of.words for of in known if there is not None and there[of.look.name]}
            starved = next((other for other in fits if other.words not in before), None)
            about = f"{one.zone} to {one.to}"
            if about in told or there is None:
                continue
            if starved is not None:
                told.add(about)
                yield Suspect(
                    "EXM208",
                    one.look.function,
                    about,
                    f"since this, `{one.zone}` is empty or holds too few when the base draws from it to "
                    f"`{starved.to}`, in {here[starved.look.name]} of {games} random games; in the base it never is",
                    "draw fewer here, or say what happens when none is left",
                    kinds=(ast.Draw,),
                    words=frozenset((one.zone, one.to)),
                )
            elif here[one.look.name]:
                told.add(about)
                yield Suspect(
                    "EXM209",
                    one.look.function,
                    about,
                    f"`{one.zone}` may be empty here, or hold too few: in {here[one.look.name]} of {games} random "
                    "games this draws less than it says",
                    "say what happens then: `if … is not empty then draw …`",
                    kinds=(ast.Draw,),
                    words=frozenset((one.zone, one.to)),
                )


def _draws(game: Game, base: Game) -> Iterator[_Draw]:
    """The draws of a game; those that the base has not in the same place are new."""
    new = new_instructions(game.program, base.program)
    for function in game.program.functions:
        for pc, i in enumerate(function.code):
            match i:
                case m.Move(m.Top(zone, index, count), zone=to):
                    few = m.Cmp("lt", m.Size(m.ZoneGet(zone, index)), count)
                    look = Probe(function.name, pc, f"too few at {function.name} {pc}", few)
                    words = f"{function.name} {instruction_words(function, i)}"
                    yield _Draw(zone, to, words, pc in new[function.name], look)
                case _:
                    pass


def _short(pair: Pair, game: Game, draws: Sequence[_Draw]) -> tuple[Counter[str] | None, int]:
    """For each draw the games in which it gets too little, and the number of games; None if they end in errors."""
    counting, tally = probed(game, [one.look for one in draws]), Tally()
    try:
        for seed in pair.budget.seeds(0.3):
            tally.play(counting, seed)
    except RulesetError:
        return None, tally.played
    return tally.games, tally.played


__all__ = ["missing_pieces"]
