"""The page in a browser: games by clicks and by keyboard alone, refusals, themes, narrow pages, hostile rulesets."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from studio_page import PATIENCE, hello
from test_studio_server import ConnectionClosed, Server, ask

import rulewright as rw
from rulewright_tools.studio.host.play.strength import SECONDS
from rulewright_tools.studio.server.page_files import page_files

CHROMIUM = shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("there is no chromium here: the page is not tested", allow_module_level=True)
if not page_files():
    pytest.skip("the page is not built: `make studio` builds it, with Node", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api")

SWITCHES = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
ANSWERS = ".board .choosable, .question > .options button, .held .choosable, .holder h2 .choosable"
COVER = ".question button.main:has-text('show what I see')"
WAIT = "() => document.querySelector('main[aria-busy=false]:is([data-asks=person],[data-asks=nobody])')"
WIDE, NARROW = {"width": 1400, "height": 950}, {"width": 360, "height": 800}
in_every_look = pytest.mark.parametrize(
    ("theme", "size"),
    [
        pytest.param("light", WIDE, id="wide-light"),
        pytest.param("dark", NARROW, id="narrow-dark"),
        pytest.param("dark", WIDE, id="wide-dark", marks=pytest.mark.thorough),
        pytest.param("light", NARROW, id="narrow-light", marks=pytest.mark.thorough),
    ],
)
"""Both themes and both widths; two of the four each day."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("page"))
    yield running
    running.close()


VIOLATIONS = """addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""
"""Tells of whatever the content security policy has refused: then a test fails."""


BY_HAND = "if (origin !== 'null' && !localStorage['rulewright.forced']) localStorage['rulewright.forced'] = 'no';"
"""Questions with one answer are answered by the test, as all others."""

UNFOLDED = "if (origin !== 'null') localStorage.setItem('rulewright.designs', 'yes');"
"""The views of designers are not behind their button."""


class Visit:
    """Somebody at the page, who notes whatever goes wrong in it."""

    def __init__(
        self,
        browser: Any,
        server: Any,
        viewport: dict[str, int],
        theme: str = "light",
        script: str = "",
        motion: str = "reduce",
        designs: bool = True,
        by_hand: bool = True,
        touch: bool = False,
    ) -> None:
        self.context = browser.new_context(
            viewport=viewport, color_scheme=theme, reduced_motion=motion, has_touch=touch, is_mobile=touch
        )
        self.context.add_init_script(VIOLATIONS + (BY_HAND if by_hand else "") + (UNFOLDED if designs else "") + script)
        self.designs = designs
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda line: self.wrong.append(line.text) if line.type == "error" else None)
        self.page.on("dialog", lambda dialog: self.wrong.append(f"dialog: {dialog.message}"))
        self.page.set_default_timeout(1000 * PATIENCE)
        self.page.goto(server.link)
        self.page.wait_for_selector("main[data-at], form.start button.main")

    def start(
        self, ruleset: str, players: int = 2, seed: int = 3, seats: str | list[str] = "", sits: bool = True
    ) -> None:
        """Begin a game, and say who sits there if the first question is covered, unless nobody `sits` there yet."""
        page = self.page
        self.fill_in(ruleset, players, seed)
        words = seats or ["person", *["random"] * (players - 1)]
        for number, word in enumerate([words] * players if isinstance(words, str) else words):
            self.occupy(page.locator("form.start .occupant").nth(number), word)
        page.get_by_role("button", name="Start", exact=True).click()
        page.wait_for_selector(f"main[data-ruleset='{ruleset}']")
        self.settle()
        if sits:
            self.sit()
        if self.designs:
            self.open_menu()

    def fill_in(self, ruleset: str, players: int = 2, seed: int = 3) -> None:
        """Begin to say what game is wanted, with a seed: what comes first must not depend on chance."""
        page = self.page
        if page.locator("form.start").count() == 0:
            self.open_menu()
            page.get_by_role("button", name="New game").click()
        page.get_by_label("Ruleset").select_option(ruleset)
        page.wait_for_selector(f"form.start[data-described='{ruleset}']")
        page.get_by_role("combobox", name="Players").select_option(str(players))
        page.locator("form.start .occupant").nth(players - 1).wait_for()
        page.get_by_label("Seed").fill(str(seed))

    @staticmethod
    def occupy(seat: Any, word: str) -> None:
        """Choose who is to sit at a seat."""
        is_known = word in ("person", "link", *SECONDS)
        seat.locator("select").select_option(word if is_known else "other")
        if not is_known:
            seat.locator("input").fill(word)

    def open_menu(self) -> None:
        """Open the menu, if buttons are behind it, as they are on a telephone."""
        menu = self.page.locator("header .menu[aria-expanded=false]")
        if menu.is_visible():
            menu.click()

    def sit(self) -> None:
        """Say who sits there, if the page asks."""
        if self.page.locator(COVER).count():
            self.page.locator(COVER).click()
            self.page.wait_for_function(f"() => !document.querySelector('.question button.main') && ({WAIT})()")

    def settle(self) -> None:
        self.page.wait_for_function(WAIT)

    @property
    def at(self) -> str:
        return str(self.page.locator("main").get_attribute("data-at"))

    @property
    def is_over(self) -> bool:
        return self.page.locator("main[data-asks=nobody]").count() > 0

    def click(self, number: int) -> None:
        """Give some answer that is to be seen, by a click."""
        page, before = self.page, self.at
        self.sit()
        found = page.locator(ANSWERS)
        found.nth(number % found.count()).click()
        if page.locator(".choosing button").count():  # one piece stands for several answers
            page.locator(".choosing button").first.click()
        page.wait_for_function(f"() => document.querySelector('main').dataset.at !== '{before}'")
        self.settle()

    def close(self) -> None:
        self.context.close()
        assert self.wrong == []


@pytest.fixture
def visit(browser: Any, server: Server) -> Iterator[Visit]:
    here = Visit(browser, server, WIDE)
    yield here
    here.close()


COUNTS = [
    pytest.param(folder.name, count, marks=() if number == 0 else pytest.mark.thorough)
    for folder in rw.shipped_rulesets()
    for number, count in enumerate(rw.playing.player_counts(rw.open_ruleset(folder)))
]


@pytest.mark.parametrize(("ruleset", "players"), COUNTS)
def test_thirty_answers_by_clicks(visit: Visit, ruleset: str, players: int) -> None:
    visit.start(ruleset, players)
    for number in range(30):
        if visit.is_over:
            break
        visit.click(number * 7)
    else:
        assert int(visit.at) >= 30
    assert visit.page.locator(".log li").count() > 0


MOST = 1500
"""Answers of one player in a game of Carolus Magnus, at the very most."""


@pytest.mark.thorough
def test_a_whole_game_by_clicks_against_an_agent(visit: Visit) -> None:
    page = visit.page
    visit.start("carolus-magnus", seats=["person", "mcts:5"])
    for number in range(MOST):
        if visit.is_over:
            break
        visit.click(number * 7)
    assert "The game is over" in page.locator(".question h1").inner_text()
    assert page.locator(".standings li").count() > 0
    assert page.locator("[aria-live]").inner_text().endswith("The game is over")


@pytest.mark.thorough
def test_a_whole_game_by_keyboard_alone(visit: Visit) -> None:
    visit.start("carolus-magnus")
    by_keyboard(visit, MOST)
    assert visit.page.locator(".standings li").count() > 0


def test_several_people_at_one_page(visit: Visit) -> None:
    """Of a game with hidden hands: each says that they sit there now."""
    visit.start("domaine", 3, seats="person")
    for number in range(12):
        visit.click(number)
    assert int(visit.at) >= 12


def test_thirty_answers_by_keyboard_alone(visit: Visit) -> None:
    visit.start("carolus-magnus")
    assert by_keyboard(visit, 30) == 30


def by_keyboard(visit: Visit, most: int) -> int:
    """Answers up to so many questions; the number of those that were asked."""
    page = visit.page
    page.keyboard.press("Tab")  # from here on nothing is clicked
    page.evaluate("document.activeElement.blur()")
    for given in range(most):
        if visit.is_over:
            return given
        before = visit.at
        for _ in range(60):
            if page.evaluate("document.activeElement.matches('.choosable')"):
                break
            page.keyboard.press("Tab")
        else:
            pytest.fail("no answer is reached by the Tab key")
        if given % 3 == 1:
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        if page.locator(".choosing button").count():
            page.keyboard.press("Enter")
        page.wait_for_function(f"() => document.querySelector('main').dataset.at !== '{before}'")
        visit.settle()
    return most


def test_arrows_go_over_the_board(visit: Visit) -> None:
    page = visit.page
    visit.start("tic-tac-toe", seats="person")
    page.locator(".board .choosable").first.focus()
    name = "document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(name).startswith("(0, 0)")
    for key, place in (("ArrowRight", "(0, 1)"), ("ArrowDown", "(1, 1)"), ("ArrowLeft", "(1, 0)")):
        page.keyboard.press(key)
        assert page.evaluate(name).startswith(place)
    page.keyboard.press("Enter")
    page.wait_for_selector("main[data-at='1']")
    # The next question is where the keyboard is.
    page.wait_for_function("() => document.activeElement.matches('.board .choosable')")
    # What is taken is no answer; who comes to it is told why.
    for _ in range(3):
        page.keyboard.press("Shift+ArrowUp")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowDown")
    assert page.evaluate(name) == "(1, 0), x: not possible"
    page.wait_for_selector(".why")


def test_a_refusal_is_read(visit: Visit) -> None:
    """Somebody who rests on a place that cannot be chosen is told which statement of the rulebook forbids it."""
    visit.start("domaine", seed=2)
    visit.page.locator(".board .place.refused").first.hover()
    why = visit.page.locator(".why")
    why.wait_for()
    quoted = why.locator("blockquote").first.inner_text()
    statements = [one.statement for one in rw.open_ruleset("domaine").statements.values()]
    assert any(quoted.startswith(statement) for statement in statements)
    assert re.search(r"\.rules:\d+", why.inner_text())


def test_a_board_under_a_pointer_at_rest_explains_nothing(visit: Visit) -> None:
    """Only who moves to something that is refused is told why."""
    visit.start("tic-tac-toe", seats="person")
    taken = visit.page.locator(".board .choosable").first
    taken.click()  # and the pointer stays
    visit.page.wait_for_selector("main[data-at='1']")
    visit.page.wait_for_timeout(600)
    assert visit.page.locator(".why").count() == 0
    box = visit.page.locator(".board .refused").first.bounding_box()
    assert box is not None
    visit.page.mouse.move(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2 + 3)
    visit.page.wait_for_selector(".why")


def test_answers_far_below_are_listed(browser: Any, server: Server) -> None:
    """Answers among the supplies are in sight at once."""
    for size in (WIDE, NARROW):
        here = Visit(browser, server, size)
        here.start("baron", seats="person")
        details = here.page.locator(".question details:has(.options)")
        assert "among players and supplies" in details.inner_text()
        assert details.evaluate("(one) => one.open")
        here.close()


def test_undo_redo_and_any_position(visit: Visit) -> None:
    page = visit.page
    visit.start("connect-four")
    for number in range(3):
        visit.click(number)
    end, before = visit.at, drawn(page)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector(f"main[data-at='{int(end) - 2}']")
    page.get_by_role("button", name="Redo").click()
    page.wait_for_selector(f"main[data-at='{end}']")
    assert drawn(page) == before
    page.locator(".log button").first.click()
    page.wait_for_function(f"() => Number(document.querySelector('main').dataset.at) < {end}")
    page.reload()
    page.wait_for_selector("main[data-ruleset=connect-four]")  # the host has kept the game
    assert int(visit.at) < int(end)


NOTE = """() => { for (const one of document.querySelectorAll('.board svg, .board svg *')) one.wasThere = true; }"""
COUNT = """() => {
  const all = [...document.querySelectorAll('.board svg > g:first-of-type *')];
  return [all.filter((one) => one.wasThere).length, all.length];
}"""


def test_only_what_has_changed_is_drawn_anew(visit: Visit) -> None:
    """Most elements of the map stay, and the board is what it would be in a page that is opened now."""
    page = visit.page
    visit.start("connect-four")
    page.evaluate(NOTE)
    for number in range(5):
        visit.click(number)
    stay, all = page.evaluate(COUNT)
    assert all > stay > all / 2
    before = drawn(page)
    page.reload()
    page.wait_for_selector("main[data-ruleset=connect-four]")
    visit.settle()
    assert page.evaluate(COUNT)[0] == 0
    assert drawn(page) == before


def drawn(page: Any) -> str:
    """The board, whichever answer the Tab key comes to: that depends on what was chosen before."""
    return str(page.locator(".board").inner_html().replace('tabindex="0"', 'tabindex="-1"'))


@contextmanager
def held(server: Server, session: str) -> Iterator[None]:
    """A websocket that has a session, as soon as the page that had it is gone."""
    held = False
    while not held:
        with suppress(ConnectionClosed), server.connect(session=session) as socket:
            ask(socket, hello())
            held = True
            yield


def test_a_page_that_comes_before_the_last_one_has_gone_waits_for_its_game(visit: Visit, server: Server) -> None:
    """Answers of the connection that was closed are not waited for."""
    page = visit.page
    visit.start("connect-four")
    session = page.evaluate("sessionStorage.getItem('rulewright.session')")
    page.goto("about:blank")
    with held(server, session), page.expect_websocket() as opened:
        page.goto(server.link)
        if not opened.value.is_closed():
            opened.value.wait_for_event("close")
    page.wait_for_selector("main[data-ruleset=connect-four]")
    visit.settle()
    assert page.get_by_role("button", name="Stop").count() == 0
    assert page.get_by_role("alert").count() == 0


def test_a_game_is_saved_and_taken_up(visit: Visit) -> None:
    page = visit.page
    visit.start("connect-four")
    visit.click(3)
    kept, before = visit.at, drawn(page)
    page.get_by_role("button", name="Games").click()
    page.get_by_label("Name of the copy").fill("<b>evening</b>")
    page.get_by_role("button", name="Keep a copy as it is now").click()
    page.get_by_role("button", name="Go on: <b>evening</b>").wait_for()
    page.get_by_role("button", name="Games").click()
    visit.click(2)
    page.get_by_role("button", name="Games").click()
    page.get_by_role("button", name="Go on: <b>evening</b>").click()
    page.wait_for_selector(f"main[data-at='{kept}']")
    assert drawn(page) == before


def test_another_line_of_play(visit: Visit) -> None:
    page = visit.page
    visit.start("connect-four")
    visit.click(3)
    before = drawn(page)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("main[data-at='0']")
    visit.settle()
    visit.click(5)
    assert drawn(page) != before
    page.locator(".lines button").click()
    page.wait_for_selector("main[data-at='1'][data-asks=others]")  # where it parts from what was played instead
    page.get_by_role("button", name="Redo").click()
    page.wait_for_selector("main[data-at='2'][data-asks=person]")
    assert drawn(page) == before


def test_what_has_just_happened_is_marked_and_told(visit: Visit) -> None:
    page = visit.page
    visit.start("tic-tac-toe")
    assert page.locator(".board .changed, .news").count() == 0
    visit.click(4)
    assert page.locator(".board .changed").count() == 2
    told = page.locator(".news li").all_inner_texts()
    logged = page.locator(".log li.new").all_inner_texts()
    assert [line for line, other in zip(logged, told, strict=True) if not line.startswith(other)] == []
    assert sum(" mark " in line for line in told) == 2  # the answer of the other one, too


def test_what_an_agent_has_thought(visit: Visit) -> None:
    visit.start("tic-tac-toe", seats=["person", "mcts:50"])
    visit.click(0)
    thought = visit.page.locator(".thought")
    assert "mcts:50" in thought.inner_text()
    thought.locator("summary").click()
    assert thought.locator("li").count() == 3
    assert "to win" in thought.locator("li").first.inner_text()


def test_motion_is_reduced(browser: Any, server: Server) -> None:
    """Nothing moves where the system says that nothing should."""
    for wish, moves in (("reduce", False), ("no-preference", True)):
        here = Visit(browser, server, WIDE)
        here.page.emulate_media(reduced_motion=wish)
        here.start("tic-tac-toe")
        style = "getComputedStyle(document.querySelector('.board .choosable'))"
        found = here.page.evaluate(f"[{style}.transitionDuration, {style}.animationName].join()")
        assert (found != "0s,none") == moves, found
        assert (here.page.evaluate("document.getAnimations().length") > 0) <= moves
        here.close()


def test_a_hint(visit: Visit) -> None:
    visit.start("tic-tac-toe")
    visit.page.get_by_role("button", name="Hint").click()
    visit.page.wait_for_selector(".hints li")
    assert visit.page.locator(".hints li").count() == 3
    assert "to win" in visit.page.locator(".hints").inner_text()
    visit.page.locator(".hints button").first.click()  # what is proposed can be played at once
    visit.page.wait_for_function("() => Number(document.querySelector('main').dataset.at) > 0")


@in_every_look
def test_what_axe_finds(browser: Any, server: Server, theme: str, size: dict[str, int]) -> None:
    """No serious finding, and nothing that is wider than the page, in any view."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    here = Visit(browser, server, size, theme)
    views = [("tic-tac-toe", 0), ("carolus-magnus", 3), ("kings-and-things", 12), ("domaine", 6), ("kuhn-poker", 40)]
    for ruleset, answers in views:
        here.start(ruleset)
        for number in range(answers):
            if here.is_over:
                break
            here.click(number)
        if here.page.locator(".refused").count():
            here.page.locator(".refused").first.dispatch_event("click")
            here.page.wait_for_selector(".why")
        for details in here.page.locator("details").all()[:2]:
            details.evaluate("(one) => { one.open = true; }")
        check(here, axe, ruleset)
    here.open_menu()
    here.page.get_by_role("button", name="New game").click()
    here.page.wait_for_selector("form.start[data-described]")
    check(here, axe, "new game")
    here.close()


def check(here: Visit, axe: Any, view: str) -> None:
    found = axe.run(here.page).response["violations"]
    serious = [(one["id"], one["nodes"][0]["html"][:200]) for one in found if one["impact"] in ("serious", "critical")]
    assert serious == [], view
    too_wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert here.page.evaluate(too_wide) == 0, view


HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def test_nothing_of_a_hostile_ruleset_is_executed(browser: Any, tmp_path: Path) -> None:
    """Titles, names of cards and of seats with tags in them are text, wherever they are shown."""
    folder = Path(
        shutil.copytree(rw.rulesets.find_rulesets("kuhn-poker")[0], tmp_path / "<img src=x onerror=alert(3)>")
    )
    manifest = (folder / "ruleset.json").read_text("utf-8")
    words = f'"words": {{"hand": "{HOSTILE}", "king": "{HOSTILE}", "queen": "{HOSTILE}", "jack": "{HOSTILE}"}}, "title"'
    (folder / "ruleset.json").write_text(manifest.replace('"title"', words, 1), "utf-8")
    changed = re.sub(r'("title"\s*:\s*)"[^"]*"', lambda found: f'{found[1]}"{HOSTILE}"', words_of(folder), count=1)
    (folder / "ruleset.json").write_text(changed, "utf-8")
    server = Server(tmp_path, str(folder))
    here = Visit(browser, server, WIDE)
    here.page.wait_for_selector("main[data-at]")
    assert HOSTILE in here.page.locator("header").inner_text()
    while not here.is_over:
        here.click(0)
    assert HOSTILE in here.page.locator("main").inner_text()
    here.page.get_by_role("button", name="Rules").click()
    here.page.wait_for_selector(".cm-content")
    assert here.page.locator("img, .cm-content script").count() == 0
    here.page.get_by_role("button", name="New game").click()
    here.page.wait_for_selector("form.start[data-described]")
    assert here.page.locator("main img, main script").count() == 0
    here.close()
    server.close()


def words_of(folder: Path) -> str:
    return (folder / "ruleset.json").read_text("utf-8")


def test_rules_with_errors_are_shown(browser: Any, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(rw.rulesets.find_rulesets("tic-tac-toe")[0], tmp_path / "broken"))
    rules = folder / "game.rules"
    rules.write_text(rules.read_text("utf-8").replace("choose", "chose", 1), "utf-8")
    server = Server(tmp_path, str(folder))
    here = Visit(browser, server, WIDE)
    here.page.wait_for_selector(".trouble")
    assert re.search(r"SYN\d+.*game\.rules:\d+", here.page.locator(".trouble").first.inner_text(), re.DOTALL)
    here.close()
    server.close()


MOVING = """() => [...document.querySelectorAll("*")].filter((one) => {
    const style = getComputedStyle(one);
    const times = `${style.transitionDuration},${style.animationDuration}`.split(",");
    return times.some((time) => parseFloat(time) > 0);
}).length + document.getAnimations().length"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_if_the_system_says_so(browser: Any, server: Server, motion: str) -> None:
    here = Visit(browser, server, WIDE, motion=motion)
    here.start("carolus-magnus")
    moving = 0
    for number in range(3):
        here.click(number)
        moving += here.page.evaluate(MOVING)
    assert (moving == 0) == (motion == "reduce")
    here.close()


def test_what_the_policy_refuses_is_told(browser: Any, server: Server) -> None:
    """A script inside the page is not run, and the tests would hear of it."""
    here = Visit(browser, server, WIDE)
    here.page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'alert(1)'}))")
    here.page.wait_for_timeout(100)
    assert any(line.startswith("policy: script-src") for line in here.wrong)
    assert not any("dialog" in line for line in here.wrong)
    here.context.close()


def test_a_page_without_the_token(browser: Any, server: Server) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.link.partition("#")[0])
    page.wait_for_selector("[role=alert]")
    assert "needs a link" in page.locator("[role=alert]").inner_text()
    context.close()


THINKING = ".question section.thought"


def think_and_stop(visit: Visit) -> None:
    """Play against an agent that would think for days: its progress is seen, and a stop makes it answer."""
    visit.start("connect-four", seats=["person", "mcts:900000000"])
    visit.page.locator(ANSWERS).first.click()
    progress = visit.page.locator(THINKING)
    progress.wait_for()
    assert progress.locator("li").count() > 0
    assert "continuations so far" in progress.inner_text()
    visit.page.locator(".question").get_by_role("button", name="Stop").click()
    visit.page.wait_for_selector("main[data-at='2'][data-asks=person]")
    assert progress.count() == 0
    assert "looked at" in visit.page.locator("details.thought summary").inner_text()


def test_an_agent_that_thinks_is_watched_and_stopped(browser: Any, server: Server) -> None:
    visit = Visit(browser, server, WIDE)
    think_and_stop(visit)
    visit.close()
