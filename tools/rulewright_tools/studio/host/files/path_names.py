"""Names in the place of paths, in all that is sent to a page: errors, findings, what a job prints, what a word means.

Messages for people name files relative to the working directory, or else by their whole path. A page learns the name of
a file if it may read it, and of all others no more than their last part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.files.folder import Folder

_WAY = r"[^\s:'\"()`,;|*?<>]"
"""A letter of a path where it stands in a sentence."""

_LINE = r"(?::(?P<line>\d+))?"
_ADDRESS = rf"(?P<address>file:(?://)?{_WAY}+)"
_ANY = rf"(?<![\w.:/~-])(?:/|[A-Za-z]:[\\/])(?:{_WAY}+[\\/])+{_WAY}*"
_BELOW = rf"(?<![\w/])(?P<below>{_WAY}+\.(?:rules|json|csv)):(?P<lower>\d+)"
_LINED = (".rules", ".json", ".csv")


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file that a text names."""

    at: int
    """The first letter of it in the text."""
    size: int
    file: str
    line: int


class PathNames:
    """The names for all paths that may stand in a message. `others` are names of more paths, and messages name files
    relative to `folder`, or to the working directory."""

    def __init__(
        self, catalogue: Catalogue, others: Mapping[str, str] | None = None, folder: Path | None = None
    ) -> None:
        self._folder = Folder(catalogue)
        self._relative_to = Path.cwd() if folder is None else folder
        self._roots: dict[str, tuple[str, bool]] = {}
        for name in catalogue.names:
            path = catalogue.path(name).absolute()
            self._add((path, path.resolve()), name, path.suffix == ".rules")
        for other, name in (others or {}).items():
            self._add((Path(other),), name, other.endswith(".rules"))
        for around, word in ((Path.cwd(), "."), (_home(), "~")):
            self._add((around, around.resolve()), word, False)
        known = "|".join(map(re.escape, sorted(self._roots, key=len, reverse=True)))
        self._pattern = re.compile(
            rf"{_ADDRESS}|(?<![\w/])(?P<root>{known})(?P<way>(?:[\\/]{_WAY}+)?)(?!\.?[\w-]){_LINE}|{_ANY}|{_BELOW}"
        )

    def text(self, text: str) -> str:
        """A text without paths."""
        return self.placed(text)[0]

    def placed(self, text: str) -> tuple[str, list[Place]]:
        """A text without paths, and the places of files in it that the page may read."""
        parts: list[str] = []
        places: list[Place] = []
        at = length = 0
        for found in self._pattern.finditer(text):
            shown, file, line = self._shown(found)
            parts += [text[at : found.start()], shown]
            length += found.start() - at
            if file:
                size = len(shown) - len(shown[len(f"{file}:{line}") :])
                places.append(Place(length, size, file, line))
            length, at = length + len(shown), found.end()
        return "".join([*parts, text[at:]]), places

    def findings(self, listing: dict[str, Any]) -> dict[str, Any]:
        """Findings as JSON, see ``schemas/diagnostics.schema.json``: their files by name, or null if no page may read
        them; a fix only if it changes nothing but files with a name."""
        return {**listing, "diagnostics": [self._finding(one) for one in listing["diagnostics"]]}

    def error(self, data_of_error: dict[str, Any]) -> dict[str, Any]:
        """An error as data for a page."""
        data = data_of_error.get("data")
        found = {"data": self.findings(data)} if isinstance(data, dict) and "diagnostics" in data else {}
        return {**data_of_error, "message": self.text(data_of_error["message"]), **found}

    def _finding(self, one: dict[str, Any]) -> dict[str, Any]:
        finding = {**one, "message": self.text(one["message"]), "file": self._name_of(one["file"])}
        if "hint" in one:
            finding["hint"] = self.text(one["hint"])
        if "notes" in one:
            finding["notes"] = [self.text(note) for note in one["notes"]]
        if "fix" in one:
            edits = [{**edit, "file": self._name_of(edit["file"])} for edit in one["fix"]["edits"]]
            finding["fix"] = {**one["fix"], "edits": edits}
            if any(edit["file"] is None for edit in edits):
                del finding["fix"]
        return finding

    def _name_of(self, file: str | None) -> str | None:
        """The name of a file; a text that is no file keeps what it is called."""
        if not file or file.startswith("<"):
            return file
        return self._folder.name_of(self._relative_to / file)

    def _shown(self, found: re.Match[str]) -> tuple[str, str, int]:
        """The words for what was found, and the place that they are, if it is one."""
        whole = found[0]
        if (below := found["below"]) is not None:
            name = self._name_of(below)
            return (f"{name}:{found['lower']}", name, int(found["lower"])) if name is not None else (whole, "", 0)
        end = whole[len(whole.rstrip(".")) :]  # that of a sentence
        if (address := found["address"]) is not None:
            path = Path(unquote(urlsplit(address.rstrip(".")).path))
            return (self._folder.name_of(path) or path.name) + end, "", 0
        if found["root"] is None:
            return re.split(r"[\\/]", whole.rstrip("./\\"))[-1] + end, "", 0
        name, is_file = self._roots[found["root"]]
        way, line = found["way"].rstrip(".").replace("\\", "/"), found["line"]
        if name in (".", "~"):
            known = self._folder.name_of(Path(found["root"] + way))
            name = known or f"{name}{way}"
        elif is_file and line is not None:
            name = f"{name}/{Path(found['root']).name}"
        else:
            name += way
        if line is None:
            return name + end, "", 0
        shown = f"{name}:{line}"
        return (shown, name, int(line)) if name.endswith(_LINED) else (shown, "", 0)

    def _add(self, paths: Iterable[Path], name: str, is_file: bool) -> None:
        for path in paths:
            for text in (str(path), path.as_posix()):
                if len(text) > 1:  # the root of all files is no secret
                    self._roots.setdefault(text, (name, is_file))


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # no path here
        return Path.cwd()
