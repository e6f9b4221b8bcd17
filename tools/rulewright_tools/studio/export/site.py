"""The site: the page as it was built, Pyodide, and archives with all that Python needs."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import rulewright as rw
from rulewright_tools.console import CommandError
from rulewright_tools.studio.export.archive import ADDITIONS, added_archive, archive
from rulewright_tools.studio.export.bytecode import BYTECODE

SITE = Path(__file__).parents[1] / "site"
"""The folder into which the page is built; see tools/studio."""

ARCHIVE, SERVICE_WORKER = "rulewright.zip", "service-worker.js"


def export_site(folder: Path, rulesets: Sequence[Path]) -> None:
    """Write the site into a folder that is new or empty; without rulesets it has all that are shipped, and pages begin
    with the choice of one."""
    if not (SITE / "index.html").is_file():
        raise CommandError("the page of the studio is not built: `make studio` builds it, with Node")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise CommandError(f"--export {folder}: this folder is not empty; name a new one")
        archives = {name: added_archive(addition, SITE) for name, addition in ADDITIONS.items()}
        archives[ARCHIVE] = archive(rulesets or rw.shipped_rulesets(), bool(rulesets), SITE)
        shutil.copytree(SITE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(BYTECODE))
        for name, content in archives.items():
            (folder / name).write_bytes(content)
        _list_files(folder)
    except (OSError, shutil.Error) as error:
        raise CommandError(f"--export {folder}: {getattr(error, 'strerror', None) or error}") from None


def _list_files(folder: Path) -> None:
    """Tell the service worker which files belong to this export; another export has another version."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    files.remove(SERVICE_WORKER)
    version = hashlib.sha256()
    for name in files:
        version.update(name.encode() + hashlib.sha256((folder / name).read_bytes()).digest())
    script = (folder / SERVICE_WORKER).read_text("utf-8")
    listed = json.dumps({"version": version.hexdigest()[:16], "files": files})
    (folder / SERVICE_WORKER).write_text(f"self.EXPORTED = {listed};\n{script}", "utf-8")
