"""The site: the page as it was built, Pyodide, and one archive with all that Python needs."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import rulewright as rw
from rulewright_tools.console import CommandError
from rulewright_tools.studio.export.archive import archive

SITE = Path(__file__).parents[1] / "site"
"""The folder into which the page is built; see tools/studio."""

ARCHIVE = "rulewright.zip"


def export_site(folder: Path, rulesets: Sequence[Path]) -> None:
    """Write the site into a folder that is new or empty; without rulesets it has all that are shipped, and pages begin
    with the choice of one."""
    if not (SITE / "index.html").is_file():
        raise CommandError("the page of the studio is not built: `make studio` builds it, with Node")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise CommandError(f"--export {folder}: this folder is not empty; name a new one")
        content = archive(rulesets or rw.shipped_rulesets(), opens=bool(rulesets))
        shutil.copytree(SITE, folder, dirs_exist_ok=True)
        (folder / ARCHIVE).write_bytes(content)
    except (OSError, shutil.Error) as error:
        raise CommandError(f"--export {folder}: {getattr(error, 'strerror', None) or error}") from None
