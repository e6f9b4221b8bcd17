"""A folder of games that were worth keeping: later runs begin where they have been."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from rulewright.fuzzing.troubles import Setting

FORMAT = "rulewright-game"


@dataclass(frozen=True, slots=True)
class Kept:
    """A game of a setting, as numbers of options."""

    setting: Setting
    numbers: tuple[int, ...]

    def text(self, ruleset: str) -> str:
        """The contents of its file."""
        data = {
            "format": FORMAT,
            "ruleset": ruleset,
            "players": self.setting.players,
            "variants": list(self.setting.variants),
            "options": dict(self.setting.options),
            "decisions": list(self.numbers),
        }
        return json.dumps(data, ensure_ascii=False) + "\n"


def read(folder: Path, ruleset: str) -> list[Kept]:
    """The games of a ruleset in a folder, in the order of their names; all other files are passed over."""
    found = (read_game(path, ruleset) for path in sorted(folder.glob("*.json")))
    return [game for game in found if game is not None]


def read_game(path: Path, ruleset: str) -> Kept | None:
    """The game of a ruleset in a file, if there is one."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if data["format"] != FORMAT or data["ruleset"] != ruleset:
            return None
        options = tuple(sorted((str(name), str(value)) for name, value in data["options"].items()))
        setting = Setting(int(data["players"]), tuple(map(str, data["variants"])), options)
        return Kept(setting, tuple(max(0, int(number)) for number in data["decisions"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def write(folder: Path, ruleset: str, games: Iterable[Kept]) -> None:
    """Add games to a folder, equal ones under equal names; each file is written whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    for game in games:
        path = path_of(folder, ruleset, game)
        if not path.exists():
            part = path.with_suffix(".part")
            part.write_text(game.text(ruleset), "utf-8")
            part.replace(path)


def path_of(folder: Path, ruleset: str, game: Kept) -> Path:
    """Where a game lies in a folder."""
    return folder / (blake2b(game.text(ruleset).encode(), digest_size=8).hexdigest() + ".json")
