"""Variants and parameters in the middle of a game, and what the rules of a game say differently."""

from __future__ import annotations

from pathlib import Path

import pytest
from studio_page import Failed, Message, Page

import rulewright as rw
from rulewright_tools.studio.host import Catalogue, Host
from rulewright_tools.studio.host.messages import ErrorCode


def begun(tmp_path: Path, ruleset: str, answers: int = 0) -> Page:
    page = Page(Host(Catalogue.of([], home=tmp_path)))
    page.ask("game/start", ruleset=ruleset, seed=1, seats=["person"] * 2)
    page.play(answers)
    return page


def compared(page: Page) -> dict[str, Message]:
    return {one["against"]: one for one in page.ask("rules/compare")["comparisons"]}


def text_of(difference: Message) -> list[str]:
    return [f"{one['sign']} {''.join(word['text'] for word in one['words'])}" for one in difference["lines"]]


def test_a_game_goes_on_with_a_variant_and_a_parameter(tmp_path: Path) -> None:
    page = begun(tmp_path, "carolus-magnus", 3)
    told = page.ask("game/reload", variants=["Short reign"], options={"knights_per_turn": "2"})
    assert told["kept"]
    assert (page.shown["at"], page.shown["variants"]) == (3, ["Short reign"])
    assert page.shown["options"] == {"knights_per_turn": "2"}
    assert page.ask("game/reload")["kept"]  # what was chosen stays
    assert (page.shown["variants"], page.shown["options"]) == (["Short reign"], {"knights_per_turn": "2"})
    page.ask("game/reload", variants=[], options={})
    assert (page.shown["variants"], page.shown["options"]) == ([], {})


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"variants": ["No such"]}, ErrorCode.PARAMS),
        ({"variants": ["x.rules"]}, ErrorCode.PARAMS),
        ({"options": {"no_such": "1"}}, ErrorCode.RULES),
        ({"options": {"knights_per_turn": "many"}}, ErrorCode.RULES),
    ],
)
def test_what_there_is_not_leaves_the_game_as_it_is(tmp_path: Path, params: Message, code: ErrorCode) -> None:
    page = begun(tmp_path, "carolus-magnus", 2)
    before = page.shown
    with pytest.raises(Failed) as caught:
        page.ask("game/reload", **params)
    assert caught.value.error["code"] == code
    page.ask("game/undo")
    page.ask("game/redo")
    assert page.shown["at"] == before["at"]
    assert (page.shown["variants"], page.shown["options"]) == ([], {})


def test_clauses_that_a_choice_changes_are_told(tmp_path: Path) -> None:
    page = begun(tmp_path, "carolus-magnus")
    assert compared(page) == {}
    page.ask("game/reload", variants=["Short reign"], options={"knights_per_turn": "2"})
    (found,) = compared(page).values()
    assert found["against"] == "rules"
    assert found["number"] == len(found["differences"])
    by_address = {one["address"]: one for one in found["differences"]}
    assert text_of(by_address["castles_to_win"]) == ["- param castles_to_win = 10", "+ param castles_to_win = 6"]
    assert by_address["castles_to_win"]["remark"] == "10 → 6"
    assert [word["text"] for word in by_address["castles_to_win"]["lines"][1]["words"] if word["differs"]] == ["6"]
    assert "+ param knights_per_turn = 2" in text_of(by_address["knights_per_turn"])
    old, new = by_address["castles_to_win"]["lines"]
    read = page.ask("files/read", name=new["file"])["text"].splitlines()
    assert "castles_to_win = 6" in read[new["line"] - 1]
    assert set(old["cites"]) <= set(found["statements"])


def test_clauses_that_were_edited_are_told(tmp_path: Path) -> None:
    page = begun(tmp_path, "baron")
    made = page.ask("files/newVariant", ruleset="baron", name="quick")
    page.ask("game/start", ruleset="quick", seed=1)
    assert set(compared(page)) <= {"rules"}
    text = made["text"] + "    set dungeon_at = -3\n"
    page.ask("files/write", name=made["name"], text=text, version=made["version"])
    page.ask("game/reload")
    found = compared(page)
    assert "dungeon_at" in {one["address"] for one in found["rules"]["differences"]}
    assert [one["address"] for one in found["opened"]["differences"]] == ["dungeon_at"]


def test_no_path_of_this_computer_is_told(tmp_path: Path) -> None:
    page = begun(tmp_path, "kings-and-things")
    titles = rw.playing.setup_choices(rw.open_ruleset("kings-and-things")).variants
    for title in titles:
        page.ask("game/reload", variants=[title])
        for one in compared(page)["rules"]["differences"]:
            assert all(line["file"] is None or line["file"].startswith("kings-and-things/") for line in one["lines"])
            assert str(tmp_path) not in str(one)


def test_a_position_without_a_game_has_no_rules() -> None:
    with pytest.raises(Failed, match="no game"):
        Page().ask("rules/compare")
