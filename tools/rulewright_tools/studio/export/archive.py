"""The archive that a page loads: Rulewright, the libraries that it needs, and rulesets.

Its bytes follow from its content alone, so that the same export has the same address in every cache.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

import rulewright as rw
from rulewright_tools.studio.browser.worker_host import EXPORTED
from rulewright_tools.studio.export import persistent_collections
from rulewright_tools.studio.export.imported_modules import TOOLS, imported_modules
from rulewright_tools.studio.export.libraries import library_files

RULESETS = "rulewright/_share/rulesets"
"""The place of rulesets in a package that is installed, see :mod:`rulewright.foundation.resources`."""

OF_A_RULESET = (".rules", ".json")
"""Files of other kinds are no part of a ruleset, as the rulebook that may lie beside it."""

_EPOCH = (1980, 1, 1, 0, 0, 0)

Files = dict[str, Path]


def archive(rulesets: Sequence[Path], opens: bool) -> bytes:
    """The archive with these folders of rulesets and files of variants; pages begin with the first if it `opens`."""
    files = {**_own(), **library_files(), "rpds.py": Path(persistent_collections.__file__)}
    places: list[str] = []
    for path in rulesets:
        _add_ruleset(path, files, places)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        told = json.dumps({"paths": places, "opens": opens}).encode()
        for name, content in [(EXPORTED, told), *((name, files[name].read_bytes()) for name in sorted(files))]:
            packed.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return written.getvalue()


def _own() -> Files:
    """Rulewright itself: all of the interpreter, and of the tools what the host imports."""
    interpreter = Path(rw.__file__).parent
    files = {f"rulewright/{path.relative_to(interpreter)}": path for path in interpreter.rglob("*.py")}
    files |= {f"{path.relative_to(TOOLS.parent)}": path for path in imported_modules("rulewright_tools.studio.browser")}
    for name in ("grammar", "schemas"):
        folder = rw.files.share(name)
        files |= {f"rulewright/_share/{name}/{path.name}": path for path in folder.iterdir() if path.is_file()}
    return files


def _add_ruleset(path: Path, files: Files, places: list[str]) -> None:
    """Add a ruleset or a file of variants, and the rulesets that it builds on; its place is noted."""
    changed = rw.rulesets.changed_ruleset(path)
    if changed is None:
        places.append(_folder(path, files))
        return
    base = _folder(changed, files)
    inside = path.relative_to(changed) if path.is_relative_to(changed) else None
    place = f"{RULESETS}/{path.name}" if inside is None else f"{base}/{inside.as_posix()}"
    files[place] = path
    places.append(place)


def _folder(folder: Path, files: Files) -> str:
    """The place of the folder of a ruleset, which is added with those that it extends beside it."""
    ruleset: rw.Ruleset | None = rw.open_ruleset(folder)
    while ruleset is not None:
        for path in sorted(ruleset.folder.rglob("*")):
            if path.suffix in OF_A_RULESET and path.is_file():
                files[f"{RULESETS}/{ruleset.folder.name}/{path.relative_to(ruleset.folder).as_posix()}"] = path
        ruleset = ruleset.base
    return f"{RULESETS}/{folder.name}"
