"""Edits within declarations: those that leave all other declarations of a game as they are, and those that do not.

Whatever is relinked must be the game that a compiler makes anew; what is not relinked is made anew, and the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from language_helpers import write
from warm_checks import Cold, compare, found_cold, watch_relinking, watch_sources

import rulewright as rw
from rulewright.compiler import Sources

GAME = """\
game example
players 2 to 3
param most = 9
die D6: 1 to 6
place Cell
edge Wall
map Board: grid 2 by 2 of Cell, edges Wall
field gold[Player]: 0..20 = 5
field level: 0..9 = 1
field free: 0..9 = 1
field built[Wall]: Bool = false
party Side: teams
area Yard of Cell, joined across w where not built[w]
zone shelf: set of Gem, seen by everyone
zone bag[Player]: set of Gem, seen by everyone

piece Gem from "gems.json"
    worth: 1..9
    named "gem {worth}"
    begins in shelf

value price(g: Gem) -> Int = g.worth
    dear: + level when level > 5

query wealth(p: Player) -> Int = gold[p] + size(bag[p])

query rich(p: Player) -> Bool = wealth(p) > 6

query whole() -> Bool = size(yard((0, 0))) is 4

query lost(p: Player) -> Bool
    let poorest = min(wealth(q) for q in players)
    true when wealth(p) is poorest and gold[p] is 0
    false otherwise

limits fair(p: Player, g: Gem)
    forbid dear: price(g) > gold[p]

effect pay(p: Player, amount: Int)
    gold[p] -= min({amount, gold[p]})

procedure buy(p: Player)
    forbid late: level > 8
    p chooses gem from shelf
        obey fair(p, gem)
    pay(p, price(gem))
    move gem to bag[p]

procedure nap(p: Player)
    forbid starter: p is first(everyone)
    gold[p] += 1

procedure rest(p: Player), open clockwise from p
    p chooses n from {0 .. 2}
    gold[p] += n

procedure fortune(p: Player)
    p rolls D6 as n
    if n > 4 then gold[p] += 1

procedure play
    repeat 3 times
        each p in players
            turn(p)
    finish ranking p in players by wealth(p)

procedure turn(p: Player)
    if possible(buy(p))
        buy(p)
    else
        rest(p)
    if possible(nap(p)) then nap(p)
    step lay
        if rich(p) then level = min({level + 1, 9})
    fortune(p)

consequence tax for p in players when wealth(p) > 15
    gold[p] -= 5

reaction lucky after rest(q), by p where p is not q and gold[p] < 3
    gold[p] += 1

reaction again during buy, by p where gold[p] > 19
    gold[p] -= 1

invariant gold_is_bounded: every(p in players has gold[p] <= 20)

property level_only_grows after each turn: level >= old(level)

witness somebody_is_rich: some(p in players where rich(p))
"""
GEMS = '{"rows": [{"worth": 2, "count": 2}, {"worth": 4, "count": 2}]}'

RELINKED = {
    "a query asks for another number": ("wealth(p) > 6", "wealth(p) > 7"),
    "the body of a query that a consequence asks": ("= gold[p] + size(bag[p])", "= gold[p] + 2 * size(bag[p])"),
    "a case of a query": ("and gold[p] is 0", "and gold[p] is 1"),
    "a modifier": ("+ level when level > 5", "+ level when level > 6"),
    "what a procedure adds": ("gold[p] += n", "gold[p] += n + 1"),
    "an effect": ("min({amount, gold[p]})", "min({amount + 1, gold[p]})"),
    "who is forbidden to begin what somebody asks about": ("forbid late: level > 8", "forbid late: level > 7"),
    "a choice that scenarios could name": (
        "    p chooses n from {0 .. 2}\n    gold[p] += n\n",
        "    p chooses m from {0 .. 2}\n    gold[p] += m\n",
    ),
    "a roll": ("if n > 4", "if n > 3"),
    "a reaction": ("    gold[p] += 1\n\nreaction again", "    gold[p] += 2\n\nreaction again"),
    "a reaction during a question": ("    gold[p] -= 1\n\ninvariant", "    gold[p] -= 2\n\ninvariant"),
    "an invariant": ("gold[p] <= 20", "gold[p] < 21"),
    "a property": ("level >= old(level)", "level > old(level) - 1"),
    "a witness": ("where rich(p))", "where rich(p) and level > 0)"),
    "a comment in limits": ("forbid dear: price(g) > gold[p]", "# dear\n    forbid dear: price(g) > gold[p]"),
    "a comment behind a field": ("field free: 0..9 = 1", "field free: 0..9 = 1  # at first"),
    "spaces in a zone": ("zone bag[Player]: set of Gem,", "zone bag[Player]: set  of Gem,"),
    "spaces in an area": ("area Yard of Cell,", "area Yard of Cell ,"),
    "spaces and a comment in a party": ("party Side: teams", "party Side:  teams  # two and two"),
    "a statement that cites another": ("gold[p] += n\n", "gold[p] += n  # as said\n"),
    "lines before everything that is declared": ("game example\n", "# one\n\n# two\ngame example\n"),
    "a query reads something else": ("wealth(p) > 6", "wealth(p) > free"),
    "a consequence asks a query that reads something else": ("+ size(bag[p])", "+ size(bag[p]) + level"),
    "a procedure writes something else": ("    gold[p] += n\n", "    gold[p] += n\n    level = 3\n"),
    "an effect writes something else": ("min({amount, gold[p]})", "min({amount, gold[p]})\n    free = 0"),
    "an effect writes nothing": ("    gold[p] -= min({amount, gold[p]})\n", '    tells "{p} pays {amount}"\n'),
}
"""Edits of one declaration that no other one notices; functions look at other consequences after some of them."""

ANEW = {
    "a query reads less": ("= gold[p] + size(bag[p])", "= gold[p]"),
    "a query has another type": (
        "query rich(p: Player) -> Bool = wealth(p) > 6",
        "query rich(p: Player) -> Bool or none = wealth(p) > 6",
    ),
    "a query about something of several kinds": (
        "query rich(p: Player) -> Bool = wealth(p) > 6",
        "query rich(p: Gem or Player) -> Bool = p is a Player and wealth(p) > 6",
    ),
    "a query asks another": ("query whole() -> Bool = ", "query whole() -> Bool = rich(first(players)) or "),
    "a procedure is always possible": ("    forbid starter: p is first(everyone)\n", ""),
    "a procedure rolls": ("    p chooses n from {0 .. 2}\n", "    p rolls D6 as n\n"),
    "a step of another name": ("    step lay\n", "    step lay_down\n"),
    "limits": ("forbid dear: price(g) > gold[p]", "forbid dear: price(g) >= gold[p]"),
    "when a reaction happens": ("reaction lucky after rest", "reaction lucky before rest"),
    "a field": ("field level: 0..9 = 1", "field level: 0..9 = 2"),
    "a property is asked at another time": ("after each turn:", "after each buy:"),
}
"""Edits that are of concern to more than one declaration."""


MISTAKEN = {
    "a name in a procedure": ("gold[p] += n\n", "gold[p] += m\n"),
    "a name in a query": ("wealth(p) > 6", "welth(p) > 6"),
    "a name in a value": ("+ level when", "+ levl when"),
    "a type in a query": ("= gold[p] + size(bag[p])", "= bag[p]"),
    "a name in a restriction": ("forbid late: level > 8", "forbid late: levl > 8"),
    "a name in a reaction": ("    gold[p] -= 1\n\ninvariant", "    gold[x] -= 1\n\ninvariant"),
    "a name in a property": ("old(level)", "old(levl)"),
    "queries that ask each other": ("= gold[p] + size(bag[p])", "= gold[p] + (1 if rich(p) else 0)"),
    "something that is possible if it is possible": ("forbid late: level > 8", "forbid late: possible(buy(p))"),
}
"""Mistakes; when they are gone the games are relinked or made anew."""


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[Sources]:
    return watch_sources(monkeypatch)


@pytest.fixture
def relinked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    return watch_relinking(monkeypatch)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> tuple[rw.Workspace, Path, Cold]:
    """One workspace for all edits: each test leaves the game in it as it was, and what that is cold is found once."""
    folder = write(tmp_path_factory.mktemp("example"), GAME, {"gems.json": GEMS})
    made = rw.Workspace(folder)
    cold = found_cold(made, folder)
    with pytest.MonkeyPatch.context() as patched:
        assert compare(made, folder, watch_sources(patched), cold), cold[0]
    return made, folder, cold


@pytest.fixture
def work(shared: tuple[rw.Workspace, Path, Cold]) -> Iterator[rw.Workspace]:
    """The workspace, in which the game stands as it was, whatever a test has left."""
    yield shared[0]
    shared[0].open(shared[1] / "game.rules", GAME)
    shared[0].check(shared[1])


@pytest.fixture
def folder(shared: tuple[rw.Workspace, Path, Cold]) -> Path:
    return shared[1]


@pytest.fixture
def cold(shared: tuple[rw.Workspace, Path, Cold]) -> Cold:
    return shared[2]


def edited(edit: tuple[str, str]) -> str:
    old, new = edit
    assert GAME.count(old) == 1
    return GAME.replace(old, new)


@pytest.mark.parametrize("name", RELINKED)
def test_relinked(
    name: str, work: rw.Workspace, folder: Path, cold: Cold, held: list[Sources], relinked: list[bool]
) -> None:
    for text, known in ((edited(RELINKED[name]), None), (GAME, cold)):
        relinked.clear()
        work.open(folder / "game.rules", text)
        assert compare(work, folder, held, known), work.check(folder)
        assert relinked
        assert all(relinked)


@pytest.mark.parametrize("name", ANEW)
def test_made_anew(
    name: str, work: rw.Workspace, folder: Path, cold: Cold, held: list[Sources], relinked: list[bool]
) -> None:
    for text, known in ((edited(ANEW[name]), None), (GAME, cold)):
        work.open(folder / "game.rules", text)
        assert compare(work, folder, held, known), work.check(folder)
    assert not all(relinked)


@pytest.mark.parametrize("name", MISTAKEN)
def test_mistaken(name: str, work: rw.Workspace, folder: Path, cold: Cold, held: list[Sources]) -> None:
    work.open(folder / "game.rules", edited(MISTAKEN[name]))
    assert not compare(work, folder, held)
    work.open(folder / "game.rules", GAME)
    assert compare(work, folder, held, cold)
