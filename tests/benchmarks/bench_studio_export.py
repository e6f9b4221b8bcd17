"""An exported page of the studio: from load to the first board, its size, and playouts a second as a ratio to here.

The page lies behind a server of files on this computer, so no network is measured; the second visit is that of somebody
who comes back. Processor time is that of all processes of the browser. Playouts are those of one thread, by machine
code in both cases; with --games 0 there are none. Prints; asserts nothing. It needs Chromium, and the built page (`make
studio`).

    python tests/benchmarks/bench_studio_export.py
    python tests/benchmarks/bench_studio_export.py --games 2000 baron
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "studio"))
from exported_site import ExportedSite

import rulewright as rw

RULESETS = ("carolus-magnus", "connect-four", "baron", "kings-and-things")
SWITCHES = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]

PLAYOUTS = """
import time
import rulewright as rw
def speed(name, games):
    game = rw.load(name, engine="native")
    game.playouts(20)
    began = time.perf_counter()
    game.playouts(games)
    return games / (time.perf_counter() - began)
"""

IN_WORKER = """async ([base, code, name, games]) => {
  if (!self.speed) {
    const { loadPyodide } = await import(base + "pyodide/pyodide.js");
    const python = await loadPyodide({ indexURL: base + "pyodide/", env: { HOME: "/home", RULEWRIGHT_CACHE: "" } });
    python.unpackArchive(await (await fetch(base + "rulewright.zip")).arrayBuffer(), "zip", { extractDir: "/app" });
    const path = python.pyimport("sys").path;
    path.insert(0, "/app");
    path.append("/app/libraries.zip");
    python.runPython(code);
    self.speed = python.globals.get("speed");
  }
  return self.speed(name, games);
}"""


def speed_here(name: str, games: int) -> float:
    """Playouts a second in this process."""
    game = rw.load(name, engine="native")
    game.playouts(20)
    began = time.perf_counter()
    game.playouts(games)
    return games / (time.perf_counter() - began)


def processor() -> float:
    """Seconds of the processor that the processes of browsers have used which this process has begun."""
    found = 0.0
    for one in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            found += sum(one.cpu_times()[:2]) if "chrom" in one.name() else 0.0
    return found


def loaded(browser: Any, site: ExportedSite) -> tuple[list[str], Any]:
    """Times from load to the first board, for the first visit and the second; and the page."""
    page = browser.new_context().new_page()
    waits = []
    for _ in range(2):
        began, used = time.perf_counter(), processor()
        page.goto(site.link)
        page.wait_for_selector("main[data-at] .board svg", timeout=120_000)
        waits.append(f"{time.perf_counter() - began:.1f} s ({processor() - used:.1f} s of processor)")
        page.wait_for_timeout(2000)
        page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        page.evaluate("() => sessionStorage.clear()")  # a game anew
    return waits, page


def size(site: ExportedSite) -> str:
    """The size of all files, as they are and compressed."""
    contents = [path.read_bytes() for path in site.folder.rglob("*") if path.is_file()]
    packed = sum(min(len(content), len(gzip.compress(content))) for content in contents)
    return f"{sum(map(len, contents)) / 2**20:.1f} MiB, {packed / 2**20:.1f} MiB compressed"


def main() -> None:
    """Export, open, play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulesets", nargs="*", default=RULESETS)
    parser.add_argument("--games", type=int, default=1000)
    given = parser.parse_args()
    with sync_playwright() as running, tempfile.TemporaryDirectory() as folder:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=SWITCHES)
        for name in given.rulesets:
            site = ExportedSite(Path(folder) / name, name)
            (first, second), page = loaded(browser, site)
            print(f"{name:18} first board after {first}, on the second visit {second}; {size(site)}")
            if given.games == 0:
                page.context.close()
                site.close()
                continue
            there = page.workers[-1].evaluate(IN_WORKER, [site.link, PLAYOUTS, name, given.games])
            here = speed_here(name, given.games)
            print(f"{'':18} playouts a second: {there:,.0f} in the browser, {here:,.0f} here: {there / here:.0%}")
            page.context.close()
            site.close()
        browser.close()


if __name__ == "__main__":
    main()
