"""Simulations of rules that never end: the budget of one answer ends them, and the page goes on meanwhile and after."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from exported_site import ExportedSite
from test_studio_browser import WIDE, Visit, browser
from test_studio_proving import begun
from test_studio_server import Server

from rulewright_tools.studio.export import site

__all__ = ["browser"]

ENDLESS = """game endless
players 2
field score: Int = 0

procedure play
    repeat
        each p in players
            p chooses n from {1 .. 3}
            if n is 3
                repeat
                    score = 0

end done when score > 3
    finish with winner players
"""
"""The third answer is never done with."""


def folder_with(home: Path) -> Path:
    folder = home / "endless"
    folder.mkdir()
    (folder / "game.rules").write_text(ENDLESS, "utf-8")
    manifest = {"name": "endless", "title": "Endless", "rules": ["game.rules"], "seats": {"2": ["anna", "bert"]}}
    (folder / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    return folder


def simulated(visit: Visit) -> None:
    """A simulation ends with the line at which the rules do not, and the game goes on beside it and after it."""
    page = visit.page
    visit.start("endless", seats="person")
    page.get_by_role("button", name="Prove").click()
    job = begun(visit, "Simulate", Games="20")
    visit.click(0)
    job.locator(".verdict", has_text="it could not be done").wait_for()
    assert "RUN006" in job.locator("pre").inner_text()
    assert job.locator(".place").count()
    visit.click(1)
    assert visit.at == "2"
    begun(visit, "Scenarios").locator(".verdict", has_text="nothing is wrong").wait_for()
    visit.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path, str(folder_with(tmp_path)))
    yield running
    running.close()


@pytest.mark.thorough
def test_a_simulation_at_the_server_stops_at_its_budget(browser: Any, server: Server) -> None:
    simulated(Visit(browser, server, WIDE))


@pytest.mark.thorough
@pytest.mark.skipif(not (site.SITE / "index.html").is_file(), reason="the page without a server is not built")
def test_a_simulation_in_an_exported_page_stops_at_its_budget(browser: Any, tmp_path: Path) -> None:
    exported = ExportedSite(tmp_path / "site", str(folder_with(tmp_path)))
    try:
        simulated(Visit(browser, exported, WIDE))
    finally:
        exported.close()
