"""Games that begin in the middle: a scenario, a story of the fuzzer or a save is opened, to be played on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.files.folder import LARGEST, Folder
from rulewright_tools.studio.host.messages import LONGEST, ErrorCode, Params, Refused

SAVES = ("rulewright-save", "rulewright-log")
"""The formats of files that hold a game."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A scenario from which a game was opened."""

    text: str
    """The text of the scenario, at the place where it stands in its file."""
    until: int | None
    """The line to which it was played; None: as far as it goes."""
    title: str
    begins: str
    """The procedure of the rules that it starts; empty if that is the whole game."""
    first: rw.State
    """The position in which its rules begin, to which the answers of the log are given."""

    def saved(self) -> dict[str, Any]:
        """All that is needed to open it again."""
        return {"text": self.text, "until": self.until}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A position that a page wants to open: a scenario, or a game that was saved."""

    ruleset: str
    text: str = ""
    until: int | None = None
    save: Mapping[str, Any] | None = None


def wanted_of(folder: Folder, params: Params) -> Wanted:
    """The position that params name: the place of a scenario in a file, the name of a file with a save, or the text of
    a scenario.

    Raises:
        Refused: There is none.
    """
    file, ruleset = params.text_or("file", most=2 * LONGEST), params.text_or("ruleset")
    text, line = params.text_or("text", most=LARGEST), params.whole_or("line", 1, 2**31)
    if bool(file) == bool(text) or bool(text) != bool(ruleset):
        raise Refused(ErrorCode.PARAMS, "a position is opened from a file, or from the text of a scenario of a ruleset")
    if text:
        return Wanted(ruleset, text, line)
    ruleset, found = file.partition("/")[0], folder.read(file).text
    if file.endswith(".json"):
        save = _json(found)
        if save.get("format") not in SAVES:
            raise Refused(ErrorCode.NOT_NOW, f"`{file[:80]}` holds no game")
        return Wanted(ruleset, save=save)
    text = rw.playing.scenario_text(found, line or 1)
    if not text:
        raise Refused(ErrorCode.NOT_NOW, f"line {line or 1} of `{file[:80]}` belongs to no scenario")
    is_first = line is None or not text.split("\n")[line - 1].startswith((" ", "\t"))
    return Wanted(ruleset, text, None if is_first else line)


def opened_game(ruleset: rw.Ruleset, text: str, until: int | None) -> tuple[rw.playing.ScenarioGame, Opened]:
    """The game of a scenario that is opened."""
    found = rw.playing.scenario_game(ruleset, text, until)
    return found, Opened(text, until, found.title, found.begins, found.positions[0])


def is_in_scenario(text: str, line: int) -> bool:
    """True if a line of a file with rules belongs to a scenario."""
    before = [one for one in text.split("\n")[:line] if one[:1] not in ("", " ", "\t", "#")]
    return bool(before) and before[-1].startswith("scenario ")


def _json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
