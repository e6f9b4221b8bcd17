"""Pictures of the studio, each a step of the tour in the guide: `python tools/studio/scripts/screenshots.py`.

They have a palette of 128 colours, with which flat drawings look the same and need a third of the bytes (Pillow).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

GUIDE = Path(__file__).parents[3] / "docs" / "guide"
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 400, "height": 860}
COLOURS = 128
ANSWERS = ".board .choosable, .question > .options button, .held .choosable"
READY = "() => document.querySelector('main[aria-busy=false][data-asks=person]')"


def opened(browser: Browser, link: str, size: dict[str, int], theme: str = "light") -> Page:
    """A page of a browser that has not been at the studio before."""
    context = browser.new_context(viewport=size, color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(link)
    page.wait_for_selector("main[data-at], form.start button.main")
    return page


def press(page: Page, name: str) -> None:
    """Press a button, which may be behind the menu."""
    button, menu = page.get_by_role("button", name=name, exact=True), page.locator("header .menu[aria-expanded=false]")
    if not button.is_visible() and menu.is_visible():
        menu.click()
    button.click()


def keep(page: Page, name: str) -> None:
    """Write a picture of what is in the window."""
    page.evaluate("scrollTo(0, 0)")
    file = GUIDE / f"{name}.png"
    page.screenshot(path=file)
    with Image.open(file) as picture:
        small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(file, optimize=True)


def fill_in(page: Page, seats: list[str], ruleset: str = "carolus-magnus") -> None:
    """Say what game is wanted, and who plays."""
    if page.locator("form.start").count() == 0:
        press(page, "New game")
    page.get_by_label("Ruleset").select_option(ruleset)
    page.wait_for_selector(f"form.start[data-described='{ruleset}']")
    page.get_by_role("combobox", name="Players").select_option(str(len(seats)))
    for number, word in enumerate(seats):
        page.locator("form.start .occupant select").nth(number).select_option(word)
    page.get_by_label("Seed").fill("7")


def start(page: Page) -> None:
    """Begin the game."""
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector("main[data-at]")


def answer(page: Page, number: int) -> None:
    """Click one of the answers."""
    page.wait_for_function(READY)
    before, found = page.locator("main").get_attribute("data-at"), page.locator(ANSWERS)
    found.nth(number % found.count()).click()
    if page.locator(".choosing button").count():
        page.locator(".choosing button").first.click()
    page.wait_for_function(f"() => document.querySelector('main').dataset.at !== '{before}'")
    page.wait_for_function(READY)


def refuse(page: Page) -> None:
    """Play until something is not possible, and ask why not."""
    for number in range(40):
        page.wait_for_function(READY)
        if number > 8 and page.locator(".held .refused").count():
            break
        answer(page, number)
    page.locator(".held .refused").first.dispatch_event("click")
    page.wait_for_selector(".why")


def tour(browser: Browser, link: str) -> None:
    """Each picture of a person who plays, asks, changes a rule, and invites a friend."""
    page = opened(browser, link, WIDE)
    fill_in(page, ["person", "easy", "easy"])
    keep(page, "studio-new-game")
    start(page)
    refuse(page)
    keep(page, "studio-light")
    press(page, "Design")
    press(page, "Variants")
    page.locator(".variants .check input").first.check()
    page.locator(".comparison .difference").first.wait_for()
    page.wait_for_function(READY)
    keep(page, "studio-variant")
    page.get_by_label("Games", exact=True).fill("60")
    page.get_by_role("button", name="Find out").click()
    found = page.get_by_role("list", name="What differs")
    found.wait_for(timeout=300_000)
    found.scroll_into_view_if_needed()
    keep(page, "studio-better")
    press(page, "Variants")
    press(page, "Design")
    fill_in(page, ["person", "link", "easy"], "domaine")
    start(page)
    box = page.get_by_role("textbox", name="Link for ").first
    box.wait_for()
    friend = opened(browser, box.input_value(), NARROW, "dark")
    keep(page, "studio-invite")
    page.get_by_role("button", name="Close").first.click()
    for number in range(40):
        one = next((one for one in (page, friend) if one.locator("main[data-asks=person]").count()), page)
        if number > 12 and one is friend:
            break
        answer_alone(one, number)
    keep(friend, "studio-dark-narrow")


def answer_alone(page: Page, number: int) -> None:
    """Click one of the answers; who is asked next is perhaps at another page."""
    page.wait_for_function(READY)
    before, found = page.locator("main").get_attribute("data-at"), page.locator(ANSWERS)
    found.nth(number % found.count()).click()
    page.wait_for_function(f"() => document.querySelector('main').dataset.at !== '{before}'")
    page.wait_for_timeout(1500)


def main() -> None:
    """Serve, play, and write the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rulewright_tools", "studio", "--no-open", "--port", "0"]
        command += ["--keep", f"{folder}/games.sqlite3"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        link = server.stdout.readline().strip()
        try:
            with sync_playwright() as running:
                tour(running.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"]), link)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
