"""``rulewright rename``: another name for what the rules declare, wherever it stands."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import (
    CommandError,
    Exit,
    plural,
    print_note,
    print_text,
    put,
    show_diagnostics,
    write_file,
)
from rulewright_tools.error_boundary import guarded

Texts = Mapping[Path, tuple[str, str]]
"""For each file its text before and after."""

SHOWN = 8
"""So many meanings of a name are listed."""


@guarded
def rename(
    ruleset: Annotated[Path, typer.Argument(metavar="FOLDER", help="The ruleset's folder.")],
    old: Annotated[
        str,
        typer.Argument(help="What the rules call it now; `Piece.worth` or `turn.card` where several are called so."),
    ],
    new: Annotated[str, typer.Argument(help="What they are to call it.")],
    diff: arg.Diff = False,
) -> Exit:
    """Give something that the rules declare another name: in rules, scenarios, tables, maps and the manifest, and in
    rulesets and files of variants beside it or in it that build upon it.

    With --diff the exit code is 1 if there is anything to change.

    Examples:

      rulewright rename my-game points score --diff
      rulewright rename my-game points score
      rulewright rename my-game worth value
    """
    family = _family(ruleset)
    opened = [rw.open_ruleset(place) for place in family]
    navigator = rw.navigation.Navigator()
    indices = [navigator.index(one) for one in opened]
    symbol = _meant(indices[0], old)
    if new == symbol.name:
        raise CommandError(f"`{new}` is what it is called now")
    try:
        edits = rw.navigation.rename(indices, symbol, new)
    except rw.navigation.RenameError as error:
        raise CommandError(str(error)) from error
    texts = _texts(edits)
    if diff:
        for path, (before, after) in texts.items():
            _print_diff(path, before, after)
        print_note(f"{plural(len(edits), 'place')} in {plural(len(texts), 'file')} to change")
        return Exit.FINDINGS if texts else Exit.FINE
    _write(texts, family)
    print_note(f"{plural(len(edits), 'place')} in {plural(len(texts), 'file')} changed")
    return Exit.FINE


def _family(folder: Path) -> list[Path]:
    """A ruleset's folder, and what is in it and beside it: rulesets that extend it, and files of variants of these."""
    if not folder.is_dir():
        raise CommandError(f"{folder}: this is not the folder of a ruleset")
    here = rw.open_ruleset(folder)
    found = [Path(here.folder)]
    for other in rw.rulesets.find_rulesets(found[0].resolve().parent):
        if other.resolve() == found[0].resolve():
            continue
        try:
            beneath = rw.open_ruleset(other).base
        except rw.RulesetError:
            continue
        while beneath is not None:
            if Path(beneath.folder).resolve() == found[0].resolve():
                found.append(other)
                break
            beneath = beneath.base
    return [*found, *_variants_of(found)]


def _variants_of(folders: list[Path]) -> list[Path]:
    """The files of variants that change one of these rulesets, and that no manifest lists."""
    within = [file for folder in folders for file in folder.rglob("*.rules")]
    beside = [file for folder in folders for file in folder.resolve().parent.glob("*.rules")]
    known = {folder.resolve() for folder in folders}
    found: dict[Path, Path] = {}
    for file in (*within, *beside):
        with suppress(rw.RulesetError):
            changed = rw.rulesets.changed_ruleset(file)
            if changed is not None and changed.resolve() in known:
                found.setdefault(file.resolve(), file)
    return [found[place] for place in sorted(found)]


def _meant(index: rw.navigation.SymbolIndex, name: str) -> rw.navigation.Symbol:
    """The one symbol of a name, or of an owner and a name."""
    owner, _, last = name.rpartition(".")
    every = [symbol for symbol in index.declarations if symbol.kind != "local"]
    titled = [s for s in every if s.name == name and s.kind in ("variant", "scenario")]
    found = titled or [s for s in every if s.name == last and (not owner or s.owner == owner)]
    if not owner and len(found) > 1:
        found = [s for s in found if s.kind == "declaration"] or found
    if not found:
        known = sorted({symbol.name for symbol in every})
        near = difflib.get_close_matches(last, known, 1, 0.5)
        raise CommandError(f"the rules declare no `{name}`" + (f"; did you mean `{near[0]}`?" if near else ""))
    if len(found) > 1:
        names = ", ".join(f"`{symbol.owner}.{symbol.name}`" for symbol in found[:SHOWN])
        raise CommandError(f"several things are called `{name}`; say which: {names}")
    return found[0]


def _texts(edits: Iterable[rw.fixing.Edit]) -> dict[Path, tuple[str, str]]:
    """The files that the edits change."""
    by_file: dict[Path, list[rw.fixing.Edit]] = {}
    for edit in edits:
        by_file.setdefault(Path(edit.span.file), []).append(edit)
    found = {}
    for path, here in sorted(by_file.items()):
        raw = rw.files.read_text(path, as_is=True)
        plain = raw.removeprefix("\ufeff").replace("\r\n", "\n")
        found[path] = raw, rw.files.line_ends_of(raw, rw.fixing.apply(plain, here))
    return found


def _write(texts: Texts, places: Iterable[Path]) -> None:
    """Write the files, or none of them if the rules would have errors that they have not now."""
    before = {place: len(_errors(place)) for place in places}
    kept = False
    try:
        for path, (_, after) in texts.items():
            write_file(path, after)
        for place, known in before.items():
            if len(new := _errors(place)) > known:
                show_diagnostics(new)
                raise CommandError("nothing was changed: with the new name the rules would have these errors")
        kept = True
    finally:
        if not kept:
            for path, (text, _) in texts.items():
                write_file(path, text)
    for path in texts:
        print_text(f"changed {path}\n")


def _errors(place: Path) -> list[rw.Diagnostic]:
    return [found for found in rw.check(rw.open_ruleset(place)) if found.is_error]


def _print_diff(path: Path, before: str, after: str) -> None:
    lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), f"{path} (now)", f"{path} (renamed)")
    for line in lines:
        put(line if line.endswith("\n") else line + "\n")
