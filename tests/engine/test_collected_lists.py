"""Lists that are collected and appended in a game: the same on both engines, with none left out and in order."""

from pathlib import Path

from lockstep import Lockstep
from small_rules import loaded

from sampling import sample

RULES = """game lines
players 2
place Cell
map Board: grid 4 by 4 of Cell with diagonals
piece Card from "cards.json"
    worth: 1..9
    named "card {worth}"
    begins in pile
zone pile: stack of Card, seen by everyone
zone hand[Player]: set of Card, seen by everyone
field man[Cell]: Player or none
field line: list of Cell, at most 16
field worths: list of Int, at most 24
query star(c: Cell, p: Player) -> list of Cell = [x for d in Direction, x in [c] + ray(c, d) while man[x] is not p]
query held(p: Player) -> set of Cell = {c in Cell where man[c] is p}
query ends(p: Player) -> list of Cell = [x
        for c in [last(c in Cell where man[c] is p), single(c in held(p) where c.row is 1)], x in {c}]
query owners(c: Cell) -> list of Player = [man[x] for x in star(c, first(players)) + [c]]
query twice(p: Player) -> list of Int = [c.worth for c in pile] + [[c.worth, -c.worth] for c in hand[p]]
query pairs(n: Int) -> Int = size([a * b for a in {1 .. n}, b in [a .. 4] where a + b is not 4])
query beside(p: Player) -> set of Cell = {d for c in Cell where man[c] is p, d in c.neighbours where man[d] is p.left}
query seen(c: Cell) -> Int = count(
    d in Direction, x in ray(c, d) until man[x] is not none, y in x.neighbours where y is not c)
consequence crowded for c in Cell where man[c] is none, d in c.neighbours where man[d] is not none
        when d.row is c.row and count(e in c.neighbours where man[e] is man[d]) > 3
    man[c] = man[d]
procedure play
    repeat 8 times
        each p in players
            draw 1 from pile to hand[p]
            p chooses c: Cell from {c in Cell where man[c] is none}
            man[c] = p
            line = [x for x in line where x is not c] + [c]
            worths = twice(p) + [size(star(c, p)), pairs(size(hand[p])), size(owners(c))]
            worths = worths + [size(beside(p)), seen(c), size(ends(p))]
            if no(x in [man[y] for y in line] where x is p.left) and size(line) > 5 then finish with winner p
    finish ranking p in players by sum(n for n in worths) + p.seat
"""
CARDS = '{"rows": [' + ", ".join(f'{{"worth": {n}}}' for n in range(1, 10)) + "]}"


def test_a_game_of_collected_lists_plays_the_same_on_both_engines(tmp_path: Path) -> None:
    (tmp_path / "cards.json").write_text(CARDS)
    game = loaded(tmp_path, RULES)
    for seed in range(sample(6, 40)):
        Lockstep(game.program).play(seed)
