"""A workspace: rulesets as they are in an editor, on disk and in texts that are not saved yet."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from rulewright.compiler import Sources, sources
from rulewright.data.manifest import FILE
from rulewright.data.paths import data_files
from rulewright.data.ruleset import Ruleset, load_ruleset, with_variants
from rulewright.data.ruleset_folders import changed_ruleset
from rulewright.diagnostics import Diagnostic, RulesetError, Span
from rulewright.diagnostics.anchored_spans import fixed
from rulewright.findings.check import VariantFindings, check, check_variants, first_look
from rulewright.findings.check_cache import RULES, InMemory, Inputs, inputs_of, known_or_found
from rulewright.foundation.resources import no_collections
from rulewright.host.api_arguments import invalid_argument, place, titles
from rulewright.host.api_arguments import text as as_text
from rulewright.host.files import read_text, shown, unsaved
from rulewright.syntax import EditedFiles, ast


class Workspace:
    """The rulesets of a folder. Texts that an editor holds count instead of what is on disk.

    A file of variants that no manifest lists stands, in place of a folder, for the ruleset that it changes together
    with its variants, wherever it lies.

    Results are as if everything were read anew; what did not change is not worked out again.
    """

    def __init__(self, root: str | Path) -> None:
        self.root = Path(place("the folder", root))
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
        self._texts[_key(path)] = as_text("the text", text)

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
        """The folder of the ruleset to which a file belongs; none, if that does not list this file of variants."""
        at = Path(_key(path))
        home = next((folder for folder in [at, *at.parents][:4] if (folder / FILE).is_file()), None)
        return None if home is not None and at.suffix == RULES and self._is_apart(at, home) else home

    def _is_apart(self, file: Path, folder: Path) -> bool:
        """True if a file holds variants, and the manifest of the folder above it does not list it."""
        listed = _listed_in(self._text(folder / FILE))
        if listed is None or any(_key(folder / name) == str(file) for name in listed):
            return False
        return _VARIANT.search(self._text(file)) is not None

    def _text(self, path: Path) -> str:
        """The text of a file as it is now; empty if it cannot be read."""
        with self.reading(), suppress(RulesetError):
            return read_text(path)
        return ""

    def changed_by(self, path: str | Path) -> Path | None:
        """The folder of the ruleset that a file of variants changes which no manifest lists; None for all other files.

        RulesetError if it changes none that can be found, or is too broken to know.
        """
        if Path(_key(path)).suffix != RULES or self.ruleset_of(path) is not None:
            return None
        with self.reading():
            return changed_ruleset(path)

    def ruleset(self, folder: str | Path) -> Ruleset:
        """A ruleset as it is now; RulesetError if its manifest is unusable."""
        changed = self.changed_by(folder)
        with self.reading():
            return load_ruleset(folder) if changed is None else with_variants(load_ruleset(changed), folder)[0]

    def checked_ruleset(self, folder: str | Path) -> Ruleset:
        """The ruleset that was checked last: its files and what it extends; its declarations move with later texts.

        RulesetError if its manifest is unusable.
        """
        checked = self._checked.get(Path(place("the folder", folder)))
        return checked if checked is not None else self.ruleset(folder)

    def check(self, folder: str | Path) -> list[Diagnostic]:
        """All findings of a ruleset as it is now, those that keep it from being read included."""
        folder = Path(place("the folder", folder))
        if folder.suffix == RULES:
            return self._check_variants(folder)

        def find(inputs: Inputs | None) -> list[Diagnostic]:
            first = self._checked.pop(folder, None) is None
            # What is made then stays, and to look through all of it later would take too long.
            with no_collections(old_at_once=True) if first else nullcontext():
                ruleset = self._checked[folder] = load_ruleset(folder, self._parser, scenarios=True)
                return check(ruleset, self._sources_of(ruleset, inputs))

        with self.reading():
            try:
                return known_or_found(folder, self._found.setdefault(folder, InMemory()), find)
            except RulesetError as error:
                return list(error.diagnostics)

    def check_variants(self, files: Sequence[str | Path], also: Iterable[str] = ()) -> VariantFindings:
        """The findings about files of variants that change one ruleset and that no manifest lists.

        RulesetError if they change none that can be read.
        """
        if not isinstance(files, list | tuple):
            raise invalid_argument("the files", files, "they are a list of paths")
        also, paths = titles("the groups", also), [Path(place("the file", file)) for file in files]
        changed = self.changed_by(paths[0]) if paths else None
        if changed is None:
            return VariantFindings(())
        first = self._checked.pop(paths[0], None) is None
        with self.reading(), no_collections(old_at_once=True) if first else nullcontext():
            ruleset, source = self._with_variants(changed, paths)
            return check_variants(ruleset, map(shown, paths), source, also)

    def _with_variants(self, changed: Path, paths: Sequence[Path]) -> tuple[Ruleset, Sources]:
        """A ruleset with files of variants, and its declarations without scenarios."""
        ruleset = load_ruleset(changed, self._parser)
        for path in paths:
            ruleset, _ = with_variants(ruleset, path, self._parser)
        self._checked[paths[0]] = ruleset
        known = inputs_of(changed) if not data_files(_trees(ruleset, paths)) else None
        return ruleset, self._sources_of(ruleset.without_scenarios, known, paths[0])

    def _check_variants(self, file: Path) -> list[Diagnostic]:
        """The findings of a file of variants that no manifest lists: those in it, and errors that the ruleset has only
        with it, which are reported at its first variant."""
        name = shown(file)
        try:
            found = self.check_variants([file])
        except RulesetError as error:
            return [d if d.span.file == name else _moved_to(Span(name, 1, 1, 1, 1), d) for d in error.diagnostics]
        if not found.caused:
            return [*found.own]
        decls = (decl for tree in _trees(self._checked[file], [file]) for decl in tree.decls)
        span = next((decl.span for decl in decls if isinstance(decl, ast.Variant)), Span(name, 1, 1, 1, 1))
        return [*found.own, *(fixed(_moved_to(span, d)) for d in found.caused)]

    def first_look(self, folder: str | Path) -> list[Diagnostic]:
        """The findings of a ruleset that are found soonest, in its files and in one of its games; or in a file of
        variants that no manifest lists, of one game with each of them."""
        at = Path(place("the folder", folder))
        with self.reading():
            try:
                if (changed := self.changed_by(at)) is not None:
                    ruleset, source = self._with_variants(changed, [at])
                    return first_look(ruleset.without_scenarios, source, {shown(at)})
                inputs = inputs_of(at)
                ruleset = load_ruleset(at, self._parser, scenarios=True)
                return first_look(ruleset, self._sources_of(ruleset, inputs))
            except RulesetError as error:
                return list(error.diagnostics)

    def sources(self, ruleset: Ruleset) -> Sources:
        """The declarations of a ruleset; what is known of them from before is used."""
        if not isinstance(ruleset, Ruleset):
            raise invalid_argument("the ruleset", ruleset, "open it with `open_ruleset`")
        with self.reading():
            return self._sources_of(ruleset, inputs_of(ruleset.folder))

    def _sources_of(self, ruleset: Ruleset, inputs: Inputs | None, at: Path | None = None) -> Sources:
        at = at or ruleset.folder
        data, before = self._sources.pop(at, ("", None))
        if inputs is None or inputs.data != data:
            before = None
        if before is not None:
            ruleset.take_data_of(before.ruleset)
        made = sources(ruleset, before)
        if inputs is not None:
            self._sources[at] = inputs.data, made
        return made


def _trees(ruleset: Ruleset, paths: Sequence[Path]) -> list[ast.File]:
    names = {*map(shown, paths)}
    return [source.file for source in ruleset.files if source.path in names]


def _moved_to(span: Span, found: Diagnostic) -> Diagnostic:
    """A finding of another file, moved to the one that causes it; a fix would be one of that other file."""
    there = f"it stands at {found.span.file}:{found.span.line}" if found.span.line else f"it is in {found.span.file}"
    return replace(found, span=span, notes=(*found.notes, there), cites=(), fix=None)


_VARIANT = re.compile(r"^variant\b", re.MULTILINE)


@lru_cache(maxsize=64)
def _listed_in(manifest: str) -> tuple[str, ...] | None:
    """The rules files that a manifest lists, as it writes them; None if it cannot be read."""
    try:
        raw = json.loads(manifest)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict):
        return None
    lists = [held for key in ("rules", "variants", "scenarios") if isinstance(held := raw.get(key), list)]
    return tuple(name for held in lists for name in held if isinstance(name, str))


def _key(path: str | Path) -> str:
    return os.path.abspath(place("the path", path))
