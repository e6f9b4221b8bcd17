"""Random games in which blocks of all shapes are decided at once: their rules, as text."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Protocol

import rulewright as rw


class Write(Protocol):
    """Writes a statement, so deep, and notes the names that it gives."""

    __name__: str

    def __call__(self, depth: int, given: list[tuple[str, str]], /) -> list[str]: ...


HEAD = """game at_once
players 2 to 4
piece Card from "cards.json"
    worth: 1..9
    named "card {worth}"
    begins in deck
zone deck: stack of Card, seen by {}
zone hand[p: Player]: set of Card, seen by p
zone kept[p: Player]: set of Card, seen by p
zone row[p: Player]: row of Card, seen by p
zone table[p: Player]: set of Card, seen by everyone
field plan[p: Player]: 0..9999 = 0, seen by p
field picks[p: Player]: set of 0..9, seen by p
field aim[p: Player]: Player or none = none, seen by p
field mark[p: Player, q: Player]: 0..9999 = 0, seen by p
field points[Player]: 0..9999 = 0
field rounds: 0..9 = 0

query high(p: Player) -> Int = min({plan[p], 3})
query price(p: Player, cards: set of Card) -> Int = max({0} + {c.worth - high(p) for c in cards})
query asked_of(p: Player) -> set of Player = {q in players where q is not aim[p]}
"""
CARDS = {"rows": [{"worth": worth, "count": 2} for worth in range(1, 9)]}
ENDINGS = (
    "finish ranking p in players by points[p] then plan[p] then size(kept[p])",
    "finish paying points[p] - plan[p] for p in players",
    "finish paying size(kept[p]) for p in {q in players where points[q] > 2}",
)
DEPTH = 3
MOST = 4
"""Statements of a block."""


class Rules:
    """Writes the rules of one game."""

    def __init__(self, seed: int) -> None:
        self.r, self.payments = Random(seed), Random(f"payments of {seed}")
        self.pays = self.payments.random() < 0.5
        self.number = 0
        self.helpers: list[str] = []
        self.pot = ""
        """The name of a number that is one for all in the block that is written."""
        self.shapes: Counter[str] = Counter()
        """The statements that were written, by their kind; inside others with theirs in front."""
        self._around: list[str] = []

    def text(self) -> str:
        """The rules of the game."""
        blocks = [self.block() for _ in range(self.r.randint(1, 3))]
        lines = ["procedure play", "    shuffle deck", "    each p in players"]
        lines += [f"        draw {self.r.randint(0, 3)} from deck to hand[p]"]
        if self.r.random() < 0.5:
            lines += ["        show hand[p] to p.left"]  # then there is something to be remembered
        lines += ["    repeat 2 times", "        rounds += 1"]
        lines += ["        " + line for block in blocks for line in block]
        lines += [f"    {self.payments.choice(ENDINGS) if self.pays else ENDINGS[0]}", ""]
        return HEAD + "\n" + "\n".join(self.helpers) + "\n" + "\n".join(lines)

    def new(self, word: str) -> str:
        """A name that nothing else has."""
        self.number += 1
        return f"{word}_{self.number}"

    def block(self) -> list[str]:
        """A block at once, and what is carried out afterwards."""
        who = self.r.choice(
            ["players", "players", "players where p.seat is not 2", "players where hand[p] is not empty"]
        )
        given: list[tuple[str, str]] = []
        self.pot = self.new("pot")
        lines = [f"each p in {who} at once"]
        body = self.body(DEPTH, given)
        if not any("chooses" in line or "may choose" in line for line in body):
            body += self.one(given)
        lines += ["    " + line for line in body]
        # The last thing of all is asked, so what is above it is decided at once, too.
        last = self.parting(2, given) if self.r.random() < 0.5 else self.one(given)
        lines += ["    " + line for line in (*last, *self.revealed(given))]
        if self.r.random() < 0.3:
            lines.append("    points[p] += high(p)")
        if self.pays and self.payments.random() < 0.5:
            lines.append(f"    reward {self.payments.choice(('p', 'p.left', 'asked_of(p)'))}: plan[p] - points[p]")
        if self.r.random() < 0.2:
            lines += ["    if points[p] > 20 then stop"]
        if self.r.random() < 0.2:
            late = self.new("late")
            lines += [f"    p chooses {late} from {{0 .. 2}}", f"    points[p] += {late}"]
        late, all_ = f"{self.pot}_last", f"{self.pot}_all"
        return [
            *(f"var {self.pot} = 0", f"var {late}: Player or none = none", f"var {all_}: set of Player = {{}}", *lines),
            f"if {late} is not none then points[{late}] += {self.pot} + size({all_})",
        ]

    def revealed(self, given: list[tuple[str, str]]) -> list[str]:
        """All that others see of some names."""
        lines: list[str] = []
        for name, kind in given:
            if kind == "number" and self.r.random() < 0.6:
                pot = [f"{self.pot} += {name}", f"{self.pot}_last = p", f"{self.pot}_all += p"]
                lines += self.r.choice(([f"points[p] += {name}"], pot))
            if kind == "numbers" and self.r.random() < 0.6:
                lines.append(f"points[p] += size({name})")
            if kind in ("card", "cards") and self.r.random() < 0.6:
                lines.append(f"move {name} to table[p]")
        return lines

    def parting(self, depth: int, given: list[tuple[str, str]]) -> list[str]:
        """Ways at whose ends others see something; each may part again."""
        self.shapes["parting"] += 1

        def way(*own: tuple[str, str]) -> list[str]:
            names = [*given, *own]
            lines = self.statement(1, names) if self.r.random() < 0.6 else []
            if depth > 1 and self.r.random() < 0.3:
                lines += self.parting(depth - 1, names)
            lines += self.revealed(names)
            if deed and self.r.random() < 0.3:
                lines += [f"if points[p] > 4 then stop {deed}", "points[p] += 1"]
            return ["    " + line for line in lines or ["do nothing"]]

        deed = ""
        match self.r.randrange(4):
            case 0:
                name = self.new("m")
                return [f"p may choose {name} from {{1 .. 3}}", "then", *way((name, "number")), "else", *way()]
            case 1:
                return [f"if plan[p] > {self.r.randint(0, 3)}", *way(), "else", *way()]
            case _:
                deed = self.new("deed")
                options = [line for _ in range(self.r.randint(2, 3)) for line in (f"option {self.new('way')}", *way())]
                return [f"p chooses either as {deed}", *("    " + line for line in options)]

    def body(self, depth: int, given: list[tuple[str, str]] | None = None) -> list[str]:
        """Some statements that one player decides alone."""
        lines: list[str] = []
        for _ in range(self.r.randint(1, MOST if depth == DEPTH else 2)):
            lines += self.statement(depth, given if given is not None else [])
        return lines

    def one(self, given: list[tuple[str, str]]) -> list[str]:
        """A simple choice."""
        name = self.new("n")
        given.append((name, "number"))
        return [f"p chooses {name} from {{0 .. {self.r.randint(1, 4)}}}"]

    def inside(self, depth: int) -> list[str]:
        """Statements of a block inside the block."""
        return ["    " + line for line in self.body(depth - 1)]

    def statement(self, depth: int, given: list[tuple[str, str]]) -> list[str]:
        """One statement, with all that belongs to it."""
        simple: list[Write] = [self.picked, self.picked, self.maybe, self.several, self.card, self.someone]
        simple += [self.otherwise, self.kept, self.paid]
        deep: list[Write] = [self.either, self.loop, self.times, self.repeats, self.branch, self.called, self.result]
        write = self.r.choice(simple + deep if depth > 1 else simple)
        self._around.append(write.__name__)
        self.shapes[" > ".join(self._around[-2:])] += 1
        lines = write(depth, given)
        self._around.pop()
        if self.pays and self.payments.random() < 0.2:
            lines = [*lines, "reward p: plan[p] - 1"]
        return lines

    def picked(self, _: int, given: list[tuple[str, str]]) -> list[str]:
        """A number, which may depend on what was decided before."""
        name = self.new("n")
        given.append((name, "number"))
        where = self.r.choice(["", "", f" where {name} >= high(p) or {name} < 2"])
        lines = [f"p chooses {name} from {{0 .. {self.r.randint(2, 5)}}}{where}"]
        if self.r.random() < 0.3:
            lines.append(f"    forbid odd_{name}: {name} is 1 and plan[p] is 2")
        return [*lines, f"plan[p] += {name}"]

    def maybe(self, _: int, given: list[tuple[str, str]]) -> list[str]:
        """A number or nothing."""
        name = self.new("m")
        return [
            f"p may choose {name} from {{1 .. 3}} where {name} > high(p)",
            f"plan[p] += {name} if {name} is not none else 1",
        ]

    def several(self, _: int, given: list[tuple[str, str]]) -> list[str]:
        """Several numbers."""
        name, names = self.new("n"), self.new("ns")
        given.append((names, "numbers"))
        many = self.r.choice(["up to 2", "exactly 2", "1 to 3", "any number"])
        return [f"p chooses {many} {name} as {names} from {{1 .. 3}}", f"picks[p] = {names}"]

    def card(self, _: int, given: list[tuple[str, str]]) -> list[str]:
        """A card of their own, and where it goes."""
        name = self.new("c")
        to = self.r.choice(["kept", "row"])
        lines = [f"p may choose {name} from hand[p]", "then", f"    move {name} to {to}[p]"]
        if self.r.random() < 0.5:
            lines += ["else", "    plan[p] += 2"]
        return lines

    def kept(self, _: int, given: list[tuple[str, str]]) -> list[str]:
        """A card that moves only when all have decided."""
        name = self.new("c")
        return [
            f"p may choose {name} from hand[p] where {name}.worth > high(p)",
            f"plan[p] += 1 if {name} is none else 0",
        ]

    def paid(self, _: int, given: list[tuple[str, str]]) -> list[str]:
        """Cards of their own, and as many others as those cost by a query."""
        card, cards, other, others = self.new("c"), self.new("cs"), self.new("d"), self.new("ds")
        given.append((cards, "cards"))
        first = self.r.choice(["up to 1", "up to 2", "exactly min({1, size(hand[p])})"])
        cost = self.r.choice([f"price(p, {cards})", f"size({cards})", f"min({{high(p), size({cards})}})"])
        some = f"min({{{cost}, size(hand[p]) - size({cards})}})"
        many = self.r.choice([f"exactly {cost}", f"exactly {some}", f"up to {cost}"])
        lines = [
            f"p chooses {first} {card} as {cards} from hand[p]",
            f"    forbid dear_{card}: {card}.worth > 7 and size(hand[p]) < 2",
            f"p chooses {many} {other} as {others} from hand[p] except {cards}",
        ]
        if self.r.random() < 0.5:
            lines.append(f"    forbid low_{other}: some(c in {cards} where c.worth > {other}.worth)")
        return [*lines, f"move {others} to kept[p]"]

    def someone(self, _: int, given: list[tuple[str, str]]) -> list[str]:
        """A player."""
        name = self.new("q")
        return [f"p chooses {name} from asked_of(p)", f"aim[p] = {name}", f"mark[p, {name}] += 1"]

    def otherwise(self, _: int, given: list[tuple[str, str]]) -> list[str]:
        """A choice that may be impossible."""
        name = self.new("n")
        return [
            f"p chooses {name} from {{1 .. 3}} where {name} > plan[p]",
            "then", f"    plan[p] = {name}", "else", "    plan[p] = 0",
        ]  # fmt: skip

    def either(self, depth: int, _: list[tuple[str, str]]) -> list[str]:
        """One of several ways."""
        lines = [f"p chooses either as {self.new('deed')}"]
        for number in range(self.r.randint(2, 3)):
            lines.append(f"    option {self.new('way')}")
            if number and self.r.random() < 0.4:  # labels of an option are its own
                lines.append(f"        forbid spent: plan[p] > {self.r.randint(3, 9)}")
            lines += ("    " + line for line in self.inside(depth))
        return lines

    def loop(self, depth: int, _: list[tuple[str, str]]) -> list[str]:
        """The same for each of several things."""
        name = self.new("i")
        return [f"each {name} in {{1 .. {self.r.randint(1, 2)}}}", f"    plan[p] += {name}", *self.inside(depth)]

    def times(self, depth: int, _: list[tuple[str, str]]) -> list[str]:
        """The same several times."""
        leave = ["    if plan[p] > 9 then stop"] if self.r.random() < 0.4 else []
        return ["repeat 2 times", *self.inside(depth), *leave]

    def repeats(self, depth: int, _: list[tuple[str, str]]) -> list[str]:
        """As often as they like."""
        return [f"p repeats up to 2 times as {self.new('again')}", *self.inside(depth)]

    def branch(self, depth: int, _: list[tuple[str, str]]) -> list[str]:
        """A branch that hangs on what they have decided."""
        return [f"if plan[p] > {self.r.randint(0, 4)}", *self.inside(depth), "else", *self.inside(depth)]

    def called(self, depth: int, _: list[tuple[str, str]]) -> list[str]:
        """A procedure, which others may call in their turns, too."""
        name = self.new("think")
        self.helpers += [f"procedure {name}(p: Player)", *self.inside(depth)]
        return [f"{name}(p)"]

    def result(self, depth: int, given: list[tuple[str, str]]) -> list[str]:
        """A procedure that gives back what they have decided."""
        name, result, number = self.new("find"), self.new("found"), self.new("n")
        self.helpers += [
            f"procedure {name}(p: Player) -> 0..9", *self.inside(depth),
            f"    p chooses {number} from {{0 .. 3}}", f"    return {number}",
        ]  # fmt: skip
        given.append((result, "number"))
        return [f"let {result} = {name}(p)"]


def shapes_of(seed: int) -> Counter[str]:
    """The shapes of the blocks of a random game."""
    rules = Rules(seed)
    rules.text()
    return rules.shapes


def simultaneous_game(folder: Path, seed: int, players: int = 3) -> rw.Game:
    """A random game."""
    folder.mkdir(exist_ok=True)
    (folder / "game.rules").write_text(Rules(seed).text())
    (folder / "cards.json").write_text(json.dumps(CARDS))
    (folder / "ruleset.json").write_text(json.dumps({"name": "at-once", "title": "At once", "rules": ["game.rules"]}))
    return rw.load(folder, players)
