"""A finding is accepted where it stands, with the reason, and told when it is not found any more."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright as rw

from .test_slips import bazaar as bazaar

BRIBE = """\
variant "Bribe" of bazaar
    add field bribed: Bool = false{comment}
    in turn.deed
        option bribe
            forbid again: bribed
            bribed = {value}
"""
COMMENT = "  # lint: ignore[EXM123] once in a game"


def examined(
    folder: Path, comment: str, value: str = "true", players: int | None = None, games: int = 0
) -> rw.examination.Examination:
    file = folder.parent / "bribe.rules"
    file.write_text(BRIBE.format(comment=comment, value=value))
    return rw.examination.examine(file, players=players, games=games)


def test_a_finding_is_accepted_with_its_reason(bazaar: Path) -> None:
    assert [one.code for one in examined(bazaar, "").findings] == ["EXM123"]
    found = examined(bazaar, COMMENT)
    assert (found.findings, found.passed, found.unneeded) == ((), True, ())
    [kept] = found.accepted
    assert (kept.finding.code, kept.reason) == ("EXM123", "once in a game")


def test_what_is_not_found_any_more_is_told_with_its_fix(bazaar: Path) -> None:
    found = examined(bazaar, COMMENT, value="votes[p] > 2")
    assert (found.findings, found.accepted) == ((), ())
    [told] = found.unneeded
    assert (told.code, told.span.line) == ("LNT003", 2)
    assert told.fix is not None


def test_nothing_is_unneeded_where_not_all_was_looked_at(bazaar: Path) -> None:
    assert examined(bazaar, COMMENT, value="votes[p] > 2", players=2).unneeded == ()
    played = "  # lint: ignore[EXM202] it goes on in the end"
    assert examined(bazaar, played, value="votes[p] > 2").unneeded == (), "no games were played"
    assert [one.code for one in examined(bazaar, played, value="votes[p] > 2", games=1).unneeded] == ["LNT003"]


@pytest.mark.parametrize("comment", ["  # lint: ignore[EXM123]", "  # lint: ignore[EXM102] another one"])
def test_without_a_reason_or_with_another_code_nothing_is_accepted(comment: str, bazaar: Path) -> None:
    found = examined(bazaar, comment)
    assert [one.code for one in found.findings] == ["EXM123"]
    assert found.accepted == ()


def test_reasons_in_the_base_and_in_other_variants_are_left_alone(bazaar: Path) -> None:
    rules = bazaar / "game.rules"
    rules.write_text(rules.read_text() + "\n# lint: ignore[EXM102] of the game\nquery three -> Int = 3\n")
    other = BRIBE.format(comment=COMMENT, value="votes[p] > 2").replace("Bribe", "Gift").replace("bribe", "gift")
    (bazaar.parent / "gift.rules").write_text(other)
    assert examined(bazaar, "", value="votes[p] > 2").unneeded == ()
    [told] = rw.examination.examine(bazaar).unneeded
    assert told.span.file.endswith("game.rules")


def test_a_check_says_nothing_of_what_it_does_not_look_for(bazaar: Path) -> None:
    file = bazaar.parent / "bribe.rules"
    file.write_text(BRIBE.format(comment=COMMENT, value="votes[p] > 2"))
    assert not {one.code for one in rw.check(rw.open_ruleset(file))} & {"LNT002", "LNT003", "LNT004"}


def test_of_a_code_that_is_gone_no_similar_one_is_proposed(bazaar: Path) -> None:
    file = bazaar.parent / "bribe.rules"
    file.write_text(BRIBE.format(comment="  # lint: ignore[EXM132] it was found once", value="votes[p] > 2"))
    [told] = [one for one in rw.check(rw.open_ruleset(file)) if one.code == "LNT002"]
    assert (told.message, told.hint) == ("`EXM132` is not the code of a finding any more, or never was", "remove it")
