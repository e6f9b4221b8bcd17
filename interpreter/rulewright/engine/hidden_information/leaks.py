"""Leaks: a decision that reveals something hidden from the player who is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from rulewright.budgets import MANY, errand
from rulewright.diagnostics import RulesetError
from rulewright.engine.faults import NOTHING_OFFERED
from rulewright.engine.hidden_information.determinization import concerned, dice_of, same_question, world_of
from rulewright.engine.hidden_information.hidden_state import Hidden
from rulewright.engine.hidden_information.resampling import Impossible
from rulewright.engine.hidden_information.visibility import dependence
from rulewright.engine.runtime.assertions import broken
from rulewright.engine.runtime.records import Decision
from rulewright.engine.runtime.refusals import NOT_AMONG, Refusals
from rulewright.engine.runtime.snapshot import Snapshot
from rulewright.ir import model as m
from rulewright.ir.walk import nodes

NO_CANDIDATE = (NOT_AMONG,)
KEYS = 200
"""Keys for which the reasons of their refusal are compared at most."""


class LeakSearch:
    """Compares a decision with that in other worlds in which the asked player could be: it must be the same.

    What follows from the true state alone is found once for all worlds.
    """

    def __init__(self, state: Snapshot, decision: Decision, player: int) -> None:
        self.state, self.decision, self.player = state, decision, player

    @errand(MANY)
    def in_world(self, seed: int) -> list[str]:
        """The leaks that one other world shows, in sentences."""
        if not self._depends:
            return []
        state, hidden, names = self.state, self._hidden, self._invariants
        try:
            world = world_of(state, hidden, hidden.places, dice_of(self.player, seed))
        except Impossible:
            return []
        except RulesetError as error:
            return [self._unasked()] if any(d.code == NOTHING_OFFERED for d in error.diagnostics) else []
        if not set(broken(world, names)) <= self._broken:
            return []
        return self._differences(world)

    @cached_property
    def _hidden(self) -> Hidden:
        return Hidden(self.state, self.player)

    @cached_property
    def _depends(self) -> bool:
        return self._hidden.anything and _depends(self.state, self._hidden)

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
    def _refused(self) -> dict[str, tuple[str, ...]]:
        """The candidates that are not offered, and the labels of the reasons."""
        return Refusals(self.state).labels(self._keys)

    def _differences(self, world: Snapshot) -> list[str]:
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
            told, otherwise = here.get(key, NO_CANDIDATE), there.get(key, NO_CANDIDATE)
            if told != otherwise:
                found.append(
                    f"`{decision.name}`: {decision.who} is refused `{key}` because of {_list(told)}, but because of "
                    f"{_list(otherwise)} if what is hidden from them were different"
                )
        return found

    def _unasked(self) -> str:
        asked = self.decision
        return f"`{asked.name}`: {asked.who} would be asked nothing if what is hidden from them were different"


def leaks(state: Snapshot, player: int, seed: int) -> list[str]:
    """The implementation of :meth:`Game.leaks`."""
    decision = state.decision
    if decision is None or decision.seat != player:
        return []
    return LeakSearch(state, decision, player).in_world(seed)


def _offered_otherwise(decision: Decision, mine: list[str], theirs: list[str]) -> str:
    here = _list([key for key in mine if key not in theirs])
    there = _list([key for key in theirs if key not in mine])
    offered = f"`{decision.name}`: {decision.who} is offered {here}, but {there}"
    return f"{offered} if what is hidden from them were different"


def _depends(state: Snapshot, hidden: Hidden) -> bool:
    """True if the question reads anything that is dealt anew; what locals hold of pieces is renamed, too."""
    question = state.question
    if question is None:
        return True
    cache = hidden.engine.cache("questions")
    if question.number not in cache:
        slots = hidden.engine.program.functions[hidden.engine.compiled.ctx.functions[question.function]].slots
        depend = dependence(hidden.engine)
        asked = list(_asked(question.instr))
        tokens = frozenset[str]().union(*(depend.reads(e) for e in asked))
        inside = (node for e in asked for node in nodes(e) if isinstance(node, m.Local))
        pieces = any(slots[node.slot].ty.universe == "Piece" for node in inside)
        cache[question.number] = tokens, pieces
    tokens, pieces = cache[question.number]
    return pieces or bool(tokens & hidden.touched)


def _asked(i: m.Choose | m.Chance) -> Iterator[m.Expr]:
    """All expressions of a question."""
    if isinstance(i, m.Chance):
        yield i.source
        return
    yield i.who
    yield from (e for e in (i.source, i.where, *(x.guard for x in i.extras)) if e is not None)
    for restriction in (*i.restrictions, *(r for x in i.extras for r in x.restrictions)):
        yield restriction.condition
        yield from (exception.condition for exception in restriction.unless)


def _list(keys: Sequence[str]) -> str:
    shown = [f"`{key}`" for key in keys]
    return ", ".join(shown[:4]) + (" …" if len(shown) > 4 else "") if shown else "nothing more"


def _refused(state: Snapshot, offered: list[str]) -> list[str]:
    """Keys of the universe of the question that are not offered."""
    question = state.question
    assert question is not None
    i = question.instr
    found = [x.key for x in i.extras] if isinstance(i, m.Choose) else []
    if i.universe in state.engine.layout.universes:
        found += state.engine.layout.universes[i.universe].keys
    else:
        found += [str(number) for number in range(KEYS if i.universe == "Int" else 0)]
    taken = set(offered)
    return [key for key in dict.fromkeys(found) if key not in taken][:KEYS]
