"""Writes a story as a scenario in the rules language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.engine import Option, shuffle_of
from rulewright.fuzzing.failures import Setting
from rulewright.fuzzing.reproduction.position_replay import Answer, Replayed
from rulewright.fuzzing.reproduction.state_diff import Words
from rulewright.play.game import Game
from rulewright.scenarios import WORDS
from rulewright.syntax import ast, print_file

SHUFFLE = "shuffle "


def scenario(game: Game, setting: Setting, told: Replayed, title: str, cites: Sequence[str]) -> str:
    """The text of a scenario."""
    words = _Answers(game)
    lines: list[ast.ScenarioLine] = [ast.SPlayers(game.seats)]
    lines += [ast.SVariant(variant) for variant in setting.variants]
    lines += [ast.SSet(ast.Path((name,)), ast.Name(value)) for name, value in setting.options]
    lines += words.lines(told.beginning.laid)
    lines.append(ast.SStart(words.start(told)))
    lines += words.answers(told.answers)
    trivia = ast.Trivia(cites=tuple(cites))
    return print_file(ast.File((ast.Scenario(title, tuple(lines), trivia=trivia),)))


class _Answers(Words):
    """Answers as the lines of a scenario give them."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.engine)
        self.program = game.program

    def start(self, told: Replayed) -> ast.Expr:
        """The call with which the story begins."""
        begin = told.beginning
        function = next(f for f in self.program.functions if f.name == begin.function)
        slots = function.slots[: function.params]
        args = tuple(self.value(slot.ty, arg) for slot, arg in zip(slots, begin.args, strict=True))
        return ast.Call(ast.Name(begin.function), args) if args else ast.Name(begin.function)

    def answers(self, given: Sequence[Answer]) -> Iterator[ast.ScenarioLine]:
        """The answers of the players, and the outcomes of chance, in the order in which they come."""
        at = 0
        while at < len(given):
            first = given[at]
            end = at + 1
            if first.decision.seat is not None:
                while end < len(given) and given[end].decision.seat == first.decision.seat:
                    end += 1
                yield ast.SWhen(first.decision.who, tuple(self.answer(one) for one in given[at:end]), True)
            elif first.decision.label.startswith(SHUFFLE):
                while end < len(given) and len(given[end].decision.options) == len(given[end - 1].decision.options) - 1:
                    end += 1
                yield ast.SChance((self.shuffled(given[at:end]),))
            else:
                while end < len(given) and given[end].decision.name == first.decision.name:
                    end += 1
                outcomes = tuple(self.outcome(one) for one in given[at:end])
                value = ast.ListOf(outcomes) if len(outcomes) > 1 else outcomes[0]
                yield ast.SChance((ast.Answer(first.decision.label, value),))
            at = end

    def answer(self, answer: Answer) -> ast.Answer:
        """The answer of a player."""
        label, option = answer.decision.label, answer.option
        if option.extra:
            if option.key in WORDS and option.key != "stop" and label:
                return ast.Answer(label, ast.Name(option.key))
            return ast.Answer(option.key, None)
        question = answer.state.question
        assert question is not None
        universe = question.instr.universe
        return ast.Answer(label, self.chosen(universe, option))

    def outcome(self, answer: Answer) -> ast.Expr:
        """The outcome of chance."""
        question = answer.state.question
        assert question is not None
        return self.chosen(question.instr.universe, answer.option)

    def chosen(self, universe: str, option: Option) -> ast.Expr:
        """A member that is chosen; pieces by the whole key, which tells them from others like them."""
        return ast.StringLiteral(option.key) if universe == "Piece" else self.member(universe, option.value)

    def shuffled(self, swaps: Sequence[Answer]) -> ast.Answer:
        """The order that the swaps of a shuffle lead to."""
        shuffle = shuffle_of(swaps[0].state)
        assert shuffle is not None
        order = list(shuffle.members)
        for swap in swaps:
            last, pick = len(swap.decision.options) - 1, swap.option.value
            order[last], order[pick] = order[pick], order[last]
        keys = tuple(self.member(u, k) for u, k in zip(shuffle.index, shuffle.keys, strict=True))
        return ast.Answer(shuffle.name, ast.ListOf(tuple(self.member(shuffle.universe, one) for one in order)), keys)
