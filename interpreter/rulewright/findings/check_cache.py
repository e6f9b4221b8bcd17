"""Findings of rulesets that did not change since they were checked.

A check follows from the files of a ruleset, of those that it extends, and from this program: where all of these are
what they were, the findings are. Contents are compared, never time stamps. A check that read any other file is not
kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from rulewright.data.manifest import FILE
from rulewright.data.ruleset import load_ruleset
from rulewright.data.ruleset_folders import extended_folder, find_ruleset
from rulewright.diagnostics import Diagnostic, Edit, Fix, RulesetError, Severity, Span
from rulewright.foundation.resources import no_collections, share
from rulewright.host import disk_cache
from rulewright.host.api_arguments import place
from rulewright.host.files import read_bytes, recorded

RULES = ".rules"

_KIND, _KEPT = "check", 64
_MOST_FILES, _MOST_BYTES = 1000, 32 << 20
"""Folders with more than this are checked each time."""


class Store(Protocol):
    """A place where findings are kept by the hash of all that they follow from."""

    def read(self, key: str) -> list[Diagnostic] | None:
        """The findings; None if there are none."""

    def keep(self, key: str, found: list[Diagnostic]) -> None:
        """Keep findings, as far as there is room."""


class OnDisk:
    """The cache on disk: findings of this version of the program."""

    def read(self, key: str) -> list[Diagnostic] | None:
        """The findings; None if there are none, or they are damaged."""
        kept = disk_cache.read(_KIND, disk_cache.digest(_program(), key))
        if kept is not None:
            with suppress(TypeError, ValueError):
                return [_decode(one) for one in kept]
        return None

    def keep(self, key: str, found: list[Diagnostic]) -> None:
        """Keep findings; the oldest of other rulesets go."""
        disk_cache.keep(_KIND, disk_cache.digest(_program(), key), [_encode(one) for one in found], _KEPT)


class InMemory:
    """The findings that were found last."""

    def __init__(self) -> None:
        self._known: tuple[str, list[Diagnostic]] | None = None

    def read(self, key: str) -> list[Diagnostic] | None:
        """The findings; None if something has changed since."""
        return list(self._known[1]) if self._known is not None and self._known[0] == key else None

    def keep(self, key: str, found: list[Diagnostic]) -> None:
        """Keep findings instead of those before."""
        self._known = key, list(found)


def check_folder(ruleset: str | Path) -> list[Diagnostic]:
    """All findings of a ruleset, as :func:`check` gives them, from the cache on disk if nothing has changed.

    RulesetError if there is no such ruleset, or its manifest is unusable.
    """
    folder = find_ruleset(place("the ruleset", ruleset))
    return known_or_found(folder, OnDisk(), lambda _: _check(folder))


def _check(folder: Path) -> list[Diagnostic]:
    from rulewright.findings.check import (
        check,  # takes longer to import than all that is done where nothing has changed
    )

    with no_collections(old_at_once=True):
        return check(load_ruleset(folder))


def known_or_found(folder: Path, store: Store, find: Callable[[Inputs | None], list[Diagnostic]]) -> list[Diagnostic]:
    """The findings of a ruleset from before, if nothing has changed since, or else those of now."""
    inputs = inputs_of(folder)
    known = store.read(inputs.key) if inputs is not None else None
    if known is not None:
        return known
    with recorded() as read:
        found = find(inputs)
    if inputs is not None and inputs.cover(read):
        store.keep(inputs.key, found)
    return found


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files on which the findings of a ruleset depend."""

    key: str
    """The hash of all of them."""
    data: str
    """The hash of those that are no rules files."""
    files: frozenset[str]
    """The absolute paths of the files."""

    def cover(self, read: Iterable[str]) -> bool:
        """True if nothing else was read but what belongs to this program."""
        own = [os.path.abspath(folder) for folder in (share("grammar"), share("schemas"), Path(__file__).parents[1])]
        if (kept := disk_cache.cache_folder()) is not None:
            own.append(os.path.abspath(kept))
        return all(path in self.files or any(Path(path).is_relative_to(folder) for folder in own) for path in read)


def inputs_of(folder: Path) -> Inputs | None:
    """The files of a ruleset and of those it extends; None if there are too many, or they are unknown."""
    parts: list[str | bytes] = [os.getcwd()]
    files: set[str] = set()
    rules: list[int] = []
    try:
        at: Path | None = folder
        while at is not None:
            parts.append(str(at))
            for path in _listed(at):
                if len(files) >= _MOST_FILES or sum(map(len, parts)) > _MOST_BYTES:
                    return None
                parts += [str(path), read_bytes(path)]
                if path.suffix == RULES:
                    rules.append(len(parts) - 1)
                files.add(os.path.abspath(path))
            at = _extended(at)
    except (RulesetError, OSError, ValueError, AttributeError, RecursionError):
        return None
    key = disk_cache.digest(*parts)
    for number in rules:
        parts[number] = ""
    return Inputs(key, disk_cache.digest(*parts), frozenset(files))


def _listed(folder: Path) -> list[Path]:
    """The files below a folder; ValueError if a link leads elsewhere. Hidden folders (``.git``) are left out."""
    found = []
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if any(os.path.islink(os.path.join(top, name)) for name in folders):
            raise ValueError
        found += [Path(top, name) for name in sorted(names) if not name.startswith(".")]
    return found


def _extended(folder: Path) -> Path | None:
    named = json.loads(read_bytes(folder / FILE)).get("extends")
    if not named:
        return None
    target = extended_folder(folder, named)
    if not (target / FILE).is_file() or target.resolve() == folder.resolve():
        raise ValueError
    return target


@cache
def _program() -> str:
    """The hash of this program: its modules, the grammar and the schemas."""
    package = Path(__file__).parents[1]
    own = [*sorted(package.rglob("*.py")), *sorted(share("grammar").glob("*")), *sorted(share("schemas").glob("*"))]
    return disk_cache.digest(*(part for path in own if path.is_file() for part in (path.name, path.read_bytes())))


def _encode(one: Diagnostic) -> list[Any]:
    fix = None
    if one.fix is not None:
        fix = [one.fix.message, [[_span(edit.span), edit.text] for edit in one.fix.edits], one.fix.safe]
    return [one.code, one.message, _span(one.span), one.severity, one.hint, one.notes, one.cites, one.path, fix]


def _span(span: Span) -> list[Any]:
    return [span.file, span.line, span.column, span.end_line, span.end_column]


def _decode(data: list[Any]) -> Diagnostic:
    code, message, span, severity, hint, notes, cites, path, fix = data
    made = None
    if fix is not None:
        made = Fix(fix[0], tuple(Edit(Span(*at), text) for at, text in fix[1]), fix[2])
    return Diagnostic(code, message, Span(*span), Severity(severity), hint, tuple(notes), tuple(cites), path, made)
