"""The pictures of the studio in the guide, from a game in Chromium: `python tools/studio/scripts/screenshots.py`.

They have a palette of 128 colours, with which flat drawings look the same and need a third of the bytes (Pillow).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

GUIDE = Path(__file__).parents[3] / "docs" / "guide"
PICTURES = (("studio-light", "light", 1280, 900), ("studio-dark-narrow", "dark", 400, 860))
COLOURS = 128
ANSWERS = ".board .choosable, .question > .options button, .held .choosable"
READY = "() => document.querySelector('main[aria-busy=false][data-asks=person]')"


def play(page: Page, link: str) -> None:
    """A game of one seed, some answers in it, and something that is not possible."""
    page.goto(link)
    page.wait_for_selector("main[data-at], form.start button.main")
    page.get_by_role("button", name="New game").click()
    page.get_by_label("Ruleset").select_option("carolus-magnus")
    page.wait_for_selector("form.start[data-described='carolus-magnus']")
    opponent = page.locator("form.start .occupant").nth(1)
    opponent.locator("select").select_option("other")
    opponent.locator("input").fill("mcts:200")
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Start", exact=True).click()
    for number in range(40):
        page.wait_for_function(READY)
        if number > 8 and page.locator(".held .refused").count():
            break
        before, found = page.locator("main").get_attribute("data-at"), page.locator(ANSWERS)
        found.nth(number % found.count()).click()
        if page.locator(".choosing button").count():
            page.locator(".choosing button").first.click()
        page.wait_for_function(f"() => document.querySelector('main').dataset.at !== '{before}'")
    page.locator(".held .refused").first.dispatch_event("click")
    page.wait_for_selector(".why")


def main() -> None:
    """Serve, play, and write the pictures."""
    command = [sys.executable, "-m", "rulewright_tools", "studio", "carolus-magnus", "--no-open", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    link = server.stdout.readline().strip()
    try:
        with sync_playwright() as running:
            browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            for name, theme, width, height in PICTURES:
                viewport = {"width": width, "height": height}
                context = browser.new_context(viewport=viewport, color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
                page = context.new_page()
                play(page, link)
                file = GUIDE / f"{name}.png"
                page.screenshot(path=file)
                with Image.open(file) as picture:
                    small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
                small.save(file, optimize=True)
                context.close()
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
