"""Games at a page become scenarios: proposed, written into a file of rules, run; and no secret is told by one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from studio_page import Failed, Page
from typer.testing import CliRunner

import rulewright as rw
from rulewright_tools.app import app
from rulewright_tools.studio.host import Catalogue, Host
from rulewright_tools.studio.host.messages import ErrorCode

FILE = "mine/scenarios/rows.rules"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A ruleset of one's own."""
    shutil.copytree(next(path for path in rw.shipped_rulesets() if path.name == "tic-tac-toe"), tmp_path / "mine")
    return tmp_path / "mine"


def began(folder: Path, *keys: str, **params: Any) -> Page:
    page = Page(Host(Catalogue.of([folder])))
    page.ask("game/start", ruleset=folder.name, seed=1, seats=["person"] * 2, **params)
    for key in keys:
        page.answer(key)
    return page


def proposed(found: Any) -> list[int]:
    return [one["number"] for one in found["lines"] if one["proposed"]]


def test_what_was_played_is_kept_and_holds(mine: Path) -> None:
    page = began(mine, "(0, 0)", "(1, 1)")
    assert not page.ask("game/whyNot", key="(1, 1)")["allowed"]
    found = page.ask("scenarios/propose")
    assert found["from"] == 0
    assert found["trouble"] == ""
    assert FILE in found["files"]
    texts = [one["text"] for one in found["lines"] if one["proposed"]]
    assert "refused x: cell = (1, 1) because turn.taken" in texts
    title, lines = found["title"], proposed(found)
    told = page.ask("scenarios/text", title=title, lines=lines)["text"]
    before = (mine / "scenarios" / "rows.rules").read_text()
    kept = page.ask("scenarios/keep", title=title, lines=lines, file=FILE)
    after = (mine / "scenarios" / "rows.rules").read_text()
    assert kept["failure"] is None
    assert after == f"{before.rstrip()}\n\n{told}"
    assert after.splitlines()[kept["line"] - 1].startswith(f'scenario "{title}"')
    done = CliRunner().invoke(app, ["test", str(mine)])
    assert done.exit_code == 0, done.output
    assert "3 scenarios" in done.output
    assert CliRunner().invoke(app, ["check", str(mine)]).exit_code == 0
    with pytest.raises(Failed, match="already"):
        page.ask("scenarios/keep", title=title, lines=lines, file=FILE)
    assert page.ask("scenarios/propose")["title"] != title


def test_a_scenario_that_fails_by_now_shows_its_line(mine: Path) -> None:
    """The rules have changed since the game was played: the line that does not hold is told."""
    page = began(mine, "(0, 0)")
    page.ask("game/whyNot", key="(0, 0)")
    found = page.ask("scenarios/propose")
    rules = mine / "game.rules"
    rules.write_text(rules.read_text().replace("forbid taken:", "forbid occupied:"))
    kept = page.ask("scenarios/keep", title="taken", lines=proposed(found), file=FILE)
    line = (mine / "scenarios" / "rows.rules").read_text().splitlines()[kept["failure"]["line"] - 1]
    assert "refused o" in line
    assert kept["failure"]["message"]


def test_a_scenario_begins_at_a_chosen_position(mine: Path) -> None:
    page = began(mine, "(0, 0)", "(1, 1)", "(2, 2)")
    later = page.ask("scenarios/propose", **{"from": 2})
    assert later["from"] == 2
    text = page.ask("scenarios/text", title="later", lines=[], **{"from": 2})["text"]
    assert "(2, 2)" in text
    assert text.count("when") == 1
    page.ask("game/undo")
    assert "(2, 2)" not in page.ask("scenarios/text", title="earlier")["text"]


def test_what_is_no_file_of_the_rules_is_not_written(mine: Path) -> None:
    page = began(mine, "(0, 0)")
    for name in ("mine/ruleset.json", "baron/game.rules", "mine/../x.rules", "mine/none.rules"):
        with pytest.raises(Failed) as caught:
            page.ask("scenarios/keep", title="a", file=name)
        assert caught.value.error["code"] == ErrorCode.PARAMS
    with pytest.raises(Failed, match="quotation"):
        page.ask("scenarios/text", title='a" b')


def test_a_shipped_ruleset_has_no_file_for_it(mine: Path) -> None:
    page = Page(Host(Catalogue.of([])))
    page.ask("game/start", ruleset="tic-tac-toe", seats=["person"] * 2)
    page.answer("(0, 0)")
    assert page.ask("scenarios/propose")["files"] == []
    with pytest.raises(Failed, match="comes with Rulewright"):
        page.ask("scenarios/keep", title="a", file="tic-tac-toe/scenarios/rows.rules")


@pytest.mark.parametrize("method", ["scenarios/propose", "scenarios/text", "scenarios/keep"])
def test_nobody_is_told_what_is_hidden_from_them(method: str) -> None:
    page = Page(Host(Catalogue.of([])))
    given = {"scenarios/propose": {}, "scenarios/text": {"title": "a"}}.get(
        method, {"title": "a", "file": "kuhn-poker/game.rules"}
    )
    for seats in (["person", "first"], ["first", "first"], ["person", "person"]):
        page.ask("game/start", ruleset="kuhn-poker", seed=4, seats=seats)
        with pytest.raises(Failed, match="hidden") as caught:
            page.ask(method, **given)
        assert caught.value.error["code"] == ErrorCode.NOT_NOW
    page.ask("game/start", ruleset="kuhn-poker", seed=4, seats=["person"] * 2, viewer="public")
    with pytest.raises(Failed, match="hidden"):
        page.ask(method, **given)


def test_who_sees_everything_may_be_told_everything() -> None:
    page = Page(Host(Catalogue.of([])))
    page.ask("game/start", ruleset="kuhn-poker", seed=4, seats=["person"] * 2, viewer="all")
    assert any("chance" in one["text"] for one in page.ask("scenarios/propose")["lines"])
    page.ask("game/start", ruleset="kuhn-poker", seed=4, seats=["person", "first"])
    page.play(10)
    assert page.question is None
    assert page.ask("scenarios/propose")["lines"]
