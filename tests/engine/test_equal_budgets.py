"""Steps are those of the program: each game needs the same budget on both engines. Deadlines interrupt both.

The lockstep tests compare the steps of each answer, too, over shipped games, mutants of them and random programs.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from shipped_programs import shipped_game
from small_rules import loaded

import rulewright as rw
from rulewright.engine.native.memory_map import STACK_BYTES
from rulewright.host.budgets import DEEPEST, MOST_STEPS
from rulewright.ir import model as m
from rulewright.ir.step_costs import MOST, OPERATIONS
from rulewright.ir.transform.charges import Charges
from rulewright.ir.walk import nodes

RULES = """\
game small
players 2
place Cell
map Board: grid 8 by 8 of Cell
field man[Cell]: Player or none
field x: Int = 0
field numbers: list of Int, at most 300
query free -> set of Cell = {c in Cell where man[c] is none}
query pairs -> Int = count(c in Cell, d in Cell where man[c] is man[d] and c.row < d.row)
query near_pairs -> set of Cell = {c in Cell where some(d in Cell where man[c] is man[d] and c.row < d.row)}
query worth(p: Player) -> Int = count(c in free() where c.row < 4) + count(c in Cell where man[c] is p)
effect take(p: Player)
    man[first(free())] = p
procedure play
    each p in players
        p chooses n from {1 .. 3}
        repeat 30 times
            %s
    finish with winner players
"""
DEEDS = (
    "x = 1",
    "x = count(c in Cell where man[c] is p)",
    "x = count(c in Cell, d in Cell where man[c] is man[d] and c.row < d.row)",
    "x = count(c in Cell, d in Cell, e in free() where man[c] is man[d] and d is e)",
    "x = size({c in Cell where man[c] is none and c.row > x})",
    "x = size(reach(from first(Cell) within free()))",
    "x = 1 if connected(free()) else 2",
    "x = worth(p) + worth(first(players))",
    "x = max(worth(q) for q in players where q is not p) or else 0",
    "x = size(free()) after take(p)",
    "x = count(c in Cell where c.row < pairs() and c.column < pairs())",
    "x = count(c in free(), q in players where pairs() > c.row and near_pairs() is empty)",
    "if near_pairs() is empty or not (size(near_pairs()) > 0) then x = 2",
    "x = size({i in {0 .. 2} where pairs() > i}) + (first(i in {1 .. 3} where pairs() > i) or else 0)",
    "take(p)",
    "numbers += n",
    "if numbers is [1, 2] or 7 in numbers then x = 2",
    "if x < 7 and some(c in free() where c.column is n) then x += 1",
    "chance chooses y from {1 .. 6}\n            x = y",
)


MANY = 1 << 24
"""More steps than any of these games takes."""


def ends(game: rw.Game, steps: int) -> object:
    """The end of a game with a budget."""
    try:
        played = game.playout(1, limits=rw.Limits(steps=steps))
    except rw.RulesetError as error:
        return error.diagnostics[0].code
    return played.decisions, played.places


def least(game: rw.Game) -> int:
    """The least budget with which a game is played."""
    low, high = 1, MANY
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if ends(game, middle) == "RUN006" else (low, middle)
    return low


def on(engine: Any, game: rw.Game) -> rw.Game:
    return rw.Game(game.program, game.ruleset, engine)


@pytest.mark.parametrize("deed", DEEDS)
def test_the_least_budget_is_the_same(tmp_path: Path, deed: str) -> None:
    game = loaded(tmp_path, RULES % deed)
    needed = [least(on(engine, game)) for engine in ("python", "native")]
    assert needed[0] == needed[1] < MANY
    with rw.limited(rw.Limits(steps=needed[0])):
        stepper = on("native", game).stepper(1)
        while stepper.options:
            stepper.apply(0)
    assert stepper.handed_over == 0


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "breakthrough", "carolus-magnus", "baron", "domaine"])
def test_shipped_games_need_the_same(name: str) -> None:
    needed = [least(shipped_game(name, engine=engine)) for engine in ("python", "native")]
    assert needed[0] == needed[1] < 250_000


def test_auto_is_always_of_one_mind(tmp_path: Path) -> None:
    """The seed that ends with a spent budget does so however often it was played."""
    game = loaded(tmp_path, RULES % DEEDS[2])
    needed = least(on("python", game))
    for steps in (needed - 1, needed):
        assert len({ends(on("auto", game), steps) for _ in range(20)}) == 1


def test_what_takes_long_pays_for_itself() -> None:
    """All that stands around it is short."""
    program = shipped_game("domaine").program
    charges = Charges(program)
    steps = [one for f in program.functions for one in charges.steps(f.name)]
    assert min(steps) == 1
    assert max(steps) < 4 * MOST // OPERATIONS
    found = (node for query in charges.values() for node in nodes(query.body) if isinstance(node, m.Charged))
    paid = [node.steps for node in found if not node.each]  # members are paid for one by one
    assert min(paid) >= MOST // OPERATIONS


class Looks:
    """A wish to stop that comes with the n-th look: neither a clock nor a thread decides."""

    def __init__(self, most: int) -> None:
        self.left = most

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0


LOOPS = {
    "jumps": "repeat while x < 9\n            x = 1",
    "calls": "repeat while x < 9\n            take(p)\n            man[first(Cell)] = none",
    "heavy": "x = count(c in Cell, d in Cell, e in Cell, f in Cell, g in Cell where c.row * d.row < e.row * f.row)",
    "drawing": "repeat while x < 9\n            chance chooses y from {1 .. 6}\n            x = y",
}
ENDLESS = RULES.replace("        repeat 30 times\n            %s", "        %s")


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("what", LOOPS)
def test_whoever_wants_it_stops_it(tmp_path: Path, engine: Any, what: str) -> None:
    """At a question before it the game then stands as before."""
    game = on(engine, loaded(tmp_path, ENDLESS % LOOPS[what]))
    with rw.limited(rw.Limits(steps=MOST_STEPS, cancel=(wish := Looks(1 << 40)))):
        stepper = game.stepper(1)
        wish.left = 6
        with pytest.raises(rw.Stopped, match="RUN017"):
            stepper.apply(0)
        assert (stepper.options, stepper.seat) == (3, 0)
    for run in (lambda: game.playouts(3), lambda: game.batch(2).apply([0, 0])):
        with rw.limited(rw.Limits(steps=MOST_STEPS, cancel=Looks(6))), pytest.raises(rw.Stopped, match="RUN017"):
            run()


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("what", LOOPS)
def test_a_deadline_interrupts(tmp_path: Path, engine: Any, what: str) -> None:
    """Soon: there is ample time for a busy machine."""
    game = on(engine, loaded(tmp_path, ENDLESS % LOOPS[what]))
    game.stepper(1)
    begun = time.monotonic()
    with rw.limited(rw.Limits(steps=MOST_STEPS, seconds=0.1)), pytest.raises(rw.Stopped, match="RUN016"):
        game.playouts(5)
    assert time.monotonic() - begun < 5


def test_threads_with_deadlines_of_their_own(tmp_path: Path) -> None:
    """The deadline of one does not stop another."""
    game = on("native", loaded(tmp_path, ENDLESS % LOOPS["jumps"]))
    fine = shipped_game("connect-four", engine="native")
    expected = fine.playouts(3000)
    found: list[bool] = []

    def play() -> None:
        with rw.limited(rw.Limits(seconds=600)):
            found.extend(fine.playouts(3000) == expected for _ in range(3))

    other = threading.Thread(target=play)
    other.start()
    for _ in range(3):
        with rw.limited(rw.Limits(steps=MOST_STEPS, seconds=0.05)), pytest.raises(rw.Stopped):
            game.playout(1)
    other.join()
    assert found == [True] * 3


def test_a_budget_beyond_the_usual_one(tmp_path: Path) -> None:
    """It means what it says, unless somebody has laid down less around it."""
    game = loaded(tmp_path, RULES.replace("30 times", "3000 times") % DEEDS[2])
    for engine in ("python", "native"):
        assert ends(on(engine, game), 1_000_000) == "RUN006"
        assert ends(on(engine, game), 100_000_000) != "RUN006"
        with rw.limited(rw.Limits(steps=5_000)):
            assert ends(on(engine, game), 100_000_000) == "RUN006"
    for wrong in ({"steps": MOST_STEPS + 1}, {"depth": DEEPEST + 1}):
        with pytest.raises(ValueError, match="at most"):
            rw.Limits(**wrong)  # type: ignore[arg-type]


def test_a_frame_larger_than_the_stack(tmp_path: Path) -> None:
    """Memory behind the stack is not overwritten."""
    capacity = STACK_BYTES // 4
    rules = (
        "game small\nplayers 2\n"
        f"field numbers: list of Int, at most {capacity}\n"
        "procedure play\n"
        "    let held = numbers\n"
        "    numbers += 1\n"
        "    repeat 3 times\n"
        "        numbers += numbers\n"
        "    let more = numbers\n"
        "    each p in players\n"
        "        p chooses n from {1 .. 3}\n"
        "    finish ranking p in players by size(more) - size(held)\n"
    )
    game = loaded(tmp_path, rules)
    stepper = on("native", game).stepper(1)
    while stepper.options:
        stepper.apply(0)
    assert stepper.handed_over == 0
    assert stepper.places == on("python", game).playout(1).places
