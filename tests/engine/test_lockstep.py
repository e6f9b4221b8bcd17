"""Both backends in lockstep: shipped games, mutants of them, random programs. ``tests/torture/differential.py`` plays
as many more as wanted."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from building import field, function, list_of, program, zone
from lockstep import Differs, Lockstep, Shipped, Tally, shipped
from random_programs import random_program
from shipped_programs import shipped_game

import rulewright as rw
from rulewright.engine.native.values import Unsupported
from rulewright.engine.stepping.native_stepper import NativeStepper
from rulewright.findings.mutation.mutants import mutants
from rulewright.ir import model as m
from sampling import THOROUGH, sample
from verifier import validate

SMALL = {
    ("breakthrough", 4): 40_000,
    ("breakthrough", 8): 20_000,
    ("tic-tac-toe", 0): 10_000,
    ("connect-four", 0): 9_000,
    ("carolus-magnus", 0): 1_200,
}
LARGE = {("domaine", 0): 300, ("loewenherz", 0): 300, ("baron", 0): 150, ("kings-and-things", 0): 200}
SHARES = {played: max(100_000, 10 * share) if THOROUGH else share for played, share in (SMALL | LARGE).items()}
"""Decisions of each ruleset, the most where one costs least: on a board of sixteen cells. They are 81,150 in all,
1,300,000 when the tests are thorough."""
PROGRAMS = sample(24, 400)
MUTANTS = sample(2, 60)


def settings_of(name: str, size: int) -> list[Shipped]:
    """Settings in an order of their own, so that a few games are games of different settings; of large games first the
    setting that other tests play, too, as it is compiled already."""
    everything = THOROUGH or (name, size) in SMALL
    found = list(shipped(rw.rulesets.find_rulesets(name)[0], everything))
    if everything:
        Random(1).shuffle(found)
    if size:
        found = [replace(one, setting=replace(one.setting, options=(("size", str(size)),))) for one in found]
    return found


@pytest.mark.parametrize(("name", "size", "share"), [(*played, share) for played, share in SHARES.items()])
def test_shipped_games(name: str, size: int, share: int) -> None:
    tally, seed, settings = Tally(), 0, settings_of(name, size)
    compiled: dict[int, Lockstep] = {}
    while tally.decisions < share:
        number = seed % len(settings)
        if number not in compiled:
            compiled[number] = Lockstep(settings[number].load().program)
        tally.add(compiled[number].play(seed, share - tally.decisions))
        seed += 1
    assert not tally.errors
    assert not tally.handed_over


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "breakthrough", "carolus-magnus"])
def test_mutants(name: str) -> None:
    """Rules that mean something else, or are wrong."""
    ruleset = rw.open_ruleset(name)
    made = list(mutants(ruleset, [shipped_game(name).program]))
    tally = Tally()
    for mutant in Random(2).sample(made, MUTANTS):
        try:
            game = rw.load(mutant.applied(ruleset))
            both = Lockstep(game.program)
        except (rw.RulesetError, Unsupported):
            continue
        tally.add(both.play(3, 300))
    assert tally.games


def test_random_programs() -> None:
    """Errors of the rules are as frequent here as answers."""
    tally = Tally()
    for seed in range(PROGRAMS):
        made = random_program(seed)
        assert not validate(made)
        both = Lockstep(made)
        for game in range(3):
            tally.add(both.play(game))
    assert tally.games > PROGRAMS
    assert tally.errors["RUN001"]
    assert tally.errors["RUN002"]


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Lockstep(shipped_game("tic-tac-toe").program)
    begin = NativeStepper.begin
    monkeypatch.setattr(NativeStepper, "begin", lambda self, seed: begin(self, seed + 1))
    with pytest.raises(Differs, match=r"seed 0, after 0 decisions: the states differ in cells \[0\]"):
        both.play(0)


def test_moving_a_list_that_begins_with_none() -> None:
    """No rule stores the none, so only the field itself tells of it."""
    played = program(
        pieces=("a", "b"),
        zones=(zone("there", capacity=2),),
        fields=(field("many", list_of("Piece", 2), (), (0, m.NONE)),),
        functions=(
            function("main", [m.Move(m.FieldGet("many", ()), True, "there", ()), m.FinishWin(m.Const(1), "main")]),
        ),
        main="main",
    )
    tally = Lockstep(played).play(1)
    assert tally.errors == {"RUN013": 1}
    assert not tally.handed_over
