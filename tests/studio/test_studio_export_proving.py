"""Jobs in the exported page: scenarios, simulations, experiments and fuzzing in workers of the browser."""

from __future__ import annotations

from typing import Any

import pytest
from exported_site import ExportedSite, shared_site
from test_studio_browser import WIDE, Visit, browser
from test_studio_editor import replace, save
from test_studio_export_rules import REFUSED, with_variant
from test_studio_proving import begun

from rulewright_tools.studio.export import site

__all__ = ["browser"]

if not (site.SITE / "index.html").is_file():
    pytest.skip("the page is not built: `make studio` builds it, with Node", allow_module_level=True)


@pytest.fixture
def exported() -> ExportedSite:
    return shared_site()


pytestmark = pytest.mark.thorough


def test_jobs_run_beside_the_game(browser: Any, exported: ExportedSite) -> None:
    visit = Visit(browser, exported, WIDE)
    page = visit.page
    visit.start("connect-four", seats="person")
    page.get_by_role("button", name="Prove").click()
    begun(visit, "Fuzz", Seconds="3600")  # its worker reads no message meanwhile: nothing but its end stops it
    fuzz = page.locator(".job", has_text="rulewright fuzz")
    fuzz.locator(".verdict", has_text="decisions").wait_for()
    visit.click(0)  # the game goes on
    begun(visit, "Scenarios")
    page.get_by_text("scenarios, all passed").wait_for()
    fuzz.get_by_role("button", name="Stop").click()
    page.wait_for_selector(".job[data-state=stopped]")
    begun(visit, "Simulate", Games="30")
    page.get_by_text("ended by: four_in_a_row 30").wait_for()
    begun(visit, "Examine", Seconds="1")
    page.get_by_text("examined the rules of Connect Four").wait_for()
    begun(visit, "Solve", Seconds="1")
    page.wait_for_selector(".job[data-state=done]:has-text('rulewright solve')")
    assert visit.at == "1"
    visit.close()


THREE = (
    "replace query row_from(c: Cell, d: Direction, p: Player) -> Bool = "
    "every(n in {1 .. 2} has disc[towards(c, d, n)] is p)"
)


def test_what_was_played_is_kept_and_its_job_runs_it(browser: Any, exported: ExportedSite) -> None:
    visit = with_variant(browser, exported, "kept")
    page = visit.page
    visit.settle()
    visit.click(7)  # the eighth column
    visit.click(0)
    page.get_by_role("button", name="Prove").click()
    page.get_by_role("button", name="Keep as scenario").click()
    page.get_by_label("Title").fill("kept in the browser")
    page.get_by_label("The scenario as it will be written").filter(has_text='scenario "kept in the browser"').wait_for()
    page.get_by_role("button", name="Write it and run it").click()
    page.wait_for_selector("[data-kept=green]")
    begun(visit, "Scenarios")
    page.get_by_text("2 scenarios, all passed").wait_for()
    begun(visit, "Is it better?", Games="60")
    page.get_by_text("Details, as a statistician").click()
    page.get_by_text("95 % interval of the difference").wait_for()
    visit.wrong[:] = [line for line in visit.wrong if not line.startswith(REFUSED)]
    visit.close()


def test_moments_are_kept_in_the_files_of_the_browser(browser: Any, exported: ExportedSite) -> None:
    visit = with_variant(browser, exported, "three")
    page = visit.page
    replace(page, "set columns = 8", THREE)
    save(page)
    page.get_by_role("button", name="Prove").click()
    begun(visit, "Confirm", Seconds="5")
    page.locator(".moment figure svg").first.wait_for()
    page.locator(".moment").press("y")
    page.locator(".answered .place", has_text="three/three.rules").wait_for()
    visit.wrong[:] = [line for line in visit.wrong if not line.startswith(REFUSED)]
    visit.close()
