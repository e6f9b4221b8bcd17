"""The site: the page as it was built, Pyodide, and archives with all that Python needs."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path

import rulewright as rw
from rulewright_tools.console import CommandError
from rulewright_tools.studio.export.archive import ADDITIONS, added_archive, archive
from rulewright_tools.studio.export.bytecode import BYTECODE

SITE = Path(__file__).parents[1] / "site"
"""The folder into which the page is built; see tools/studio."""

ARCHIVE, SERVICE_WORKER = "rulewright.zip", "service-worker.js"
SNAPSHOT, SNAPSHOT_OF = "snapshot.bin", "snapshot.of"
"""Files in the folder of the page, see tools/studio/scripts/snapshot.mjs."""


def export_site(folder: Path, rulesets: Sequence[Path]) -> None:
    """Write the site into a folder that is new or empty; without rulesets it has all that are shipped, and pages begin
    with the choice of one. If it cannot be written nothing of it is left."""
    if not (SITE / "index.html").is_file():
        raise CommandError("the page of the studio is not built: `make studio` builds it, with Node")
    try:
        with _emptied_on_error(folder):
            if any(folder.iterdir()):
                raise CommandError(f"--output {folder}: this folder is not empty; name a new one")
            with tempfile.TemporaryDirectory(prefix=".export-", dir=folder) as aside:
                archives = {name: added_archive(addition, SITE) for name, addition in ADDITIONS.items()}
                archives[ARCHIVE] = archive(rulesets or rw.shipped_rulesets(), bool(rulesets), SITE)
                whole = Path(aside) / "site"
                shutil.copytree(SITE, whole, ignore=shutil.ignore_patterns(BYTECODE, SNAPSHOT_OF))
                if not _has_snapshot():
                    (whole / SNAPSHOT).write_bytes(gzip.compress(b"", mtime=0))
                for name, content in archives.items():
                    (whole / name).write_bytes(content)
                _list_files(whole)
                for path in sorted(whole.iterdir()):
                    path.rename(folder / path.name)
    except OSError as error:  # a tree of files reports each error: one is enough
        reasons = error.args[0] if isinstance(error, shutil.Error) else ()
        reason = reasons[0][2] if isinstance(reasons, list) and reasons else error.strerror or error
        raise CommandError(f"--output {folder}: {_reason(str(reason))}") from None


def _has_snapshot() -> bool:
    """True if the memory of Python with which pages begin is that of these modules, and not of earlier ones."""
    with suppress(OSError):
        return (SITE / SNAPSHOT_OF).read_text("utf-8") == hashlib.sha256(archive([], False, SITE)).hexdigest()
    return False


@contextmanager
def _emptied_on_error(folder: Path) -> Iterator[None]:
    """The folder, with those around it, is there; those that were not there before are gone again after an error."""
    new = list(takewhile(lambda path: not path.exists(), (folder, *folder.parents)))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for path in new:
                path.rmdir()
        raise


def _reason(text: str) -> str:
    """The reason in the text of an error of the system, without its number and paths."""
    found = re.match(r"\[(?:Errno|WinError) \d+\] ([^:]*)", text)
    return found[1] if found is not None else text


def _list_files(folder: Path) -> None:
    """Write into the service worker which files belong to this export; another export has another version."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    files.remove(SERVICE_WORKER)
    version = hashlib.sha256()
    for name in files:
        version.update(name.encode() + hashlib.sha256((folder / name).read_bytes()).digest())
    script = (folder / SERVICE_WORKER).read_text("utf-8")
    listed = json.dumps({"version": version.hexdigest()[:16], "files": files})
    (folder / SERVICE_WORKER).write_text(f"self.EXPORTED = {listed};\n{script}", "utf-8")
