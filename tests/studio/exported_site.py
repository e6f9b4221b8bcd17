"""An export of the studio behind a plain static server, in a sub-path, as any host of files would have it."""

from __future__ import annotations

import atexit
import functools
import http.server
import json
import shutil
import tempfile
import threading
from pathlib import Path
from typing import Any

import rulewright as rw
from rulewright_tools.studio.export import export_site

SUB_PATH = "games/of/mine"
RULESETS = ("connect-four", "baron")

RECORDER = """
window.recorded = { sent: [], got: [] };
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => typeof data === "string" && recorded.got.push(data));
  }
  postMessage(data) {
    if (typeof data === "string") recorded.sent.push(data);
    super.postMessage(data);
  }
};
"""
"""Notes all messages between the page and its worker."""


class ExportedSite:
    """The site, and the server that does nothing but hand out files."""

    def __init__(self, folder: Path, *rulesets: str | Path) -> None:
        self.folder = folder / SUB_PATH
        found = [[one] if isinstance(one, Path) else rw.rulesets.find_rulesets(one) for one in rulesets]
        export_site(self.folder, [paths[0] for paths in found])
        self.asked: list[str] = []
        """The addresses that were asked for."""
        asked = self.asked

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                asked.append(self.path)

        handler = functools.partial(Handler, directory=str(folder))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.link = f"http://127.0.0.1:{self._server.server_address[1]}/{SUB_PATH}/"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@functools.cache
def shared_site() -> ExportedSite:
    """The site of all tests of a process that need no other one."""
    folder = tempfile.mkdtemp(prefix="rulewright-export-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return ExportedSite(Path(folder), *RULESETS)


def recorded(page: Any) -> tuple[list[str], list[str]]:
    """The texts that the page has sent to its worker, and those that it got."""
    found = json.loads(page.evaluate("() => JSON.stringify(recorded)"))
    return found["sent"], found["got"]
