"""Writes a story as a scenario in the rules language."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.fuzzing.failures import Setting
from rulewright.fuzzing.reproduction.position_replay import Replayed
from rulewright.play.game import Game
from rulewright.scenarios.recording.answer_lines import AnswerWords
from rulewright.syntax import ast, names, print_file


def scenario(game: Game, setting: Setting, told: Replayed, title: str, cites: Sequence[str]) -> str:
    """The text of a scenario."""
    words, begin = AnswerWords(game.engine), told.beginning
    lines: list[ast.ScenarioLine] = [ast.SPlayers(words.seats)]
    lines += [ast.SVariant(variant) for variant in setting.variants]
    lines += [ast.SSet(ast.Path((name,)), names.value(value)) for name, value in setting.options]
    lines += words.lines(begin.laid)
    lines.append(ast.SStart(words.start(begin.function, begin.args)))
    lines += [line for _, line in words.answers(told.answers, may=True)]
    trivia = ast.Trivia(cites=tuple(cites))
    return print_file(ast.File((ast.Scenario(title, tuple(lines), trivia=trivia),)))
