"""Random rules that hide cards, numbers and who reacts: their text, for comparing what twins are told."""

from __future__ import annotations

from pathlib import Path
from random import Random

from secret_games import made

import rulewright as rw

CARDS = {"rows": [{"worth": worth, "count": 2} for worth in (1, 2, 3, 4)]}
STATEMENTS = 5
"""Statements of a turn at most."""
_NOBODY, _ALL = "seen by {}", "seen by everyone"
_OWN = ("seen by p", "face seen by p, count seen by everyone")
OPTIONS = ("loud", "sly", "shy")
MARKS = ("lives[p] += 1", "mind[p] = 9 - mind[p]", "box = 9 - box", "mind[p.left] = 9 - mind[p.left]")
"""Statements that change something, whatever it was before."""


class Hiding:
    """Writes the rules of one game."""

    def __init__(self, seed: int) -> None:
        self.r, self.payments = Random(seed), Random(f"payments of {seed}")
        self.rounds = Random(f"rounds of {seed}")
        self.targets, self.offers = Random(f"aims of {seed}"), Random(f"offers of {seed}")
        self.pays = self.payments.random() < 0.5
        self.aims = self.targets.random() < 0.4
        self.number = 0

    def text(self) -> str:
        """The rules of the game."""
        r = self.r
        own = [r.choice((_OWN[1], _OWN[1], _OWN[0])), r.choice((*_OWN, "count seen by everyone", _NOBODY))]
        piles = [r.choice((_NOBODY, "count seen by everyone", _ALL)) for _ in range(3)]
        lines = [
            "game hiding", "players 2 to 3", 'piece Card from "cards.json"', "    worth: 1..4",
            '    named "card {worth}"', "    begins in deck", f"zone deck: stack of Card, {r.choice(piles)}",
            f"zone hand[p: Player]: set of Card, {own[0]}", f"zone lap[p: Player]: bag of Card, {own[1]}",
            f"zone bag: bag of Card, {piles[0]}", f"zone sack: bag of Card, {piles[1]}",
            "zone row: row of Card, faced, face seen by {}, count seen by everyone",
            "zone table: set of Card, seen by everyone",
            f"field mind[p: Player]: 0..9 = 0, {r.choice((_OWN[0], _OWN[0], _NOBODY, _ALL))}",
            f"field box: 0..9 = 0, {r.choice((_NOBODY, _NOBODY, _ALL))}", "field lives[Player]: 0..99 = 9",
            f"field active: Player or none = none, {self.rounds.choice((_NOBODY, _ALL))}",
            *self.aimed(), "query score(p: Player) -> Int = lives[p] + size(hand[p])", "",
            "procedure play", "    shuffle deck", "    each p in players", "        draw 2 from deck to hand[p]",
            "    repeat 2 times", "        each p in players", "            turn(p)", *self.kept(),
            "    finish paying lives[p] - 2 * mind[p] for p in players"
            if self.pays
            else "    finish ranking p in players by lives[p]",
            "", "procedure turn(p: Player)",
        ]  # fmt: skip
        for _ in range(r.randint(2, STATEMENTS)):
            lines += ["    " + line for line in self.statement()]
            if self.pays and self.payments.random() < 0.3:
                secret = self.payments.choice(("mind[p] + box", "size(lap[p])", "sum(c.worth for c in hand[p])"))
                lines.append(f"    reward {self.payments.choice(('p', 'p.left', 'players'))}: {secret}")
            if self.aims and self.targets.random() < 0.7:
                lines += ["    " + line for line in self.targeting()]
        if self.offers.random() < 0.4:
            lines += ["    " + line for line in self.offering()]
        lines += ["    p chooses last from {0 .. 2}", "    mind[p] = last", ""]
        lines += ["procedure strike(victim: Player, amount: Int), open clockwise from victim"]
        lines += ["    if lives[victim] >= amount then lives[victim] -= amount", ""]
        moment = r.choice(("instead of", "before", "after"))
        anyway = r.choice(("", ", asked anyway"))
        whose = r.choice(("p is victim and ", "p is not victim and ", ""))
        lines += [
            f"reaction shield {moment} strike(victim, amount), by p with c in hand[p] where {whose}c.worth > 2{anyway}"
        ]
        lines += [f"    move c to {r.choice(('table', 'bag', 'lap[p]'))}"]
        return "\n".join(lines) + "\n"

    def new(self, word: str) -> str:
        """A name that nothing else has."""
        self.number += 1
        return f"{word}_{self.number}"

    def aimed(self) -> list[str]:
        """A field of what may be a card or a player."""
        seen = self.targets.choice((_OWN[0], _OWN[0], _NOBODY))
        return [f"field aim[p: Player]: Card or Player or none, {seen}"] if self.aims else []

    def offering(self) -> list[str]:
        """An offer that all answer at once: openly, or with something that only they see besides."""
        r = self.offers
        secret = ["        option sly", "            q chooses n from {0 .. 2}", "            mind[q] = n"]
        lines = [
            "var bold: set of Player = {}", "each q in players at once", "    q chooses either",
            "        option loud", *(["            forbid poor: size(hand[q]) < 2"] if r.random() < 0.5 else ()),
            "            bold += q", *secret, *(["            bold += q"] if r.random() < 0.6 else ()),
            "        option shy", *(["            forbid poor: mind[q] < 2"] if r.random() < 0.5 else ()),
            "            mind[q] = 5",
        ]  # fmt: skip
        return [*lines, *r.choice((
            ["lives[p] += size(bold)"], ["p may choose other from bold", "then", "    strike(other, 1)"],
            ["each q in bold", "    q chooses k from {0 .. 1}", "    mind[q] += k"],
        ))]  # fmt: skip

    def targeting(self) -> list[str]:
        """Something that is done with a card or a player."""
        r, n = self.targets, self.new("aimed")
        return r.choice((
            [f"p chooses {n} from hand[p] + players", f"aim[p] = {n}"],
            [f"p chooses {n} from {{c in hand[p] where c.worth > 2}} + players", f"aim[p] = {n}"],
            ["if aim[p] is a Player then lives[p] += 1"],
            ["lives[p] += count(c: Card in {aim[p], p.left} where c.worth > 2)"],
            [f"p may choose {n} from {{q: Player in {{aim[p]}} + players}}", "then", f"    lives[{n}] += 1"],
        ))  # fmt: skip

    def kept(self) -> list[str]:
        """Questions after each of which something more is asked, while the rules keep the answer; who was asked moves
        on at any moment."""
        r = self.rounds
        if r.random() < 0.5:
            return []
        moves = ["        active = active.left"]
        before, after = (moves, []) if r.random() < 0.5 else ([], moves)
        asker, rounds = r.choice((("q", "each q in players"), ("active", "repeat 3 times")))
        again = r.choice((asker, "active", "active.left"))
        passing = r.choice(("active = active.left", "box = 1"))
        first = r.choice((
            [f"        {asker} chooses kept from {{0 .. 3}}"],
            [
                "        var kept = 0", f"        {asker} may choose word from {{1 .. 3}}", "        then",
                "            kept = word", "        else", f"            {passing}",
            ],
        ))  # fmt: skip
        return [
            "    active = first(players)", f"    {rounds}", *first, *before, "        if kept > 1",
            f"            {again} chooses more from {{0 .. 2}}", "            mind[active] = kept + more",
            "        else", "            mind[active] = kept", *after,
        ]  # fmt: skip

    def statement(self) -> list[str]:
        """Something that is done in a turn."""
        r, n = self.r, self.new("n")
        to = r.choice(("lap[p]", "table", "bag", "sack", "hand[p.left]", "row face down"))
        anyway = r.choice(("", ", asked anyway"))
        test = r.choice((
            "some(d in hand[p] where d.worth > 2)", "mind[p] > 2", "box > 1", "bag is not empty",
            "mind[p] > mind[p.left]", "size(hand[p]) > 1",
        ))  # fmt: skip
        forms: list[list[str]] = [
            [f"p may choose {n} from hand[p]", "then", f"    move {n} to {to}"],
            [
                f"p chooses {n} from hand[p] where {n}.worth > 1{anyway}",
                "then", f"    move {n} to {to}", "else", "    lives[p] += 1",
            ],
            [f"p chooses {n} from {{0 .. 3}}", f"mind[p] = {n}"],
            [
                f"p repeats exactly 2 times{anyway}",
                f"    p chooses {n} from hand[p] where {n}.worth > 1", f"    move {n} to {to}",
            ],
            [
                f"p chooses either{anyway}", "    option pay", "        forbid poor: mind[p] < 1",
                "        mind[p] -= 1", "    option lose", "        forbid poor: mind[p] < 2", "        mind[p] -= 2",
                "else", "    lives[p] += 1",
            ],
            [f"each {n} in hand[p], order chosen by p{anyway}", f"    move {n} to {to}"],
            [f"chance chooses {n} from {{0 .. 3}}", f"{r.choice(('box', 'mind[p]', 'mind[p.left]'))} = {n}"],
            [f"if deck is not empty then draw 1 from deck to {to}"],
            [f"if {test} and sack is not empty then draw 1 from sack to bag"],
            [f"if {test} then lives[p] += 1"],
            [f"box = 4 if {test} else 1"],
            [
                f"let {n} = sum(d.worth for d in hand[p])",
                f"p chooses {n}_then from {{0 .. 1}}", f"if {n} > 4 then mind[p] = {n}_then",
            ],
            [r.choice(("show hand[p] to p.left", "show lap[p] to p", "show hand[p.left] to everyone"))],
            [f"strike(p.left, {r.choice(('1', '2', 'min({mind[p], 3})'))})"],
            [f"strike({r.choice(('p', 'p.left'))}, 1)"],
            [
                "p chooses either",
                "    option keep", "        mind[p] = 3", "    option give", "        strike(p.left, 1)",
            ],
            [f"p may choose {n} from row", "then", f"    move {n} to hand[p]"],
            ["shuffle deck"],
            [f"p may choose {n} from hand[p]", "then", *(f"    {line}" for line in self.parting(n, test))],
            [
                f"p chooses {n} from {{0 .. 3}}",
                f"if {test}", f"    lives[p] = {n}", "else", f"    {r.choice(('mind[p]', 'box'))} = {n}",
            ],
            ["p chooses either", *(
                line
                for word, done in zip(OPTIONS, r.sample(MARKS, len(OPTIONS)), strict=True)
                for line in (f"    option {word}", f"        {done}")
            )],
        ]  # fmt: skip
        return r.choice(forms)

    def parting(self, card: str, test: str) -> list[str]:
        """Ways on which a card that was chosen goes to different places."""
        r = self.r
        near, far = r.sample(("table", "bag", "lap[p]", "sack", "hand[p.left]", "row face down"), 2)
        shown = [f"show {{{card}}} to {r.choice(('everyone', 'p.left'))}"]
        return [
            f"if {test}", *(f"    {line}" for line in (*(shown if r.random() < 0.3 else ()), f"move {card} to {near}")),
            *(["else", f"    move {card} to {far}"] if r.random() < 0.8 else []),
        ]  # fmt: skip


def hiding_game(folder: Path, seed: int, players: int) -> rw.Game:
    """A random game that hides something."""
    return made(folder, Hiding(seed).text(), players, CARDS, "")
