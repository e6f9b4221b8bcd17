"""Contests of agents: that they go on from the games that are kept, end when they should, and can be drawn."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import contests
import large_games
import pytest
from contests import Contest, Contests, Played, Score, wilson
from curve_picture import picture

import rulewright as rw
import rulewright_lab as lab
from sampling import thorough

NEVER = float("inf")
CONTEST = Contest("tic-tac-toe", 2, "mcts:50", "random", 6, 0.95)


def load(name: str, players: int) -> rw.Game:
    return rw.load(name, players, engine="python")


def played(record: Path | None, contest: Contest = CONTEST, until: float = NEVER) -> tuple[Score, list[str]]:
    said: list[str] = []
    (score,) = Contests(load, record, said.append).scores([contest], until)
    return score, said


def test_the_interval_is_that_of_wilson() -> None:
    """The figures are those of a textbook: 8 of 10, and 10 of 10."""
    assert wilson(0.8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson(0.0, 0) == (0.0, 1.0)


def test_games_that_are_kept_are_not_played_again(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    whole, said = played(record)
    assert len(whole.games) == CONTEST.games
    assert said
    again, said = played(record)
    assert again.games == whole.games
    assert not said


def test_a_run_goes_on_behind_a_line_that_was_cut_off(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    whole, _ = played(record)
    text = record.read_text("utf-8")
    record.write_text(text[: len(text) - 20], "utf-8")
    again, said = played(record)
    assert said
    assert [game.share for game in again.games] == [game.share for game in whole.games]
    assert len(contests.read(record)) == CONTEST.games


def test_seats_go_round_and_a_shared_first_place_is_shared() -> None:
    score, _ = played(None, Contest("tic-tac-toe", 2, "mcts:2000", "mcts:2000", 2))
    assert [game.share for game in score.games] == [0.5, 0.5]
    assert score.seconds


def test_a_contest_ends_when_what_is_wanted_is_out_of_reach() -> None:
    lost = [Played(CONTEST.key, number, 0.0, 1, 0.1) for number in range(4)]
    assert not Score(CONTEST, lost[:3]).is_over
    assert Score(CONTEST, lost).is_over
    won = [Played(CONTEST.key, number, 1.0, 1, 0.1) for number in range(4)]
    assert not Score(CONTEST, won).is_over


def test_time_that_is_up_leaves_what_is_known() -> None:
    score, said = played(None, until=0.0)
    assert not score.games
    assert not said


def test_other_rules_are_another_contest(monkeypatch: pytest.MonkeyPatch) -> None:
    before = CONTEST.key
    monkeypatch.setattr(contests, "rules_digest", lambda name: "others")
    assert CONTEST.key != before


@pytest.mark.parametrize("quick", [True, pytest.param(False, marks=thorough)])
def test_every_agent_of_the_table_can_play(quick: bool) -> None:
    """A measure that was renamed would end the table in the middle."""
    each = large_games.against_random(quick) + large_games.against_greedy(quick) + large_games.among_random(quick)
    for one in each:
        game = rw.load(one.game, one.players, engine="python")
        assert lab.agent(game, one.agent)
        assert lab.agent(game, one.other)


def test_a_curve_has_a_point_for_each_number_and_is_drawn() -> None:
    each = large_games.curve("connect-four", quick=False)
    scores = [Score(one, [Played(one.key, 0, 1.0, 1, 0.1)]) for one in each]
    found = large_games.points(scores)
    assert [number for number, *_ in found] == list(large_games.SIMULATIONS)
    drawn = picture({"Connect Four": found, "Hex": found[:2]}, large_games.SIMULATIONS)
    tree = ElementTree.fromstring(drawn)
    dots = tree.findall(".//{http://www.w3.org/2000/svg}circle")
    assert len(dots) == len(found) + 2
    assert "Hex" in drawn
