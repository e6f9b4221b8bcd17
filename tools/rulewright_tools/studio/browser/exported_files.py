"""The files of an export as Python has them in a browser: its rulesets, and the variants of the player."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import rulewright as rw
from rulewright_tools.studio.host import Catalogue

EXPORTED = "exported.json"
"""The file of an export that lists its rulesets."""

OWN = "own"
"""The folder of the player's own files."""


class OwnFiles:
    """The folder of the player's variants, and which of them have changed since they were kept."""

    def __init__(self, exported: str, files: Mapping[str, str]) -> None:
        self.folder = folder = Path(exported) / OWN
        self._known: dict[str, str] = {}
        folder.mkdir(exist_ok=True)
        for name, text in files.items():
            self.put(name, text)

    def put(self, name: str, text: str) -> Path | None:
        """Write a file as it was kept, by this window or by another; its path, if it may have this name."""
        if PurePosixPath(name).name != name or not name.endswith(".rules") or name[0] == ".":
            return None
        rw.files.write_text(self.folder / name, text)
        self._known[name] = text
        return self.folder / name

    def texts(self) -> dict[str, str]:
        """All files as they are now."""
        return {path.name: rw.files.read_text(path) for path in sorted(self.folder.glob("*.rules"))}

    def changed(self) -> dict[str, str]:
        """Texts that were written since the last call."""
        now = self.texts()
        found = {name: text for name, text in now.items() if self._known.get(name) != text}
        self._known = now
        return found


def exported_catalogue(folder: str, own: OwnFiles) -> Catalogue:
    """The rulesets and files of variants of an export, in its order, and the player's own."""
    exported = json.loads((Path(folder) / EXPORTED).read_text("utf-8"))
    found = Catalogue.of([Path(folder) / path for path in exported["paths"]], shipped=False, home=own.folder)
    found.opens = found.opens if exported["opens"] else None
    found.export = "./"
    return found
