"""Small games that hide a number, each in another way, and let somebody guess it."""

from __future__ import annotations

from pathlib import Path

from secret_games import made

import rulewright as rw

HEAD = """game hidden
players 2 to 3
enum Colour: red, blue, green
piece Card from "cards.json"
    worth: 1..4
    named "card {worth}"
    begins in deck
zone deck: stack of Card, count seen by everyone
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone row: row of Card, faced, face seen by {}, count seen by everyone
field points[Player]: Int = 0
query score(p: Player) -> Int = points[p]
"""
CARDS = {"rows": [{"worth": worth, "count": 4} for worth in (1, 2, 3, 4)]}
GUESS = """    asker chooses n from {1 .. 4}
    if n is THIS then points[asker] += 9
    finish ranking q in players by points[q]
"""
BEGIN = "procedure play\n    let asker = first(players)\n"
HIDDEN = {
    "a field of nobody": (
        "field box: 1..4, seen by {}\n" + BEGIN + "    chance chooses c from {1 .. 4}\n    box = c\n",
        "box",
    ),
    "a field that is none at first": (
        "field box: 1..4 or none = none, seen by {}\n" + BEGIN + "    chance chooses c from {1 .. 4}\n    box = c\n",
        "box",
    ),
    "the number of the only other": (
        "field mind[p: Player]: 1..4, seen by p\n"
        + BEGIN
        + "    asker.left chooses c from {1 .. 4}\n    mind[asker.left] = c\n",
        "mind[asker.left]",
    ),
    "the only member of a set": (
        "field sack: set of Int, face seen by {}, count seen by everyone\n"
        + BEGIN
        + "    chance chooses c from {1 .. 4}\n    sack = {c}\n",
        "max(sack)",
    ),
    "a set of which nothing is seen": (
        "field sack: set of Int, seen by {}\n" + BEGIN + "    chance chooses c from {1 .. 4}\n    sack = {c}\n",
        "max({0} + sack)",
    ),
    "the last item of a list": (
        "field line: list of Int, at most 3, seen by {}\n"
        + BEGIN
        + "    chance chooses c from {1 .. 4}\n    line += c\n",
        "line[0]",
    ),
    "a number behind a colour": (
        "field shade: Colour, seen by {}\n" + BEGIN + "    chance chooses c from {red, blue, green}\n    shade = c\n",
        "(1 if shade is red else 2 if shade is blue else 3)",
    ),
    "a local that is worked out": (
        BEGIN + "    shuffle deck\n    draw 1 from deck to hand[asker.left]\n"
        "    let secret = sum(c.worth for c in hand[asker.left])\n",
        "secret",
    ),
    "a local that is counted together": (
        BEGIN + "    shuffle deck\n    draw 1 from deck to hand[asker.left]\n    var secret = 0\n"
        "    each c in hand[asker.left]\n        secret += c.worth\n",
        "secret",
    ),
    "a local that a condition decides": (
        BEGIN + "    shuffle deck\n    draw 1 from deck to hand[asker.left]\n    var secret = 1\n"
        "    if some(c in hand[asker.left] where c.worth > 2) then secret = 4\n",
        "secret",
    ),
    "a local that comes back": (
        "procedure asked(p: Player) -> Int\n    return sum(c.worth for c in hand[p])\n"
        + BEGIN
        + "    shuffle deck\n    draw 1 from deck to hand[asker.left]\n    let secret = asked(asker.left)\n",
        "secret",
    ),
    "a card or a colour that another has in mind": (
        "field mind[p: Player]: Card or Colour or none, seen by p\n"
        "query meant(p: Player) -> Int\n    let x = mind[p]\n    x.worth when x is a Card\n    4 otherwise\n"
        + BEGIN
        + "    shuffle deck\n    draw 2 from deck to hand[asker.left]\n"
        "    asker.left chooses c from hand[asker.left] + Colour\n    mind[asker.left] = c\n",
        "meant(asker.left)",
    ),
    "the only one of a set of several kinds": (
        "field mind[p: Player]: set of Card or Colour, face seen by p, count seen by everyone\n"
        "query meant(p: Player) -> Int = max(x.worth for x: Card in mind[p]) or else 4\n"
        + BEGIN
        + "    shuffle deck\n    draw 2 from deck to hand[asker.left]\n"
        "    asker.left chooses c from hand[asker.left] + Colour\n    mind[asker.left] = {c}\n",
        "meant(asker.left)",
    ),
    "a card or a colour in a local": (
        "query meant(x: Card or Colour) -> Int = x.worth if x is a Card else 4\n"
        + BEGIN
        + "    shuffle deck\n    draw 2 from deck to hand[asker.left]\n"
        "    asker.left chooses c from hand[asker.left] + Colour\n    let secret = c\n",
        "meant(secret)",
    ),
    "a colour or any": (
        "field mind[p: Player]: Colour or any or none, seen by p\n"
        "query meant(p: Player) -> Int = 1 if mind[p] is red else 2 if mind[p] is any else 3\n"
        + BEGIN
        + "    asker.left chooses c from {red, blue} + {any}\n    mind[asker.left] = c\n",
        "meant(asker.left)",
    ),
    "what a rule was handed": (
        BEGIN + "    shuffle deck\n    draw 1 from deck to hand[asker.left]\n"
        "    guess(asker, sum(c.worth for c in hand[asker.left]))\n\nprocedure guess(asker: Player, secret: Int)\n",
        "secret",
    ),
    "a hand": (
        BEGIN + "    shuffle deck\n    draw 1 from deck to hand[asker.left]\n",
        "sum(c.worth for c in hand[asker.left])",
    ),
    "the top of a stack": (BEGIN + "    shuffle deck\n", "first(deck).worth"),
    "the second of a row": (
        BEGIN + "    shuffle deck\n    draw 3 from deck to row face down\n",
        "row[1].worth",
    ),
    "a card that was drawn": (
        BEGIN + "    shuffle deck\n    draw 2 from deck to hand[asker.left]\n"
        "    let drawn = max({c.worth for c in hand[asker.left]})\n",
        "drawn",
    ),
    "a mark on a card": (
        "field marked[Card]: Bool = false, seen by {}\n"
        + BEGIN
        + "    shuffle deck\n    draw 4 from deck to row face down\n"
        "    chance chooses c from row\n    marked[c] = true\n",
        "max({0} + {c.worth for c in row where marked[c]})",
    ),
}


def guessing(folder: Path, name: str, players: int) -> rw.Game:
    """One of these games: whoever guesses right gets points."""
    rules, this = HIDDEN[name]
    return made(folder, rules + GUESS.replace("THIS", this), players, CARDS, HEAD)
