"""Both backends in lockstep: shipped games, mutants of them, random programs. ``tests/torture/differential.py`` plays
as many more as wanted."""

from __future__ import annotations

from random import Random

import pytest
from lockstep import MOST, Differs, Lockstep, Tally, shipped
from random_programs import random_program
from test_native import GAMES

import rulewright as rw
from rulewright.engine.native.values import Unsupported
from rulewright.engine.stepping.native_stepper import NativeStepper
from rulewright.ir.verifier import validate
from rulewright.mutation.mutants import mutants
from sampling import THOROUGH

SHARE = 200_000 if THOROUGH else 4_000
"""Decisions of each ruleset: 1.6 million in all when the tests are thorough, else as many as some seconds allow."""
LARGE = {} if THOROUGH else {"baron": 200, "kings-and-things": 500, "domaine": 1_000, "loewenherz": 1_000}
"""Decisions of games with large states, which take long to be compared."""
PROGRAMS = 400 if THOROUGH else 50
MUTANTS = 60 if THOROUGH else 3


@pytest.mark.parametrize("name", GAMES)
def test_shipped_games(name: str) -> None:
    """Settings in an order of their own, so that a few games are games of different settings."""
    tally, seed = Tally(), 0
    settings = list(shipped(rw.rulesets.find_rulesets(name)[0]))
    Random(1).shuffle(settings)
    compiled: dict[int, Lockstep] = {}
    while tally.decisions < LARGE.get(name, SHARE):
        number = seed % len(settings)
        if number not in compiled:
            compiled[number] = Lockstep(settings[number].load().program)
        tally.add(compiled[number].play(seed, LARGE.get(name, MOST)))
        seed += 1
    assert not tally.errors
    assert not tally.handed_over


@pytest.mark.parametrize("name", GAMES)
def test_mutants(name: str) -> None:
    """Rules that mean something else, or are wrong."""
    ruleset = rw.open_ruleset(name)
    made = list(mutants(ruleset, rw.load(name).program.universes))
    tally = Tally()
    for mutant in Random(2).sample(made, MUTANTS):
        try:
            game = rw.load(mutant.applied(ruleset))
            both = Lockstep(game.program)
        except (rw.RulesetError, Unsupported):
            continue
        tally.add(both.play(3, min(300, LARGE.get(name, MOST))))
    assert tally.games


def test_random_programs() -> None:
    """Errors of the rules are as frequent here as answers."""
    tally = Tally()
    for seed in range(PROGRAMS):
        program = random_program(seed)
        assert not validate(program)
        try:
            both = Lockstep(program)
        except Unsupported:
            continue
        for game in range(3):
            tally.add(both.play(game))
    assert tally.games > PROGRAMS
    assert tally.errors["RUN001"]
    assert tally.errors["RUN002"]


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Lockstep(rw.load("tic-tac-toe").program)
    begin = NativeStepper.begin
    monkeypatch.setattr(NativeStepper, "begin", lambda self, seed: begin(self, seed + 1))
    with pytest.raises(Differs, match=r"seed 0, after 0 decisions: the states differ in cells \[0\]"):
        both.play(0)
