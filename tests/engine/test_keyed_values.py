"""Keyed values in a game: the same on both engines, with passes and before any."""

from pathlib import Path

from lockstep import Lockstep
from small_rules import written

import rulewright as rw
from sampling import sample

RULES = """game trade
players 3
place Cell
map Board: grid 5 by 5 of Cell
enum Good: wood, brick, wool, corn, ore
enum Work from "works.json"
    cost: 0..[Good]
    points: 0..
field stock[Player, Good]: 0..
field bank[Good]: 0.. = 19
field built[Player, Work]: 0..
field open[Good]: Bool
field height[Cell]: Int
query able(p: Player, x: Work) -> Bool = stock[p] >= x.cost
query spent(p: Player) -> Int[Good] = sum(built[p, x] * x.cost for x in Work)
query wanting(p: Player, c: 0..[Good]) -> 0..[Good] = {g: max({c[g] - stock[p, g], 0}) for g in Good}
query near(c: Cell) -> Int[Cell] = {(d): d.row + 1 for d in c.neighbours}
query rates(p: Player) -> Int[Player] = {q: sum(stock[q]) - sum(stock[p]) for q in players where q is not p}
procedure play
    repeat 6 times
        each p in players
            turn(p)
    finish ranking p in players by sum(built[p]) then sum(stock[p]) then p.seat
procedure turn(p: Player)
    var harvest = {wood: 2, brick: 1}
    harvest += {ore: 1, corn: p.seat}
    harvest[wool] += sum(bank) mod 3
    let rest = stock[p] + harvest
    open = {g: (bank[g] > rest[g]) for g in Good}
    stock[p] = rest, bank = bank + harvest / 2 rounded down
    p may choose x from Work
        forbid dear: not able(p, x)
    then
        stock[p] -= x.cost
        built[p, x] += 1
    p chooses c from Cell
    height += near(c)
    height[c] -= max(height)
    trade(p, p.left, {wood: 1, ore: 1})
    if rates(p) is {} or spent(p) is not spent(p.left) then stock[p] += wanting(p, {wool: 3, corn: height[c] mod 4})
procedure trade(p: Player, q: Player, given: 0..[Good])
    if stock[p] >= given and no(g in Good where given[g] > bank[g])
        stock[p] = stock[p] - given, stock[q] = stock[q] + given
"""
WORKS = """{"rows": [
  {"name": "road", "cost": {"wood": 1, "brick": 1}, "points": 0},
  {"name": "house", "cost": {"wood": 1, "brick": 1, "wool": 1, "corn": 1}, "points": 1},
  {"name": "city", "cost": {"corn": 2, "ore": 3}, "points": 2}
]}"""


def test_a_game_of_keyed_values_plays_the_same_on_both_engines(tmp_path: Path) -> None:
    game = rw.load(written(tmp_path, RULES, {"works.json": WORKS}))
    for seed in range(sample(6, 40)):
        Lockstep(game.program).play(seed)


def test_they_are_dictionaries_for_programs(tmp_path: Path) -> None:
    state = rw.load(written(tmp_path, RULES, {"works.json": WORKS})).start()
    assert state.ask("wanting", "player_1", {"ore": 9, "wool": 1}) == {
        "wood": 0, "brick": 0, "wool": 0, "corn": 0, "ore": 8
    }  # fmt: skip
    assert state.ask("rates", "player_2") == {"player_1": 7, "player_2": 0, "player_3": 0}
