"""Effects of answers and ends of a change in games are told in numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw

from .test_slips import bazaar

__all__ = ["bazaar"]

BRIBE = """\
variant "Bribe" of bazaar
    in turn.deed
        option bribe
            forbid no_gold: gold[p] < 2
            votes[p] += 2
            {paid}
"""


def told(bazaar: Path, rules: str, code: str = "EXM302") -> dict[str, str]:
    file = bazaar.parent / "effects.rules"
    file.write_text(rules)
    found = rw.examination.examine(file, players=2, games=100, seconds=None)
    return {one.key: one.message for one in found.findings if one.code == code}


@pytest.mark.parametrize(
    ("paid", "sentence"),
    [
        ("gold[p] -= 2", "`gold` of who answers -2 each time"),
        ("votes[p] += 0", "`gold` of who answers never changes"),
        ("gold[p.left] -= min({1, gold[p.left]})", "`gold` of who answers never changes"),
    ],
)
def test_what_an_option_does_is_told_in_numbers(bazaar: Path, paid: str, sentence: str) -> None:
    found = told(bazaar, BRIBE.format(paid=paid))
    assert sentence in found["EXM302/turn/turn.bribe"]
    assert "`votes` of who answers +2 each time" in found["EXM302/turn/turn.bribe"]


def test_whose_it_is_is_told(bazaar: Path) -> None:
    found = told(bazaar, BRIBE.format(paid="gold[p.left] += 1"))
    assert "`gold` of the others +1 each time" in found["EXM302/turn/turn.bribe"]


def test_of_what_was_there_before_only_what_always_differs_is_told(bazaar: Path) -> None:
    found = told(bazaar, 'variant "Cheap" of bazaar\n    set fee = 2\n')
    assert list(found) == ["EXM302/turn/turn.buy"]
    assert found["EXM302/turn/turn.buy"].endswith(": `gold` of who answers -2 each time (base: -3 each time)")


@pytest.mark.parametrize(("asked", "most"), [("most", "most"), ("fewest", "fewest")])
def test_of_an_end_it_is_told_what_the_winner_has(bazaar: Path, asked: str, most: str) -> None:
    better = ">" if asked == "most" else "<"
    rules = f"""variant "Landslide" of bazaar
    add end landslide for p in players when votes[p] {better} votes[p.left] and gold[p] > 6
        finish with winner p
"""
    assert f"who wins has the {most} `votes`" in told(bazaar, rules)["EXM302/landslide/winners"]


def test_of_a_board_it_is_told_how_many_places_each_has(tmp_path: Path) -> None:
    file = tmp_path / "pie.rules"
    file.write_text(
        """variant "Pie" of hex
    before turn.hex
        if p is not first(players) and count(h in Hex where stone[h] is not none) is 1
            p chooses either as start
                option take_over
                    stone[single({h in Hex where stone[h] is not none})] = p
                    return
                option leave_it: do nothing
"""
    )
    found = rw.examination.examine(file, games=100, seconds=None).findings
    [told] = [one.message for one in found if one.code == "EXM302"]
    assert "`stone` of who answers +1 each time; `stone` of the others -1 each time" in told
    assert told.endswith("; next another player is asked for `turn.hex`")


HIRE = """\
variant "Hire" of breakthrough
    add field coins[Player]: 0.. = 6
    before turn.pawn
        p chooses either as deed
            option go: do nothing
            option hire
                forbid poor: coins[p] < 2
                p chooses spot from Cell where owner[spot] is none
                coins[{who}] -= min({{2, coins[{who}]}})
                owner[spot] = p
"""


@pytest.mark.parametrize(("who", "never"), [("p", False), ("p.left", True)])
def test_what_an_option_leads_to_is_no_price_forgotten(who: str, never: bool, tmp_path: Path) -> None:
    file = tmp_path / "hire.rules"
    file.write_text(HIRE.format(who=who))
    found = rw.examination.examine(file, games=100, seconds=None).findings
    said = " ".join(one.message for one in found if one.key == "EXM302/turn/turn.hire")
    assert ("`coins` of who answers never changes" in said) is never
    assert "EXM302/turn/turn.go" not in {one.key for one in found}, "a man is moved then"


GIFT = """\
variant "Gift" of bazaar
    add field purse: Int = 0
    in turn.deed
        option gift
            {first}
            {second}
"""


@pytest.mark.parametrize("in_order", [True, False])
def test_a_statement_that_changes_nothing_is_told(bazaar: Path, in_order: bool) -> None:
    """A purse that is given away after it was emptied never reaches anybody."""
    give, empty = "gold[p.left] += purse", "purse = 0"
    first, second = (give, empty) if in_order else (empty, give)
    rules = GIFT.format(first=first, second=second) + "    before turn.deed\n        purse += 1\n"
    found = told(bazaar, rules, "EXM303")
    idle = [message for message in found.values() if "`gold` is already what it is set to" in message]
    assert len(idle) == (0 if in_order else 1)


def test_a_number_that_is_set_whatever_it_was_is_told(bazaar: Path) -> None:
    rules = 'variant "Count" of bazaar\n    after turn.deed\n        gold[p] = size(hand[p]) * 4\n'
    assert any("`gold` is set here whatever it was" in one for one in told(bazaar, rules, "EXM303").values())


def test_moves_of_nothing_are_told(bazaar: Path) -> None:
    rules = (
        'variant "Sale" of bazaar\n    after turn.deed\n        move {{c in hand[p] where c.family > 3}} to market\n'
    )
    found = told(bazaar, rules.format(), "EXM303")
    assert [one for one in found.values() if "nothing is moved to `market`" in one]


def test_a_number_that_goes_the_other_way_than_in_the_base_is_told(bazaar: Path) -> None:
    rules = 'variant "Loss" of bazaar\n    after turn.deed\n        votes[p] = min({1, votes[p]})\n'
    assert any("`votes` only ever rises in the base" in one for one in told(bazaar, rules, "EXM303").values())


def test_what_is_asked_next_is_told(bazaar: Path) -> None:
    found = told(bazaar, BRIBE.format(paid="gold[p] -= 2"))
    assert "next the same player is asked for `turn.back`" in found["EXM302/turn/turn.bribe"]


DEALT = """\
game dealt
players 2
piece Card from "cards.json"
    worth: Int
    named "card {worth}"
    begins in deck
zone deck: bag of Card, seen by {}
zone hand[p: Player]: set of Card, seen by p
zone table: set of Card, seen by everyone

procedure play
    each p in players
        draw 3 from deck to hand[p]
    each p in players
        p chooses card from hand[p]
        move card to table
    finish with nobody winning
"""


def test_what_comes_before_the_first_question_is_no_effect(tmp_path: Path) -> None:
    """The cards that are dealt at random at the beginning belong to no answer."""
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "dealt", "title": "Dealt", "rules": ["dealt.rules"]}))
    (tmp_path / "cards.json").write_text(json.dumps({"rows": [{"worth": worth, "count": 3} for worth in (1, 2, 3)]}))
    (tmp_path / "dealt.rules").write_text(DEALT)
    found = rw.examination.examine(tmp_path, games=100, seconds=None).findings
    [card] = [one.message for one in found if one.code == "EXM302"]
    assert "`hand` of who answers -1 each time" in card
