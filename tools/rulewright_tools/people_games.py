"""Games of people beside those of agents, for ``experiment``: read from the file in which the studio keeps games."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.console import CommandError
from rulewright_tools.progress import Working


def kept_games(path: Path) -> list[lab.playtests.KeptGame]:
    """All games of a file in the order of their names; it is only read, also while a studio has it open."""
    try:
        if not path.is_file():
            raise CommandError(f"there is no file {path}: name the one in which a studio keeps its games")
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=10)) as database:
            database.execute("begin")  # one moment, whatever is played meanwhile
            events: dict[str, list[dict[str, Any]]] = defaultdict(list)
            for game, event in database.execute("select game, event from events order by game, number"):
                events[game].append(json.loads(event))
            rows = database.execute("select name, game from games order by length(name), name").fetchall()
        return [lab.playtests.KeptGame(name, json.loads(game), tuple(events[name])) for name, game in rows]
    except sqlite3.Error as error:
        raise CommandError(f"{path} cannot be read as a file of games: {error}") from None
    except ValueError:
        raise CommandError(f"{path} is damaged: its games cannot be read") from None


@dataclass(slots=True)
class People:
    """Games of people that have the rules of an experiment."""

    file: Path
    studies: Sequence[lab.playtests.Study]
    """One for each arm whose rules some games have."""
    left_out: Sequence[lab.playtests.LeftOut]
    first: int
    """The number of the first of them among the arms."""

    @staticmethod
    def read(path: Path, meant: lab.experiments.Experiment) -> tuple[People, lab.experiments.Experiment]:
        """The games of a file, and the experiment with them; CommandError if no game fits."""
        try:
            found, left = lab.playtests.games_of([arm.game for arm in meant.arms], kept_games(path))
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            if isinstance(problem, rw.RulesetError):
                raise
            raise CommandError(f"{path} is damaged: its games cannot be read") from problem
        pairs = [(arm, games) for arm, games in zip(meant.arms, found, strict=True) if games]
        if not pairs:
            why = "; ".join(f"{one.game}: {one.why}" for one in left[:3]) or "it has none"
            raise CommandError(f"{path} has no game of people that is over and has these rules: {why}")
        studies = [lab.playtests.Study(arm, games) for arm, games in pairs]
        recorded = [lab.experiments.RecordedArm(arm, [one.record for one in games], meant.seed) for arm, games in pairs]
        return People(path, studies, left, len(meant.arms)), replace(meant, people=tuple(recorded))

    def compare(self, words: Sequence[str], shown: Working) -> None:
        """Let agents pick in the positions of people: these, and those that play in an arm otherwise than at random."""
        for study in self.studies:
            every = dict.fromkeys((*words, *(one for one in study.arm.seats if one != "random")))
            for word in every:
                shown.at(f"{word} at the answers of people")
                study.agreement[word] = lab.playtests.agreement(study.arm.game, study.games, word, shown.reached)

    def data(self) -> dict[str, object]:
        """Contents as plain data."""
        return {
            "file": self.file.name,
            "arms": [one.data(number) for number, one in enumerate(self.studies, self.first)],
            "left_out": [{"game": one.game, "why": one.why} for one in self.left_out],
        }

    def write(self, folder: lab.experiments.TableFolder) -> None:
        """Write the tables of people's answers and of their feedback."""
        numbered = list(enumerate(self.studies, self.first))
        choices = [row for number, one in numbered for row in one.choice_rows(number)]
        feedback = [row for number, one in numbered for row in one.feedback_rows(number)]
        folder.also("choices", lab.playtests.CHOICES, choices)
        folder.also("feedback", lab.playtests.FEEDBACK, feedback)
