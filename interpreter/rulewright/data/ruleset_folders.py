"""Folders of rulesets: by name, by a file in them, below a folder, and those that others extend."""

from __future__ import annotations

from contextlib import suppress
from os.path import lexists
from pathlib import Path

from rulewright.data import paths
from rulewright.data.manifest import FILE
from rulewright.data.paths import shown
from rulewright.diagnostics import NOWHERE, Diagnostic, RulesetError, Span
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.foundation.resources import share


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
