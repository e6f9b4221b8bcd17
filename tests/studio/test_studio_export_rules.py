"""Rules changed in the exported page: findings as one types, from a language server in a worker of the browser."""

from __future__ import annotations

from typing import Any

import pytest
from exported_site import ExportedSite, shared_site
from test_studio_browser import WIDE, Visit, browser
from test_studio_editor import replace, save

from rulewright_tools.studio.export import site

__all__ = ["browser"]

if not (site.SITE / "index.html").is_file():
    pytest.skip("the page is not built: `make studio` builds it, with Node", allow_module_level=True)

REFUSED = ("Applying inline style", "policy: style-src-attr inline")
"""Beginnings of complaints: where coloured words are replaced, Chromium itself tries to keep their style."""


@pytest.fixture
def exported() -> ExportedSite:
    return shared_site()


def with_variant(browser: Any, exported: ExportedSite, name: str) -> Visit:
    """A player with a game by a variant of their own, with eight columns."""
    visit = Visit(browser, exported, WIDE)
    page = visit.page
    visit.start("connect-four", seats="person")
    page.get_by_role("button", name="Rules").click()
    page.get_by_text("read only").wait_for()
    page.get_by_role("button", name="New variant").click()
    page.get_by_label("Name of the variant").fill(name)
    page.get_by_role("button", name="Make it").click()
    page.wait_for_selector(f"main[data-ruleset='{name}']")
    page.wait_for_selector(f".text[data-file='{name}/{name}.rules'][data-language=ready]")
    replace(page, "#", "#")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(f'variant "{name.capitalize()}" of connect_four\n    set columns = 8\n')
    save(page)
    page.get_by_text("The game goes on with the new rules").wait_for()
    return visit


def test_findings_come_as_one_types_and_the_mended_game_goes_on(browser: Any, exported: ExportedSite) -> None:
    visit = with_variant(browser, exported, "wide")
    page = visit.page
    page.wait_for_selector(".rw-keyword")
    visit.settle()
    visit.click(7)  # the eighth column
    replace(page, "set columns = 8", "set colums = 8")
    page.wait_for_selector(".cm-lintRange-error:has-text('colums')")
    save(page)
    page.get_by_text("The game goes on with the rules as they were").wait_for()
    page.get_by_role("button", name="Replace").first.click()
    page.wait_for_selector(".cm-lintRange-error", state="detached")
    save(page)
    page.get_by_text("The game goes on with the new rules").wait_for()
    visit.settle()
    assert visit.at == "1"
    page.locator(".cm-line:has-text('set columns') >> .rw-keyword").first.hover()
    page.wait_for_selector(".cm-tooltip-hover")
    visit.wrong[:] = [line for line in visit.wrong if not line.startswith(REFUSED)]
    visit.close()
