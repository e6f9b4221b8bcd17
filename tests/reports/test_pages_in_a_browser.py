"""Each kind of page in a browser: narrow and wide, light and dark, on paper; nothing to scroll sideways, nothing that
axe finds serious, no request to anywhere."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rulewright_tools.app import app
from sampling import thorough

for library in ("scipy", "altair", "vl_convert", "choix"):
    pytest.importorskip(library)
sync_api = pytest.importorskip("playwright.sync_api", reason="pages are looked at with playwright, which is not here")
axe_module = pytest.importorskip("axe_playwright_python.sync_playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here to look at pages with"),
    pytest.mark.long,
]
ROOT = Path(__file__).parents[2]
NARROW, WIDE, NARROWEST = 400, 1400, 360


def told(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code in (0, 1), done.stderr
    return done.stdout


def reported(target: Path, *words: str) -> str:
    told(*words, "--output", str(target))
    return target.read_text("utf-8")


def experiment(target: Path) -> str:
    wanted = ("decisions", "wins", "final_score", "final_score after turn", "answers")
    asked = [word for one in wanted for word in ("--measure", one)]
    return reported(target, "experiment", "domaine:3", ":goal=20:3", ":goal=5:3", "--games", "6", *asked)


def single(target: Path) -> str:
    return reported(target, "experiment", "carolus-magnus", "--players", "3", "--games", "20")


AIM = (
    "experiment", "carolus-magnus", "--players", "3", "--games", "40", "--aim", "decisions = 60",
    "--over", "castles_to_win=8..12,first_order",
)  # fmt: skip
SENSITIVITY = (
    "experiment", "carolus-magnus", "--players", "3", "--games", "2", "--limit", "16",
    "--over", "castles_to_win=8..12,first_order",
)  # fmt: skip


def game_report(target: Path) -> str:
    told("report", "connect-four", "--against", ":rows=5", "--games", "6", "--seats", "random", "--output", str(target))
    return target.read_text("utf-8")


PAGES: dict[str, Callable[[Path], str]] = {
    "game report": game_report,
    "experiment": experiment,
    "experiment with one arm": single,
    "aim": lambda target: reported(target, *AIM),
    "sensitivity": lambda target: reported(target, *SENSITIVITY),
    "simulation": lambda target: reported(target, "simulate", "carolus-magnus", "--games", "20"),
    "tournament": lambda target: reported(target, "tournament", "tic-tac-toe", "mcts:8", "random", "--games", "8"),
    "analysis": lambda target: reported(target, "analyse", "tic-tac-toe", "--agent", "mcts:20"),
    "fuzz": lambda target: reported(target, "fuzz", "baron", "--players", "3", "--games", "3"),
    "trace": lambda target: told("trace", "baron", "--format", "html"),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield made
        made.close()


SLOW = {"aim", "sensitivity", "fuzz"}
"""Those that take longest to be made; their parts stand on the others, too."""


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=thorough if kind in SLOW else ()) for kind in PAGES])
def test_a_page_can_be_read_and_printed(
    kind: str, browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    page_file = tmp_path / "page.html"
    page_file.write_text(PAGES[kind](tmp_path / "report.html"), "utf-8")
    for theme in ("light", "dark"):
        for width in (NARROWEST if kind == "game report" else NARROW, WIDE):
            page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)
            asked: list[str] = []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.goto(page_file.as_uri())
            where = f"{kind}, {theme}, {width} pixels"
            if keep := os.environ.get("RULEWRIGHT_PICTURES"):
                page.screenshot(path=f"{keep}/{kind.replace(' ', '-')}-{width}-{theme}.png", full_page=True)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, where
            assert asked == [page_file.as_uri()], where
            found = axe_module.Axe().run(page).response["violations"]
            serious = [one for one in found if one["impact"] in ("serious", "critical")]
            assert [(one["id"], one["nodes"][0]["html"][:200]) for one in serious] == [], where
            page.close()
    is_light_on_paper(browser, page_file)


def is_light_on_paper(browser: Any, page_file: Path) -> None:
    """On paper a page is light, whatever the theme is, and what is folded is unfolded."""
    page = browser.new_page(color_scheme="dark")
    page.goto(page_file.as_uri())
    page.emulate_media(media="print", color_scheme="dark")
    red, green, blue = page.evaluate("getComputedStyle(document.body).color.match(/[0-9]+/g).map(Number)")
    assert max(red, green, blue) < 100
    page.close()
