"""Data files: manifests, tables, maps, rulebooks and rulings, as JSON and CSV."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import seeds
import texts
import trees
from kinds import Kind, Outcome
from of_rules import checked
from seeds import Files, Pool

LONG = 1500
"""Characters of a file from which most lists are cut short before it is changed."""
MANIFEST = {"name": "small", "title": "Small", "rules": ["game.rules"]}
PLAY = "game small\nplayers 2 to 3\n{}\nprocedure play\n    finish with winner players\n"


class Data(Kind):
    """Data files of one sort: those of small rulesets stay where they are, the long ones stand alone."""

    sort: str

    @property
    def about(self) -> str:  # type: ignore[override]
        """The purpose of these inputs."""
        return f"changed {self.sort} files are read, with all that the rules make of them"

    def prepare(self) -> None:
        """Find the files, and check them so that the schemas stand; for a quick look one will do."""
        begins = list({id(files): files for files, _ in self.begins().items}.values())
        for files in begins[:1] if self.small else begins:
            self.attempt(files)

    @cache  # noqa: B019
    def begins(self) -> Pool[tuple[Files, str]]:
        """Rulesets, and the file of each that is to be changed."""
        found = [(files, name) for files in seeds.rulesets() for name in files if sort_of(files, name) == self.sort]
        alone = [alone_with(self.sort, text) for text in seeds.data_texts(self.sort)]
        found += [(files, "ruleset.json" if self.sort == "manifest" else f"{self.sort}.json") for files in alone]
        return Pool(found, _size)

    def make(self, rng: random.Random) -> Files:
        """One file is changed."""
        files, name = self.begins().pick(rng)
        if name.endswith(".csv"):
            return files | {name: texts.changed(files[name], rng, [files[name], "a,b\n1,2\n"], wild=0.3)}
        data = json.loads(files[name])
        if len(files[name]) > LONG and rng.random() < 0.95:
            data = trees.pruned(data, rng)
        data = trees.changed(data, rng)
        return files | {name: trees.text_of(data, rng)}

    def attempt(self, made: Files) -> Outcome:
        """Check the ruleset."""
        with seeds.written(made) as path:
            return checked(path)

    def told(self, made: Files) -> str:
        """All files."""
        return "\n".join(f"---- {name}\n{text}" for name, text in made.items())


class Tables(Data):
    """Tables of pieces and enums."""

    name = sort = "table"
    weight = 30


class Maps(Data):
    """Maps: hexes and graphs."""

    name = sort = "map"
    weight = 24


class Rulebooks(Data):
    """Indexes of rulebooks."""

    name = sort = "rulebook"
    weight = 24


class Rulings(Data):
    """Rulings."""

    name = sort = "rulings"
    weight = 24


class Manifests(Data):
    """``ruleset.json``."""

    name = sort = "manifest"
    weight = 100


def _size(one: tuple[Files, str]) -> int:
    """The size that a check depends on: the rules, and so much of the file as is left of it."""
    files, changed = one
    return sum(min(LONG, len(text)) if name == changed else len(text) for name, text in files.items())


def sort_of(files: Files, name: str) -> str:
    """The sort of a file of a ruleset; nothing if it is unknown."""
    if name.endswith(".csv"):
        return "table"
    if not name.endswith(".json"):
        return ""
    try:
        data, manifest = json.loads(files[name]), json.loads(files["ruleset.json"])
    except ValueError:
        return ""
    if name == "ruleset.json":
        return "manifest"
    if name in (manifest.get("rulebook"), manifest.get("rulings")):
        return "rulebook" if name == manifest.get("rulebook") else "rulings"
    return "map" if isinstance(data, dict) and ("places" in data or "shape" in data) else "table"


def alone_with(sort: str, text: str) -> Files:
    """A ruleset that is there only to have this data read."""
    own: dict[str, Any] = {}
    rules = ""
    data = json.loads(text)
    if sort in ("rulebook", "rulings"):
        own = {sort: f"{sort}.json"}
    elif sort == "map":
        shape = "graph" if isinstance(data, dict) and data.get("shape") == "graph" else "hexes"
        rules = f'place Cell\nmap Board: {shape} from "map.json" of Cell'
    elif sort == "table" and isinstance(data, dict):
        names = [name for name, rows in data.items() if isinstance(rows, list) and name != "sources"]
        rules = "\n".join(
            f'piece Kind{i} from "table.json#{name}"\n    named "kind {i}"' for i, name in enumerate(names)
        )
    files = {"ruleset.json": json.dumps(MANIFEST | own), "game.rules": PLAY.format(rules)}
    return files | {"ruleset.json" if sort == "manifest" else f"{sort}.json": text}
