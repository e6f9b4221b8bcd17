"""Reasons why an answer is refused, as the player who is asked may be told them.

A restriction may look at what the player does not see. Then neither that it refuses an answer nor that it does not is
told: they are told those restrictions that refuse it by what they see, and if there are none, that there is a reason
which they cannot see. Pieces are named to them where they see them; of all others it is told the same wherever they
lie. So the answer is the same in all positions that look alike to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulewright.engine.cells.support import bits_of
from rulewright.engine.codegen.blocks import Question
from rulewright.engine.hidden_information.audience import has_secrets
from rulewright.engine.hidden_information.known_slots import KnownSlots
from rulewright.engine.hidden_information.piece_words import seen_pieces
from rulewright.engine.hidden_information.visible_cells import SeenNumbers, Unseen, slot_sorts, visible_cells
from rulewright.engine.runtime.option_keys import keys_of
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.refusals import (
    NOT_AMONG,
    UNSEEN,
    Reason,
    Refusal,
    ambiguous,
    condition_function,
    not_among,
    reasons_of,
    source_function,
    why_not,
    withheld,
)
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.budgets import SEVERAL, shared_budget
from rulewright.ir import model as m
from rulewright.ir.walk import refuses

CANNOT_SEE = Reason(UNSEEN, (), None, "not possible, for a reason that you cannot see")


@dataclass(frozen=True, slots=True)
class _Verdict:
    """The reasons that a player sees, and whether there may be others that they do not see."""

    reasons: tuple[Reason, ...]
    unsure: bool


@shared_budget(SEVERAL)
def why_not_told(state: Position, key: str, player: int | None) -> Refusal:
    """The reasons why `key` is not offered, as far as a player may know them; None knows them all."""
    question = state.question
    if player is None or question is None or not has_secrets(state.engine):
        return why_not(state, key)
    if isinstance(question.instr, m.Chance):
        return Refusal(key, (Reason(NOT_AMONG, (), None, "chance is asked, no player"),))
    if state.seat != player:
        return Refusal(key, (Reason(NOT_AMONG, (), None, "somebody else is asked"),))
    return _ToldRefusals(state, question, question.instr, player).why_not(key)


class _ToldRefusals:
    """Finds what the player who is asked may be told of a state's decision."""

    def __init__(self, state: Position, question: Question, asked: m.Choose, player: int) -> None:
        self.state, self.question, self.asked, self.player = state, question, asked, player
        self.engine = state.engine
        self.cells = visible_cells(state, player)
        self.stack = SeenNumbers(state.stack, slot_sorts(state, KnownSlots(state, player)))

    def why_not(self, key: str) -> Refusal:
        """The reasons for one answer."""
        decision = self.state.decision
        assert decision is not None
        if any(option.key == key for option in decision.options):
            return Refusal(key, ())
        for extra in self.asked.extras:
            if extra.key == key:
                guard = [] if extra.guard is None else [m.Not(extra.guard)]
                other = withheld(self.engine, self.question, extra)
                return self._refusal(key, [self._verdict(extra.restrictions, 0, guard)], other)
        candidates, unsure = self._candidates()
        members = self._named(key, candidates)
        if not members:
            return Refusal(key, (CANNOT_SEE if unsure and self._is_key(key) else self._not_among(key),))
        where = [] if self.asked.where is None else [m.Not(self.asked.where)]
        told = [self._verdict(self.asked.restrictions, member, where, unsure) for member in members]
        options = [option.key for option in decision.options if any(self.state.stands_for(option, x) for x in members)]
        other = ambiguous(self.engine, self.question, key, options) if options else self._not_among(key)
        return self._refusal(key, told, other)

    def _refusal(self, key: str, told: list[_Verdict], other: Reason) -> Refusal:
        """The least of the reasons for several things that may be meant; `other`: there is none."""
        if all(one.reasons for one in told):
            return Refusal(key, min((one.reasons for one in told), key=len))
        return Refusal(key, (CANNOT_SEE if any(one.unsure for one in told if not one.reasons) else other,))

    def _not_among(self, key: str) -> Reason:
        return not_among(self.engine, self.question, key)

    def _verdict(
        self,
        restrictions: tuple[m.Restriction, ...],
        member: int,
        others: Iterable[m.Expr],
        unsure: bool = False,
    ) -> _Verdict:
        """The restrictions that refuse a member by what the player sees; `others` refuse it without a word."""
        verdicts = [self._holds(refuses(restriction), member) for restriction in restrictions]
        silent = [self._holds(other, member) for other in others]
        seen = tuple(1 if verdict else 0 for verdict in verdicts)
        reasons = reasons_of(self.engine, self.question, restrictions, seen)
        return _Verdict(reasons, unsure or None in verdicts or None in silent)

    def _holds(self, condition: m.Expr, member: int) -> bool | None:
        """True if a condition of the question holds; None if the player cannot know that."""
        made: dict[Any, Callable[..., Any]] = self.engine.cache("conditions of questions")
        place = (self.question.number, condition)
        if place not in made:
            var = self.asked.var if self.asked.source is not None else ""
            made[place] = condition_function(self.engine, self.question, self.asked.universe, var, condition)
        try:
            return bool(self.engine.call(made[place], self.cells, self.stack, self.state.base, member))
        except Unseen:
            return None

    def _candidates(self) -> tuple[list[int], bool]:
        """The members that the player may mean, and whether they cannot know if these are candidates."""
        if self.asked.source is None:
            return [], False
        made: dict[Any, Callable[..., Any]] = self.engine.cache("sources of questions")
        if self.question.number not in made:
            made[self.question.number] = source_function(self.engine, self.question, self.asked)
        try:
            found = self.engine.call(made[self.question.number], self.cells, self.stack, self.state.base, 0)
            members, unsure = list(found if isinstance(found, tuple) else bits_of(found)), False
        except Unseen:
            members, unsure = list(range(len(self.engine.layout.keys_in(self.asked.universe)))), True
        if self.asked.universe == "Piece":
            known = seen_pieces(self.state, self.player)
            members = [piece for piece in members if piece in known]
        return members, unsure

    def _named(self, key: str, candidates: list[int]) -> list[int]:
        """The candidates that an answer can mean: pieces with the place added, or without."""
        layout, universe = self.engine.layout, self.asked.universe
        if universe != "Piece":
            return [member for member in candidates if layout.key(universe, member) == key]
        state, exact = self.state, list[int]()
        equivalence_classes = self.engine.equivalence_classes(
            state.cells, state.stack, sum(1 << piece for piece in candidates)
        )
        names = keys_of(self.engine).names(state.cells, state.stack, equivalence_classes)
        for name, (_, group) in zip(names, equivalence_classes, strict=True):
            exact += bits_of(group) if name == key else []
        return exact or [piece for piece in candidates if layout.key(universe, piece) == key]

    def _is_key(self, key: str) -> bool:
        """True if an answer names something of the universe that is chosen from, there or not."""
        keys = self.engine.layout.keys_in(self.asked.universe)
        if not keys:
            return key.removeprefix("-").isdigit()
        return any(key == one or key.startswith((f"{one} ", f"{one},")) for one in keys)


__all__ = ["CANNOT_SEE", "why_not_told"]
