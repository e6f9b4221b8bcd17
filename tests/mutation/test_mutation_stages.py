"""Stages of judging a mutant: each finds one, and what nothing finds is reported apart."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from mutation_helpers import STONES, TAKEN, verdict, write

import rulewright as rw
from rulewright.findings.mutation import MutationOptions
from rulewright.findings.mutation.baseline import Original, rounds


@pytest.fixture(autouse=True)
def nothing_old() -> None:
    """Keep what other tests have left from being looked through whenever a mutant is thrown away."""
    gc.freeze()


@pytest.fixture
def stones(tmp_path: Path) -> Path:
    return write(tmp_path / "stones")


def test_a_scenario_that_fits_no_more_finds_it(stones: Path) -> None:
    """Without the restriction a scenario mentions a reason that is not there."""
    found = verdict(stones, "turn.too_many/drop-restriction/1")
    assert (found.outcome, found.stage) == ("caught", "scenarios")
    assert found.told.startswith("[REF")
    assert found.mutant.before == "forbid too_many: amount > stones"
    assert found.mutant.after == ""
    assert found.mutant.span.line == 18


def test_no_game_at_all(tmp_path: Path) -> None:
    """An error of the rules, which nobody could play, though no scenario is there to meet it."""
    modes = "param pace: {slow, fast} = slow\n    param style: {early, fast} = early\n\n    param most"
    rules = STONES.replace("param most", modes).replace(
        "most + 1", "most + (1 if style is fast or pace is slow else 2)"
    )
    found = verdict(write(tmp_path, rules, scenarios=""), "limit/enum-value/1")
    assert "style is slow" in found.mutant.after
    assert (found.outcome, found.stage) == ("caught", "errors")


def test_scenarios_are_asked_before_check(stones: Path, tmp_path: Path) -> None:
    """Both would tell; so it is seen what only `check` tells."""
    more = """
    scenario "the last three may be taken together"
        players anna, bert
        given stones = 3
        start turn(anna)
        offered anna: amount = {1, 2, 3}
    """
    assert verdict(stones, "turn.last_ones/drop-exception/1").stage == "check"
    tested = write(tmp_path / "tested", scenarios=TAKEN + more)
    assert verdict(tested, "turn.last_ones/drop-exception/1").stage == "scenarios"


def test_check_finds_a_warning(stones: Path) -> None:
    """No error, but something that is probably not meant."""
    found = verdict(stones, "turn.last_ones/drop-exception/1")
    assert (found.outcome, found.stage) == ("caught", "check")
    assert found.told == "[REF014] the query `limit` is never used"


def test_what_check_tells_anyway_is_no_catch(tmp_path: Path) -> None:
    rules = STONES.replace("query limit", "query idle -> Int = 7\n\n    query limit")
    found = verdict(write(tmp_path, rules), "most/off-by-one/1")
    assert "REF014" in [d.code for d in rw.check(rw.open_ruleset(tmp_path))]
    assert found.outcome == "survived"


def test_a_scenario_finds_it(stones: Path) -> None:
    found = verdict(stones, "turn.too_many/comparison/1")
    assert found.mutant.after == "forbid too_many: amount >= stones"
    assert (found.outcome, found.stage) == ("caught", "scenarios")
    assert found.told.startswith('"nobody takes more than there are')


def test_an_error_in_a_game_finds_it(tmp_path: Path) -> None:
    """The same change without a scenario: one stone can never be taken, so that nothing is offered in the end."""
    found = verdict(write(tmp_path, scenarios=""), "turn.too_many/comparison/1")
    assert (found.outcome, found.stage) == ("caught", "games")
    assert found.told.startswith("[RUN")


def test_an_invariant_finds_it(tmp_path: Path) -> None:
    found = verdict(write(tmp_path, scenarios=""), "turn/plus-minus/1")
    assert found.mutant.after == "stones += amount"
    assert (found.outcome, found.stage, found.told) == ("caught", "games", "`few` does not hold")


def test_a_game_without_end_is_found(tmp_path: Path) -> None:
    rules = STONES.replace("invariant few: stones <= heap or odd(stones)", "")
    rules = rules.replace("query odd(n: Int) -> Bool = n > 3 and n < 5", "")
    found = verdict(write(tmp_path, rules, scenarios=""), "turn/plus-minus/1")
    assert (found.outcome, found.stage) == ("caught", "games")
    assert "is not over after" in found.told


def test_the_same_game_is_not_counted(stones: Path) -> None:
    """A change that only an invariant asks is none of the game's rules."""
    report = rw.mutation.mutate(stones, MutationOptions(rules=["odd"]))
    assert {v.outcome for v in report.verdicts} == {"equivalent"}
    assert len(report.verdicts) > 3
    assert report.score is None


def test_what_changes_play_and_is_not_found_survives(stones: Path) -> None:
    found = verdict(stones, "most/off-by-one/1")
    assert found.mutant.after == "param most = 3"
    assert (found.outcome, found.stage, found.told) == ("survived", None, "")


def test_a_new_scenario_catches_a_survivor(tmp_path: Path) -> None:
    more = """
    scenario "two at most"
        players anna, bert
        start turn(anna)
        offered anna: amount = {1, 2}
    """
    assert verdict(write(tmp_path, scenarios=TAKEN + more), "most/off-by-one/1").stage == "scenarios"


def test_what_makes_no_difference_is_told_apart(stones: Path) -> None:
    """More than five are refused anyway: without nine the rules are others, but no game is."""
    found = verdict(stones, "turn.amount/off-by-one/4")
    assert found.mutant.after == "p chooses amount from {1 .. 8}"
    assert (found.outcome, found.stage, found.told) == ("unchanged", None, "")


def test_the_fuzzer_is_asked_last(stones: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def fuzzed(game: rw.Game, setting: object, seed: int, games: int, most: int) -> str:
        asked.append(games)
        return "it betrays a secret"

    monkeypatch.setattr("rulewright.findings.mutation.kill_check.fuzzed", fuzzed)
    verdict(stones, "turn.too_many/comparison/1", fuzz=3)
    assert asked == []
    found = verdict(stones, "turn.last_ones/and-or/1", fuzz=3)
    assert (found.outcome, found.stage, found.told) == ("caught", "fuzzer", "it betrays a secret")
    assert asked == [3]
    assert verdict(stones, "turn.last_ones/and-or/1", fuzz=0).outcome == "survived"


def test_the_fuzzer_finds_what_random_games_do_not(tmp_path: Path) -> None:
    """Without random games it is the fuzzer that meets the broken invariant."""
    found = verdict(write(tmp_path, scenarios=""), "turn/plus-minus/1", games=0, fuzz=1)
    assert (found.outcome, found.stage) == ("caught", "fuzzer")
    assert found.told == "the invariant `few` does not hold"


def test_rules_of_a_variant_and_of_the_base_count(tmp_path: Path) -> None:
    """A change in a variant is judged in the games with it; an edition is judged with the rules beneath it."""
    variant = 'variant "Many" of small\n    set most = 4\n'
    base = write(tmp_path / "base", variants=["many.rules"])
    (base / "many.rules").write_text(variant, "utf-8")
    found = verdict(base, "most/drop-change/1")
    assert found.mutant.before == "set most = 4"
    assert found.outcome == "survived"
    upper = write(
        tmp_path / "upper",
        "game upper\nset most = 1\n",
        scenarios="",
        extends="../base",
        base_scenarios=["scenarios.rules"],
    )
    report = rw.mutation.mutate(upper, MutationOptions(rules=["turn.too_many", "most"], fuzz=0))
    by_id = {v.mutant.id: v for v in report.verdicts}
    assert by_id["turn.too_many/comparison/1"].stage == "scenarios"
    assert by_id["turn.too_many/comparison/1"].mutant.span.file.endswith("base/game.rules")
    assert by_id["most/drop-change/1"].outcome == "survived"
    assert by_id["most/off-by-one/1"].mutant.before == "set most = 1"


def test_a_policy_plays_too(tmp_path: Path) -> None:
    """One game of each kind is played to lead, where the rules can tell who leads."""
    rules = STONES.replace("query limit", "query score(p: Player) -> Int = p.seat\n\n    query limit")
    rules = rules.replace("invariant few:", "invariant few: some(p in players where score(p) is 1) and")
    original = Original(rw.open_ruleset(write(tmp_path, rules)))
    assert list(original.policies) == ["lead:score"]
    assert [one.policy for one in rounds(0, 2, original.policies)] == ["", "", "lead:score"]
    assert Original(rw.open_ruleset(write(tmp_path / "other"))).policies == ()
    assert verdict(tmp_path, "turn.last_ones/and-or/1").outcome == "survived"
