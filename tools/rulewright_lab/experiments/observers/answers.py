"""Answers: how often each option of each question was offered, and how often it was taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from rulewright.engine import Stepper
from rulewright.ir import Choose
from rulewright.play import Game
from rulewright_lab.experiments.observers.course_walk import keeps_memories

PREFIX = "answers: "
OFFERED, TAKEN = "offered", "taken"


class AnswerObserver:
    """Counts the options of questions at which there was a choice: pieces by what is printed on them, wherever they
    lie."""

    def __init__(self, game: Game) -> None:
        self.needs_states = keeps_memories(game)
        self._counts: Counter[str] = Counter()
        self._known: dict[tuple[Hashable, ...], tuple[str, list[str]]] = {}
        """Of questions about no pieces, whose options have one name wherever they are offered: the question's name, and
        those of the options."""

    def begin(self, at: Stepper, seed: int) -> None:
        """Forget the game before."""
        self._counts.clear()

    def answered(self, at: Stepper, option: int, size: int) -> None:
        """Count what is offered, and what is taken."""
        if size < 2:
            return
        question, names = self._named(at)
        for name in dict.fromkeys(names):
            self._counts[column_name(question, name, OFFERED)] += 1
        self._counts[column_name(question, names[option], TAKEN)] += 1

    def _named(self, at: Stepper) -> tuple[str, list[str]]:
        """The names of the question and of its options."""
        place = at.question, *at.offered()
        if place in self._known:
            return self._known[place]
        state = at.state()
        decision, question = state.decision, state.question
        assert decision is not None
        assert question is not None
        pieces = isinstance(question.instr, Choose) and question.instr.universe == "Piece"
        names = [
            at.engine.layout.key("Piece", one.value) if pieces and not one.extra and one.value >= 0 else one.key
            for one in decision.options
        ]
        if not pieces:
            self._known[place] = decision.name, names
        return decision.name, names

    def look(self, at: Stepper) -> None:
        """Nothing is of interest."""

    def end(self, at: Stepper, finished: bool) -> dict[str, float]:
        """The counts of the game, also of one that was stopped."""
        return {name: float(count) for name, count in self._counts.items()}


def column_name(question: str, option: str, what: str) -> str:
    """The name of the column of a count."""
    return f"{PREFIX}{question}\t{option}\t{what}"


def of_column(name: str) -> tuple[str, str, str] | None:
    """The question, the option and what is counted; None if it is another column."""
    if not name.startswith(PREFIX):
        return None
    question, option, what = name.removeprefix(PREFIX).split("\t")
    return question, option, what
