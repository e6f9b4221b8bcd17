"""Plays the end of a game again from a position that is laid out by hand, as a scenario would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rulewright.diagnostics import RulesetError
from rulewright.engine import Broken, Checks, Decision, Option, Position, State, unkept
from rulewright.findings.fuzzing.deadlines import UNLIMITED, Limits
from rulewright.findings.fuzzing.failures import Violation, of_error
from rulewright.findings.fuzzing.search.universal_properties import of_broken
from rulewright.play.game import Game
from rulewright.play.scenarios import betrayed
from rulewright.play.scenarios.recording.replayed_game import matching
from rulewright.play.scenarios.recording.scenario_lines import Answer
from rulewright.play.scenarios.recording.state_diff import Laid, lay


@dataclass(frozen=True, slots=True)
class Beginning:
    """The beginning of a story: a procedure and the position on the table."""

    function: str
    args: tuple[int, ...]
    laid: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class Replayed:
    """A story that was played: the answers up to the trouble."""

    beginning: Beginning
    answers: tuple[Answer, ...]
    trouble: Violation
    fired: tuple[str, ...]
    """The rules that were used in it."""


Choice = Callable[[Decision], Option | None]
"""A function that picks the answer; None: the story ends here."""


class Teller:
    """Plays stories of one game that must end in one violation."""

    def __init__(
        self,
        game: Game,
        trouble: Violation,
        spared: Sequence[Broken] = (),
        least: int = 1,
        limits: Limits = UNLIMITED,
    ) -> None:
        self.game = game
        self.limits = limits
        self.trouble = trouble
        self.spared = frozenset(spared)
        """Assertions that did not hold already when the original story began."""
        self.least = least
        """So many answers there must be: a position that is bad by itself is no evidence against the rules."""

    def replay(self, beginning: Beginning, choose: Choice, most: int = 1000) -> Replayed | None:
        """Play a story; None if it does not end in that trouble."""
        engine = self.game.engine
        position = Position(self.game.program, 0, ask_chance=True)
        answers: list[Answer] = []
        self.limits.spend()
        fired = engine.new_fired()
        try:
            if not lay(position, beginning.laid):
                return None
            if not self.spared.issuperset(unkept(position.state)):
                return None
            checks = Checks(engine, position.state)
            position.mode = replace(position.mode, watch=checks.watch, fired=fired)
        except RulesetError:
            return None  # no such position can be
        try:
            state = position.enter(beginning.function, beginning.args)
            while True:
                trouble = self._look(checks, state)
                if trouble is not None:
                    break
                decision = state.decision
                option = choose(decision) if decision is not None and len(answers) < most else None
                if decision is None or option is None:
                    return None
                self.limits.spend()
                answers.append(Answer(state, decision, option))
                state = state.choose(option)
        except RulesetError as error:
            trouble = of_error(error.diagnostics[0])
        if trouble.key != self.trouble.key or len(answers) < self.least:
            return None
        used = tuple(name for name, times in zip(engine.rule_names, fired, strict=True) if times)
        return Replayed(beginning, tuple(answers), trouble, used)

    def _look(self, checks: Checks, state: State) -> Violation | None:
        checks.look(state)
        if checks.broken:
            return of_broken(self.game, checks.broken[0], checks.sides(checks.broken[0]))
        leak = betrayed(state) if self.trouble.kind == "leak" else ""
        if not leak or state.decision is None:
            return None
        return Violation("leak", state.decision.name, leak, state.decision.cites)

    def repeat(self, beginning: Beginning, answers: Sequence[Answer]) -> Replayed | None:
        """Play a story with answers that were given before; None if one of them does not fit."""
        left = iter(answers)

        def choose(decision: Decision) -> Option | None:
            answer = next(left, None)
            if answer is None or answer.decision_key != (decision.who, decision.name):
                return None
            return matching(decision, answer)

        return self.replay(beginning, choose, len(answers))
