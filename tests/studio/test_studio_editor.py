"""Rules changed in the page: findings as one types, a game that goes on, two windows, variants, nothing lost."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_studio_browser import NARROW, WIDE, Visit, browser, in_every_look
from test_studio_server import Server

import rulewright as rw
from rulewright_tools.studio.server.page_files import page_files

__all__ = ["browser"]

TEXT = ".text[data-language=ready] .cm-content"
FORBID = "forbid taken: mark[cell] is not none"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A ruleset of one's own."""
    shutil.copytree(next(path for path in rw.shipped_rulesets() if path.name == "tic-tac-toe"), tmp_path / "mine")
    return tmp_path / "mine"


@pytest.fixture
def server(tmp_path: Path, mine: Path) -> Iterator[Server]:
    running = Server(tmp_path, str(mine))
    yield running
    running.close()


@pytest.fixture
def visit(browser: Any, server: Server) -> Iterator[Visit]:
    here = Visit(browser, server, WIDE)
    here.start("mine", seats="person")
    open_rules(here.page, "mine/game.rules")
    yield here
    # Where a selection of coloured words is replaced, Chromium itself tries to keep their style, which is refused.
    refused = ("Applying inline style", "policy: style-src-attr inline")
    here.wrong[:] = [line for line in here.wrong if not line.startswith(refused)]
    here.close()


def open_rules(page: Any, name: str) -> None:
    """Open a file in the editor."""
    page.get_by_role("button", name="Rules").click()
    page.get_by_label("File", exact=True).select_option(name)
    page.wait_for_selector(f".text[data-file='{name}'][data-language=ready]")


def replace(page: Any, old: str, new: str) -> None:
    """Type something in the place of a part of the text."""
    page.evaluate(
        """([old]) => {
            const editor = document.querySelector('.text').shadowRoot.querySelector('.cm-content').cmTile.root.view
            const at = editor.state.doc.toString().indexOf(old)
            editor.dispatch({selection: {anchor: at, head: at + old.length}})
            editor.focus()
        }""",
        [old],
    )
    page.keyboard.insert_text(new)


def save(page: Any) -> None:
    page.keyboard.press("Control+s")


def test_an_error_is_shown_and_mended_and_the_game_goes_on(visit: Visit, mine: Path) -> None:
    page = visit.page
    visit.click(0)
    visit.click(1)
    page.wait_for_selector(".rw-keyword")
    replace(page, "mark[cell] = p", "marc[cell] = p")
    page.wait_for_selector(".cm-lintRange-error:has-text('marc')")
    page.locator(".found .error", has_text="did you mean `mark`?").get_by_role("button").click()  # without hovering
    save(page)
    page.get_by_text("The game goes on with the rules as they were").wait_for()
    visit.click(2)
    page.get_by_role("button", name="Replace").first.click()
    page.wait_for_selector(".cm-lintRange-error", state="detached")
    save(page)
    page.get_by_text("The game goes on with the new rules").wait_for()
    page.wait_for_selector("main[data-at='3']")
    assert "mark[cell] = p" in (mine / "game.rules").read_text()
    replace(page, FORBID, f"forbid low: cell.row is 0\n        {FORBID}")
    save(page)
    page.get_by_text("The new rules refuse an answer that was given").wait_for()
    page.wait_for_selector("main[data-at='0']")


def test_what_two_windows_write_is_not_lost(visit: Visit, browser: Any, server: Server, mine: Path) -> None:
    page, other = visit.page, Visit(browser, server, NARROW, "dark")
    other.start("mine", seats="person")
    open_rules(other.page, "mine/game.rules")
    replace(other.page, "# Three in a row", "# Theirs: three in a row")
    save(other.page)
    other.page.get_by_text("The game goes on with the new rules").wait_for()
    replace(page, "players 2", "players 2  # ours")
    save(page)
    page.get_by_text("Somebody else has changed this file").wait_for()
    assert "# ours" not in (mine / "game.rules").read_text()
    page.get_by_role("button", name="Keep mine").click()
    page.get_by_text("The game goes on with the new rules").wait_for()
    assert "# ours" in (mine / "game.rules").read_text()
    replace(other.page, "# Theirs", "# Again theirs")
    save(other.page)
    other.page.get_by_role("button", name="Take theirs").click()
    other.page.wait_for_function("() => !document.querySelector('.editing .trouble')")
    assert "# ours" in other.page.locator(TEXT).inner_text()
    other.close()


def test_a_variant_begins_with_one_button(visit: Visit, server: Server) -> None:
    page = visit.page
    page.get_by_role("button", name="New game").click()
    visit.start("carolus-magnus")
    page.get_by_text("read only").wait_for()
    page.get_by_role("button", name="New variant").click()
    page.get_by_label("Name of the variant").fill("my-carolus")
    page.get_by_role("button", name="Make it").click()
    page.wait_for_selector("main[data-ruleset='my-carolus']")
    page.wait_for_selector(".text[data-file='my-carolus/my-carolus.rules']")
    assert (server.folder / "my-carolus.rules").is_file()
    seed = page.locator(".seed").inner_text()
    assert seed == "seed 3"
    visit.settle()
    visit.click(0)
    page.get_by_role("button", name="New variant").click()
    page.get_by_text("this one stays under Games").wait_for()
    page.get_by_role("button", name="Cancel").click()
    assert page.locator("main").get_attribute("data-ruleset") == "my-carolus"


@pytest.mark.parametrize("address", ["", "https://games.example.org/mine/"])
def test_a_link_leads_to_an_export_or_else_it_is_said_what_does(browser: Any, tmp_path: Path, address: str) -> None:
    (folder := tmp_path / "links").mkdir()
    (folder / "broad.rules").write_text('variant "Broad" of connect_four\n    set columns = 8\n', "utf-8")
    server = Server(folder, "broad.rules", *(["--export-at", address] if address else []))
    visit = Visit(browser, server, WIDE)
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.start("broad")
    visit.page.get_by_role("button", name="Rules", exact=True).click()
    visit.page.get_by_role("button", name="Copy link").click()
    if address:
        visit.page.get_by_text("The link is copied.").wait_for()
        assert str(visit.page.evaluate("() => navigator.clipboard.readText()")).startswith(f"{address}#variant=")
    else:
        visit.page.get_by_text("This studio is on your computer only").wait_for()
        visit.page.locator(".editing").get_by_role("button", name="Invite").click()
        visit.page.get_by_role("dialog").wait_for()
    visit.close()
    server.close()


def test_the_definition_of_a_name_is_shown(visit: Visit) -> None:
    page = visit.page
    replace(page, "turn(p)\n", "turn(p)\n")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("F12")
    page.wait_for_selector(".cm-activeLine:has-text('procedure turn')")


@in_every_look
def test_the_editor_can_be_used_by_all(browser: Any, server: Server, theme: str, size: dict[str, int]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    visit = Visit(browser, server, size, theme)
    visit.start("mine", seats="person")
    open_rules(visit.page, "mine/game.rules")
    visit.page.wait_for_selector(".rw-keyword")
    found = axe.Axe().run(visit.page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visit.close()


def test_a_page_without_an_editor_loads_little(browser: Any, server: Server) -> None:
    visit, files = Visit(browser, server, WIDE), page_files()

    def loaded() -> dict[str, int]:
        urls = visit.page.evaluate("performance.getEntriesByType('resource').map(one => new URL(one.name).pathname)")
        return {url: len(gzip.compress(files[url].content)) for url in ["/", *urls] if url in files}

    before = loaded()
    assert {url.rpartition(".")[2] for url in before} >= {"js", "css"}
    assert sum(before.values()) <= 400_000
    visit.start("mine", seats="person")
    open_rules(visit.page, "mine/game.rules")
    assert sum(loaded().values()) > sum(before.values()) + 50_000
    visit.close()
