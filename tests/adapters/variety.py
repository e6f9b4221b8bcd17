"""Rules with a field of each kind that machine code observes, with zones and regions, all of them changed in play."""

from __future__ import annotations

from pathlib import Path

RULES = """\
game variety
players 3

enum Suit: clubs, hearts, spades
place Cell
map Board: grid 3 by 3 of Cell
merged Land of Cell

piece Chip from "chips.json"
    suit: Suit
    named "{suit}"
    begins in pile

zone held[Player]: set of Chip, seen by everyone
zone pile: stack of Chip, seen by everyone
zone line: row of Chip, at most 4, seen by everyone

field mark[Cell]: Player or none = none
field trump: Suit or none = none
field level: 2..9 = 2
field few: 3..6 or none = none
field gold[Player]: 0..5000 = 7
field debt: -900..900 = 0
field tired[Player]: Bool = false
field plan[p: Player]: 0..5 = 0, seen by p
field kept[p: Player]: set of Suit = {}, seen by p
field taken: set of Suit = {}
field numbers: set of 1..9 = {}
field order: list of Suit, at most 4
field long: list of Cell, at most 80
field secret: 0..3 = 0, seen by {}
field turns: 0..200 = 0

procedure play
    shuffle pile
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    turns += 1
    if turns is 150 then finish with a draw
    p chooses what from {0 .. 8}
    if what is 0
        p may choose c from Cell
            forbid marked: mark[c] is not none
        then
            mark[c] = p
            long += c
            merge land(c) with land(first(Cell))
    if what is 1
        p may choose top from pile
        then
            move top to held[p]
    if what is 2
        p may choose chip from held[p]
        then
            if size(line) < 4
                move chip to line
            else
                move chip to pile
    if what is 3
        p chooses s from Suit
        trump = s
        taken += s
        kept[p] += s
        if size(order) < 4 then order += s
    if what is 4
        chance chooses n from {3 .. 6}
        few = n
        gold[p] += n
        debt -= n
        numbers += n
        reward p: n
    if what is 5
        trump = none
        few = none
        level = 9
        secret = 2
        tired[p] = true
    if what is 6
        p chooses n from {0 .. 5}
        plan[p] = n
        reward p: -1
    if what is 7 and size(players) > 1 and gold[p] > 10
        eliminate(p)

end last_one when size(players) is 1
    finish with winner players
"""
CHIPS = """\
{"rows": [{"suit": "clubs", "count": 4}, {"suit": "hearts", "count": 3}, {"suit": "spades", "count": 1}]}
"""


def variety(folder: Path) -> str:
    """The path of the ruleset."""
    made = folder / "variety"
    made.mkdir()
    (made / "ruleset.json").write_text('{"name": "variety", "title": "Variety", "rules": ["game.rules"]}')
    (made / "game.rules").write_text(RULES)
    (made / "chips.json").write_text(CHIPS)
    return str(made)
