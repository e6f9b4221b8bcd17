"""Random rounds in which players leave, against a plain interpreter of their own, and on both engines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from lockstep import Lockstep
from small_rules import loaded

from rulewright.ir import model as m
from sampling import sample

SEATS = 5
PROGRAMS = sample(12, 300)
HEAD = f"""
game rounds
players {SEATS}
field trace: list of 1..{SEATS}, at most 400
field kept: set of Player
field order: list of Player, at most {SEATS}
procedure play
    kept = players
    order = clockwise from first(players).left.left
    chance chooses begin from {{1 .. 2}}
"""
FOOT = """
    finish with winner everyone
effect leave(p: Player)
    eliminate(p)
"""


class Game:
    """A game as it is: those still in, and the trace; seats are numbered from 0."""

    def __init__(self) -> None:
        self.players = list(range(SEATS))
        self.trace: list[int] = []

    def next(self, seat: int, step: int) -> int:
        """The neighbour on one side: the nearest who is in, or else the seat beside."""
        around = [(seat + step * n) % SEATS for n in range(1, SEATS + 1)]
        return next((one for one in around if one in self.players), around[0])


@dataclass(frozen=True)
class Source:
    """Members of a round, and how these are written."""

    text: str
    members: Callable[[Game], list[int]]
    all_seats: bool = False


def clockwise(game: Game, begin: int) -> list[int]:
    """Those in the game, from a seat on."""
    return [seat for n in range(SEATS) if (seat := (begin + n) % SEATS) in game.players]


SOURCES = (
    Source("players", lambda game: list(game.players)),
    Source("{q in players where q.seat is not 2}", lambda game: [s for s in game.players if s != 1]),
    Source("players except first(players)", lambda game: game.players[1:]),
    Source("kept", lambda game: list(range(SEATS))),
    Source("order", lambda game: [(2 + n) % SEATS for n in range(SEATS)]),
    Source("everyone", lambda game: list(range(SEATS)), all_seats=True),
    Source("players by -q.seat", lambda game: game.players[::-1]),
    Source("clockwise from first(everyone).left", lambda game: clockwise(game, game.next(0, 1))),
)


class Writer:
    """Writes statements, and makes the functions that do the same."""

    def __init__(self, r: Random) -> None:
        self.r, self.names = r, 0

    def block(self, depth: int, binders: list[str]) -> tuple[str, Callable[[Game, dict[str, int]], None]]:
        """Some statements at a depth; `binders` are the players of the rounds around."""
        made = [self.statement(depth, binders) for _ in range(self.r.randrange(1, 4))]

        def run(game: Game, env: dict[str, int]) -> None:
            for _, one in made:
                one(game, env)

        return "".join(text for text, _ in made), run

    def statement(self, depth: int, binders: list[str]) -> tuple[str, Callable[[Game, dict[str, int]], None]]:
        """One statement."""
        r, pad = self.r, "    " * (len(binders) + 1)
        if not binders or (depth and r.random() < 0.4):
            return self.round(depth, binders)
        name = r.choice(binders)
        step = r.choice((0, 1, -1))
        side = {0: "", 1: ".left", -1: ".right"}[step]

        def target(game: Game, env: dict[str, int]) -> int:
            return game.next(env[name], step) if step else env[name]

        if r.random() < 0.6:
            return f"{pad}trace += {name}{side}.seat\n", lambda game, env: game.trace.append(target(game, env) + 1)
        seat = r.randrange(1, SEATS + 1)

        def leave(game: Game, env: dict[str, int]) -> None:
            gone = target(game, env)
            if env[name] + 1 == seat and gone in game.players:
                game.players.remove(gone)

        return f"{pad}if {name}.seat is {seat} then eliminate({name}{side})\n", leave

    def round(self, depth: int, binders: list[str]) -> tuple[str, Callable[[Game, dict[str, int]], None]]:
        """A round with statements in it."""
        source, self.names = self.r.choice(SOURCES), self.names + 1
        name = f"p{self.names}"
        text, body = self.block(depth - 1, [*binders, name])
        pad = "    " * (len(binders) + 1)

        def run(game: Game, env: dict[str, int]) -> None:
            began = set(game.players)
            for seat in source.members(game):
                if source.all_seats or seat in game.players or seat not in began:
                    body(game, {**env, name: seat})

        written = source.text.replace("-q.seat", f"-{name}.seat")
        return f"{pad}each {name} in {written}\n{text}", run


def test_random_rounds(tmp_path: Path) -> None:
    left = 0
    for seed in range(PROGRAMS):
        text, run = Writer(Random(seed)).block(3, [])
        expected = Game()
        run(expected, {})
        if len(expected.trace) > 400:
            continue
        game = loaded(tmp_path, HEAD + text + FOOT)
        both = Lockstep(game.program)
        both.play(seed)
        state = game.start(seed)
        assert list(state.evaluate(m.FieldGet("trace", ()))) == expected.trace, text
        assert list(state.evaluate(m.ToList(m.Alive("Player")))) == expected.players, text
        left += SEATS - len(expected.players)
    assert left > PROGRAMS
