"""Clauses that set a field of a change, set it back and ask for it are told in the words of the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright as rw

from .test_slips import bazaar

__all__ = ["bazaar"]

FAVOUR = """\
variant "Favour" of bazaar
    add field favours[Player]: Int = 0
    add field seen: Bool = false
    in turn.deed
        option favour
            forbid enough: favours[{asked}] > 1
            favours[{who}] += 1
            {back}
"""


def told(path: Path) -> dict[str, str]:
    found = rw.examination.examine(path, games=0).findings
    return {one.key: one.message for one in found if one.code == "EXM305"}


def changed(bazaar: Path, asked: str, who: str, back: str) -> dict[str, str]:
    file = bazaar.parent / "lives.rules"
    file.write_text(FAVOUR.format(asked=asked, who=who, back=back))
    return told(file)


@pytest.mark.parametrize(
    ("asked", "who", "whose"),
    [
        ("p", "p", "only ever that of the same one, `p`, is set and asked for"),
        ("p", "p.left", "that of `p.left` is set, that of `p` is asked for"),
    ],
)
def test_whose_it_is_is_told(bazaar: Path, asked: str, who: str, whose: str) -> None:
    told_of = changed(bazaar, asked, who, "do nothing")["EXM305/favours/uses"]
    assert f"set by `favours[{who}] += 1`; asked for by `forbid enough: favours[{asked}] > 1`; {whose}" in told_of


@pytest.mark.parametrize(("back", "sets_back"), [("do nothing", False), ("if gold[p] > 8 then favours[p] = 0", True)])
def test_that_nothing_sets_it_back_is_told(bazaar: Path, back: str, sets_back: bool) -> None:
    told_of = changed(bazaar, "p", "p", back)["EXM305/favours/uses"]
    assert ("nothing lowers it or sets it back" in told_of) is not sets_back
    assert ("`favours[p] = 0`" in told_of) is sets_back


def test_a_field_that_begins_anew_goes_no_one_way(bazaar: Path) -> None:
    file = bazaar.parent / "anew.rules"
    lasting = FAVOUR.replace("Int = 0", "Int = 0, lasting turn")
    file.write_text(lasting.format(asked="p", who="p", back="do nothing"))
    assert "nothing lowers it" not in told(file)["EXM305/favours/uses"]


def test_what_is_never_asked_for_has_no_uses(bazaar: Path) -> None:
    assert set(changed(bazaar, "p", "p", "seen = true")) == {"EXM305/favours/uses"}


def test_of_a_whole_game_only_what_goes_one_way_while_it_is_played_is_told(bazaar: Path) -> None:
    """`helped` is only ever set and asked for by what is done, `votes` only by what counts them in the end."""
    found = told(bazaar)
    assert "EXM305/gold/uses" not in found, "it rises and falls"
    game = bazaar / "game.rules"
    text = game.read_text()
    game.write_text(
        text.replace(
            "        option rest: do nothing",
            """\
        option rest
            forbid tired: rests > 3
            rests += 1
            rested += 1""",
        )
        .replace("field sold:", "field rests: Int = 0\nfield rested: Int = 0\nfield sold:")
        .replace("by gold[p]\n", "by gold[p] + rested\n")
    )
    new = set(told(bazaar)) - set(found)
    assert new == {"EXM305/rests/uses"}
