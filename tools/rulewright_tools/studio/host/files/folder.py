"""The files of the rulesets of a catalogue, which pages name as ``RULESET/WAY``: never by a path of this computer.

Nothing outside these rulesets is read or written, and nothing that a link leads to. A file is written as a whole, and
only by who has read it as it is: what another window or an editor has written meanwhile is never lost.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import rulewright as rw
from rulewright_tools.first_variant import blank_variant_text, is_file_name
from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.messages import ErrorCode, Refused

LARGEST = 1 << 19
"""Letters of a file that a page may write."""

WRITTEN = (".rules", ".json", ".csv", ".toml", ".md")
"""Endings of the files that a ruleset is made of."""

_LONGEST_WAY, _MOST_FILES, _MOST_ALIKE = 200, 500, 20


@dataclass(frozen=True, slots=True)
class Text:
    """A file as it was read."""

    name: str
    text: str
    version: str
    """A digest of the text: who writes names the one that they have read."""
    writable: bool


class Conflict(Refused):
    """A file was changed or removed from elsewhere."""

    def __init__(self, now: Text | None) -> None:
        message = "this file was changed elsewhere" if now is not None else "this file is not there any more"
        super().__init__(ErrorCode.CHANGED, message, {"text": now.text, "version": now.version} if now else {})


class Folder:
    """The files of all rulesets that a page may open."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def names(self, ruleset: str) -> list[str]:
        """The names of all files of a ruleset, those with rules first."""
        root = self._catalogue.path(ruleset)
        if root.is_file():
            return [f"{ruleset}/{root.name}"]
        found = sorted(_files(root), key=lambda way: (way.suffix != ".rules", way.as_posix()))
        return [f"{ruleset}/{way.as_posix()}" for way in found[:_MOST_FILES]]

    def is_writable(self, ruleset: str) -> bool:
        """False for rulesets and variants that come with the library, or with an export: a variant changes them."""
        return not self._catalogue.path(ruleset).is_relative_to(rw.files.share("rulesets"))

    def read(self, name: str) -> Text:
        """A file.

        Raises:
            Refused: There is none of that name.
        """
        path, ruleset = self.path(name), name.partition("/")[0]
        if not path.is_file():
            raise Refused(ErrorCode.PARAMS, f"there is no file `{name[:_LONGEST_WAY]}`")
        text = rw.files.read_text(path)
        return Text(name, text, version_of(text), self.is_writable(ruleset))

    def write(self, name: str, text: str, version: str) -> Text:
        """Put a text into the place of a version that was read; an empty version stands for a file that is not there.

        Raises:
            Conflict: The file is another one by now.
            Refused: It may not be written.
        """
        ruleset = name.partition("/")[0]
        path = self.path(name)
        if not self.is_writable(ruleset):
            raise Refused(ErrorCode.NOT_NOW, f"`{ruleset}` comes with Rulewright and stays as it is: make a variant")
        if path.suffix not in WRITTEN:
            raise Refused(ErrorCode.PARAMS, f"files of rulesets end in {', '.join(WRITTEN)}")
        if not path.parent.is_dir():
            raise Refused(ErrorCode.PARAMS, f"there is no folder for `{name[:_LONGEST_WAY]}`")
        with rw.files.alone_in(path.parent):
            now = self.read(name) if path.is_file() else None
            if (now.version if now is not None else "") != version:
                raise Conflict(now)
            rw.files.write_text(path, text)
        return Text(name, text, version_of(text), True)

    def new_variant(self, ruleset: str, stem: str) -> Text:
        """Make a file with a variant of a ruleset, which then stands in the catalogue under its own name."""
        home, name = self._home, stem.removesuffix(".rules")
        if not is_file_name(name):
            raise Refused(ErrorCode.PARAMS, f"`{name[:40]}` cannot be its name: use small letters, digits and hyphens")
        base, path = self._catalogue.opened(ruleset)[0], home / f"{name}.rules"
        if name in self._catalogue.names or os.path.lexists(path):
            raise Refused(ErrorCode.PARAMS, f"there is a `{name}` already")
        return self._added(path, blank_variant_text(name, base))

    def take_variant(self, stem: str, text: str) -> Text:
        """Keep a variant that others have written, unless it lies there from before. What it changes is found by the
        name in its text, as for every file of variants, however the page calls that ruleset."""
        home = self._home
        for name in self._catalogue.names:
            if (known := self._catalogue.path(name)).is_file() and rw.files.read_text(known) == text:
                return self.read(f"{name}/{known.name}")
        plain = re.sub("[^a-z0-9]+", "-", stem.lower())[:50].strip("-") or "variant"
        for name in (plain, *(f"{plain}-{number}" for number in range(2, _MOST_ALIKE + 1))):
            path = home / f"{name}.rules"
            if name not in self._catalogue.names and not os.path.lexists(path):
                return self._added(path, text)
        raise Refused(ErrorCode.NOT_NOW, f"there are many variants called `{plain}` here: remove some")

    @property
    def _home(self) -> Path:
        """The folder of new files; Refused if there is none."""
        if self._catalogue.home is None:
            raise Refused(ErrorCode.NOT_NOW, "this studio has no folder for new files")
        return self._catalogue.home

    def _added(self, path: Path, text: str) -> Text:
        with rw.files.alone_in(path.parent):
            rw.files.write_text(path, text)
            try:
                if rw.rulesets.changed_ruleset(path) is None:
                    raise Refused(ErrorCode.PARAMS, "this is no variant of a game")
            except BaseException:
                path.unlink()
                raise
        self._catalogue.add(path.stem, path)
        return Text(f"{path.stem}/{path.name}", text, version_of(text), True)

    def path(self, name: str) -> Path:
        """The path of a file, which no page learns; Refused if it is none of a ruleset, or a link leads there."""
        ruleset, _, rest = name.partition("/")
        way = PurePosixPath(rest)
        plain = rest == way.as_posix() and not way.is_absolute() and len(rest) <= _LONGEST_WAY
        if not plain or not rest.isprintable() or "\\" in rest or any(part[:1] == "." for part in way.parts):
            raise Refused(ErrorCode.PARAMS, f"`{name[:_LONGEST_WAY]}` cannot be the name of a file")
        root = self._catalogue.path(ruleset)
        if root.is_file():
            if rest != root.name or root.is_symlink():
                raise Refused(ErrorCode.PARAMS, f"there is no file `{name[:_LONGEST_WAY]}`")
            return root
        path = root.joinpath(*way.parts)
        if any(one.is_symlink() for one in (path, *path.parents) if one.is_relative_to(root) and one != root):
            raise Refused(
                ErrorCode.PARAMS, f"`{name[:_LONGEST_WAY]}` is behind a link, which the studio does not follow"
            )
        return path

    def name_of(self, path: Path) -> str | None:
        """The name by which pages know a file; None if it belongs to no ruleset."""
        roots = {ruleset: self._catalogue.path(ruleset) for ruleset in self._catalogue.names}
        return _name_below(path.absolute(), roots, Path.absolute) or _name_below(path.resolve(), roots, Path.resolve)


def _name_below(path: Path, roots: Mapping[str, Path], whole: Callable[[Path], Path]) -> str | None:
    """The name of a file below one of some rulesets; messages name the file itself where a link led to the ruleset."""
    for ruleset, given in roots.items():
        root = whole(given)
        if path.is_relative_to(root):
            return f"{ruleset}/{path.relative_to(root).as_posix() if path != root else root.name}"
    return None


def version_of(text: str) -> str:
    """A digest of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _files(root: Path) -> Iterator[PurePosixPath]:
    """The files of a ruleset, without what is hidden and what links lead to."""
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name[0] != "." and not os.path.islink(os.path.join(folder, name))]
        for name in files:
            path = Path(folder, name)
            if name[0] != "." and path.suffix in WRITTEN and not path.is_symlink():
                yield PurePosixPath(path.relative_to(root).as_posix())
