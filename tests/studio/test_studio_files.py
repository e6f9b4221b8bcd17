"""Files in the studio: read and written by name, never behind a link, never lost; games go on with other rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from studio_page import Failed, Message, Page

import rulewright as rw
from rulewright_tools.studio.host import Catalogue, Host
from rulewright_tools.studio.host.files.folder import Folder
from rulewright_tools.studio.host.messages import ErrorCode, Refused


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A ruleset of one's own."""
    shutil.copytree(next(path for path in rw.shipped_rulesets() if path.name == "tic-tac-toe"), tmp_path / "mine")
    return tmp_path / "mine"


def refused(page: Page, method: str, **params: str) -> Message:
    """The error with which a request is refused."""
    with pytest.raises(Failed) as caught:
        page.ask(method, **params)
    return caught.value.error


def rules_of(folder: Path) -> Path:
    return next(path for path in sorted(folder.glob("*.rules")) if "place" in path.read_text())


def test_a_file_is_read_and_written(mine: Path) -> None:
    folder = Folder(Catalogue.of([mine]))
    name = f"mine/{rules_of(mine).name}"
    assert name in folder.names("mine")
    before = folder.read(name)
    after = folder.write(name, before.text + "# more\n", before.version)
    assert rules_of(mine).read_text() == before.text + "# more\n"
    assert folder.read(name) == after


def test_what_somebody_else_has_written_is_not_lost(mine: Path) -> None:
    page, other = Page(Host(Catalogue.of([mine]))), rules_of(mine)
    name = f"mine/{other.name}"
    read = page.ask("files/read", name=name)
    other.write_text(read["text"] + "# theirs\n")
    error = refused(page, "files/write", name=name, text="mine", version=read["version"])
    assert error["code"] == ErrorCode.CHANGED
    assert error["data"]["text"] == read["text"] + "# theirs\n" == other.read_text()
    page.ask("files/write", name=name, text=read["text"], version=error["data"]["version"])
    other.unlink()
    assert refused(page, "files/write", name=name, text="x", version=read["version"])["data"] == {}
    page.ask("files/write", name=name, text=read["text"])
    assert other.read_text() == read["text"]


@pytest.mark.parametrize(
    "way",
    [
        "../secret",
        "/etc/passwd",
        "a/../../secret",
        "./x.rules",
        ".hidden.rules",
        "x//y.rules",
        "x\\y.rules",
        "",
        "x\n.rules",
    ],
)
def test_nothing_outside_is_read(mine: Path, way: str) -> None:
    (mine.parent / "secret").write_text("secret")
    with pytest.raises(Refused):
        Folder(Catalogue.of([mine])).read(f"mine/{way}")


def test_no_link_is_followed(mine: Path) -> None:
    folder = Folder(Catalogue.of([mine]))
    outside = mine.parent / "outside"
    outside.mkdir()
    (outside / "x.rules").write_text("# outside\n")
    (mine / "link.rules").symlink_to(outside / "x.rules")
    (mine / "within").symlink_to(outside)
    for name in ("mine/link.rules", "mine/within/x.rules"):
        assert name not in folder.names("mine")
        for act in (folder.read, lambda name: folder.write(name, "", rw.files.read_text(outside / "x.rules"))):
            with pytest.raises(Refused, match="link"):
                act(name)
    assert (outside / "x.rules").read_text() == "# outside\n"


def test_what_is_shipped_stays_as_it_is(tmp_path: Path) -> None:
    page = Page(Host(Catalogue.of([], home=tmp_path)))
    assert not page.ask("files/list", ruleset="baron")["writable"]
    name = page.ask("files/list", ruleset="baron")["names"][0]
    read = page.ask("files/read", name=name)
    assert "variant" in refused(page, "files/write", name=name, text="", version=read["version"])["message"]


def test_a_new_variant_is_a_ruleset_that_plays(tmp_path: Path) -> None:
    page = Page(Host(Catalogue.of([], home=tmp_path)))
    made = page.ask("files/newVariant", ruleset="baron", name="quick")
    assert made["name"] == "quick/quick.rules"
    assert (tmp_path / "quick.rules").read_text() == made["text"]
    assert page.ask("ruleset", ruleset="quick")["findings"]["diagnostics"] == []
    page.ask("game/start", ruleset="quick", seed=1)
    assert page.shown["variants"] == ["Quick"]
    assert "set " not in made["text"].partition('variant "')[2]  # nothing is different yet
    assert [one["number"] for one in page.ask("rules/compare")["comparisons"]] in ([], [0])
    assert "already" in refused(page, "files/newVariant", ruleset="baron", name="quick")["message"]
    for name in ("../quick", "Quick", "a b", "x" * 90):
        assert refused(page, "files/newVariant", ruleset="baron", name=name)["code"] == ErrorCode.PARAMS
    assert "quick" in Catalogue.of([], home=tmp_path).names


WIDE = 'variant "Wide" of connect_four\n    set columns = 8\n'


def test_a_variant_of_a_link_finds_what_it_changes_by_the_name_in_its_text(tmp_path: Path) -> None:
    page = Page(Host(Catalogue.of([], home=tmp_path)))
    made = page.ask("files/takeVariant", name="../Größer & Wide", text=WIDE)
    assert (made["ruleset"], made["name"]) == ("gr-er-wide", "gr-er-wide/gr-er-wide.rules")
    page.ask("game/start", ruleset=made["ruleset"], seed=1)
    assert page.shown["variants"] == ["Wide"]
    assert page.ask("files/takeVariant", name="gr-er-wide", text=WIDE) == made  # it is there already
    other = page.ask("files/takeVariant", name="gr-er-wide", text=WIDE.replace("8", "9"))
    assert other["ruleset"] == "gr-er-wide-2"
    before = sorted(tmp_path.iterdir())
    for text, reason in ((WIDE.replace("connect_four", "no_such_game"), "no_such_game"), ("# none\n", "no variant")):
        assert reason in refused(page, "files/takeVariant", name="x", text=text)["message"]
    assert sorted(tmp_path.iterdir()) == before


def test_a_game_goes_on_with_other_rules(mine: Path) -> None:
    page = Page(Host(Catalogue.of([mine])))
    page.ask("game/start", ruleset="mine", seed=1, seats=["person", "person"])
    page.play(3)
    path = rules_of(mine)
    path.write_text(path.read_text() + "\n# nothing that matters\n")
    assert page.ask("game/reload") == {"kept": True, "at": 3, "of": 3, "changes": []}
    assert page.shown["at"] == 3
    path.write_text(path.read_text().replace("= none\n", "= player o\n", 1).replace("is not none  @TTT-4", "is none"))
    assert refused(page, "game/reload")["code"] == ErrorCode.RULES
    assert page.shown["at"] == 3
    assert page.ask("game/undo") == {}


def test_a_game_goes_back_to_the_first_answer_that_is_refused(mine: Path) -> None:
    page = Page(Host(Catalogue.of([mine])))
    page.ask("game/start", ruleset="mine", seed=1, seats=["person", "person"])
    for key in ("(1, 1)", "(0, 0)", "(2, 2)", "(0, 2)"):
        page.answer(key)
    path = rules_of(mine)
    text = path.read_text()
    old = "forbid taken: mark[cell] is not none"
    assert old in text
    path.write_text(text.replace(old, f"forbid low: cell.row + cell.column is 4\n        {old}"))
    assert page.ask("game/reload") == {"kept": False, "at": 2, "of": 4, "changes": []}
    assert "(2, 2)" not in page.options
    path.write_text(text)
    assert page.ask("game/reload")["kept"]
    page.answer("(2, 2)")


def test_values_that_differ_are_told(tmp_path: Path) -> None:
    page = Page(Host(Catalogue.of([], home=tmp_path)))
    made = page.ask("files/newVariant", ruleset="carolus-magnus", name="start")
    page.ask("game/start", ruleset="start", seed=1)
    text = made["text"] + '    before play\n        tells "Different."\n'
    page.ask("files/write", name=made["name"], text=text, version=made["version"])
    assert page.ask("game/reload")["kept"]
