"""Folders of rulesets, by name or by a file in them, and files of variants that no manifest lists."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from os.path import lexists
from pathlib import Path

from rulewright.data import paths
from rulewright.data.manifest import FILE, load_manifest
from rulewright.data.paths import read_text, shown
from rulewright.diagnostics import NOWHERE, Diagnostic, RulesetError, Span
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.foundation.resources import share
from rulewright.syntax import ast, names, parse


def find_ruleset(name_or_path: str | Path) -> Path:
    """The folder of a ruleset: a folder, its ``ruleset.json``, a rules file in it, the name of a shipped ruleset, or
    the words with which only one such name begins (``leduc``)."""
    given = Path(name_or_path)
    word = str(name_or_path)
    shipped = {path.name: path for path in shipped_rulesets()}
    is_folder = is_file = False
    # Names that no file can have (too long, with a null) are simply no files.
    with suppress(OSError, ValueError):
        is_folder, is_file = given.is_dir(), given.is_file()
    if is_folder and (given / FILE).is_file():
        return given
    if is_file:
        if (folder := enclosing_ruleset(given)) is not None:
            return folder
        message = f"`{shown(given)}` belongs to no ruleset: there is no `{FILE}` beside it"
        raise RulesetError(Diagnostic("DAT021", message, Span(shown(given))))
    if word in shipped:
        return shipped[word]
    begun = [path for name, path in shipped.items() if name.startswith(f"{word}-")]
    if len(begun) == 1 and not lexists(given):
        return begun[0]
    if is_folder:
        hint = did_you_mean(FILE, [entry.name for entry in given.glob("*.json")]) or f"it needs a `{FILE}`"
        message = f"the folder `{shown(given)}` is not a ruleset"
        raise RulesetError(Diagnostic("DAT021", message, Span(shown(given)), hint=hint))
    # Links that lead nowhere or in a circle, pipes and devices are there, and yet can be no ruleset.
    if lexists(given):
        message = f"`{shown(given)}` is neither a folder nor an ordinary file"
        raise RulesetError(Diagnostic("DAT021", message, Span(shown(given))))
    hint = did_you_mean(given.name, shipped) or f"there is {listing(shipped)}, or give the path of a folder"
    raise RulesetError(Diagnostic("DAT021", f"there is no ruleset `{word[:80]}`", hint=hint))


def enclosing_ruleset(path: Path) -> Path | None:
    """The folder of the ruleset in which a file lies, if it lies in one."""
    return next((folder for folder in [*path.absolute().parents][:3] if (folder / FILE).is_file()), None)


def shipped_rulesets() -> list[Path]:
    """Folders of the rulesets that come with the library, by name."""
    return sorted(path.parent for path in share("rulesets").glob(f"*/{FILE}"))


def find_rulesets(path: str | Path) -> list[Path]:
    """Folders of all rulesets at or below a path, by name; a single one may be named as for
    :func:`find_ruleset`."""
    given = Path(path)
    if given.is_dir() and not (given / FILE).is_file():
        found = sorted(entry.parent for entry in given.rglob(FILE))
        if found:
            return found
    return [find_ruleset(path)]


def extended_folder(folder: Path, name: str, where: Span = NOWHERE) -> Path:
    """The folder of the ruleset that the one in `folder` extends: beside it or below, or else a shipped one."""
    target = paths.beside(folder, name, where)
    target = target.parent if Path(name).name == FILE else target
    if not (target / FILE).is_file():
        return next((path for path in shipped_rulesets() if path.name == name), target)
    return target


def changed_ruleset(name: str | Path) -> Path | None:
    """The folder of the ruleset that a file of variants changes; None if this is not a path of such a file.

    If the file lies in the folder of a ruleset, it is that one, unless the manifest lists the file: then it is part of
    the ruleset. Otherwise it is the nearest one with the name that stands in the file, in the file's folder, beside it
    or above it, or else the shipped one. :class:`RulesetError` if there is none.
    """
    path = Path(name)
    if path.suffix != ".rules" or not _is_file(path):
        return None
    enclosing = enclosing_ruleset(path)
    if enclosing is not None and _lists(enclosing, path):
        return None
    read = parse(read_text(path), shown(path))
    variants = [decl for decl in read.file.decls if isinstance(decl, ast.Variant)]
    if enclosing is not None:
        return enclosing if variants else None
    if not variants:
        if read.diagnostics:  # what it was meant to be cannot be told before they are mended
            raise RulesetError(read.diagnostics)
        return None
    known = {names.game(name): folder for folder, name in reversed([*_candidates(path)])}
    meant = variants[0]
    if str(meant.of) not in known:
        message = f"there is no ruleset `{meant.of}` that this variant could change, neither near the file nor shipped"
        hint = did_you_mean(str(meant.of), known) or "give the folder of the ruleset, and this file with --variant"
        raise RulesetError([*read.diagnostics, Diagnostic("DAT021", message, meant.span, hint=hint)])
    return known[str(meant.of)]


def is_expected(file: Path, folder: Path) -> bool:
    """True if nobody would take another ruleset for the one that a file changes.

    It is the shipped one; or it lies in the file's folder, or the file in it, and none of its name is shipped.
    """
    shipped = [one.resolve() for one in shipped_rulesets()]
    if folder.resolve() in shipped:
        return True
    here = file.resolve().parent
    near = folder.resolve().parent == here or folder.resolve() in (here, *here.parents)
    return near and load_manifest(folder).name not in {one.name for one in shipped}


def _is_file(path: Path) -> bool:
    with suppress(OSError, ValueError):  # names that no file can have
        return path.is_file()
    return False


def _lists(folder: Path, path: Path) -> bool:
    """True if a manifest names a file, or cannot be read."""
    try:
        manifest = load_manifest(folder)
    except RulesetError:
        return True
    names = (*manifest.rules, *manifest.variants, *manifest.scenarios)
    return any((folder / name).resolve() == path.resolve() for name in names)


def _candidates(path: Path) -> Iterator[tuple[Path, str]]:
    """Rulesets near a file with their names, the nearest first, and those that are shipped."""
    near = [entry.parent for above in [*path.absolute().parents][:3] for entry in _manifests_in(above)]
    for folder in dict.fromkeys((*near, *shipped_rulesets())):
        # Many folders may lie there: nothing else in them is looked at, or reported.
        with suppress(RulesetError, ValueError, RecursionError):
            raw = json.loads(read_text(folder / FILE))
            if isinstance(raw, dict) and isinstance(raw.get("name"), str):
                yield folder, raw["name"]


def _manifests_in(folder: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(folder.glob(f"*/{FILE}"))
    return []
