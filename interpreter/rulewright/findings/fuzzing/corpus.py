"""A folder of games that were worth keeping: later runs begin where they have been."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from rulewright.diagnostics import RulesetError
from rulewright.engine import SeededRun, Way
from rulewright.engine.random_numbers import MASK
from rulewright.findings.fuzzing.failures import Setting
from rulewright.host.files import read_text, write_text

FORMAT = "rulewright-game"

MOST_ANSWERS = 1_000_000
"""No run that is kept has more answers."""
MOST_BYTES = 1024 * 1024
"""No game is written in a larger file."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A game of a setting, as numbers of options, and the seeded runs behind these."""

    setting: Setting
    numbers: tuple[int, ...]
    seeded_runs: tuple[SeededRun, ...] = ()

    @property
    def way(self) -> Way:
        """The way to where it leads."""
        return self.numbers, self.seeded_runs

    def text(self, ruleset: str) -> str:
        """The contents of its file."""
        data = {
            "format": FORMAT,
            "ruleset": ruleset,
            **self.setting.data(),
            **({"decisions": self.numbers} if self.numbers or not self.seeded_runs else {}),
            **({"runs": self.seeded_runs} if self.seeded_runs else {}),
        }
        return json.dumps(data, ensure_ascii=False) + "\n"


def read(folder: Path, ruleset: str) -> list[Kept]:
    """The games of a ruleset in a folder, in the order of their names; all other files are passed over."""
    found = (read_game(path, ruleset) for path in sorted(folder.glob("*.json")))
    return [game for game in found if game is not None]


def read_game(path: Path, ruleset: str) -> Kept | None:
    """The game of a ruleset in a file, if there is one."""
    try:
        data = json.loads(read_text(path, most=MOST_BYTES))
        if data["format"] != FORMAT or data["ruleset"] != ruleset:
            return None
        options = tuple(sorted((str(name), str(value)) for name, value in data["options"].items()))
        setting = Setting(int(data["players"]), tuple(map(str, data["variants"])), options)
        runs: list[SeededRun] = data.get("runs", [])
        seeded_runs = tuple((int(seed) & MASK, min(MOST_ANSWERS, max(0, int(answers)))) for seed, answers in runs)
        numbers = data.get("decisions", []) if seeded_runs else data["decisions"]
        return Kept(setting, tuple(max(0, int(number)) for number in numbers), seeded_runs)
    except (RulesetError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None


def write(folder: Path, ruleset: str, games: Iterable[Kept]) -> None:
    """Add games to a folder. The name of a file is the hash of its text: equal games are one file, and any number of
    processes may write into one folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for game in games:
        path = path_of(folder, ruleset, game)
        if not path.exists():
            write_text(path, game.text(ruleset))


def path_of(folder: Path, ruleset: str, game: Kept) -> Path:
    """The path of a game in a folder."""
    return folder / (blake2b(game.text(ruleset).encode(), digest_size=8).hexdigest() + ".json")
