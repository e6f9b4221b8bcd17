"""``rulewright compare --games``: the first decision at which two games part that begin alike."""

from __future__ import annotations

from pathlib import Path

import rulewright as rw
import rulewright_lab as lab

from .conftest import Run
from .test_reports import fits
from .test_suspicions import race, variant

__all__ = ["race"]


def test_a_restriction_that_is_new(race: Path, run: Run) -> None:
    tried = variant(race, "in turn.run_on", "    forbid tired: points[p] > 1")
    done = run("compare", tried, "--games", 20, "--players", 2)
    assert done.code == 1
    assert "2 players, seed " in done.out
    story = done.out[done.out.index("2 players, seed ") :].splitlines()
    assert story[-3] == "  - player_1 is asked for turn.either: fly, run_on, walk"
    assert story[-2] == "  + player_1 is asked for turn.either: fly, walk"
    assert story[-1] == "  + run_on is refused because turn.tired"
    assert any("player 2" in line for line in story[1:-3])


def test_what_is_counted_otherwise_shows_at_once(race: Path, run: Run) -> None:
    """The values differ before the questions do."""
    tried = variant(race, "set goal = 5")
    found = lab.divergence.first_divergence(rw.load(race, 2), rw.load(tried, 2))
    assert found is not None
    assert found.new[0].startswith("the game is over: ")
    assert lab.divergence.first_divergence(rw.load(race, 2), rw.load(tried, 2)) == found, "the same each time"
    report = run("compare", tried, "--games", 20, "--format", "json").json
    fits("comparison", report)
    assert [one["players"] for one in report["play"]] == [[2, 2], [3, 3]]
    assert report["play"][0]["divergence"]["decisions"] == found.decisions


def test_games_that_go_the_same_way(race: Path, run: Run) -> None:
    done = run("compare", race, race, "--games", 20)
    assert done.code == 0
    assert "2 players: 20 games with equal seeds go the same way" in done.out
    assert "games of 2 and of 3 players cannot be played alike" in run("compare", f"{race}:2", ":3", "--games", 20).out


def test_agents_give_the_answers(race: Path, run: Run) -> None:
    """Agents that want to win fly, so games part at the second turn, the same each time."""
    tried = variant(race, "in turn.fly", "    forbid tired: points[p] > 1")
    old, new = rw.load(race, 2), rw.load(tried, 2)
    found, again = (lab.divergence.first_divergence(old, new, 0, 2, [lab.agent(old, "mcts:100")]) for _ in range(2))
    assert found == again
    assert found is not None
    assert found.decisions == 2
    assert any("fly" in line for line in found.before)
    report = run("compare", tried, "--games", 20, "--seats", "mcts:5", "--players", 2, "--format", "json").json
    assert report["play"][0]["divergence"] is not None
    assert "it needs --games" in run("compare", tried, "--seats", "random").all
    assert "no agent `gready`" in run("compare", tried, "--games", 20, "--seats", "gready:x").all


def test_rules_that_stop(race: Path, run: Run) -> None:
    walks = ("in turn.walk", "    forbid no_walk: 1 is 1", "in turn.run_on", "    forbid no_run: 1 is 1")
    tried = variant(race, *walks, "in turn.fly", "    forbid no_fly: 1 is 1")
    out = run("compare", tried, "--games", 20, "--players", 2).out
    assert "+ the rules stop: [RUN007]" in out


def test_of_many_options_those_are_told_that_differ(run: Run) -> None:
    out = run("compare", "domaine", "loewenherz", "--games", 20, "--players", 2).out
    assert max(map(len, out.splitlines())) < 400
    assert " that both offer" in out or ", which both offer" in out


def test_pieces_that_lie_elsewhere(run: Run) -> None:
    out = run("compare", "carolus-magnus", ":Short reign", "--games", 20, "--players", 2).out
    assert "the same for " in out
    assert "~ reserve[" in out
