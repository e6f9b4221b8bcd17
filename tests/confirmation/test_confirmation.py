"""Moments to confirm: of slips that people have made, the right version contradicts one of them."""

from __future__ import annotations

import shutil
from pathlib import Path
from textwrap import dedent

import pytest

import rulewright as rw
from rulewright.findings.confirmation.census import Census
from rulewright.findings.confirmation.covering import Candidate, cover, others
from rulewright.findings.confirmation.episodes import Episode, Opening, episodes
from rulewright.findings.confirmation.laying import differing
from rulewright.findings.confirmation.moments import moment
from rulewright.findings.confirmation.neighbours import neighbours
from rulewright.findings.confirmation.pool import elsewhere, pool
from rulewright.findings.confirmation.separation import Separator, changed_functions, changed_measures
from rulewright.findings.fuzzing.search.driver import Drive
from rulewright.findings.mutation.mutants import Mutant
from rulewright.ir.walk import ExprFacts

PAIRS = Path(__file__).parents[1] / "benchmarks" / "slip_pairs"

SHOWN = ["four/12-pg-double-one", "four/13-pg-last-chance", "four/15-ot-corners", "four/17-bt-must-capture"]
"""Pairs of small games: the order of statements, the end of a game, a condition of a query, a missing restriction."""


def contradicted(found: rw.confirmation.Confirmation, ruleset: Path) -> list[int]:
    """The places of the moments that do not hold by a ruleset."""
    opened, _ = rw.rulesets.with_variants(str(ruleset), ())
    return [
        place
        for place, one in enumerate(found.moments, start=1)
        if one.scenario and rw.playing.scenario_game(opened, one.scenario).failure is not None
    ]


@pytest.mark.parametrize("name", SHOWN)
def test_the_right_version_contradicts_a_moment(name: str) -> None:
    wrong, right = PAIRS / f"{name}.rules", PAIRS / f"{name}-right.rules"
    found = rw.confirmation.confirm(wrong, games=5, seconds=None)
    assert 0 < len(found.moments) <= 12
    assert contradicted(found, right)
    assert contradicted(found, wrong) == []  # they hold by the rules that they are made of
    assert all(one.scenario for one in found.moments)


def test_moments_follow_from_seed_and_games() -> None:
    path = PAIRS / "four/15-ot-corners.rules"
    one, two, other = (rw.confirmation.confirm(path, games=2, seconds=None, seed=seed).data() for seed in (0, 0, 1))
    assert one == two
    assert not one["partial"]
    assert one["moments"] != other["moments"]


def test_moments_read_plainly() -> None:
    found = rw.confirmation.confirm(PAIRS / "four/13-pg-last-chance.rules", games=4, seconds=None)
    for one in found.moments:
        lines = (*one.position, *one.events, one.question, *one.unchanged, *(t for a in one.choices for t in a.instead))
        assert not [line for line in lines if "_" in line]


def test_the_first_moment_is_shown_early(tmp_path: Path) -> None:
    """It is chosen among the first games and neighbours, and stays the first."""
    shown: list[rw.confirmation.Moment] = []
    found = rw.confirmation.confirm(PAIRS / "four/15-ot-corners.rules", games=4, seconds=None, show=shown.append)
    assert tuple(shown) == found.moments
    longer = rw.confirmation.confirm(PAIRS / "four/15-ot-corners.rules", games=8, seconds=None)
    assert longer.moments[0].data() == shown[0].data()


def test_confirmed_moments_are_not_shown_again(tmp_path: Path) -> None:
    path = tmp_path / "corners.rules"
    shutil.copy(PAIRS / "four/15-ot-corners.rules", path)
    before = rw.confirmation.confirm(path, games=4, seconds=None)
    path.write_text(path.read_text() + "\n" + "\n".join(one.scenario for one in before.moments))
    after = rw.confirmation.confirm(path, games=4, seconds=None)
    assert after.proved > before.proved
    keys = [one.key for one in before.moments if one.alternatives]
    assert not [one for one in after.moments if one.alternatives and one.key in keys]


SECRET = """
game secrets
players 2 to 3
enum Order: storm, hold
field order[p: Player]: Order or none = none, seen by p
field points[Player]: 0..9 = 0

procedure play
    repeat 3 times
        each p in players
            turn(p)
    finish ranking p in players by points[p]

procedure turn(p: Player)
    p chooses o from Order
    order[p] = o
    if o is storm then points[p] += 1
"""


def written(tmp_path: Path, rules: str, name: str = "secrets") -> Path:
    """A folder with a ruleset of one file."""
    folder = tmp_path / name
    folder.mkdir()
    (folder / "ruleset.json").write_text(f'{{"name": "{name}", "title": "{name.title()}", "rules": ["game.rules"]}}')
    (folder / "game.rules").write_text(rules.lstrip())
    return folder


def test_what_others_see_is_a_difference(tmp_path: Path) -> None:
    """An order that all see differs from one that only its owner sees, though the position is the same."""
    game = rw.load(written(tmp_path, SECRET), 3)
    course = Drive(game, moments=True, checked=False).play(lambda size: 0, 6)
    mutant = mutant_of(game, "widen-audience")
    separator = Separator(game, rw.load(mutant.applied(game.ruleset), 3))
    assert separator.same_cells
    one = next(one for one in episodes(game, course, course.moments) if separator.first_difference(one) is not None)
    found = separator.first_difference(one)
    assert found is not None
    told = moment(game, one, found.step, mutant, [(mutant, separator)], "turn 1")
    (alternative,) = told.alternatives
    assert any("sees" in line for line in alternative.instead)


def test_neighbours_with_other_members_are_compared_by_words(tmp_path: Path) -> None:
    """A map of another size has members that the game does not have."""
    rules = """
        game steps
        players 2
        place Cell
        map Line: grid 1 by 3 of Cell
        field at[Player]: Cell or none = none

        procedure play
            repeat 4 times
                each p in players
                    p chooses c from Cell
                    at[p] = c
            finish ranking p in players by size({c in Cell where at[p] is c})
        """
    game = rw.load(written(tmp_path, dedent(rules), "steps"), 2)
    wider = next(one for one in neighbours(game) if "1 by 4" in one.after)
    separator = Separator(game, rw.load(wider.applied(game.ruleset), 2))
    course = Drive(game, moments=True, checked=False).play(lambda size: 0, 6)
    one = next(one for one in episodes(game, course, course.moments))
    shown = moment(game, one, 0, wider, [(wider, separator)], "play 1")
    assert shown.alternatives[0].instead == ("player 1 may answer (0, 3), too",)


def test_changes_that_make_no_difference_are_listed(tmp_path: Path) -> None:
    dead = SECRET.replace("    order[p] = o\n", "    if points[p] > 8 then points[p] = 0\n    order[p] = o\n")
    found = rw.confirmation.confirm(written(tmp_path, dead), games=2, seconds=None)
    assert any("points[p] > 8" in one.before for one in found.same)
    assert {one.rule: one.turns for one in found.census}["turn"] > 0


def mutant_of(game: rw.Game, operator: str) -> Mutant:
    return next(one for one in neighbours(game) if one.operator == operator)


def test_only_what_is_changed_is_compared(tmp_path: Path) -> None:
    game = rw.load(written(tmp_path, SECRET), 2)
    other = rw.load(mutant_of(game, "plus-minus").applied(game.ruleset), 2)
    assert changed_functions(game.program, other.program) == {"turn"}
    assert changed_measures(game.program, other.program) == frozenset()


def episode(used: str, answers: int = 0) -> Episode:
    """An episode in which rules of one letter are used."""
    return Episode(Opening("turn", (), ()), (), (None,) * answers, (), 0, frozenset(used))  # type: ignore[arg-type]


def test_the_cover_prefers_short_moments_and_likely_neighbours() -> None:
    pool = [episode("a", 3), episode("a", 0), episode("b", 0)]
    parted = {"one": {0: 3, 1: 0}, "two": {0: 3}, "three": {2: 0}}
    assert cover(pool, parted, {"one": 1.0, "two": 0.1, "three": 2.0}, 2) == [Candidate(2, 0), Candidate(1, 0)]
    assert cover(pool, parted, dict.fromkeys(parted, 1.0), 9) == [Candidate(1, 0), Candidate(2, 0), Candidate(0, 3)]


def test_other_moments_are_those_in_which_changed_rules_meet_others() -> None:
    pool = [episode("ab", 1), episode("abc", 1), episode("c", 1), episode("abd")]
    assert others(pool, frozenset("a"), [Candidate(0, 0)], 3) == [Candidate(1, 1)]


def test_neighbours_have_the_same_options(tmp_path: Path) -> None:
    """With another goal than that of the rules, too, neighbours differ by their change alone."""
    rules = SECRET.replace("enum Order", "param goal = 9\nenum Order").replace("repeat 3 times", "repeat goal times")
    found = rw.confirmation.confirm(written(tmp_path, rules), options={"goal": 2}, games=2, seconds=None)
    assert all("goal = 2" in one.scenario for one in found.moments)
    assert {one.mutant.rule for moment in found.moments for one in moment.alternatives} >= {"turn"}
    assert not [one for one in found.moments if one.rule == "goal" and one.before.result != one.after.result]


RACE = """
game race
players 2 to 3
param goal = 5, 4 with 3 players
field steps[Player]: 0..9 = 0
field ready: Bool = false

procedure play
    setup
    repeat
        each p in players
            turn(p)

procedure setup
    ready = true

procedure turn(p: Player)
    if some(q in players where steps[q] > 3) then ready = true
    p chooses way from {1, 2}
        forbid close: way is 2 and no(q in players except {p} where steps[q] < 2)
    steps[p] += way

end there for p in players when steps[p] >= goal, after turn
    finish with winner p
"""


def test_a_number_that_depends_on_the_number_of_players_has_a_moment_for_each(tmp_path: Path) -> None:
    folder = written(tmp_path, RACE, "race")
    (folder / "short.rules").write_text('variant "Short" of race\n    set goal = 3\n')
    found = rw.confirmation.confirm(folder / "short.rules", games=4, seconds=None)
    assert {one.players for one in found.moments if "goal" in one.clause} == {2, 3}
    assert "with 2 players" in {one.position[0] for one in found.moments if one.players != found.players}


def test_what_is_done_before_the_first_answer_begins_nowhere_else(tmp_path: Path) -> None:
    game = rw.load(written(tmp_path, RACE, "race"), 3)
    known, _ = pool(game, range(2), 0, lambda: False, Census())
    assert {one.opening.function for one in elsewhere(game, known, ["play", "setup", "turn"], 0)} == {"play"}


def test_conditions_that_are_laid_out_speak_of_nothing_unknown(tmp_path: Path) -> None:
    """Binders are numbered in each program by itself: those of two programs are not mixed."""
    other = RACE.replace("some(q in players where steps[q] > 3)", "ready").replace("steps[q] < 2", "steps[q] < 3")
    one, two = (rw.load(written(tmp_path, rules, name), 2) for rules, name in ((RACE, "race"), (other, "other")))
    found = list(differing(one.program, two.program))
    assert "turn" in {function for function, *_ in found}
    assert not [condition for *_, condition in found if ExprFacts({}).free(condition)]
