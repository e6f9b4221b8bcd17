"""The exported page in a browser, behind a server that knows nothing but files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from exported_site import RECORDER, ExportedSite, recorded
from test_studio_browser import CHROMIUM, SWITCHES, Visit

import rulewright as rw
from rulewright_tools.console import CommandError
from rulewright_tools.studio.export import export_site, site
from rulewright_tools.studio.host import Catalogue, Host

if not (site.SITE / "index.html").is_file():
    pytest.skip("the page is not built: `make studio` builds it, with Node", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api")

WIDE = {"width": 1400, "height": 950}
RULESETS = ("connect-four", "baron")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExportedSite]:
    running = ExportedSite(tmp_path_factory.mktemp("export"), *RULESETS)
    yield running
    running.close()


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
    begun = next(number for number, text in enumerate(sent) if '"baron"' in text and "game/start" in text)
    folders = [rw.rulesets.find_rulesets(name)[0] for name in RULESETS]
    host = Host(Catalogue.of(folders, shipped=False))
    said: list[str] = []
    for text in sent[begun:]:
        said += (json.dumps(message, ensure_ascii=False, separators=(",", ":")) for message in host.handle_text(text))
    assert len(said) > 20
    assert got[-len(said) :] == said


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
