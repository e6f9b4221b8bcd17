"""Areas that are kept when an edge changes, against areas that are found anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_rules import loaded

import rulewright as rw
from rulewright.engine.native.lowering.program_lowering import lower
from rulewright.engine.native.passes import ALL

RULES = """
game small
players 2

place Cell
edge Border
map Board: grid 4 by 4 of Cell, edges Border
area Room of Cell, joined across b where not walled[b] or open[b]

field walled[Border]: Bool = false
field open[Border]: Bool = false
field marks[Player]: Int = 0

procedure play
    repeat 40 times
        each p in players
            turn(p)
    finish ranking p in players by marks[p]

procedure turn(p: Player)
    p chooses b from Border
    if walled[b] and not open[b]
        tear(b)
    else
        walled[b] = true
        open[b] = false
    repeat 3 times
        chance chooses w from Border
        walled[w] = true
        marks[p] += rooms() + size(room(w.a))
        chance chooses o from Border
        tear(o)
        marks[p] += rooms() * size(room(o.b))
        chance chooses d from Border
        open[d] = false
        if not opened(d) and room(d.a) is not room(d.b) then marks[p] += 1

effect tear(b: Border)
    if size(room(b.a)) > 3 then open[b] = true
    if not open[b] then walled[b] = false

query opened(b: Border) -> Bool = open[b]
query rooms -> Int = count(c in Cell where c is first(room(c)))
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, rw.playing.Playouts]:
    """A ruleset in which walls come and go, and games of it that the Python engine has played."""
    folder = tmp_path_factory.mktemp("walls")
    loaded(folder, RULES)
    return folder, rw.load(folder, engine="python").playouts(30)


@pytest.mark.parametrize("passes", ["all", "-area-changes", "-memo", "-areas", "-value-sets,-masks"])
def test_games_are_those_of_the_python_engine(python: tuple[Path, rw.playing.Playouts], passes: str) -> None:
    folder, expected = python
    assert rw.load(folder, engine="native", passes=passes).playouts(30) == expected


def test_areas_of_which_more_is_read_are_found_anew(tmp_path: Path) -> None:
    """A condition that asks about something else than the edge may change at other edges, too."""
    loaded(tmp_path, RULES)
    assert _differs(tmp_path)
    loaded(tmp_path, RULES.replace("or open[b]", "or marks[first(players)] > 9"))
    assert not _differs(tmp_path)


def _differs(folder: Path) -> bool:
    """True if the pass does something."""
    program = rw.load(folder).program
    return lower(program).code != lower(program, passes=ALL - {"area-changes"}).code
