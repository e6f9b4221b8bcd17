"""Reasons why an answer is refused: the restrictions that hold for it, evaluated again, one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from rulewright.engine.evaluator.evaluated_program import Question
from rulewright.engine.evaluator.expressions import Expressions
from rulewright.engine.evaluator.scope import VARIABLES, Environment, Evaluate, Scope
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.option_keys import keys_of
from rulewright.engine.runtime.position import Position
from rulewright.foundation.bit_sets import bits_of, members_of
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.budgets import SEVERAL, shared_budget
from rulewright.ir import model as m
from rulewright.ir.model import RuleInfo
from rulewright.ir.walk import refuses

NOT_AMONG = "not_among"
UNSEEN = "unseen"
"""The label of a reason that the player who asks cannot see."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A restriction that refuses an answer."""

    label: str
    """``declaration.label``, ``not_among`` for what is no candidate at all, or ``unseen`` for what the player who asks
    cannot know."""
    cites: tuple[str, ...]
    rule: RuleInfo | None
    text: str
    exceptions: tuple[str, ...] = ()
    """Labels of the exceptions that could have lifted it, had they applied."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reasons why an answer is not offered; none if it is."""

    key: str
    reasons: tuple[Reason, ...]

    @property
    def allowed(self) -> bool:
        """True if the answer may be given after all."""
        return not self.reasons


@shared_budget(SEVERAL)
def why_not(state: Position, key: str) -> Refusal:
    """The reasons why `key` is not offered in the decision of a state."""
    return Refusals(state).why_not(key)


class Refusals:
    """Finds the reasons why answers are not offered in a state's decision; what they all need is computed once."""

    def __init__(self, state: Position) -> None:
        self.state = state
        self.offered = {o.key for o in state.decision.options} if state.decision is not None else set()
        self._question = state.question if state.decision is not None else None

    def why_not(self, key: str) -> Refusal:
        """The reasons for one answer."""
        state, question = self.state, self._question
        if question is None:
            return Refusal(key, (Reason(NOT_AMONG, (), None, "nothing is asked"),))
        if key in self.offered:
            return Refusal(key, ())
        i = question.instr
        if isinstance(i, m.Chance):
            return Refusal(key, (Reason(NOT_AMONG, (), None, "chance cannot give this"),))
        engine = state.engine
        for extra in i.extras:
            if extra.key == key:
                return Refusal(key, _extra(state, question, extra) or (withheld(engine, question, extra),))
        members = self._named(key)
        found = [self._of(question, i, member) for member in members]
        if not found:
            return Refusal(key, (not_among(engine, question),))
        if all(found):
            return Refusal(key, min(found, key=len))
        meant = [member for member, reasons in zip(members, found, strict=True) if not reasons]
        return Refusal(key, (ambiguous(engine, question, key, [self._option(member) for member in meant]),))

    def labels(self, keys: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """For each of some answers the labels of the reasons; without those that are no candidates at all."""
        instr = self._question.instr if self._question is not None else None
        if isinstance(instr, m.Choose):
            known = self.offered.union(extra.key for extra in instr.extras)
            if any(key not in known for key in keys):
                known.update(*self._candidates)
            keys = [key for key in keys if key in known]  # as good as none: only these need be put into words
        found = {key: tuple([reason.label for reason in self.why_not(key).reasons]) for key in keys}
        return {key: labels for key, labels in found.items() if labels != (NOT_AMONG,)}

    def of_member(self, member: int) -> Refusal:
        """The reasons for one member, whatever its key is: a piece may be meant by where it lies."""
        state, question = self.state, self.state.question
        assert question is not None
        i = question.instr
        assert isinstance(i, m.Choose)
        exact, _ = self._candidates
        key = next((key for key, members in exact.items() if member in members), "")
        if not key:
            return self.why_not(state.engine.layout.key(i.universe, member))
        return Refusal(key, self._of(question, i, member))

    def refusing(self) -> frozenset[str]:
        """The labels of all restrictions that refuse something here."""
        question = self._question
        if question is None or isinstance(question.instr, m.Chance):
            return frozenset()
        i = question.instr
        found = [reason for extra in i.extras for reason in _extra(self.state, question, extra)]
        if i.source is not None and i.restrictions:
            exact, _ = self._candidates
            found += [reason for members in exact.values() for one in members for reason in self._of(question, i, one)]
        return frozenset(reason.label for reason in found)

    def keys_of(self, key: str) -> tuple[str, ...]:
        """The keys of the candidates that `key` alone does not distinguish; none if it names just one of them."""
        question = self.state.question
        if question is None or not isinstance(question.instr, m.Choose) or question.instr.universe != "Piece":
            return ()
        exact, plain = self._candidates
        meant = set(plain.get(key, ()))
        return () if key in exact else tuple(name for name, members in exact.items() if meant.intersection(members))

    def _of(self, question: Question, i: m.Choose, member: int) -> tuple[Reason, ...]:
        engine, state = self.state.engine, self.state
        asker = _asker(engine, question, i)
        _, verdicts = engine.call(asker.function, state.cells, state.stack, state.base, member, memory=state.memory)
        return reasons_of(engine, question, i.restrictions, verdicts)

    def _option(self, member: int) -> str:
        """The key under which a member is offered."""
        decision = self.state.decision
        assert decision is not None
        return next((o.key for o in decision.options if self.state.stands_for(o, member)), "")

    def _named(self, key: str) -> list[int]:
        """The candidates that an answer can mean: with the place added, or without."""
        exact, plain = self._candidates
        return exact.get(key) or plain.get(key, [])

    @cached_property
    def _candidates(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """The candidates by their keys, with what distinguishes equal ones and without."""
        state, question = self.state, self.state.question
        assert question is not None
        i = question.instr
        assert isinstance(i, m.Choose)
        engine = state.engine
        asker = _asker(engine, question, i)
        found, _ = engine.call(asker.function, state.cells, state.stack, state.base, None, memory=state.memory)
        exact: dict[str, list[int]] = {}
        plain: dict[str, list[int]] = {}
        for key, members in self._keyed(i, found):
            exact.setdefault(key, []).extend(members)
            for member in members:
                plain.setdefault(engine.layout.key(i.universe, member), []).append(member)
        return exact, plain

    def _keyed(self, i: m.Choose, found: int | tuple[int, ...]) -> list[tuple[str, list[int]]]:
        """Candidates by the keys that they would have if all were offered."""
        state, engine = self.state, self.state.engine
        if i.universe != "Piece":
            return [(engine.layout.key(i.universe, member), [member]) for member in members_of(found)]
        equivalence_classes = engine.equivalence_classes(state.cells, state.stack, found)
        names = keys_of(engine).names(state.cells, state.stack, equivalence_classes)
        return [(name, bits_of(group)) for name, (_, group) in zip(names, equivalence_classes, strict=True)]


def ambiguous(engine: Engine, question: Question, key: str, options: list[str]) -> Reason:
    """An answer means several of the options."""
    refusal = not_among(engine, question)
    shown = ", ".join(f"`{option}`" for option in dict.fromkeys(options))
    return replace(refusal, text=f"`{key}` may mean several options here; offered: {shown}")


def not_among(engine: Engine, question: Question) -> Reason:
    """An answer is no candidate at all."""
    rule = engine.rules.find(question.function, question.instr.label)
    cites = question.instr.cites if isinstance(question.instr, m.Choose) else ()
    return Reason(NOT_AMONG, cites, rule, "this is not among the candidates of the question")


def withheld(engine: Engine, question: Question, extra: m.Extra) -> Reason:
    """An option that is a word is not offered, and no restriction explains it: its condition does not hold."""
    refusal = not_among(engine, question)
    rule = engine.rules.by_name(f"{question.function}.{extra.key}") or refusal.rule
    text = f"`{extra.key}` is offered only where its condition holds, and its first question has an answer"
    return replace(refusal, cites=extra.cites or refusal.cites, rule=rule, text=text)


def reasons_of(
    engine: Engine, question: Question, restrictions: tuple[m.Restriction, ...], verdicts: tuple[int, ...]
) -> tuple[Reason, ...]:
    """The restrictions that hold, by these verdicts, with their places and what they cite."""
    found = []
    for restriction, verdict in zip(restrictions, verdicts, strict=True):
        if verdict:
            rule = engine.rules.by_name(restriction.label) or engine.rules.find(question.function, question.instr.label)
            cites = restriction.cites or (rule.cites if rule else ())
            exceptions = tuple(x.label for x in restriction.unless)
            text = restriction.label.rsplit(".", 1)[-1].replace("_", " ")
            found.append(Reason(restriction.label, cites, rule, text, exceptions))
    return tuple(found)


def _extra(state: Position, question: Question, extra: m.Extra) -> tuple[Reason, ...]:
    engine = state.engine
    made: dict[Any, Callable[..., Any]] = engine.cache("extras")
    place = (question.number, extra.key)
    if place not in made:
        made[place] = _function(engine, question, None, extra.restrictions)
    _, verdicts = engine.call(made[place], state.cells, state.stack, state.base, None, memory=state.memory)
    return reasons_of(engine, question, extra.restrictions, verdicts)


@dataclass(frozen=True, slots=True)
class _Asker:
    function: Callable[..., Any]


def _asker(engine: Engine, question: Question, i: m.Choose) -> _Asker:
    made: dict[Any, _Asker] = engine.cache("why_not")
    if question.number not in made:
        made[question.number] = _Asker(_function(engine, question, i, i.restrictions))
    return made[question.number]


def condition_function(engine: Engine, question: Question, var: str, condition: m.Expr) -> Callable[..., Any]:
    """A function of cells, registers, stack, base and candidate: whether one condition of a question holds."""
    function = engine.compiled.ctx.functions[question.function]
    return engine.compiled.in_frame(function, question.pc, lambda x, scope: x.value(m.And((condition,)), scope), var)


def source_function(engine: Engine, question: Question, i: m.Choose) -> Callable[..., Any]:
    """A function of cells, registers, stack and base: all candidates of a question."""

    assert i.source is not None
    source, function = i.source, engine.compiled.ctx.functions[question.function]
    return engine.compiled.in_frame(function, question.pc, lambda x, scope: x.value(source, scope))


def _function(
    engine: Engine, question: Question, i: m.Choose | None, restrictions: tuple[m.Restriction, ...]
) -> Callable[..., Any]:
    """A function of cells, registers, stack, base and candidate: all candidates, and which restrictions hold."""

    def make(x: Expressions, scope: Scope) -> Evaluate:
        source = x.value(i.source, scope) if i is not None and i.source is not None else None
        holds = x.values([m.And((refuses(restriction),)) for restriction in restrictions], scope)

        def candidates_and_verdicts(C: list[int], E: Environment) -> tuple[Any, tuple[int, ...]]:
            candidates = 0 if source is None else source(C, E)
            asked_for_all = source is not None and E[VARIABLES] is None
            return candidates, () if asked_for_all else tuple([hold(C, E) for hold in holds])

        return candidates_and_verdicts

    function = engine.compiled.ctx.functions[question.function]
    return engine.compiled.in_frame(function, question.pc, make, i.var if i is not None else "")
