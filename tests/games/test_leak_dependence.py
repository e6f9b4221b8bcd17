"""Worlds in which a decision reads nothing that is different need not be asked: the same leaks are found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from shipped_games import game
from test_hidden_information import END, LEAKS, PLAY, ruleset, states

import rulewright as rw
from rulewright.engine.cells.recorded_reads import RecordedReads
from rulewright.engine.hidden_information.hidden_state import Hidden
from rulewright.engine.hidden_information.worlds.determinization import dealt_anew, dice_of
from rulewright.engine.hidden_information.worlds.leaks import LeakSearch
from rulewright.engine.hidden_information.worlds.resampling import dealt_cells, dealt_slots

GAMES = [("baron", 3), ("kings-and-things", 2)]


def asked(playing: rw.Game, seed: int, every: int = 1) -> list[rw.State]:
    """States in which players are asked."""
    found = [state for state in states(playing.start(seed), seed, 60) if state.decision and state.seat is not None]
    return found[::every]


def told(states: Sequence[rw.State], worlds: int) -> list[list[str]]:
    """The leaks that some worlds show."""
    searches = [
        LeakSearch(state, state.decision, state.seat) for state in states if state.decision and state.seat is not None
    ]
    return [search.in_world(world) for search in searches for world in range(worlds)]


@pytest.mark.parametrize("leak", LEAKS)
def test_the_same_leaks_as_if_every_world_were_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    visited = asked(rw.load(ruleset(tmp_path, PLAY + LEAKS[leak] + END), 3), 1)
    found = told(visited, 6)
    assert any(found)
    monkeypatch.setattr(RecordedReads, "differ", lambda *_: True)
    monkeypatch.setattr(LeakSearch, "_may_differ", True)
    assert found == told(visited, 6)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_deal_changes_only_what_it_may(name: str, players: int) -> None:
    changed = 0
    for state in asked(game(name, players), 3, 4):
        for player in range(players):
            hidden = Hidden(state, player)
            may = dealt_cells(hidden, hidden.places), dealt_slots(hidden, hidden.places)
            for seed in range(3):
                dealt = dealt_anew(hidden, hidden.places, dice_of(player, seed))
                for before, after, allowed in zip((state.cells, state.stack), dealt, may, strict=True):
                    others = {number for number, (a, b) in enumerate(zip(before, after, strict=True)) if a != b}
                    assert others <= allowed
                    changed += len(others)
    assert changed


def test_every_way_to_read_is_noted() -> None:
    def read(look: object) -> set[int]:
        cells = RecordedReads([3, 1, 4, 1])
        assert callable(look)
        look(cells)
        return cells.read

    assert read(lambda c: c[1]) == {1}
    assert read(lambda c: c[-1]) == {3}
    assert read(lambda c: c[1:3]) == {1, 2}
    for all_of_it in (
        list,
        tuple,
        sum,
        sorted,
        lambda c: [*c],
        lambda c: 3 in c,
        lambda c: c == [3],
        lambda c: c + c,
    ):
        assert read(all_of_it) == {0, 1, 2, 3}
    for more in (lambda c: c.index(1), lambda c: c.count(1), lambda c: c.copy(), lambda c: [].extend(c), reversed):
        assert read(more) == {0, 1, 2, 3}


def test_numbers_differ_where_they_were_read() -> None:
    cells = RecordedReads([3, 1, 4])
    assert not cells.differ([0, 0, 0])
    assert cells[1] == 1
    assert not cells.differ([0, 1, 0])
    assert cells.differ([3, 2, 4])
    assert cells.differ([])
