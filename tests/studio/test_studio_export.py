"""The exported page in a browser, behind a server that knows nothing but files."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from exported_site import RECORDER, RULESETS, ExportedSite, recorded, shared_site
from test_studio_browser import WIDE, Visit, browser, think_and_stop
from test_studio_editor import replace, save

import rulewright as rw
from rulewright_tools.console import CommandError
from rulewright_tools.studio.export import export_site, site
from rulewright_tools.studio.host import Catalogue, Host

if not (site.SITE / "index.html").is_file():
    pytest.skip("the page is not built: `make studio` builds it, with Node", allow_module_level=True)

__all__ = ["browser"]


@pytest.fixture
def exported() -> ExportedSite:
    return shared_site()


def visited(browser: Any, exported: ExportedSite) -> Visit:
    return Visit(browser, exported, WIDE, script=RECORDER)


def test_games_are_played_by_clicks_and_nothing_but_files_of_the_site_is_loaded(
    browser: Any, exported: ExportedSite
) -> None:
    visit = visited(browser, exported)
    addresses: list[str] = []
    visit.page.on("request", lambda request: addresses.append(request.url))
    visit.start("baron", seed=11)
    for number in range(6):
        visit.click(number)
    visit.page.reload()
    visit.page.wait_for_selector("main[data-ruleset=baron]")
    assert int(visit.at) > 0
    assert addresses
    assert all(address.startswith((exported.link, "data:")) for address in addresses)
    visit.close()


COUNTING = """() => {
  self.instances = 0;
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct: (made, given) => (self.instances++, Reflect.construct(made, given)),
  });
}"""


def test_the_browser_runs_the_machine_code_of_the_rules(browser: Any, exported: ExportedSite) -> None:
    visit = visited(browser, exported)
    worker = visit.page.workers[0]
    worker.evaluate(COUNTING)
    visit.start("baron", seed=5)
    before = worker.evaluate("self.instances")
    visit.page.get_by_role("button", name="Hint").click()
    visit.page.wait_for_function("() => document.querySelector('main[aria-busy=false]')")
    assert worker.evaluate("self.instances") > before
    host, said = Host(Catalogue.of([rw.rulesets.find_rulesets(name)[0] for name in RULESETS], shipped=False)), []
    sent, got = recorded(visit.page)
    got = [text for text in got if '"game/thinking"' not in text]  # when these come depends on the clock
    for text in sent[[number for number, text in enumerate(sent) if "game/start" in text][-1] :]:
        said += [json.dumps(message, ensure_ascii=False, separators=(",", ":")) for message in host.handle_text(text)]
    assert '"answers"' in said[-1]
    assert got[-len(said) :] == said
    visit.close()


def test_the_host_in_the_browser_says_the_same_bytes_as_the_one_behind_the_server(
    browser: Any, exported: ExportedSite
) -> None:
    visit = visited(browser, exported)
    visit.start("baron", seed=5)
    for number in range(12):
        visit.click(number)
    sent, got = recorded(visit.page)
    visit.close()
    got = [text for text in got if '"game/thinking"' not in text]
    begun = next(number for number, text in enumerate(sent) if '"baron"' in text and "game/start" in text)
    folders = [rw.rulesets.find_rulesets(name)[0] for name in RULESETS]
    host = Host(Catalogue.of(folders, shipped=False))
    said: list[str] = []
    for text in sent[begun:]:
        said += (json.dumps(message, ensure_ascii=False, separators=(",", ":")) for message in host.handle_text(text))
    assert len(said) > 20
    assert got[-len(said) :] == said


def test_it_opens_without_a_network_after_the_first_visit(browser: Any, tmp_path: Path) -> None:
    alone = ExportedSite(tmp_path, "connect-four")
    visit = visited(browser, alone)
    visit.click(3)
    visit.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    alone.close()
    visit.page.reload()
    visit.page.wait_for_selector("main[data-ruleset=connect-four]")
    assert int(visit.at) > 0  # the game as it was left
    visit.settle()
    visit.click(2)
    visit.close()


def test_python_starts_where_its_memory_was_that_of_other_modules(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = shutil.copytree(site.SITE, tmp_path / "built")
    assert (built / site.SNAPSHOT).stat().st_size > 1 << 20
    (built / site.SNAPSHOT_OF).write_text("of other modules", "utf-8")
    monkeypatch.setattr(site, "SITE", built)
    alone = ExportedSite(tmp_path, "connect-four")
    assert (alone.folder / site.SNAPSHOT).stat().st_size < 100
    visit = visited(browser, alone)
    visit.click(3)
    assert int(visit.at) > 0
    visit.close()
    alone.close()


ASK_WORKER = """async ([request, stops]) => {
  const address = performance.getEntriesByType("resource").map(({ name }) => name).find((one) => /worker-/.test(one));
  const worker = new Worker(address, { type: "module" });
  const stop = crossOriginIsolated ? new SharedArrayBuffer(4) : undefined;
  worker.postMessage({ kind: "begin", base: new URL("./", document.baseURI).href, session: "another", stop });
  const texts = [];
  const done = new Promise((resolve, reject) => {
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }) => {
      if (data.sentence) reject(new Error(data.sentence));
      if (typeof data === "string" && texts.push(data) && JSON.parse(data).id === request.length - 1) resolve(texts);
    };
  });
  for (const text of request) worker.postMessage(text);
  if (stops) {
    const begun = async () => {
      while (texts.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await Promise.race([begun(), done]);
    new Int32Array(stop)[0] = 1;
  }
  const found = await done;
  worker.terminate();
  return [crossOriginIsolated, found];
}"""


def test_where_memory_is_shared_the_host_stops_by_itself(browser: Any, exported: ExportedSite) -> None:
    visit = visited(browser, exported)
    visit.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    visit.page.reload()  # now with the headers that the service worker adds
    visit.page.wait_for_selector("main[data-at]")
    start = {"ruleset": "connect-four", "seed": 1, "seats": ["person", "person"]}
    asked = [("game/start", start), ("game/hint", {"agent": "mcts:90000000"})]
    texts = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        for number, (method, params) in enumerate(asked)
    ]
    shares, said = visit.page.evaluate(ASK_WORKER, [texts, True])
    assert shares
    assert json.loads(said[-1])["result"]["answers"]
    visit.close()


def test_an_agent_that_thinks_is_watched_and_stopped(browser: Any, exported: ExportedSite) -> None:
    visit = visited(browser, exported)
    visit.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    visit.page.reload()  # now with the headers that the service worker adds: page and worker share memory
    visit.page.wait_for_selector("main[data-at], form.start button.main")
    think_and_stop(visit)
    visit.close()


def test_saved_games_stay_in_the_browser(browser: Any, exported: ExportedSite) -> None:
    visit = visited(browser, exported)
    visit.start("baron", seed=2)
    visit.click(1)
    visit.page.get_by_role("button", name="Games").click()
    name = visit.page.get_by_label("Name of the copy")
    name.fill("evening")
    name.press("Enter")
    visit.page.get_by_role("button", name="Go on: evening").wait_for()
    visit.page.evaluate("() => sessionStorage.clear()")
    visit.page.reload()
    visit.page.wait_for_selector("main[data-at], form.start button.main")
    visit.page.get_by_role("button", name="Games").click()
    visit.page.get_by_role("button", name="Go on: evening").click()
    visit.page.wait_for_selector("main[data-ruleset=baron]")
    visit.close()


def link_of(browser: Any, alone: ExportedSite) -> str:
    """A link to a variant, as somebody copies it who has made it in the page."""
    visit = visited(browser, alone)
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    request = {"jsonrpc": "2.0", "method": "files/newVariant", "params": {"ruleset": "connect-four", "name": "wide"}}
    visit.page.evaluate(ASK_WORKER, [[json.dumps({**request, "id": 0})], False])
    visit.page.reload()
    visit.start("wide")
    visit.page.get_by_role("button", name="Rules", exact=True).click()
    visit.page.wait_for_selector(".text[data-file='wide/wide.rules'][data-language=ready]")
    replace(visit.page, "of connect_four\n", "of connect_four\n    set columns = 8\n")
    save(visit.page)
    visit.page.get_by_text("The game goes on with the new rules").wait_for()
    visit.page.get_by_role("button", name="Copy link").click()
    visit.page.get_by_text("The link is copied.").wait_for()
    found = visit.page.evaluate("() => navigator.clipboard.readText()")
    visit.close()
    return str(found)


def test_a_link_brings_rules_and_nothing_of_it_runs_before_its_reader_wants_it(
    browser: Any, exported: ExportedSite
) -> None:
    link = link_of(browser, exported)
    assert link.startswith(f"{exported.link}#variant=")
    visit = visited(browser, exported)  # another person: another context
    visit.page.goto(link)
    visit.page.reload()
    visit.page.wait_for_selector(".linked button.main:enabled")
    visit.page.wait_for_selector("main[data-at]")
    sent, _ = recorded(visit.page)
    assert "wide" not in "".join(sent).lower()
    visit.page.get_by_text("Read them first").click()
    assert "set columns = 8" in visit.page.locator(".linked pre").inner_text()
    visit.page.get_by_role("button", name="Play by these rules").click()
    visit.page.wait_for_selector("main[data-ruleset=wide]")
    assert "#" not in visit.page.url
    assert visit.page.locator(".linked").count() == 0
    visit.settle()
    visit.click(7)
    visit.page.goto(link)  # once more: they are there already
    visit.page.reload()
    visit.page.wait_for_selector(".linked button.main:enabled")
    visit.page.get_by_role("button", name="Play by these rules").click()
    visit.page.wait_for_selector("main[data-ruleset=wide]:not([data-at='1'])")
    visit.close()


def test_a_link_finds_what_it_changes_whatever_the_page_calls_it(browser: Any, tmp_path: Path) -> None:
    mine = tmp_path / "my-own-folder"
    shutil.copytree(rw.rulesets.find_rulesets("connect-four")[0], mine)
    manifest = json.loads((mine / "ruleset.json").read_text("utf-8"))
    (mine / "ruleset.json").write_text(json.dumps({**manifest, "name": "four-of-mine"}), "utf-8")
    for rules in mine.rglob("*.rules"):
        rules.write_text(rules.read_text("utf-8").replace("connect_four", "four_of_mine"), "utf-8")
    variant = tmp_path / "Broad_Board.rules"
    variant.write_text('variant "Broad" of four_of_mine\n    set columns = 8\n', "utf-8")
    itself, base = ExportedSite(tmp_path / "itself", variant), ExportedSite(tmp_path / "base", mine)
    visit = visited(browser, itself)
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.start("Broad_Board")
    visit.page.get_by_role("button", name="Rules", exact=True).click()
    visit.page.get_by_role("button", name="Copy link").click()
    visit.page.get_by_text("The link is copied.").wait_for()
    link = visit.page.evaluate("() => navigator.clipboard.readText()")
    visit.close()
    for alone, name in ((itself, "Broad_Board"), (base, "broad-board")):
        visit = visited(browser, alone)
        visit.page.goto(link.replace(itself.link, alone.link))
        visit.page.reload()
        visit.page.get_by_role("button", name="Play by these rules").click()
        visit.page.wait_for_selector(f"main[data-ruleset='{name}']")
        visit.settle()
        visit.click(7)
        visit.close()
        alone.close()


@pytest.mark.parametrize("hash", ["#variant=broken", "#variant=" + "A" * 40_000])
def test_a_link_that_cannot_be_read_is_one_sentence(browser: Any, exported: ExportedSite, hash: str) -> None:
    visit = visited(browser, exported)
    visit.page.goto(exported.link + hash)
    visit.page.reload()
    told = visit.page.wait_for_selector(".linked [role=alert]")
    assert told.inner_text().startswith("This link is")
    visit.page.get_by_role("button", name="Go on without it").click()
    assert visit.page.locator(".linked").count() == 0
    visit.page.wait_for_selector("main[data-at]")
    visit.close()


def test_an_export_without_the_built_page_or_over_other_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "letter.txt").write_text("not to be lost")
    with pytest.raises(CommandError, match="not empty"):
        export_site(tmp_path, [])
    monkeypatch.setattr(site, "SITE", tmp_path)
    with pytest.raises(CommandError, match="make studio"):
        export_site(tmp_path / "new", [])
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_an_export_has_the_same_bytes_each_time(tmp_path: Path) -> None:
    folders = [rw.rulesets.find_rulesets("connect-four")[0]]
    for name in "ab":
        export_site(tmp_path / name, folders)
    one, other = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (tmp_path / "a", tmp_path / "b")
    )
    assert one == other


def test_one_clear_sentence(tmp_path: Path) -> None:
    def command(*words: str) -> tuple[int, str]:
        started = [sys.executable, "-m", "rulewright_tools", "studio", *words]
        done = subprocess.run(started, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr

    code, told = command("no-such-game", "--output", str(tmp_path / "site"))
    assert code == 2
    assert "no-such-game" in told
    assert not (tmp_path / "site").exists()
    (tmp_path / "file").touch()
    code, told = command("--output", str(tmp_path / "file"))
    assert (code, told.count("\n")) == (2, 1)
    assert "Traceback" not in told


FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))  # as on a disk that has no more room
from rulewright_tools.cli import main
main()
"""


@pytest.mark.parametrize("exists", [False, True])
def test_an_export_that_finds_no_room_leaves_nothing(tmp_path: Path, exists: bool) -> None:
    folder = tmp_path / "some" / "site"
    if exists:
        folder.mkdir(parents=True)
    command = [sys.executable, "-c", FULL, "studio", "tic-tac-toe", "--output", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [f"error: --output {folder}: File too large"]
    assert [path.name for path in tmp_path.rglob("*")] == (["some", "site"] if exists else [])
