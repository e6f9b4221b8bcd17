"""Forms of the rules language that are lowered to several instructions: both engines play them alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from lockstep import Lockstep
from small_rules import loaded

FORMS = {
    "elements": """
field dice: list of 1..6 = [1, 2, 3, 4], at most 4
field line[Player]: list of Player
field sum_of: Int = 0
procedure turn(p: Player)
    p chooses i from {0 .. 4}
    p chooses n from {1 .. 6}
    dice[i] = n
    line[p] = clockwise from p
    line[p][i mod 2] = p.left
    var made = [i, n]
    made[0] = made[1], made[1] = made[0]
    sum_of += made[0] - made[1] + dice[0]
    dice[1] = dice[2], dice[2] = dice[1]
""",
    "remainders": """
field least: -9..9 = 0
procedure turn(p: Player)
    p chooses a from {0 .. 9}
    p chooses b from {0 .. 4}
    least = (a - 5) mod (b - 2)
    least = least mod 3 - (0 - a) mod 4
""",
    "pairs": """
field gold[Player, 1..3]: 0..9 = 1
field seen: Int = 0
consequence spent for p in players, n in {1 .. 3} by 9 - gold[p, n] when gold[p, n] > 5
    gold[p, n] -= 4
    seen = (seen * 7 + p.seat * 3 + n) mod 1000
end rich for n in {1 .. 3}, p in players when sum(gold[p, k] for k in {1 .. n}) > 8
    finish with winner p
invariant few for p in players, n in {1 .. 3}: gold[p, n] < 6
property kept always for p in players, n in {1 .. 3}: gold[p, n] > old(gold[p, n]) - 5
effect more(p: Player, n: Int)
    gold[p, n] += 5
    gold[p.left, n] += n
procedure turn(p: Player)
    p chooses n from {1 .. 3}
    more(p, n)
""",
    "truths": """
field strong[Player]: Bool
field said: list of Bool, at most 30
procedure turn(p: Player)
    p chooses better from {true, false} where better or strong[p.left]
    strong[p] = better
    p chooses up to 2 t as told from {true, false}
    each b in told, order chosen by p
        said += not b
    chance chooses luck from {true, false}
    strong[p.left] = luck
""",
    "lines": """
place Cell
map Board: grid 2 by 5 of Cell with diagonals
field man[Cell]: Player or none
field seen: Int = 0
procedure turn(p: Player)
    p chooses c from Cell
    man[c] = p
    seen = sum(x.column + 1 for d in Direction, x in ray(c, d) until man[x] is not none)
    seen += size({x in ray(c, east) until man[x] is p}) * 100
    seen += last({k in [0 .. seen mod 9] until k * k > seen mod 20}) + last({x.column for x in Cell where man[x] is p})
""",
    "records": """
place Cell
map Board: grid 1 by 3 of Cell
field man[Cell]: Player or none
field stood: positions of man, at most 3
field seen: 0..9 = 0
procedure turn(p: Player)
    p chooses c from Cell
    man[c] = p
    seen = seen_before(stood)
    if seen > 0 then stood = []
    record(stood)
""",
}


@pytest.mark.parametrize("name", FORMS)
def test_both_engines_play_a_form_alike(tmp_path: Path, name: str) -> None:
    head = "game small\nplayers 2\n"
    play = "procedure play\n    repeat 4 times\n        each p in players\n            turn(p)\n"
    program = loaded(tmp_path, head + FORMS[name] + play + "    finish with winner players\n").program
    both = Lockstep(program)
    played = [both.play(seed, 100) for seed in range(60)]
    assert sum(one.decisions for one in played) > 60
