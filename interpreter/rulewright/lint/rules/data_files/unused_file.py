"""DAT030: a file that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from json import dumps
from pathlib import Path

from rulewright.data.manifest import FILE
from rulewright.data.paths import read_text, shown
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError, Span
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast, parse

_DEEPEST = 3
"""Folders in folders; what lies deeper is not looked for."""
_LISTED = 3
"""So many entries of a list are shown, its last ones."""
_READ = (".rules", ".json", ".csv")


@lint("DAT030")
def unused_file(subject: Subject) -> Iterator[Finding]:
    """Rules and data in the folder that neither the manifest nor the rules name."""
    ruleset = subject.ruleset
    named = {FILE, *_named(ruleset)}
    for path in _files(ruleset.folder, _DEEPEST):
        name = path.relative_to(ruleset.folder).as_posix()
        if path.suffix in _READ and name not in named:
            message = f"`{name}` is not used: neither the rules nor a manifest name it"
            yield Finding(message, Span(shown(path)), _where_to_name_it(path, name, ruleset))


def _where_to_name_it(path: Path, name: str, ruleset: Ruleset) -> str:
    """The entry of the manifest that names a file of its content; data are named in the rules."""
    if path.suffix != ".rules":
        return f'data is named where it is read, such as `piece Type from "{name}"`; or delete the file'
    with suppress(RulesetError):
        decls = parse(read_text(path), shown(path)).file.decls
        manifest = ruleset.manifest
        if decls and all(isinstance(decl, ast.Variant) for decl in decls):
            return _entry("variants", (*manifest.variants, name))
        if decls and all(isinstance(decl, ast.Scenario) for decl in decls):
            return _entry("scenarios", (*manifest.scenarios, name))
        return _entry("rules", (*manifest.rules, name))
    return ""


def _entry(key: str, names: Sequence[str]) -> str:
    listed = ", ".join(("…", *map(dumps, names[-_LISTED:])) if len(names) > _LISTED else map(dumps, names))
    return f'add it to "{key}" in `{FILE}`: `"{key}": [{listed}]`'


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
