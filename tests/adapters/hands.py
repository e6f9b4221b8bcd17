"""Rules with hidden hands and a hidden pile, of which some is shown: nobody has to remember anything else."""

from __future__ import annotations

import json
from pathlib import Path

RULES = """\
game hands
players 2 to 3

enum Suit: clubs, hearts
piece Card from "cards.json"
    suit: Suit
    value: 1..9
    named "{suit} {value}"
    begins in pile

zone pile: stack of Card, seen by {}
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone staked[p: Player]: row of Card, at most 9, face seen by p, count seen by everyone
zone stock[p: Player]: set of Card, count seen by everyone
zone table: set of Card, seen by everyone

field told[p: Player]: 0..20 = 0, seen by p
field rounds: 0..20 = 0

procedure play
    shuffle pile
    each p in players
        draw 3 from pile to hand[p]
        draw 2 from pile to staked[p]
        draw 2 from pile to stock[p]
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    p chooses either
        option lay
            forbid nothing: hand[p] is empty
            p chooses card from hand[p]
            move card to table
        option peek
            p chooses card from hand[p.left]
                forbid gone: hand[p.left] is empty
            told[p] = size(hand[p.left])
        option peek_place
            p chooses card from staked[p.left]
            told[p] = card.value
        option show
            show staked[p] to everyone
        option show_stock: show stock[p.left] to p
        option show_again
            p may choose card from stock[p]
            then
                show {card} to everyone
        option wait: do nothing
    if pile is not empty and p is first(players) then draw 1 from pile to hand[p]
    rounds += 1
    if rounds is 20 then finish with a draw
"""


REMEMBERED = [
    # What was seen is put where it is not; or what was shown is moved, mixed, or lies where nobody sees that it goes.
    ("move card to table", "move card to stock[p]"),
    ("move card to table", "move card to hand[p.left]"),
    ("show staked[p] to everyone", "show hand[p] to everyone"),
    ("show staked[p] to everyone", "show staked[p] to everyone\n            move staked[p] to table"),
    (
        "zone stock[p: Player]: set of Card, count seen by everyone",
        "zone stock[p: Player]: set of Card, count seen by p",
    ),
    ("seen by {}\nzone hand", "seen by {q in players where rounds > 9}\nzone hand"),
]
"""Changes after which players remember more than what they were shown, or who sees something varies."""


def hands(folder: Path, old: str = "", new: str = "") -> str:
    """The path of the ruleset, with a change perhaps; there are two cards of each kind and value."""
    assert old in RULES
    own = folder / "hands"
    own.mkdir()
    rows = [{"suit": suit, "value": value, "count": 2} for suit in ("clubs", "hearts") for value in range(1, 10)]
    (own / "cards.json").write_text(json.dumps({"rows": rows}), "utf-8")
    (own / "hands.rules").write_text(RULES.replace(old, new) if old else RULES, "utf-8")
    manifest = {"name": "hands", "title": "Hands", "rules": ["hands.rules"]}
    (own / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    return str(own)
