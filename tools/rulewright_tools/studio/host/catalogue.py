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

    def __init__(self, folders: Mapping[str, Path], opens: str | None = None) -> None:
        self._folders = dict(folders)
        self.opens = opens
        """The ruleset with which pages begin; none if they are to choose one."""

    @staticmethod
    def of(folders: Iterable[Path], shipped: bool = True) -> Catalogue:
        """A catalogue of folders, and of the rulesets that come with the library, if they are wanted."""
        found: dict[str, Path] = {}
        folders = tuple(folders)
        for folder in (*folders, *(rw.shipped_rulesets() if shipped else ())):
            name, number = folder.name, 2
            if folder in found.values():
                continue
            while name in found:
                name, number = f"{folder.name}-{number}", number + 1
            found[name] = folder
        return Catalogue(found, next(iter(found)) if folders else None)

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in order."""
        return tuple(self._folders)

    def folder(self, name: str) -> Path:
        """The folder behind a name; Refused if there is none."""
        if name not in self._folders:
            raise Refused(ErrorCode.PARAMS, f"there is no ruleset `{name[:40]}` here")
        return self._folders[name]

    def listed(self) -> list[dict[str, Any]]:
        """All rulesets by name and title, quickly: what else they are is :meth:`described`."""
        found = []
        for name, folder in self._folders.items():
            try:
                manifest = json.loads(rw.files.read_text(folder / MANIFEST))
            except (rw.RulesetError, ValueError, RecursionError):
                manifest = None
            told = manifest if isinstance(manifest, dict) else {}
            found.append({"name": name, **{key: _text(told.get(key)) for key in ("title", "edition", "about")}})
        return found

    def described(self, name: str) -> dict[str, Any]:
        """One ruleset: for how many it is, its variants and parameters, and what is wrong with its files.

        What is wrong with a game is told when one is begun: to check all games of a ruleset may take seconds.
        """
        folder = self.folder(name)
        try:
            ruleset = rw.open_ruleset(folder)
            setup = rw.playing.setup_choices(ruleset)
        except rw.RulesetError as error:
            return _description(name, name, None, error.diagnostics)
        return _description(name, ruleset.title, setup, ruleset.diagnostics)


def _description(
    name: str, title: str, setup: rw.playing.SetupChoices | None, findings: Iterable[rw.Diagnostic]
) -> dict[str, Any]:
    return {
        "name": name,
        "title": title,
        "players": list(setup.players) if setup else [],
        "seats": {str(count): list(seats) for count, seats in setup.seats.items()} if setup else {},
        "variants": list(setup.variants) if setup else [],
        "parameters": [{"name": one.name, "value": one.value, "values": list(one.values)} for one in setup.parameters]
        if setup
        else [],
        "findings": rw.reporting.to_json(findings),
    }


def _text(value: object) -> str:
    return rw.characters.printable(value) if isinstance(value, str) else ""
