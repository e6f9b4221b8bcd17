"""Folders of games that the fuzzer keeps, with files that were changed."""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import trees
from kinds import Kind, Outcome

import rulewright as rw
from rulewright.findings.fuzzing import FuzzOptions

GAMES = ("tic-tac-toe", "connect-four")
FILES = 3


class Corpora(Kind):
    """Corpora."""

    name = "corpora"
    weight = 1
    about = "the fuzzer begins with a folder of changed games, and says what it found"

    def prepare(self) -> None:
        """Compile the games."""
        for name in GAMES:
            rw.fuzzing.fuzz(name, FuzzOptions(games=1, seed=1))

    def make(self, rng: random.Random) -> tuple[str, list[str]]:
        """Some files, most of them changed."""
        name = rng.choice(GAMES)
        found = []
        for _ in range(FILES):
            data: dict[str, Any] = {
                "format": "rulewright-game",
                "ruleset": name,
                "players": 2,
                "variants": [],
                "options": {},
                "decisions": [rng.randrange(9) for _ in range(rng.randrange(30))],
            }
            found.append(trees.text_of(trees.changed(data, rng, 2) if rng.random() < 0.8 else data, rng))
        return name, found

    def attempt(self, made: tuple[str, list[str]]) -> Outcome:
        """Search with them for two games."""
        name, found = made
        with TemporaryDirectory() as folder:
            for number, text in enumerate(found):
                (Path(folder) / f"{number}.json").write_bytes(text.encode("utf-8", "surrogatepass"))
            report = rw.fuzzing.fuzz(name, FuzzOptions(games=1, seed=1, corpus=folder))
        assert not report.stories, f"nothing is wrong with {name}"
        return Outcome("accepted")

    def told(self, made: tuple[str, list[str]]) -> str:
        """The texts of the files."""
        return "\n".join((made[0], *made[1]))
