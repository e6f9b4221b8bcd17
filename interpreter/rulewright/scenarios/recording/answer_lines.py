"""Writes answers that were given, and what chance gave, as lines of a scenario."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from rulewright.engine import Decision, Option, State, shuffle_of
from rulewright.ir.scenario_plan import WORDS
from rulewright.scenarios.recording.state_diff import Words
from rulewright.syntax import ast

SHUFFLE = "shuffle "


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that was given, and the state in which it was."""

    state: State
    decision: Decision
    option: Option

    @property
    def asked(self) -> tuple[str, str]:
        """The player who was asked, and the question."""
        return self.decision.who, self.decision.name

    @property
    def key(self) -> str:
        """The answer, without the place of a piece."""
        return self.option.key.split(" in ")[0] if not self.option.extra else self.option.key


class AnswerWords(Words):
    """Answers as the lines of a scenario give them."""

    def start(self, function: str, args: Sequence[int | tuple[int, ...]]) -> ast.Expr:
        """The call with which the rules begin."""
        declared = next(one for one in self.engine.program.functions if one.name == function)
        slots = declared.slots[: declared.params]
        given = tuple(self.value(slot.ty, arg) for slot, arg in zip(slots, args, strict=True))
        return ast.Call(ast.Name(function), given) if given else ast.Name(function)

    def answers(
        self, given: Sequence[Answer], may: bool = False, stops: Collection[int] = ()
    ) -> Iterator[tuple[int, ast.ScenarioLine]]:
        """The answers of the players, and the outcomes of chance, in the order in which they come, each line with the
        number of answers that have been given after it. No line goes on over one of these numbers.

        With `may` answers are given as far as they are offered.
        """
        at = 0
        while at < len(given):
            first = given[at]
            end = at + 1
            if first.decision.seat is not None:
                while self._goes_on(given, end, stops) and given[end].decision.seat == first.decision.seat:
                    end += 1
                replies = tuple(self.answer(one) for one in given[at:end])
                yield end, ast.SWhen(self.seats[first.decision.seat], replies, may)
            elif first.decision.label.startswith(SHUFFLE):
                while end < len(given) and len(given[end].decision.options) == len(given[end - 1].decision.options) - 1:
                    end += 1
                yield end, ast.SChance((self.shuffled(given[at:end]),))
            else:
                while self._goes_on(given, end, stops) and given[end].decision.name == first.decision.name:
                    end += 1
                outcomes = tuple(self.outcome(one) for one in given[at:end])
                value = ast.ListOf(outcomes) if len(outcomes) > 1 else outcomes[0]
                yield end, ast.SChance((ast.Answer(first.decision.label, value),))
            at = end

    @staticmethod
    def _goes_on(given: Sequence[Answer], end: int, stops: Collection[int]) -> bool:
        return end < len(given) and end not in stops

    def answer(self, answer: Answer) -> ast.Answer:
        """The answer of a player."""
        label, option = answer.decision.label, answer.option
        if option.extra:
            if option.key in WORDS and option.key != "stop" and label:
                return ast.Answer(label, ast.Name(option.key))
            return ast.Answer(option.key, None)
        question = answer.state.question
        assert question is not None
        return ast.Answer(label, self.chosen(question.instr.universe, option))

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
