"""A workspace: rulesets as they are in an editor, on disk and in texts that are not saved yet."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from rulewright.check_cache import InMemory, Inputs, inputs_of, known_or_found
from rulewright.checking import check, first_look
from rulewright.compiler import Sources, sources
from rulewright.data.manifest import FILE
from rulewright.data.ruleset import Ruleset, load_ruleset
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.files import unsaved
from rulewright.garbage_collection import no_collections
from rulewright.syntax import EditedFiles


class Workspace:
    """The rulesets of a folder. Texts that an editor holds count instead of what is on disk.

    Whatever is asked is answered as if everything were read anew; what did not change is not worked out again.
    """

    def __init__(self, root: str | Path) -> None:
        self.root = Path(root)
        self._texts: dict[str, str] = {}
        self._parser = EditedFiles().parse
        self._sources: dict[Path, tuple[str, Sources]] = {}
        """For each folder its data files as they were last, and its declarations."""
        self._checked: dict[Path, Ruleset] = {}
        """For each folder the ruleset that was checked last."""
        self._found: dict[Path, InMemory] = {}
        """For each folder what was found in it last."""

    def open(self, path: str | Path, text: str) -> None:
        """An editor holds this text for a file."""
        self._texts[_key(path)] = text

    def close(self, path: str | Path) -> None:
        """The editor holds a file no longer: what is on disk counts again."""
        self._texts.pop(_key(path), None)

    def text(self, path: str | Path) -> str | None:
        """The text that an editor holds for a file."""
        return self._texts.get(_key(path))

    @contextmanager
    def reading(self) -> Iterator[None]:
        """In here all that reads files finds the texts of the editor."""
        with unsaved(self._texts):
            yield

    def rulesets(self) -> list[Path]:
        """The folders of all rulesets at or below the root, by name."""
        return sorted(found.parent for found in self.root.rglob(FILE))

    def ruleset_of(self, path: str | Path) -> Path | None:
        """The folder of the ruleset to which a file belongs."""
        at = Path(_key(path))
        return next((folder for folder in [at, *at.parents][:4] if (folder / FILE).is_file()), None)

    def ruleset(self, folder: str | Path) -> Ruleset:
        """A ruleset as it is now; RulesetError if its manifest is unusable."""
        with self.reading():
            return load_ruleset(folder)

    def checked_ruleset(self, folder: str | Path) -> Ruleset:
        """The ruleset that was checked last: its files and what it extends; its declarations move with later texts.

        RulesetError if its manifest is unusable.
        """
        checked = self._checked.get(Path(folder))
        return checked if checked is not None else self.ruleset(folder)

    def check(self, folder: str | Path) -> list[Diagnostic]:
        """All findings of a ruleset as it is now, those that keep it from being read included."""
        folder = Path(folder)

        def find(inputs: Inputs | None) -> list[Diagnostic]:
            first = self._checked.pop(folder, None) is None
            # What is made then stays, and to look through all of it later would keep somebody waiting.
            with no_collections(old_at_once=True) if first else nullcontext():
                ruleset = self._checked[folder] = load_ruleset(folder, self._parser)
                return check(ruleset, self._sources_of(ruleset, inputs))

        with self.reading():
            try:
                return known_or_found(folder, self._found.setdefault(folder, InMemory()), find)
            except RulesetError as error:
                return list(error.diagnostics)

    def first_look(self, folder: str | Path) -> list[Diagnostic]:
        """The findings of a ruleset that are found soonest, in its files and in one of its games."""
        with self.reading():
            try:
                inputs = inputs_of(Path(folder))
                ruleset = load_ruleset(folder, self._parser)
                return first_look(ruleset, self._sources_of(ruleset, inputs))
            except RulesetError as error:
                return list(error.diagnostics)

    def sources(self, ruleset: Ruleset) -> Sources:
        """The declarations of a ruleset; what is known of them from before is used."""
        with self.reading():
            return self._sources_of(ruleset, inputs_of(ruleset.folder))

    def _sources_of(self, ruleset: Ruleset, inputs: Inputs | None) -> Sources:
        data, before = self._sources.pop(ruleset.folder, ("", None))
        if inputs is None or inputs.data != data:
            before = None
        if before is not None:
            ruleset.take_data_of(before.ruleset)
        made = sources(ruleset, before)
        if inputs is not None:
            self._sources[ruleset.folder] = inputs.data, made
        return made


def _key(path: str | Path) -> str:
    return os.path.abspath(path)


__all__ = ["Workspace"]
