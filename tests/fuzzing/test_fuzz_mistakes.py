"""A mistake put into a copy of a shipped ruleset is found, and told as a scenario that holds once it is fixed."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz_helpers import PASTED, SHORT, Mistake, command, paste, title_of

import rulewright as rw
from rulewright.findings.fuzzing import FuzzOptions
from sampling import sample, thorough

MISTAKES = {
    "a full column": Mistake(
        "connect-four",
        "game.rules",
        "forbid full: lowest_free(column) is none  @C4-5\n",
        "forbid full: false  @C4-5\n",
        2,
        "error",
        "RUN002 turn",
    ),
    "a die too few": Mistake(
        "carolus-magnus",
        "play.rules",
        "take_knights(p, dice)  ",
        "take_knights(p, dice - 1)  ",
        3,
        "property",
        "reserves_are_filled_up",
    ),
    "a knight too many": Mistake(
        "carolus-magnus",
        "components.rules",
        "at most reserve_size",
        "at most reserve_size - 1",
        2,
        "error",
        "RUN003 take_knights",
    ),
    "a wall between figures of one colour": Mistake(
        "domaine",
        "actions.rules",
        "forbid between_own: on[b.a].color is on[b.b].color ",
        "forbid between_own: false ",
        3,
        "invariant",
        "nobody_stands_alone",
    ),
    "no new card": Mistake(
        "domaine",
        "turn.rules",
        "                option deck: draw 1 from deck to hand[p]\n",
        "                option deck: draw 1 from deck to played\n",
        2,
        "property",
        "hands_are_full",
    ),
    "tiles of one kind side by side": Mistake(
        "baron",
        "turn.rules",
        "forbid same_kind: some(n in c.neighbours where tile[n].kind is t.kind) ",
        "forbid same_kind: count(n in c.neighbours where tile[n].kind is t.kind) > 1 ",
        2,
        "invariant",
        "equal_kinds_apart",
    ),
    "a donjon anywhere": Mistake(
        "baron",
        "turn.rules",
        "forbid no_meadow: tile[c].kind is not meadow ",
        "forbid no_meadow: tile[c] is none ",
        2,
        "invariant",
        "on_meadows",
    ),
    "donjons that nobody takes from a prisoner": Mistake(
        "baron",
        "turn.rules",
        "        move donjons[p] to box  ",
        "        move {d in donjons[p] where d.number is 1} to box  ",
        3,
        "invariant",
        "prisoners_have_nothing",
        options={"ruinous_draw": "allowed"},
    ),
    "knights that come from nowhere": Mistake(
        "loewenherz",
        "edition.rules",
        "unchanged station.none_left ",
        "remove station.not_joined ",
        3,
        "invariant",
        "nobody_stands_alone",
    ),
    "a pawn that stays behind": Mistake(
        "breakthrough",
        "game.rules",
        "    move owner from pawn to target  @BT-5\n",
        "    owner[target] = p\n",
        2,
        "property",
        "one_pawn_is_moved",
    ),
    "marking over the other's mark": Mistake(
        "tic-tac-toe",
        "game.rules",
        "forbid taken: mark[cell] is not none ",
        "forbid taken: mark[cell] is p ",
        2,
        "property",
        "marks_stay",
    ),
}


OF_A_KIND = {
    "a wall between figures of one colour",
    "no new card",
    "tiles of one kind side by side",
    "a donjon anywhere",
    "a knight too many",
    "a die too few",
    "donjons that nobody takes from a prisoner",
}
"""Mistakes that are found and told as others are: not every day."""


@pytest.mark.parametrize("what", [pytest.param(w, marks=[thorough] if w in OF_A_KIND else []) for w in MISTAKES])
def test_a_mistake_is_found_and_told(what: str, tmp_path: Path) -> None:
    mistake = MISTAKES[what]
    copy = mistake.made(tmp_path)
    report = rw.fuzzing.fuzz(
        copy,
        FuzzOptions(players=mistake.players, options=mistake.options, games=mistake.games, keep_going=False),
    )
    story = next(s for s in report.stories if (s.trouble.kind, s.trouble.name) == (mistake.kind, mistake.name))
    assert story.scenario, story.why_not
    assert 0 < story.decisions <= SHORT
    assert len(story.log) == story.decisions
    paste(copy, story.scenario)
    code, said = command("test", copy, "-k", title_of(story.scenario))
    assert code == 1
    assert "FAILED" in said
    assert "1 failed" in said
    mistake.mend(copy)
    code, said = command("test", copy)
    assert code == 0, said
    assert command("fmt", "--diff", copy / PASTED)[0] == 0


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", pytest.param("breakthrough", marks=thorough)])
def test_shipped_rulesets_have_no_such_mistake(name: str) -> None:
    games = sample(1, 4)
    report = rw.fuzzing.fuzz(name, FuzzOptions(games=games))
    assert report.passed, report.stories
    assert report.games == games
    assert report.runs > 100
    assert report.answers > 10_000
