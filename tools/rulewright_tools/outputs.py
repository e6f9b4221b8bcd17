"""``--output``: files to write, of kinds that follow from the endings of their names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulewright_tools.console import CommandError, will_write

FOLDER = ""
"""The ending of a folder: none."""


class Outputs(dict[str, Path]):
    """The files that are wanted, by their endings."""

    @property
    def page(self) -> Path | None:
        """The page that is to be written."""
        return self.get(".html")


def by_ending(given: Sequence[Path] | None, *endings: str, folders: Sequence[str] = ()) -> Outputs:
    """The files that were named, by their endings, which must be some of those that a command writes.

    Tries to write each, before long work begins; those with the endings of `folders` are folders.
    """
    found = Outputs()
    for path in given or ():
        ending = path.suffix.lower()
        if ending not in endings:
            raise CommandError(f"--output {path}: its name must end with {_listed(endings)}")
        if ending in found:
            raise CommandError(f"--output {path}: {found[ending]} is written already; of each kind one is enough")
        found[ending] = path
    will_write(*(path for ending, path in found.items() if ending not in folders))
    return found


def _listed(endings: Sequence[str]) -> str:
    *first, last = (ending or "no dot, as that of a folder" for ending in endings)
    return f"{', '.join(first)} or {last}" if first else last
