"""The rulesets that a page may open: it names them, and never a path."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.messages import ErrorCode, Refused

MANIFEST = "ruleset.json"


class Catalogue:
    """Rulesets by the names that pages know them by, in order."""

    def __init__(self, paths: Mapping[str, Path], opens: str | None = None, home: Path | None = None) -> None:
        self._paths = dict(paths)
        self.home = home
        """The folder of new files; none if there are to be none."""
        self.opens = opens
        """The ruleset with which pages begin; none if they are to choose one."""
        self.export: str | None = None
        """The address of an export, to which links with variants lead; it may be relative to that of the page."""

    @staticmethod
    def of(paths: Iterable[Path], shipped: bool = True, home: Path | None = None) -> Catalogue:
        """A catalogue of folders and of files with variants, of the variants in the folder of new files, and of the
        rulesets that come with the library, if they are wanted."""
        found: dict[str, Path] = {}
        paths = tuple(paths)
        kept = sorted(home.glob("*.rules")) if home is not None else []
        variants = [path for path in kept if not path.is_symlink() and _changes_another(path)]
        for path in (*paths, *variants, *(rw.shipped_rulesets() if shipped else ())):
            name, number = path.stem if path.is_file() else path.name, 2
            if path in found.values():
                continue
            while name in found:
                name, number = f"{path.stem}-{number}", number + 1
            found[name] = path
        return Catalogue(found, next(iter(found)) if paths else None, home)

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in order."""
        return tuple(self._paths)

    def opened(self, name: str) -> tuple[rw.Ruleset, tuple[str, ...]]:
        """The ruleset of a name, and the variants that a game has by default: those of a file that stands for the
        ruleset which it changes. Refused if there is no such name."""
        return rw.rulesets.with_variants(self.path(name), ())

    def path(self, name: str) -> Path:
        """The folder of a ruleset, or its file; Refused if there is no such name."""
        if name not in self._paths:
            raise Refused(ErrorCode.PARAMS, f"there is no ruleset `{name[:40]}` here")
        return self._paths[name]

    def add(self, name: str, path: Path) -> None:
        """Take in a file with a variant that was made."""
        self._paths = {name: path, **self._paths}  # at once, for pages in other threads

    def listed(self) -> list[dict[str, Any]]:
        """All rulesets by name and title, quickly: what else they are is :meth:`described`."""
        found = []
        for name, path in self._paths.items():
            try:
                changed = rw.rulesets.changed_ruleset(path)
                manifest = json.loads(rw.files.read_text((path if changed is None else changed) / MANIFEST))
            except (rw.RulesetError, ValueError, RecursionError):
                manifest = None
            entries = manifest if isinstance(manifest, dict) else {}
            words = {key: _text(entries.get(key)) for key in ("title", "edition", "about")}
            if path.is_file():
                words["title"] = f"{words['title']}: {path.name}"
            found.append({"name": name, **words})
        return found

    def described(self, name: str) -> dict[str, Any]:
        """One ruleset: for how many it is, its variants and parameters, and what is wrong with its files.

        Errors of a game are reported when one is begun: to check all games of a ruleset may take seconds.
        """
        try:
            ruleset, chosen = self.opened(name)
            setup = rw.playing.setup_choices(ruleset)
        except rw.RulesetError as error:
            return _description(name, name, None, (), error.diagnostics)
        return _description(name, ruleset.title, setup, chosen, ruleset.diagnostics)


def _description(
    name: str,
    title: str,
    setup: rw.playing.SetupChoices | None,
    chosen: Iterable[str],
    findings: Iterable[rw.Diagnostic],
) -> dict[str, Any]:
    return {
        "name": name,
        "title": title,
        "players": list(setup.players) if setup else [],
        "seats": {str(count): list(seats) for count, seats in setup.seats.items()} if setup else {},
        "variants": list(setup.variants) if setup else [],
        "excludes": {title: list(others) for title, others in setup.excludes.items()} if setup else {},
        "chosen": list(chosen),
        "parameters": [{"name": one.name, "value": one.value, "values": list(one.values)} for one in setup.parameters]
        if setup
        else [],
        "findings": rw.reporting.to_json(findings),
    }


def _changes_another(path: Path) -> bool:
    """True if a file holds a variant of a ruleset that can be found."""
    try:
        return rw.rulesets.changed_ruleset(path) is not None
    except rw.RulesetError:
        return False


def _text(value: object) -> str:
    return rw.characters.printable(value) if isinstance(value, str) else ""
