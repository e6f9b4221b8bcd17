"""A small game with something of everything, values of all its types, and the places where a value can stand."""

from __future__ import annotations

RULES = """
game values_everywhere
players 2

enum Colour: red, green, blue
enum Shade: grey, Colour
place Cell
edge Border
map Board: grid 3 by 3 of Cell, edges Border
place Space
map Track: ring of 5 Space
merged Region of Space
party Side: players, pirates
piece Card from "cards.json"
    worth: 1..9
    named "card {worth}"
    sides face_up, face_down
    begins in deck
piece Cube from "cubes.json"
    colour: Colour
    named "{colour} cube"
    begins in on[(1, 1)]
zone deck: stack of Card, seen by everyone
zone hand[Player]: set of Card, seen by everyone
zone on[Cell]: set of Cube, seen by everyone
zone slot[Player]: set of Card, at most 1, seen by everyone
die Die: 1 to 6
area Yard of Cell, joined across b where walled[b]

field gold[Player]: 0..99 = 3
field small: -9..9 = -2
field pot[Colour]: 0..99 = 2
field purse[Player, Colour]: 0..99 = 1
field ready[Colour]: Bool
field flag: Bool = true
field tint: Colour = green
field facing: Direction = east
field here: Cell = (1, 1)
field nowhere: Cell or none
field there: Space = "2"
field owner[Space]: Player or none
field walled[Border]: Bool
field wall: Border or none
field side: Side = pirates
field numbers: set of 0..20 = {1, 4}
field cells: set of Cell = {(0, 0), (2, 1)}
field crowd: list of Player, at most 4
field path: list of Cell, at most 4
field figures: list of 0..9, at most 4
field stood: positions of tint, at most 5
field aim: Card or Player or none
field aims: set of Card or Player
field shade: Shade = grey
field wild: Colour or Player or any = any

query spent(c: Int[Colour]) -> 0..20[Colour] = {t: max({c[t], 0}) for t in Colour}
query twice(n: Int) -> Int = n + n
query paintable(t: Colour) -> Bool = possible(paint(t))
query around(c: Cell) -> set of Cell = c.neighbours
query lit(d: Direction, t: Colour) -> Bool = d is north or t is red
effect paint(t: Colour)
    tint = t
procedure play
    finish paying 1 for p in players
"""
DATA = {
    "cards.json": '{"rows": [{"worth": 1, "count": 2}, {"worth": 4, "count": 2}]}',
    "cubes.json": '{"rows": [{"colour": "red", "count": 2}, {"colour": "blue"}]}',
}

VALUES = (
    # of each type one that is written out and one that is read
    "2", "small", "true", "flag", "none", "green", "tint", "north", "facing", "(0, 1)", "here", "nowhere", '"2"',
    "there", "(0, 0)|(0, 1)", "wall", "region(there)", "first(players)", "first(players).left", "pirates", "side",
    "first(deck)", "first(Cube)", "gold[first(players)]", "stood",
    "{}", "{2, 3}", "numbers", "{true}", "{red, blue}", "Direction", "{(0, 0), (0, 1)}", "cells", "Space", "{there}",
    "Border", "Region", "players", "Side", "deck", "Cube", "hand[first(players)]", "slot[first(players)]",
    "[2, -3]", "figures", "[true]", "[red]", "[north]", "[(0, 0), (1, 1)]", "path", "[there]", "[region(there)]",
    "crowd", "[first(deck)]", "[side]", "aim", "aims", "shade", "wild",
    "pot", "purse[first(players)]", "ready", "{red: 2, blue: small}", "{tint: 1}", "{t: (t is tint) for t in Colour}",
)  # fmt: skip

FORMS = """
-_0
not _0
clockwise from _0
_0 is a Cube
_0 is not a Card
_0 is a Player
_0 is not a Colour
_0 is empty
_0 is not empty
_0 / _1 rounded up
_0 / _1 rounded down
_0 if _1 else _2
{_0 .. _1}
[_0, _1]
{_0, _1}
(_0, _1)
{x in _0 where _1}
{_0 for x in _1}
{x for x in _0, y in _1}
{x in _0 while _1}
{red: _0, _1: 2}
{_0: _1 for x in Colour}
{x: _1 for x in _0}
{x: Cube in _0 where true}
{x: Player in _0 where true}
count(x in _0 where _1)
some(x in _0 where _1)
no(x in _0 where _1)
sum(_0 for x in _1)
max(_0 for x in _1)
min(_0 for x in _1)
first(x in _0 where _1)
count(_0)
some(_0)
no(_0)
sum(_0)
max(_0)
min(_0)
first(_0)
max({_0, _1})
count(_0 for x in _1)
first(_0 for x in _1)
best(x in _0 by _1)
best(x in _0 where _1 by 1)
sorted(x in _0 by _1)
sorted(x in _0 where _1 by 1)
every(x in _0 has _1)
every(x in _0 where _1 has true)
reach(from _0)
reach(from _0 within _1)
reach(from _0 within Cell across b where _1)
reach(from _0 by x to _1)
reach(from _0 within _1 by x to {x})
_0 after paint(_1)
_0.neighbours
_0.borders
_0.row
_0.left
_0.colour
_0.a
_0.members
_0.other(_1)
_0[_1]
gold[_0]
owner[_0]
on[_0]
walled[_0]
twice(_0)
around(_0)
lit(_0, _1)
yard(_0)
spent(_0)
purse[_0]
region(_0)
_0 in on
possible(paint(_0))
""".strip().split("\n")
"""Expressions with places for values, but for operators and built-in functions."""

SET = (
    "gold[first(players)]",
    *["small", "flag", "tint", "here", "wall", "side", "numbers", "cells", "crowd", "path", "figures", "stood"],
    *["aim", "aims", "shade", "wild", "pot", "purse[first(players)]", "ready"],
)
"""Fields of every type."""

STATEMENTS = (
    [f"{field} {op} _0" for field in SET for op in ("=", "+=", "-=")]
    + """
let v = _0

var v = _0
v = _1

var v: set of Player = _0
v += _1

var v: 0..4 = _0
v -= _1

var v = _0
v += _1

paint(_0)

eliminate(_0)

record(_0)

return _0

gold[_0] = 1

purse[_0] = _1

var v = {red: 1}
v += _0
v[_1] = 3

owner[_0] = none

gold[first(players)] = 1, small = _0

if _0
    do nothing

match _0
    _1: do nothing
    otherwise: small = 1

each x in _0
    small = 1

each x in _0 where _1
    small = 1

each x in _0 by _1
    small = 1

each x in {1, 2}, order chosen by _0
    small = x

each x in _0, order chosen by first(players)
    small = 1

each x in _0, order chosen by first(players), asked anyway
    small = 1

repeat _0 times
    small = 1

repeat until _0
    stop

repeat while true, at most _0 times
    small = 1

first(players) repeats _0 times
    small = 1

_0 repeats up to 2 times
    small = 1

_0 repeats exactly _1 times, asked anyway
    first(players) chooses x from {1, 2} where _2
    small = x

shuffle _0

move _0 to deck

move _0 to _1

move _0 of _1 to deck

move first(deck) to hand[_0]

move first(deck) to _0 on top

move owner from _0 to _1

draw _0 from deck to hand[first(players)]

draw from _0 to _1

draw 2 from deck to _0

flip _0 face up

flip _0 to face_up

show _0 to _1

tells "{_0}"

merge _0 with _1

_0 rolls Colour as n

_0 rolls Die as n

chance rolls _0 Die as n

_0 chooses x from _1
else
    do nothing

chance chooses x from _0 where _1
else
    do nothing

_0 chooses exactly _1 x as xs from deck, asked anyway
else
    do nothing

_0 chooses either
    option one: small = 1

first(players) chooses up to _0 x as xs from _1

first(players) chooses x from {1, 2} where _0
else
    do nothing

first(players) may choose x from _0
    forbid no: _1

var v: set of Player = {}
each p in players at once
    p chooses either
        option one
            forbid no: _0
            v += _1
        option two
            forbid no: _2
            p chooses t from {1, 2}
            small = t

each p in _0 at once
    p chooses t from _1
each p in players
    small = 1

forbid no: _0

finish with winner _0

finish ranking p in _0 by _1

finish ranking p in players by _0 then _1

finish paying _0 for p in _1

reward _0: _1

first(players) chooses either, asked anyway
    option one
        forbid no: _0
        small = 1
else
    do nothing

step one
    small = 1

first(players) chooses x from {1, 2}
then
    small = x
else
    do nothing
""".strip().split("\n\n")
)
"""Statements with places for values; each stands in a procedure of its own."""

__all__ = ["DATA", "FORMS", "RULES", "STATEMENTS", "VALUES"]
