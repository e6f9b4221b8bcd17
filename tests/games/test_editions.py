"""Two editions of one game: each question has its ruling in both; what differs in play is a change of the overlay."""

from __future__ import annotations

import pytest

import rulewright as rw
from rulewright.compiler import sources
from rulewright.compiler.scenarios.compile_cache import cited

BOTH = ("domaine", "loewenherz")
QUESTIONS = [f"F{number}" for number in range(1, 25)] + [f"A{number}" for number in range(1, 36)]

DIFFERENCES = {
    "D1": "leave_out",
    "D2": "leave_out",
    "D3": "deserter_chooser",
    "D4": "win_over.leaves",
    "D5": "forest_fee",
    "D7": "line_end",
    "D8": "expand.s",
    "D9": "king",
    "D10": "play_on",
    "D12": "neutral_rounds",
    "D13": "lay_tiles",
    "D17": "idle_borders",
    "D21": "station.none_left",
}
"""Differences of the two books that can change play, each with the parameter or rule that decides it."""

CHANGED = {"D1", "D2", "D3", "D4"}
"""Those in which the two rulesets play differently."""


@pytest.mark.parametrize("name", BOTH)
def test_each_question_is_settled(name: str) -> None:
    rulings = rw.open_ruleset(name).rulings
    assert rulings is not None
    assert [id for id in QUESTIONS if id not in rulings.by_id] == []
    assert sorted(set(DIFFERENCES) - set(rulings.by_id)) == []
    ids = [ruling.id for ruling in rulings]
    assert sorted(set(ids)) == sorted(ids)


@pytest.mark.parametrize("name", BOTH)
def test_parameters_of_rulings_are_those_of_the_game(name: str) -> None:
    ruleset = rw.open_ruleset(name)
    options = dict(rw.load(ruleset).program.options)
    assert ruleset.rulings is not None
    for ruling in ruleset.rulings:
        assert not ruling.parameter or ruling.parameter in options, ruling.id
        if ruling.id in DIFFERENCES and ruling.parameter:
            assert DIFFERENCES[ruling.id] == ruling.parameter


@pytest.mark.parametrize("name", BOTH)
def test_rulings_cite_the_rulebooks(name: str) -> None:
    ruleset = rw.open_ruleset(name)
    assert ruleset.rulings is not None
    for ruling in ruleset.rulings:
        assert ruling.cites, ruling.id
        assert all(cite in ruleset.statements for cite in ruling.cites), ruling.id


def test_each_difference_has_its_rule() -> None:
    for name in BOTH:
        rules = sources(rw.open_ruleset(name)).rules
        for id, address in DIFFERENCES.items():
            decl, _, label = address.partition(".")
            assert decl in rules.decls, f"{id}: {address} in {name}"
            if label:
                text = repr(rules.decls[decl])
                assert f"'{label}'" in text, f"{id}: {address} in {name}"


def test_what_is_played_differently_is_changed_by_the_overlay() -> None:
    first, second = (sources(rw.open_ruleset(name)).rules for name in BOTH)
    played = {name for name in first.decls if first.decls[name] != second.decls[name]}
    assert played == {"game", "leave_out", "deserter_chooser", "win_over"}
    assert set(second.decls) == set(first.decls)
    assert {DIFFERENCES[id].split(".")[0] for id in CHANGED} == played - {"game"}


def test_only_the_own_words_of_the_second_book_are_written_again() -> None:
    """The overlay has no more rules of its own than the two books differ in."""
    ruleset = rw.open_ruleset("loewenherz")
    assert ruleset.rulebook is not None
    same = [s for s in ruleset.rulebook.statements if s.counted and s.same_as]
    own = {cite for cite, _ in cited(ruleset)}
    assert len(same) > 95
    assert [s.id for s in ruleset.rulebook.statements if s.counted and not s.same_as and s.id not in own] == []


def test_an_edition_brings_what_is_written_in_it() -> None:
    """Rules that it takes over cite its own rulebook, and are not new for that."""
    game, base = rw.load("loewenherz", players=3), rw.load("domaine", players=3)
    brought = set(rw.counterparts.brought(game, base))
    own = {info.name for info in game.program.rules if "loewenherz" in info.file}
    assert brought == own
    assert "king" not in brought
