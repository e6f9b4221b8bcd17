"""One of several that the base treats alike is told where a change treats it otherwise: places, members, pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.findings.games.lost_symmetries import unequal_members, unequal_seats
from rulewright.findings.games.playing.metamorphic_relations import equal_pieces, exchanged_for_opposite, members, seats
from rulewright.play.loading import load
from sampling import thorough

from .test_unequal_seats import examined

STEPS = """
    replace query targets(p: Player, c: Cell) -> set of Cell =
            {{t in {{towards(c, straight(p))}} where owner[t] is none}}
            + {{t in {{{ways}}} where owner[t] is none}}
            + {{towards(c, d) for d in diagonals(p) where owner[towards(c, d)] is not p}}
"""
BESIDE = """
    add field doubled: Bool = false
    after turn.assign_1
        if not doubled and count(c in Cell where mark[c] is not none) is 3
            doubled = true
            {chosen}
            {then}
"""
COURT = """
    add field fame[Player]: Int = 0
    after turn.place_knights
        if every(f in {families} has at_court(p, f) > 0) then fame[p] += 1
"""
GROWS = """
    after turn.move_emperor
        {chosen}
        {then}
"""
GROW = "move 1 of {k in middle where k.family is f} to land[region(emperor)]"
GROW_OR_NOT = f"""then
            {GROW}
        else
            do nothing
"""
HOME = """
    before turn.act
        if ducats[p] < 3
            {chosen}
            {then}
"""
KNIGHTS = "{k in Knight where k.color is p.color and on_board(k)}"
HOME_OR_NOT = """then
                move gone to stock[p.color]
            else
                do nothing
"""
ANYBODY = "p chooses more from cell.neighbours where mark[more] is none"
FIRST = "let more = first(n in cell.neighbours where mark[n] is none)"
MEMBERS = (
    (
        "EXM214",
        "breakthrough",
        STEPS.format(ways="towards(c, east)"),
        STEPS.format(ways="towards(c, east), towards(c, west)"),
        "replace query targets",
        "map mirrored",
    ),
    (
        "EXM215",
        "tic-tac-toe",
        BESIDE.format(chosen=FIRST, then="if more is not none then mark[more] = p"),
        BESIDE.format(
            chosen=ANYBODY, then="then\n                mark[more] = p\n            else\n                do nothing"
        ),
        "mark[more] = p",
        "map mirrored",
    ),
    (
        "EXM214",
        "carolus-magnus",
        COURT.format(families="{red, pink}"),
        COURT.format(families="Family"),
        "fame[p] += 1",
        "members of `Family`",
    ),
    (
        "EXM215",
        "carolus-magnus",
        GROWS.format(chosen="let f = first(best(f in Family by in_middle(f)))", then=GROW),
        GROWS.format(
            chosen="p chooses f from best(f in Family by in_middle(f)) where in_middle(f) > 0", then=GROW_OR_NOT
        ),
        "move 1 of",
        "opposite order",
    ),
    pytest.param(
        "EXM215",
        "domaine",
        HOME.format(chosen=f"let gone = first({KNIGHTS})", then="if gone is not none then move gone to stock[p.color]"),
        HOME.format(chosen=f"p chooses gone from {KNIGHTS}", then=HOME_OR_NOT),
        "move gone to stock",
        "pieces exchanged",
        marks=thorough,
    ),
)


@pytest.mark.parametrize(("code", "ruleset", "wrong", "right", "line", "exchanged"), MEMBERS)
def test_one_of_several_alike_that_is_treated_otherwise_is_told(
    code: str, ruleset: str, wrong: str, right: str, line: str, exchanged: str, tmp_path: Path
) -> None:
    [found] = examined(tmp_path, ruleset, wrong, unequal_members)
    assert found.code == code
    assert exchanged in found.message
    assert line in Path(found.span.file).read_text().splitlines()[found.span.line - 1]
    assert examined(tmp_path, ruleset, right, unequal_members) == []


def test_what_is_alike_in_the_base_is_exchanged_in_a_change_with_pieces_of_its_own(tmp_path: Path) -> None:
    found = examined(tmp_path, "carolus-magnus", COURT.format(families="{red, pink}"), unequal_seats)
    assert found == []


INVERSES = [("leduc-poker", 2), ("carolus-magnus", 4), pytest.param("domaine", 3, marks=thorough)]


@pytest.mark.parametrize(("ruleset", "players"), INVERSES)
def test_an_exchange_that_is_taken_back_leaves_each_position_what_it_was(ruleset: str, players: int) -> None:
    """Seats with what belongs to them, enums, equal pieces: cells and stack come back, piles and knowledge too."""
    game = load(ruleset, players)
    for kind in (seats, members, equal_pieces):
        for relation in kind(game.program):
            one = relation.of(game)
            if one is None:
                continue
            other = one.back
            state = game.start(3)
            for number in range(60):
                cells, stack = one.cells(state.cells), one.stack(state.stack)
                assert other.cells(cells) == state.cells
                assert other.stack(stack) == state.stack
                if state.decision is None:
                    break
                state = state.choose(state.decision.options[number % len(state.decision.options)])


@pytest.mark.parametrize(("ruleset", "kind"), [("leduc-poker", "Card"), ("loewenherz", "Knight")])
def test_rows_of_a_table_are_exchanged_for_the_opposite_order(ruleset: str, kind: str) -> None:
    """Of the ruleset's own files and of those that it extends."""
    assert exchanged_for_opposite(load(ruleset), kind) is not None
