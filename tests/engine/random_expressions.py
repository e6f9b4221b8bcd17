"""Random expressions as rules have them, which nest aggregates, filters, unions and choices: conditions in them speak
of inner members, of outer ones, of both, and of neither.

A production is a text with holes: ``<Bool>`` for an expression of a type, ``<c:Cell>`` for the name of a member,
``<1>`` for the first such name again, ``<=>`` for what stands in the hole before, ``<#Cell>`` for what is known. A hole
with a stroke sees the first name of its production, one with two strokes the second one, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

RULES = """
game random_expressions
players 3

enum Colour: red, green, blue
enum Shade: grey, Colour, black
place Cell
edge Border
map Board: grid 3 by 3 of Cell, edges Border
place Space
map Track: ring of 5 Space
piece Card from "cards.json"
    worth: 1..9
    suit: Colour
    price: Int[Colour]
    begins in deck
piece Cube from "cubes.json"
    colour: Colour or none
    weight: Int or none
    heavy: Bool
    begins in on[(1, 1)]
zone deck: stack of Card, seen by everyone
zone hand[Player]: set of Card, seen by everyone
zone on[Cell]: set of Cube, seen by everyone
zone middle: set of Cube, seen by everyone
area Yard of Cell, joined across b where walled[b]

field gold[Player]: 0..9 = 3
field pot[Colour]: 0..9 = 2
field purse[Player, Colour]: 0..9 = 1
field small: -3..9 = -2
field flag: Bool = true
field tint: Colour = green
field wanted: Colour or none
field facing: Direction = east
field here: Cell = (1, 1)
field nowhere: Cell or none
field there: Space = "2"
field owner[Space]: Player or none
field holds[Cell]: Player or none
field trump[Player]: Colour or none
field marked[Cell]: Bool
field walled[Border]: Bool
field numbers: set of 0..9 = {1, 4}
field cells: set of Cell = {(0, 0), (2, 1)}
field path: list of Cell, at most 4
field figures: list of 0..9, at most 4
field stood: positions of tint, at most 5
field shade: Shade = grey
field cover: Shade or none
field shades: set of Shade = {red, black}
field aim: Card or Player or none
field aims: set of Card or Player
field hits: list of Card or Player, at most 4
field wild: Colour or any

procedure play
    finish paying 1 for p in players
"""
DATA = {
    "cards.json": '{"rows": [{"worth": 1, "suit": "red", "price": {"blue": 2}},'
    ' {"worth": 4, "suit": "red", "count": 2}, {"worth": 4,'
    ' "suit": "green", "price": {"red": 1, "green": -1}}, {"worth": 9, "suit": "blue"}]}',
    "cubes.json": '{"rows": [{"colour": "red", "weight": 2, "heavy": true, "count": 2},'
    ' {"colour": "blue", "weight": 3, "heavy": false}, {"weight": 3, "heavy": true},'
    ' {"colour": "green", "heavy": false, "count": 2}]}',
}
"""Three players, few of everything, so that random members are often the same."""

ENTITIES: Mapping[str, str] = {
    "Colour": "t", "Cell": "c", "Space": "s", "Player": "p", "Card": "d", "Cube": "u", "Shade": "h", "Target": "a",
}  # fmt: skip
"""The types of members, and how names of them begin."""
WRITTEN: Mapping[str, str] = {"Target": "Card or Player", "Tally": "Int[Colour]"}
"""Types of members that have no name in the rules."""
MEMBERS: Mapping[str, str] = {**ENTITIES, "Int": "n"}
OFTEN: Sequence[str] = (*(kind for kind in MEMBERS if kind not in ("Shade", "Target")), *MEMBERS)
"""Types of members, those of several kinds half as often as others."""

CONSTANTS: Mapping[str, Sequence[str]] = {
    "#Colour": ("red", "green", "blue"),
    "#Cell": ("(1, 1)", "(0, 2)"),
    "#Space": ('"3"',),
    "#Int": ("0", "1", "2", "4"),
    "#Player": ("first(players)",),
    "#Card": ("first(deck)",),
    "#Cube": ("single(middle)",),
    "#Shade": ("grey", "black", "shade"),
    "#Target": ("aim", "first(hits)"),
    "#{Colour}": ("{red, green}", "{tint}"),
    "#{Cell}": ("cells", "{here, (0, 2)}", "(1, 1).neighbours"),
    "#{Space}": ('{there, "3"}', '"3".neighbours'),
    "#{Int}": ("numbers", "{1, 3}"),
    "#{Player}": ("{first(players)}", "{holds[here]}"),
    "#{Card}": ("hand[first(players)]", "{first(deck)}"),
    "#{Cube}": ("middle", "on[(1, 1)]", "on[here]"),
    "#{Shade}": ("shades", "{red, grey}"),
    "#{Target}": ("aims", "(hand[first(players)] + players)"),
}
"""Members that are known, or nearly, and sets of some, but not all."""
CONNECTIVES: Sequence[str] = ("(<Bool> and <Bool>)", "(<Bool> or <Bool>)", "(not (<Bool> and <Bool>))")
ATOMS = """
(<E> is <E>)
(<E> is <E>)
(<E> is <#E>)
(<E> is <#E>)
(<E> is <#E>)
(<E> is <#E>)
(<E> is not <#E>)
(<E> is not <E>)
(<E> in <#{E}>)
(<E> in <#{E}>)
(<E> not in <#{E}>)
(<E> in <{E}>)
(<Int> < <#Int>)
(<#Int> <= <Int>)
(<Int> > <Int>)
(<Int> >= <#Int>)
(<Cube>.colour is <Colour>)
(<Cube>.colour is <Colour>)
(<Colour> is not <Cube>.colour)
(<Cube>.weight is <Int>)
(<Card>.suit is <Colour>)
(<Card>.suit is <Colour>)
<Cube>.heavy
marked[<Cell>]
(holds[<Cell>] is <Player>)
(place(<Cube>) is <Cell>)
(<Cube> in on)
(<Card> in deck)
(<Cell>.row is <Int>)
(gold[<Player>] > <Int>)
(<Shade> < <Shade>)
(<Colour> is <Shade>)
(<Shade> is a Colour)
(<Target> is a Card)
(<Target> is not a Player)
(<Card> is <Target>)
(<Target> in players)
""".strip().split("\n")
"""Conditions that hold no others; those of members are most often about some that have names."""

GENERAL = """
Bool: (<E> is none)
Bool: (<E> is not none)
Bool: (<E> in <[E]>)
Bool: (<{E}> is empty)
Bool: (<{E}> is not empty)
Bool: (<{E}> is <{E}>)
Bool: (size(<{E}>) >= 2)
Bool: some(<x:E> in <{E}> where <Bool'>)
Bool: some(<x:E> in <{E}> where <Bool'>)
Bool: no(<x:E> in <{E}> where <Bool'>)
Bool: every(<x:E> in <{E}> has <Bool'>)
Bool: every(<x:E> in <{E}> where <Bool'> has <Bool'>)
Bool: some(<x:E> in <{E}>, <y:F> in <{F}'> where <Bool''>)
Bool: some(<x:E> in <[E]> where <Bool'>)
Bool: (count(<x:E> in <{E}> where <Bool'>) >= 2)
Bool: (0 < count(<x:E> in <{E}> where <Bool'>))
Bool: (size({<x:E> in <{E}> where <Bool'>}) < 1)
Bool: (max(<Int'> for <x:E> in <{E}> where <Bool'>) is none)
Bool: (single(best(<x:E> in <{E}> by <Int'>)) is none)
Int: size(<{E}>)
Int: count(<x:E> in <{E}> where <Bool'>)
Int: count(<x:E> in <{E}>, <y:F> in <{F}'> where <Bool''>)
Int: count(<x:E> in <[E]> while <Bool'>)
Int: sum(<Int'> for <x:E> in <{E}>)
Int: sum(<Int'> for <x:E> in <{E}> where <Bool'>)
Int: max(<Int'> for <x:E> in <{E}> where <Bool'>)
Int: min(<Int'> for <x:E> in <{E}>)
E: single(<{E}>)
E: first(<{E}>)
E: first(<[E]>)
E: first(<x:E> in <{E}> where <Bool'>)
E: single(best(<x:E> in <{E}> by <Int'>))
E: (<E> if <Bool> else <E>)
E: (<E> or else <E>)
{E}: {<x:E> in <{E}> where <Bool'>}
{E}: {<x:E> in <{E}> where <Bool'>}
{E}: {<x:E> in <{E}> where <Bool'>}
{E}: {<x:E> in <{E}> where <Bool'>}
{E}: {<x:E> in <{E}> where <Bool'>}
{E}: {<x:E> in <{E}> where <Bool'>}
{E}: {<x:E> in <{E}> where <Bool'> and <Bool'>}
{E}: (<{E}> + <{E}>)
{E}: (<{E}> except <{E}>)
{E}: (<{E}> except <E>)
{E}: (<{E}> intersect <{E}>)
{E}: (<{E}> if <Bool> else <{E}>)
{E}: {<E>, <E>}
{E}: {<E'> for <x:F> in <{F}>}
{E}: {<E'> for <x:F> in <{F}> where <Bool'>}
{E}: {<{E}'> for <x:F> in <{F}> where <Bool'>}
{E}: {<E''> for <x:F> in <{F}>, <y:G> in <{G}'> where <Bool''>}
{E}: best(<x:E> in <{E}> by <Int'>)
{E}: best(<x:E> in <{E}> where <Bool'> by <Int'>)
{E}: best(<x:E> in <{E}> by <Shade'>)
[E]: sorted(<x:E> in <{E}> by <Int'>)
[E]: sorted(<x:E> in <{E}> by <Colour'>)
[E]: {<x:E> in <[E]> where <Bool'>}
[E]: {<x:E> in <[E]> while <Bool'>}
[E]: (<[E]> intersect <{E}>)
[E]: [<E>, <E>]
"""
"""Productions that stand for one of each type of members."""

SPECIAL = """
Bool: true
Bool: flag
Bool: (<Bool> if <Bool> else <Bool>)
Bool: (<Int> > 1 and <=> < 4)
Bool: (<Cell> is not none and marked[<=>])
Bool: (<Space> is not none and owner[<=>] is <Player>)
Bool: (size(<{Cell}>) is 1 or size(<=>) > 4)
Bool: (seen_before(stood) >= 2)
Bool: some(b in <Cell>.borders where walled[b])
Bool: (<Cell> in reach(from <Cell> within <{Cell}>))
Bool: (<Cell> in yard(<Cell>))
Bool: (wild is any or wild is <Colour>)
Bool: some(<a:Target> in <{Target}> where <1> is a Player and gold[<1>] > 2)
Bool: every(<a:Target> in <{Target}> where <1> is not a Card has <1> is <Player>)
Bool: some(<h:Shade> in <{Shade}> where <1> is a Colour and <1> is not <Card>.suit)
Bool: some(<c:Cell> in reach(from <Cell> by <f:Cell> to <{Cell}''>) where <Bool'>)
Bool: some(<c:Cell> in reach(from <Cell> within <{Cell}> across b where walled[b]) where <Bool'>)
Bool: some(<c:Cell> in ray(<Cell>, <Direction>) where <Bool'>)
Int: 0
Int: 1
Int: 2
Int: 4
Int: small
Int: gold[<Player>]
Int: <Cell>.row
Int: <Cell>.column
Int: <Card>.worth
Int: <Cube>.weight
Int: (<Int> + <Int>)
Int: (<Int> - <Int>)
Int: (<Int> * <Int>)
Int: (<Int> mod 3)
Int: (<Int> / 2 rounded up)
Int: (<Int> if <Bool> else <Int>)
Int: (<Int> or else <Int>)
Int: (<Int> if <=> > 2 else <Int>)
Int: single(<{Int}>)
Int: first(<[Int]>)
Int: distance(<Cell>, <Cell>)
Int: size(yard(<Cell>))
Int: slot(<Card>)
Tally: pot
Tally: {}
Tally: {red: 1, blue: 2}
Tally: purse[<Player>]
Tally: <Card>.price
Tally: {red: <Int>, blue: <Int>}
Tally: {<Cube>.colour: <Int>}
Tally: {trump[<Player>]: <Int>, <Card>.suit: 1, tint: 2}
Tally: {<1>: <Int'> for <t:Colour> in <{Colour}>}
Tally: {<1>: <Int'> for <t:Colour> in <{Colour}> where <Bool'>}
Tally: {<1>.suit: <Int'> for <d:Card> in <{Card}> where <Bool'>}
Tally: (<Tally> + <Tally>)
Tally: (<Tally> - <Tally>)
Tally: (<Int> * <Tally>)
Tally: (<Tally> / 2 rounded up)
Tally: (<Tally> if <Bool> else <Tally>)
Tally: sum(<Tally'> for <x:E> in <{E}> where <Bool'>)
Int: (<Tally>)[<Colour>]
Int: sum(<Tally>)
Int: max(<Tally>)
Bool: (<Tally> >= <Tally>)
Bool: (<Tally> <= <Card>.price)
Bool: (<Tally> is <Tally>)
Bool: (purse[<Player>] is not <Tally>)
Int: sum((<1>.worth if <1> is a Card else gold[<1>]) for <a:Target> in <{Target}>)
Int: count(q: Card in <{Target}> where q.worth > 2)
Colour: red
Colour: blue
Colour: tint
Colour: wanted
Colour: <Cube>.colour
Colour: <Card>.suit
Colour: trump[<Player>]
Colour: single({q: Colour in <{Shade}>})
Direction: north
Direction: facing
Direction: opposite(facing)
Direction: (south if <Bool> else west)
Cell: here
Cell: nowhere
Cell: (1, 1)
Cell: (0, 2)
Cell: place(<Cube>)
Cell: towards(<Cell>, <Direction>)
Cell: towards(<Cell>, <Direction>, <Int>)
Space: there
Space: "3"
Player: first(players)
Player: owner[<Space>]
Player: holds[<Cell>]
Player: holder(<Card>)
Player: <Player>.left
Player: first({q: Player in <{Target}>})
Card: first(deck)
Card: single({q: Card in <{Target}>})
Shade: grey
Shade: shade
Shade: cover
Shade: (<Colour> if <Bool> else black)
Shade: min({<Shade>, <Colour>})
Shade: max(<Shade'> for <x:E> in <{E}> where <Bool'>)
Colour: max(<{Colour}>)
Target: aim
Target: first(hits)
Target: (<Card> if <Bool> else <Player>)
Target: single({<Card>, <Player>})
Cube: single(middle)
{Int}: numbers
{Int}: {1, 4, 7}
{Int}: {0 .. 3}
{Int}: {<Int> .. <Int>}
{Colour}: Colour
{Colour}: {red, blue}
{Cell}: Cell
{Cell}: cells
{Cell}: <Cell>.neighbours
{Cell}: yard(<Cell>)
{Cell}: reach(from <Cell> within <{Cell}>)
{Cell}: reach(from <Cell> by <f:Cell> to <{Cell}'>)
{Cell}: {towards(<1>, facing) for <c:Cell> in <{Cell}> where towards(<1>, facing) is not none and <Bool'>}
{Space}: Space
{Space}: <Space>.neighbours
{Player}: players
{Player}: {q: Player in <{Target}>}
{Colour}: {q: Colour in <{Shade}>}
{Shade}: Shade
{Shade}: (shades + <{Colour}>)
{Shade}: {grey, <Colour>}
{Target}: aims
{Target}: {<Card>, <Player>}
{Target}: (<{Card}> + <{Player}>)
{Target}: (<{Target}> except <{Player}>)
{Card}: Card
{Card}: hand[<Player>]
{Card}: hand[<Player>]
{Cube}: Cube
{Cube}: middle
{Cube}: on[<Cell>]
[Int]: figures
[Colour]: [red, tint]
[Cell]: path
[Cell]: ray(<Cell>, <Direction>)
[Cell]: ray(<Cell>, <Direction>)
[Space]: [there]
[Player]: (clockwise from <Player>)
[Card]: deck
[Card]: deck
[Cube]: [first(Cube)]
[Shade]: [grey, shade]
[Shade]: [<Colour>, grey]
[Target]: hits
[Target]: [<Card>, <Player>]
"""
"""Productions of the game above."""

_HOLE = re.compile(r"<(?:(\w+):)?(#?[{[]?\w+[]}]?|=)('*)>")
_STATES = "|".join([*re.findall(r"^(?:field|zone|area) (\w+)", RULES, re.MULTILINE), "yard", "place", "holder", "slot"])
_STATE = re.compile(rf"\b({_STATES})\b")


@dataclass(frozen=True)
class Tree:
    """An expression as it was derived: a text with ``%`` for each part."""

    form: str
    type: str
    parts: tuple[Tree, ...] = ()

    def __str__(self) -> str:
        pieces = self.form.split("%")
        return pieces[0] + "".join(f"{part}{piece}" for part, piece in zip(self.parts, pieces[1:], strict=True))

    @property
    def size(self) -> int:
        """The number of productions."""
        return 1 + sum(part.size for part in self.parts)

    def inside(self) -> Iterator[Tree]:
        """All that stands below, the largest first."""
        waiting = list(self.parts)
        for tree in waiting:
            waiting += tree.parts
        return iter(sorted(waiting, key=lambda tree: -tree.size))

    def smaller(self) -> Iterator[Tree]:
        """Trees in which one part, or all of it, is less: something of its type within it, or what has no parts."""
        if not self.parts:
            return
        yield from (Tree(form, self.type) for form in LEAVES.get(self.type, ()))
        yield from (tree for tree in self.inside() if tree.type == self.type)
        for number, part in enumerate(self.parts):
            for less in part.smaller():
                yield replace(self, parts=(*self.parts[:number], less, *self.parts[number + 1 :]))


def _forms() -> dict[str, list[str]]:
    """The productions of each type; those of conditions and numbers may have types of members to choose."""
    found: dict[str, list[str]] = {}
    for line in filter(None, (SPECIAL + GENERAL).split("\n")):
        kind, form = line.split(": ", 1)
        for member in MEMBERS if re.search(r"\bE\b", kind) else ("E",):
            if (kind, member) != ("E", "Int"):
                its, one = (re.sub(r"\bE\b", member, text) for text in (kind, form))
                found.setdefault(its, []).append(one)
    return found


FORMS = _forms()
NEAR = (
    "hand[<Player>]",
    "on[<Cell>]",
    "<Cell>.neighbours",
    "<Cube>.colour",
    "<Card>.suit",
    "<Card>.worth",
    "<Cell>.row",
)
"""Productions that are drawn where nothing else with parts is."""
LEAVES = {kind: [form for form in forms if not _HOLE.search(form)] for kind, forms in FORMS.items()}


class Expressions:
    """Draws expressions; queries that are declared are called by them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.forms = {kind: list(forms) for kind, forms in FORMS.items()}
        self.atoms = ATOMS

    def printed(self) -> Expressions:
        """Another one, which asks only what never changes, so that there can be tables of it."""
        found = Expressions(self.random)
        found.forms = {kind: [form for form in forms if not _STATE.search(form)] for kind, forms in FORMS.items()}
        found.atoms = [form for form in ATOMS if not _STATE.search(form)]
        ends = {kind: any(not _HOLE.search(form) for form in forms) for kind, forms in found.forms.items()}
        found.forms |= {kind: FORMS[kind] for kind, has_end in ends.items() if not has_end}
        return found

    def declare(self, name: str, params: Sequence[str], kind: str) -> None:
        """Let a query be called."""
        call = f"{name}({', '.join(f'<{one}>' for one in params)})"
        self.forms[kind] += [call] * 8

    def of(self, kind: str, depth: int, names: Mapping[str, str]) -> Tree:
        """An expression of a type, which may ask for the names of members."""
        r = self.random
        known = [name for name, its in names.items() if its == kind]
        if known and r.random() < 0.65:
            return Tree(r.choice(known), kind)
        if kind in CONSTANTS:
            return Tree(r.choice(CONSTANTS[kind]), kind)
        forms = self.forms[kind]
        binders = [form for form in forms if "'" in form and "reach(" not in form]
        if kind == "Bool" and names:
            atoms = [one for one in self.atoms if "E" in one or any(f"<{its}>" in one for its in names.values())]
            likely = (4, 4, 3, 1) if depth > 0 else (0, 1, 1, 0) if depth == 0 else (0, 0, 1, 0)
            (forms,) = r.choices((binders, list(CONNECTIVES), atoms, forms), likely)
        elif depth <= 0:
            forms = [one for one in forms if not _HOLE.search(one) or (not depth and one in NEAR)] or forms
        elif binders and r.random() < 0.75:
            forms = binders
        return self._filled(r.choice(forms), kind, depth - 1, names)

    def _filled(self, form: str, kind: str, depth: int, names: Mapping[str, str]) -> Tree:
        """A production with something in its holes."""
        r, is_atom = self.random, form in ATOMS
        for other in "EFG":
            often = 0.9 if is_atom else 0.3
            types = list(names.values()) if names and other == "E" and r.random() < often else OFTEN
            form = re.sub(rf"\b{other}\b", r.choice(types), form)
        bound, parts = list[tuple[str, str]](), list[Tree]()
        for its in (its for name, its, _ in _HOLE.findall(form) if name):
            name = next(new for n in range(1, 99) if (new := f"{MEMBERS[its]}{n}") not in {*names, *dict(bound)})
            bound.append((name, its))
        form = form.replace("<1>", bound[0][0] if bound else "")
        holes = [its for name, its, _ in _HOLE.findall(form) if not name]
        about = [n for n, its in enumerate(holes) if its in names.values()] if is_atom else []
        asked = r.choice(about) if about else None  # the hole in which a name stands in any case
        left = iter(bound)

        def fill(hole: re.Match[str]) -> str:
            name, its, strokes = hole.groups()
            if name:
                return next(left)[0]
            if len(parts) == asked:
                of_its = [known for known, kind in names.items() if kind == its]
                parts.append(Tree(of_its[-1] if r.random() < 0.4 else r.choice(of_its), its))
                return "%"
            deep = depth
            if form[: hole.start()].endswith("> in ") and r.random() < 0.7:
                deep = min(0, depth)
            elif strokes and its == "Bool":
                deep = max(1, depth) if len(names) < 3 else max(0, depth)
            inner = {**names, **dict(bound[: len(strokes)])}
            parts.append(parts[-1] if its == "=" else self.of(its, deep, inner))
            return "%"

        filled = _HOLE.sub(fill, form)
        if is_atom and len(parts) == 2 and parts[0] == parts[1]:
            return self.of(kind, depth, names)  # what is compared with itself tells nothing
        return Tree(filled, kind, tuple(parts))


__all__ = ["DATA", "ENTITIES", "LEAVES", "MEMBERS", "RULES", "WRITTEN", "Expressions", "Tree"]
