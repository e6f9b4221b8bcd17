"""Copies of shipped rulesets with a mistake put in, small games written in a test, and scenarios pasted into them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from typer.testing import CliRunner

from rulewright.compiler import OptionValue
from rulewright.engine.runtime.canonical_form import state_bytes
from rulewright.play.game import Game
from rulewright_tools.app import app

ROOT = Path(__file__).resolve().parents[2]
SHORT = 12
PASTED = "pasted.rules"


@dataclass(frozen=True)
class Mistake:
    """A mistake in the copy of a ruleset: a passage of a file that stands there instead of another."""

    game: str
    file: str
    right: str
    wrong: str
    players: int
    kind: str
    name: str
    """The trouble that it must lead to."""
    games: int = 8
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """Readings with which the trouble is soon met."""

    def made(self, folder: Path) -> Path:
        """The copy with the mistake."""
        copy = Path(shutil.copytree(ROOT / "rulesets" / self.game, folder / self.game))
        base = json.loads((copy / "ruleset.json").read_text("utf-8")).get("extends")
        if base is not None:
            shutil.copytree(ROOT / "rulesets" / self.game / base, copy / base)
        change(copy / self.file, self.right, self.wrong)
        return copy

    def mend(self, copy: Path) -> None:
        change(copy / self.file, self.wrong, self.right)


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file.name}"
    file.write_text(text.replace(old, new), "utf-8")


def written(folder: Path, rules: str, **manifest: object) -> Path:
    """A small ruleset of one file."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {"name": "small", "title": "Small", "rules": ["game.rules"], **manifest}
    (folder / "ruleset.json").write_text(json.dumps(data), "utf-8")
    (folder / "game.rules").write_text(rules, "utf-8")
    return folder


def paste(folder: Path, scenario: str) -> None:
    """Make a scenario the only one of a ruleset."""
    (folder / PASTED).write_text(scenario, "utf-8")
    manifest = json.loads((folder / "ruleset.json").read_text("utf-8"))
    manifest["scenarios"] = [PASTED]
    manifest.pop("base_scenarios", None)
    (folder / "ruleset.json").write_text(json.dumps(manifest), "utf-8")


def title_of(scenario: str) -> str:
    return scenario.split('"')[1]


def command(*args: object) -> tuple[int, str]:
    """Exit code and output of ``rulewright``; never a traceback."""
    result = CliRunner().invoke(app, [str(arg) for arg in args], env={"COLUMNS": "100", "NO_COLOR": "1"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert "Traceback" not in result.output
    return result.exit_code, result.output


def compared(game: Game, cells: Sequence[int], stack: Sequence[int]) -> bytes:
    """The canonical bytes of a state, without what chance gives next, and what players remember: machine code does not
    know it."""
    layout, found = game.engine.layout, list(cells)
    remembered = range(layout.known, layout.known + game.players) if layout.known >= 0 else ()
    for cell in (layout.seed, *layout.counters.values(), *remembered):
        found[cell] = 0
    return state_bytes(game.engine, found, list(stack))
