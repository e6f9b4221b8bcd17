"""Rules that are written from the view of one seat are told, and nothing is said of what is the same for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.comparison.counterparts import beneath, brought
from rulewright.data.opening import opened
from rulewright.findings.games.lost_symmetries import unequal_seats
from rulewright.findings.games.playing.playing_budget import Pair, PlayingBudget
from rulewright.findings.places import Places
from rulewright.findings.suspects import Suspect
from rulewright.play.loading import load
from sampling import thorough

MARCH = """
    replace query targets(p: Player, c: Cell) -> set of Cell =
            {{t in {{towards(c, straight(p))}} where owner[t] is none}}
            + {{towards(c, d) for d in diagonals(p) where owner[towards(c, d)] is not p}}
            + {{t in {{towards(c, straight(p), 2)}} where {home} and owner[t] is none}}
"""
POINTS = """
    add field points[Player]: Int = 0
    after turn.assign_1
        points[{whose}] += 1
"""
RESTRICTED = """
    in turn.cell
        forbid middle: {condition}
"""
COUNTED = """
    replace end full_board when every(c in Cell has mark[c] is not none)
        finish {finish}
"""
DEEDS = """
    add field deeds[Player]: Int = 0
    after bet_round.deed
        deeds[{whose}] += 1
"""
SLIPS = (
    (
        "leduc-poker",
        DEEDS.format(whose="first(players)"),
        DEEDS.format(whose="p"),
        "deeds[first(players)] += 1",
    ),
    pytest.param(
        "breakthrough",
        MARCH.format(home="c.row >= size - 2"),
        MARCH.format(home="(c.row >= size - 2 if north_goes(p) else c.row < 2)"),
        "replace query targets",
        marks=thorough,
    ),
    ("tic-tac-toe", POINTS.format(whose="first(players)"), POINTS.format(whose="p"), "points[first(players)] += 1"),
    (
        "tic-tac-toe",
        RESTRICTED.format(
            condition="p is first(players) and cell.row is 1 and no(c in Cell where mark[c] is not none)"
        ),
        RESTRICTED.format(condition="cell.row is 1 and no(c in Cell where mark[c] is not none)"),
        "forbid middle",
    ),
    (
        "tic-tac-toe",
        COUNTED.format(finish="with winner first(players)"),
        COUNTED.format(finish="with a draw"),
        "end full_board",
    ),
)


GAMES = {"breakthrough": 10, "tic-tac-toe": 200, "leduc-poker": 600, "carolus-magnus": 60, "domaine": 60}
"""Enough games for a hundred positions."""


def pair_of(folder: Path, ruleset: str, clauses: str) -> Pair:
    file = folder / "tried.rules"
    file.write_text(f'variant "Tried" of {ruleset.replace("-", "_")}{clauses}')
    found_in, titles = opened(file, ())
    changed = load(found_in, 2, titles, {})
    base = beneath(changed, {})
    assert base is not None
    return Pair(changed, base, frozenset(brought(changed, base)), PlayingBudget(GAMES[ruleset], None))


def examined(
    folder: Path,
    ruleset: str,
    clauses: str,
    analysis: Callable[[Sequence[Pair]], Iterable[Suspect]] = unequal_seats,
) -> list[rw.examination.Finding]:
    pair = pair_of(folder, ruleset, clauses)
    places = Places(pair.game.ruleset, pair.game.program)
    return [places.finding(one) for one in analysis([pair])]


@pytest.mark.parametrize(("ruleset", "wrong", "right", "line"), SLIPS)
def test_a_seat_that_is_treated_otherwise_is_told(
    ruleset: str, wrong: str, right: str, line: str, tmp_path: Path
) -> None:
    [found] = examined(tmp_path, ruleset, wrong)
    assert found.code == "EXM212"
    assert "seats exchanged" in found.message
    assert line in Path(found.span.file).read_text().splitlines()[found.span.line - 1]
    assert examined(tmp_path, ruleset, right) == []


def test_what_the_rules_alone_tell_of_an_end_is_not_told_again(tmp_path: Path) -> None:
    file = tmp_path / "tried.rules"
    end = COUNTED.format(finish="with winner first(best(p in players by count(c in Cell where mark[c] is p)))")
    file.write_text(f'variant "Tried" of tic_tac_toe{end.replace("replace end full_board", "add end filled")}')
    found = rw.examination.examine(file, games=100, seconds=None).findings
    assert [one.code for one in found if one.level is not rw.examination.Level.NOTABLE] == ["EXM115"]


def test_a_game_whose_seats_are_not_alike_is_left_alone(tmp_path: Path) -> None:
    changed = pair_of(tmp_path, "tic-tac-toe", POINTS.format(whose="first(players)")).game
    assert list(unequal_seats([Pair(changed, changed, frozenset(), PlayingBudget(200, None))])) == []


@pytest.mark.parametrize("players", [2, 3])
def test_what_begins_the_next_turn_is_of_no_account(players: int, tmp_path: Path) -> None:
    """The order of seats says whose turn comes next: the last of a round is followed by the first seat."""
    clauses = "    before turn.repeat_1\n        points[p] += 10 * points[p] / goal rounded down\n"
    file = tmp_path / "interest.rules"
    file.write_text(f'variant "Interest" of pig\n{clauses}')
    found = rw.examination.examine(file, players=players, games=150, seconds=None).findings
    assert [one.code for one in found if one.level is not rw.examination.Level.NOTABLE] == []
