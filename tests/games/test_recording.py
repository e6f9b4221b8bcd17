"""Games that were played become scenarios: whatever is proposed of them holds when it is written and run."""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.compiler import sources
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.engine.runtime.records import RULES
from rulewright.play.scenarios import Failure, Recording, record, run_scenario
from rulewright.syntax import ast, parse_file

SHIPPED = rw.shipped_rulesets()


def folder_of(name: str) -> Path:
    return next(one for one in SHIPPED if one.name == name)


def played(game: rw.Game, seed: int, most: int) -> rw.State:
    """A game in which so many answers were given at random."""
    state, pick = game.start(seed), random.Random(seed)
    for _ in range(most):
        if state.decision is None:
            break
        state = state.choose(pick.choice(state.decision.options))
    return state


def answers(state: rw.State) -> int:
    return sum(entry.who != RULES for entry in state.log)


def failure(ruleset: rw.Ruleset, text: str) -> Failure | None:
    """The failure of a scenario that is read as a file of its own."""
    decl = parse_file(text).decls[0]
    assert isinstance(decl, ast.Scenario)
    plan, found = plan_scenario(sources(ruleset), decl)
    assert plan is not None, [one.message for one in found]
    return run_scenario(plan).failure


def all_of(recording: Recording) -> Sequence[int]:
    return [one.number for one in recording.expectations if one.number is not None]


def require_held(ruleset: rw.Ruleset, state: rw.State, begin: int) -> Recording:
    """Fails unless the scenario holds with all its lines and with those that are proposed."""
    recording = record(ruleset, state, begin)
    assert recording.begins <= begin
    for chosen in (all_of(recording), recording.proposed):
        assert failure(ruleset, recording.text("as it was played", chosen)) is None
    return recording


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_random_games_give_scenarios_that_hold(folder: Path) -> None:
    ruleset = rw.open_ruleset(folder)
    state = played(rw.load(ruleset, rw.playing.setup_choices(ruleset).players[0]), 1, 15)
    recording = require_held(ruleset, state, answers(state) - 2)
    assert recording.proposed or folder.name == "pig"  # where a one was rolled nothing has changed
    assert not recording.trouble


@pytest.mark.thorough
@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_random_games_of_all_sizes_give_scenarios_that_hold(folder: Path) -> None:
    ruleset = rw.open_ruleset(folder)
    for players in rw.playing.setup_choices(ruleset).players:
        game = rw.load(ruleset, players)
        for seed in range(3):
            state = played(game, seed, 15 * (seed + 1))
            for begin in (0, answers(state) - 4, answers(state)):
                require_held(ruleset, state, begin)


def test_a_refusal_that_was_seen_is_a_line() -> None:
    ruleset = rw.open_ruleset(folder_of("tic-tac-toe"))
    state = rw.load(ruleset).start(1).choose("(0, 0)").choose("(1, 1)")
    recording = record(ruleset, state, 0, tried={2: ["(1, 1)", "(2, 0)", "nothing of the kind"]})
    refused = [one for one in recording.expectations if one.kind == "refused"]
    assert [one.before for one in refused] == [2]
    assert "(1, 1) because " in refused[0].text
    assert set(refused[0].cites) <= set(recording.text("x", all_of(recording)).replace("@", " ").split())
    assert "(1, 1)" in recording.title
    without = [number for number in all_of(recording) if number != refused[0].number]
    assert "refused" not in recording.text("x", without)
    text = recording.text("x", all_of(recording))
    assert failure(ruleset, text) is None
    broken = failure(ruleset, text.replace("refused x: cell = (1, 1)", "refused x: cell = (2, 0)"))
    assert broken is not None


def test_a_scenario_begins_at_the_position_that_is_asked_for() -> None:
    ruleset = rw.open_ruleset(folder_of("tic-tac-toe"))
    state = rw.load(ruleset).start(1)
    for key in ("(0, 0)", "(1, 1)", "(2, 0)", "(1, 0)", "(1, 2)"):
        state = state.choose(key)
    later = record(ruleset, state, 4)
    assert later.begins == 4
    assert later.text("x", ()).count("when") == 1
    # No procedure of the rules tells of two turns but the whole game.
    assert record(ruleset, state, 3).begins == 0
    assert record(ruleset, state, 0).text("x", ()).count("=") == 5
    assert [one.before for one in later.lines()] == sorted(one.before for one in later.lines())


def test_a_question_without_a_name_is_in_no_line_that_would_name_it(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(folder_of("pig"), tmp_path / "mine"))
    rules = folder / "game.rules"
    rules.write_text(rules.read_text("utf-8").replace("p chooses either as deed", "p chooses either"), "utf-8")
    ruleset = rw.open_ruleset(folder)
    recording = require_held(ruleset, played(rw.load(ruleset, 2), 1, 8), 2)
    assert not [one for one in recording.expectations if one.kind == "offered"]


def test_options_that_are_called_like_words_of_the_language_are_compared(tmp_path: Path) -> None:
    """Only the words of a question itself, with which one leaves off, are not counted unless they are listed."""
    folder = Path(shutil.copytree(folder_of("pig"), tmp_path / "mine"))
    rules = folder / "game.rules"
    text = rules.read_text("utf-8").replace("option roll", "option again").replace("option hold", "option pass")
    rules.write_text(text + "procedure plain(p: Player)\n    p may choose n from {1, 2}\n", "utf-8")
    ruleset = rw.open_ruleset(folder)
    recording = require_held(ruleset, played(rw.load(ruleset, 2), 1, 8), 2)
    assert [one for one in recording.expectations if one.kind == "offered"]
    scenario = 'scenario "x"\n    players anna, bert\n    start turn(anna)\n    offered anna: deed = {%s}\n'
    assert failure(ruleset, scenario % "again, pass") is None
    for some in ("again", "pass"):
        found = failure(ruleset, scenario % some)
        assert found is not None, some
        assert found.found == "again, pass"
    plain = scenario.replace("turn", "plain").replace("deed", "n")
    assert failure(ruleset, plain % "1, 2") is failure(ruleset, plain % "1, 2, pass") is None
    assert failure(ruleset, plain % "1, pass") is not None
