"""Games of a variant beside those of its base show slips that the rules alone do not, and nothing of right versions."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright as rw
from rulewright.findings.games import playing_budget
from rulewright_tools.reports.sarif import to_sarif

from .played_slips import PLAYED_SLIPS
from .slips import SLIPS, Slip
from .test_slips import bazaar

__all__ = ["bazaar"]


def examined(bazaar: Path, clauses: str, games: int = 60, seconds: float | None = None) -> rw.examination.Examination:
    file = bazaar.parent / "tried.rules"
    lines = [f"    {line}" for line in clauses.strip().splitlines()]
    file.write_text("\n".join(['variant "Tried" of bazaar', *lines]) + "\n")
    return rw.examination.examine(file, players=2, games=games, seconds=seconds, checked=False)


@pytest.mark.parametrize("slip", [slip for slip in PLAYED_SLIPS if slip.wrong], ids=lambda slip: slip.name)
def test_a_slip_is_told(slip: Slip, bazaar: Path) -> None:
    found = examined(bazaar, slip.wrong).findings
    assert [one.code for one in found] == [slip.code], found
    if slip.line:
        span = found[0].span
        assert slip.line in Path(span.file).read_text().splitlines()[span.line - 1]


@pytest.mark.parametrize("slip", PLAYED_SLIPS, ids=lambda slip: slip.name)
def test_nothing_is_said_of_its_right_version(slip: Slip, bazaar: Path) -> None:
    assert examined(bazaar, slip.right).findings == ()


def test_equal_numbers_of_games_tell_the_same(bazaar: Path) -> None:
    slip = next(slip for slip in PLAYED_SLIPS if slip.wrong)
    assert examined(bazaar, slip.wrong).data() == examined(bazaar, slip.wrong).data()


def test_what_had_no_time_is_said(bazaar: Path) -> None:
    found = examined(bazaar, PLAYED_SLIPS[0].right, games=100_000, seconds=0.2)
    assert "games that stop" in found.ended_early
    assert found.games < 100_000
    assert not examined(bazaar, PLAYED_SLIPS[0].right, games=1).ended_early


def test_a_game_that_stops_is_told_beside_what_is_wrong_elsewhere(bazaar: Path) -> None:
    by_name = {slip.name: slip.wrong for slip in (*SLIPS, *PLAYED_SLIPS)}
    found = examined(bazaar, by_name["warned_once"] + by_name["rest_of_nothing"]).findings
    assert {one.code for one in found} == {"EXM123", "EXM202"}


def test_a_game_that_stops_because_of_what_is_told_is_not_told_again(bazaar: Path) -> None:
    assert [one.code for one in examined(bazaar, "set beside = [0, 2]").findings] == ["EXM105"]


def test_what_goes_to_and_fro_is_said_to_do_so(bazaar: Path) -> None:
    slip = next(slip for slip in PLAYED_SLIPS if slip.name == "to_and_fro")
    [found] = examined(bazaar, slip.wrong).findings
    assert found.message.startswith("`balanced` happens again and again without end")


def test_a_log_for_editors_carries_the_answers_before_a_stop(bazaar: Path) -> None:
    slip = next(slip for slip in PLAYED_SLIPS if slip.code == "EXM202")
    [found] = examined(bazaar, slip.wrong).findings
    [told] = to_sarif([found.whole_diagnostic])["runs"][0]["results"]
    assert found.story
    assert all(answer in told["message"]["text"] for answer in found.story)


def test_a_scenario_leads_to_the_question_before_a_game_stops(bazaar: Path) -> None:
    slip = next(slip for slip in PLAYED_SLIPS if slip.code == "EXM202")
    [found] = examined(bazaar, slip.wrong).findings
    ruleset = rw.open_ruleset(bazaar.parent / "tried.rules")
    opened = rw.playing.scenario_game(ruleset, found.scenario)
    assert opened.failure is None
    state = opened.positions[-1]
    assert state.decision is not None
    stopping = 0
    for option in state.decision.options:
        try:
            state.choose(option)
        except rw.RulesetError:
            stopping += 1
    assert stopping
    assert found.data()["scenario"] == found.scenario


def test_time_counts_from_the_first_game(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(playing_budget, "process_time", lambda: now[0])
    budget = playing_budget.PlayingBudget(3, 60.0)
    now[0] = 100.0  # the rules are read
    budget.begin("something", 2)
    assert list(budget.seeds()) == [0, 1, 2]
    now[0] += 31.0
    assert list(budget.seeds()) == []
    assert budget.early == ["something"]


def test_each_part_of_an_analysis_has_its_part_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(playing_budget, "process_time", lambda: now[0])
    budget = playing_budget.PlayingBudget(100, 60.0)
    budget.begin("something", 1)
    played = list[int]()
    for _ in budget.shared("abc"):
        played.append(0)
        for _ in budget.seeds():
            played[-1] += 1
            now[0] += 1.0
    assert played == [20, 20, 20]


def test_a_game_that_stops_is_told_though_the_base_could_be_played_all_the_time(bazaar: Path) -> None:
    slip = next(slip for slip in PLAYED_SLIPS if slip.name == "rest_of_nothing")
    found = examined(bazaar, slip.wrong, games=1_000_000, seconds=2.0)
    assert "EXM202" in {one.code for one in found.findings}


def test_games_that_stop_for_a_list_cut_short_are_told_at_the_list(tmp_path: Path) -> None:
    file = tmp_path / "short.rules"
    file.write_text('variant "Short" of leduc_poker\n    set raise_by = [2]\n')
    [found] = rw.examination.examine(file, games=5, seconds=None).findings
    assert (found.code, found.span.line) == ("EXM202", 2)
    assert "`raise_by` has one entry, and is asked for number 1 (the first is number 0)" in found.message


MOST_FIRST = """\
variant "Most first" of othello
    in turn.cell
        forbid {label}: some(c in Cell where disc[c] is none and size(turned(c, p)) {than} size(turned(cell, p)))
"""


def test_games_that_reach_no_question_are_told_at_what_refuses_all(tmp_path: Path) -> None:
    file = tmp_path / "most.rules"
    file.write_text(MOST_FIRST.format(label="too_few", than=">="))
    [found] = rw.examination.examine(file, games=3, seconds=None).findings
    assert (found.code, found.span.line) == ("EXM202", 3)
    assert "nothing passes `turn.too_few`: `turn` is never done since it is there" in found.message
    file.write_text(MOST_FIRST.format(label="too_few", than=">"))
    assert not rw.examination.examine(file, games=3, seconds=None).findings
