"""DAT030: a file that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rulewright.data.manifest import FILE
from rulewright.data.paths import shown
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Span
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject

_DEEPEST = 3
"""Folders in folders; what lies deeper is not looked for."""
_READ = (".rules", ".json", ".csv")


@lint("DAT030")
def unused_file(subject: Subject) -> Iterator[Finding]:
    """Rules and data in the folder that neither the manifest nor the rules name. A file of variants that was given is
    used, and so is what it names beside it."""
    ruleset = subject.ruleset
    named = {FILE, *_named(ruleset)}
    given = {*ruleset.beside, *map(shown, ruleset.data_beside)}
    for path in _files(ruleset.folder, _DEEPEST):
        name = path.relative_to(ruleset.folder).as_posix()
        if path.suffix in _READ and name not in named and shown(path) not in given:
            yield Finding(f"`{name}` is not used: neither the rules nor a manifest name it", Span(shown(path)))


def _files(folder: Path, deepest: int) -> Iterator[Path]:
    """The files of a ruleset, without hidden ones and those of other rulesets."""
    with suppress(OSError):
        for path in sorted(folder.iterdir()):
            if path.name.startswith((".", "_")):
                continue
            if path.is_file():
                yield path
            elif deepest and path.is_dir() and not path.is_symlink() and not (path / FILE).is_file():
                yield from _files(path, deepest - 1)


def _named(ruleset: Ruleset) -> Iterator[str]:
    manifest = ruleset.manifest
    yield from (*manifest.rules, *manifest.variants, *manifest.scenarios, manifest.rulebook, manifest.rulings)
    at: Ruleset | None = ruleset
    while at is not None:  # a file of one's own is also read in place of one that the rules beneath name
        yield from at.named_files
        at = at.base
