"""Files of variants that no manifest lists: the ruleset that each of them changes, as the file itself says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rulewright.data.manifest import FILE, load_manifest
from rulewright.data.paths import read_text, shown
from rulewright.data.ruleset_folders import enclosing_ruleset, shipped_rulesets
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.syntax import ast, names, parse


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
        # Many folders may lie there: nothing else in them is looked at, or said to be wrong.
        with suppress(RulesetError, ValueError, RecursionError):
            raw = json.loads(read_text(folder / FILE))
            if isinstance(raw, dict) and isinstance(raw.get("name"), str):
                yield folder, raw["name"]


def _manifests_in(folder: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(folder.glob(f"*/{FILE}"))
    return []
