"""Leaks: a decision that reveals something hidden from the player who decides, and answers that the questions behind
them give away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine.cells.recorded_reads import RecordedReads
from rulewright.engine.faults import NOTHING_OFFERED
from rulewright.engine.hidden_information.answers.audience import has_secrets
from rulewright.engine.hidden_information.hidden_state import Hidden
from rulewright.engine.hidden_information.observations.log_visibility import log_for
from rulewright.engine.hidden_information.observations.views import view
from rulewright.engine.hidden_information.worlds.determinization import (
    asked_again,
    dealt_anew,
    dice_of,
)
from rulewright.engine.hidden_information.worlds.information_set import concerned
from rulewright.engine.hidden_information.worlds.replay_sampling import same_question
from rulewright.engine.hidden_information.worlds.resampling import Impossible, dealt_cells, dealt_slots
from rulewright.engine.random_numbers import Dice
from rulewright.engine.runtime.assertions import broken
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.records import Decision, Heard
from rulewright.engine.runtime.refusals import NOT_AMONG, Refusals
from rulewright.host.budgets import MANY, shared_budget
from rulewright.ir import model as m

FAR = 24
"""So many more answers of the same player are given at most."""


@shared_budget(MANY)
def answers_leaked_by_questions(state: Any, dice: Dice) -> list[str]:
    """Sentences on the questions that others observe after one answer and not after another.

    A secret answer must not be given away by further questions to the same player, by being put at all or by their
    number. So a question is answered in two ways, and each is played on until another player decides. Where a third one
    then sees the same and knows the same answers, they must have observed the same questions.
    """
    decision = state.decision
    if not has_secrets(state.engine) or state.simultaneous_node is not None or len(decision.options) < 2:
        return []
    numbers = dice.some(len(decision.options), 2)
    try:
        one, other = (_played_on(state.choose(number), state.seat, dice) for number in numbers)
    except RulesetError:
        return []
    if one is None or other is None:
        return []
    begun = len(state.log)
    found = []
    for player, seat in enumerate(state.engine.layout.universes["Player"].keys):
        if player == state.seat or view(one, player) != view(other, player):
            continue
        mine, theirs = log_for(one, player, begun), log_for(other, player, begun)
        if mine != theirs and _answers(mine) == _answers(theirs):
            found.append(
                f"`{decision.name}`: {seat} hears of {_heard(mine)}, but of {_heard(theirs)} if {decision.who} gives "
                "another answer, though they see nothing else that is different"
            )
    return found


def _played_on(state: Any, seat: int, dice: Dice) -> Any:
    """The next state in which another player decides; None if that does not come soon."""
    for _ in range(FAR):
        if state.seat != seat:
            return state
        state = state.choose(dice.below(len(state.decision.options)))
    return None


def _heard(entries: tuple[Heard, ...]) -> str:
    return ", ".join(f"`{one.name}`" for one in entries if one.key is None) or "nothing"


def _answers(entries: tuple[Heard, ...]) -> list[Heard]:
    """The answers that are known."""
    return [one for one in entries if one.key is not None]


NO_CANDIDATE = (NOT_AMONG,)
KEYS = 200
"""Keys for which the reasons of their refusal are compared at most."""


class LeakSearch:
    """Compares a decision with that in other worlds in which the deciding player could be: it must be the same.

    What follows from the true state alone is found once for all worlds.
    """

    def __init__(self, state: Position, decision: Decision, player: int) -> None:
        self.state, self.decision, self.player = state, decision, player

    @shared_budget(MANY)
    def in_world(self, seed: int) -> list[str]:
        """The leaks that one other world shows, in sentences."""
        state, hidden = self.state, self._hidden
        if not hidden.anything or not self._may_differ:
            return []
        try:
            cells, stack = dealt_anew(hidden, hidden.places, dice_of(self.player, seed), drawn=False)
            if not any(read.differ(dealt) for read, dealt in zip(self._read, (cells, stack), strict=True)):
                return []
            world = asked_again(state, cells, stack)
        except Impossible:
            return []
        except RulesetError as error:
            return [self._unasked()] if any(d.code == NOTHING_OFFERED for d in error.diagnostics) else []
        if not set(broken(world, self._invariants)) <= self._broken:
            return []
        return self._differences(world)

    @cached_property
    def _hidden(self) -> Hidden:
        return Hidden(self.state, self.player)

    @cached_property
    def _invariants(self) -> frozenset[str]:
        return concerned(self._hidden)

    @cached_property
    def _broken(self) -> set[tuple[str, str | None]]:
        return set(broken(self.state, self._invariants))

    @cached_property
    def _keys(self) -> list[str]:
        """All that is not offered."""
        return _refused(self.state, [option.key for option in self.decision.options])

    @cached_property
    def _asked_again(self) -> tuple[RecordedReads, RecordedReads, dict[str, tuple[str, ...]]]:
        cells, stack = RecordedReads(self.state.cells), RecordedReads(self.state.stack)
        return cells, stack, Refusals(asked_again(self.state, cells, stack)).labels(self._keys)

    @property
    def _read(self) -> tuple[RecordedReads, RecordedReads]:
        """The cells and the stack, with the places on which question, options and refusals depend.

        Where these hold the same, in another world, all of it is the same, so nothing need be compared there.
        """
        return self._asked_again[:2]

    @cached_property
    def _may_differ(self) -> bool:
        """True if a deal may change anything on which the decision depends."""
        hidden, (cells, stack) = self._hidden, self._read
        return not (
            cells.read.isdisjoint(dealt_cells(hidden, hidden.places))
            and stack.read.isdisjoint(dealt_slots(hidden, hidden.places))
        )

    @property
    def _refused(self) -> dict[str, tuple[str, ...]]:
        """The candidates that are not offered, and the labels of the reasons."""
        return self._asked_again[2]

    def _differences(self, world: Position) -> list[str]:
        """The questions, options and refusals that differ in another world."""
        decision, other = self.decision, world.decision
        if other is None or not same_question(self.state, world):
            return [self._unasked()] if other is None or other.name != decision.name else []
        mine, theirs = [o.key for o in decision.options], [o.key for o in other.options]
        if mine != theirs:
            return [_offered_otherwise(decision, mine, theirs)]
        here, there = self._refused, Refusals(world).labels(self._keys)
        if here == there:
            return []
        found = []
        for key in self._keys:
            shown, otherwise = here.get(key, NO_CANDIDATE), there.get(key, NO_CANDIDATE)
            if shown != otherwise:
                found.append(
                    f"`{decision.name}`: {decision.who} is refused `{key}` because of {_list(shown)}, but because of "
                    f"{_list(otherwise)} if what is hidden from them were different"
                )
        return found

    def _unasked(self) -> str:
        decision = self.decision
        return f"`{decision.name}`: {decision.who} would be asked nothing if what is hidden from them were different"


def leaks(state: Position, player: int, seed: int) -> list[str]:
    """The implementation of :meth:`Game.leaks`."""
    decision = state.decision
    if decision is None or decision.seat != player:
        return []
    last = state.engine.cache("leaks")  # who asks for one world asks for others of the same state
    search: LeakSearch | None = last.get("search")
    if search is None or search.state is not state:
        search = last["search"] = LeakSearch(state, decision, player)
    return search.in_world(seed) + answers_leaked_by_questions(state, Dice(seed, "answers that are told"))


def _offered_otherwise(decision: Decision, mine: list[str], theirs: list[str]) -> str:
    here = _list([key for key in mine if key not in theirs])
    there = _list([key for key in theirs if key not in mine])
    if set(mine) == set(theirs):  # a list, in another order
        here, there = _list(mine), f"{_list(theirs)} in this order"
    offered = f"`{decision.name}`: {decision.who} is offered {here}, but {there}"
    return f"{offered} if what is hidden from them were different"


def _list(keys: Sequence[str]) -> str:
    shown = [f"`{key}`" for key in keys]
    return ", ".join(shown[:4]) + (" …" if len(shown) > 4 else "") if shown else "nothing more"


def _refused(state: Position, offered: list[str]) -> list[str]:
    """Keys of the universe of the question that are not offered."""
    question = state.question
    assert question is not None
    i = question.instr
    found = [x.key for x in i.extras] if isinstance(i, m.Choose) else []
    if keys := state.engine.layout.keys_in(i.universe):
        found += keys
    else:
        found += [str(number) for number in range(KEYS if i.universe == "Int" else 0)]
    taken = set(offered)
    return [key for key in dict.fromkeys(found) if key not in taken][:KEYS]
