"""Refusals of answers as one player may know them: the reasons against one answer, and all answers not offered.

A restriction may look at what the player does not see. Then neither its refusal nor the absence of one is shown: the
reasons are those restrictions that refuse by what the player sees and, without any, that there is a reason out of
sight. Pieces are named where the player sees them; all others get the same reasons wherever they lie. So the reasons,
and which answers are listed, are the same in all positions that look alike to the player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rulewright.engine.evaluator.evaluated_program import Question
from rulewright.engine.hidden_information.answers.audience import has_secrets
from rulewright.engine.hidden_information.observations.known_slots import KnownSlots
from rulewright.engine.hidden_information.observations.visible_cells import (
    SeenNumbers,
    Unseen,
    slot_sorts,
    visible_cells,
)
from rulewright.engine.hidden_information.piece_words import seen_pieces
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
from rulewright.foundation.bit_sets import bits_of, members_of
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
def visible_refusal(state: Position, key: str, player: int | None) -> Refusal:
    """The reasons why `key` is not offered, as far as a player may know them; None knows them all."""
    question = state.question
    if player is None or question is None or not has_secrets(state.engine):
        return why_not(state, key)
    if isinstance(question.instr, m.Chance):
        return Refusal(key, (Reason(NOT_AMONG, (), None, "chance is asked, no player"),))
    if state.seat != player:
        return Refusal(key, (Reason(NOT_AMONG, (), None, "somebody else is asked"),))
    return _VisibleRefusals(state, question, question.instr, player).why_not(key)


class _VisibleRefusals:
    """Refusals of a state's decision for the player who decides."""

    def __init__(self, state: Position, question: Question, choice: m.Choose, player: int) -> None:
        self.state, self.question, self.choice, self.player = state, question, choice, player
        self.engine = state.engine
        self.cells = visible_cells(state, player)
        self.stack = SeenNumbers(state.stack, slot_sorts(state, KnownSlots(state, player)))

    def why_not(self, key: str) -> Refusal:
        """The reasons for one answer."""
        decision = self.state.decision
        assert decision is not None
        if any(option.key == key for option in decision.options):
            return Refusal(key, ())
        for extra in self.choice.extras:
            if extra.key == key:
                guard = [] if extra.guard is None else [m.Not(extra.guard)]
                other = withheld(self.engine, self.question, extra)
                return self._refusal(key, [self._verdict(extra.restrictions, 0, guard)], other)
        candidates, unsure = self._candidates()
        members, none = self._named(key, candidates), not_among(self.engine, self.question)
        if not members:
            return Refusal(key, (CANNOT_SEE if unsure and self._is_key(key) else none,))
        where = [] if self.choice.where is None else [m.Not(self.choice.where)]
        verdicts = [self._verdict(self.choice.restrictions, member, where, unsure) for member in members]
        options = [option.key for option in decision.options if any(self.state.stands_for(option, x) for x in members)]
        other = ambiguous(self.engine, self.question, key, options) if options else none
        return self._refusal(key, verdicts, other)

    def _refusal(self, key: str, verdicts: list[_Verdict], other: Reason) -> Refusal:
        """The least of the reasons for several things that may be meant; `other`: there is none."""
        if all(one.reasons for one in verdicts):
            return Refusal(key, min((one.reasons for one in verdicts), key=len))
        return Refusal(key, (CANNOT_SEE if any(one.unsure for one in verdicts if not one.reasons) else other,))

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
            var = self.choice.var if self.choice.source is not None else ""
            made[place] = condition_function(self.engine, self.question, var, condition)
        try:
            return bool(self.engine.call(made[place], self.cells, self.stack, self.state.base, member))
        except Unseen:
            return None

    def _candidates(self) -> tuple[list[int], bool]:
        """The members that the player may mean, and whether they cannot know if these are candidates."""
        if self.choice.source is None:
            return [], False
        made: dict[Any, Callable[..., Any]] = self.engine.cache("sources of questions")
        if self.question.number not in made:
            made[self.question.number] = source_function(self.engine, self.question, self.choice)
        try:
            found = self.engine.call(made[self.question.number], self.cells, self.stack, self.state.base, 0)
            members, unsure = list(members_of(found)), False
        except Unseen:
            members, unsure = list(range(len(self.engine.layout.keys_in(self.choice.universe)))), True
        if self.choice.universe == "Piece":
            known = seen_pieces(self.state, self.player)
            members = [piece for piece in members if piece in known]
        return members, unsure

    def _named(self, key: str, candidates: list[int]) -> list[int]:
        """The candidates that an answer can mean: pieces with the place added, or without."""
        layout, universe = self.engine.layout, self.choice.universe
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
        keys = self.engine.layout.keys_in(self.choice.universe)
        if not keys:
            return key.removeprefix("-").isdigit()
        return any(key == one or key.startswith((f"{one} ", f"{one},")) for one in keys)


def refused_answers(state: Position, player: int | None, most: int) -> tuple[Refusal, ...]:
    """The first refusals of words (those of an ``either``, ``done``), of numbers near those that are offered, and of
    members of a type that are neither pieces nor on a map. Of others than the options of an ``either`` these are only
    the ones that a rule refuses."""
    question, decision = state.question, state.decision
    if question is None or decision is None or not isinstance(question.instr, m.Choose):
        return ()
    choice, offered = question.instr, {option.key for option in decision.options}
    found: list[Refusal] = []
    for key, is_shown in _keys(state, choice):
        if len(found) >= most:
            break
        if key in offered:
            continue
        refusal = visible_refusal(state, key, player)
        if is_shown or any(reason.label not in (NOT_AMONG, UNSEEN) for reason in refusal.reasons):
            found.append(refusal)
    return tuple(found)


def _keys(state: Position, choice: m.Choose) -> Iterator[tuple[str, bool]]:
    """Keys that could be answers, and whether they are shown whatever refuses them."""
    layout = state.engine.layout
    for extra in choice.extras:
        yield extra.key, choice.source is None and not extra.aside
    on_maps = {universe for graph in state.engine.program.graphs for universe in (graph.place, graph.edge)}
    if choice.source is None or choice.universe == "Piece" or choice.universe in on_maps:
        return
    if choice.universe in layout.universes:
        yield from ((key, False) for key in layout.universes[choice.universe].keys)
        return
    numbers = [option.value for option in state.decision.options if not option.extra] if state.decision else []
    if numbers:
        yield from ((str(number), False) for number in range(min(0, *numbers), max(numbers) + _BEYOND + 1))


_BEYOND = 12
"""Numbers that are looked at above the largest one that is offered."""
