"""Answers of a scenario: the options of the decision that they name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from rulewright.engine import Decision, Option, Refusal, Refusals
from rulewright.foundation.bit_sets import members_of
from rulewright.ir import model as m
from rulewright.ir.model import NONE
from rulewright.ir.scenario_plan import Reply
from rulewright.play.scenarios.scenario_results import Failed, listed
from rulewright.play.scenarios.scripted_chance import Fates
from rulewright.play.scenarios.setup import Stage


@dataclass(frozen=True, slots=True)
class Candidate:
    """An option that an answer can mean."""

    key: str
    offered: bool
    why_not: Callable[[], Refusal]


class Answers:
    """Finds the options that answers stand for, and gives them."""

    def __init__(self, stage: Stage, fates: Fates) -> None:
        self.stage, self.fates = stage, fates

    def decision_of(self, seat: int, label: str) -> Decision:
        """The decision now, which must be this seat's and this choice."""
        self.fates.decide()
        wanted = f"{self.stage.seat(seat)} is asked" + (f" for `{label}`" if label else "")
        if self.stage.state is None:
            raise Failed("nobody is asked anything before `start`", wanted, "the game is not running")
        decision = self.stage.state.decision
        if decision is None:
            raise Failed("nobody is asked anything here", wanted, self._no_decision(label))
        if waiting := self.fates.unscripted():
            raise Failed(waiting, wanted, self.stage.standing())
        if decision.seat not in (None, seat) and (theirs := self.stage.state.turn_of(seat)) is not None:
            # They decide at once with others, in any order.
            self.stage.state = theirs
            decision = theirs.decision or decision
        if decision.seat != seat or (label and decision.label != label):
            raise Failed("another question is asked here", wanted, self._no_decision(label))
        return decision

    def _no_decision(self, label: str) -> str:
        """The position of the game, and whether a question of this label is passed over where it has no option."""
        asks = ((f.name, i) for f in self.stage.engine.program.functions for i in f.code if isinstance(i, m.Choose))
        where = next((f"{name}.{q.label}" for name, q in asks if q.label == label and q.on_empty is not None), None)
        remark = f"; where nothing can be answered `{where}` is not asked: a repetition ends, or `else` follows"
        return self.stage.standing() + (remark if where is not None else "")

    def answer(self, seat: int, reply: Reply) -> None:
        """Give an answer; a set or list is given member by member, in the order in which it is written."""
        decision = self.decision_of(seat, reply.label)
        if reply.key is not None:
            self._take(decision, self._by_key(decision, reply.key))
            return
        for key in reply.keys:
            decision = self.decision_of(seat, reply.label)
            self._take(decision, self._by_key(decision, key))
        members = () if reply.keys else self._in_order(reply)
        several = reply.ty is not None and reply.ty.kind in ("set", "list")
        for member in members:
            decision = self.decision_of(seat, reply.label)
            self._take(decision, self._by_member(decision, member))
        if several and reply.ty is not None and reply.ty.kind == "set":
            self._done(decision)

    def may(self, seat: int, reply: Reply) -> bool:
        """True if the decision is this one, and the first option of the answer is offered."""
        try:
            decision = self.decision_of(seat, reply.label)
        except Failed:
            return False
        return all(candidate.offered for candidate in self.candidates(decision, reply))

    def _done(self, answered: Decision) -> None:
        """A set lists all that is chosen: if more could be, that is declined."""
        assert self.stage.state is not None
        decision = self.stage.state.decision
        if decision is not None and (decision.name, decision.seat) == (answered.name, answered.seat):
            done = next((option for option in decision.options if option.extra and option.key == "done"), None)
            if done is not None:
                self._take(decision, done)

    def _take(self, decision: Decision, option: Option | None) -> None:
        if option is None:
            raise Failed(f"this is not an option of `{decision.label}`", "", listed(decision.options))
        assert self.stage.state is not None
        self.stage.goes_on(self.stage.state.choose(option))
        self.fates.decide()

    def members(self, reply: Reply) -> list[int]:
        """The members named by an answer's value, out of what is chosen from."""
        assert reply.value is not None
        assert reply.ty is not None
        raw = self.stage.here.evaluate(reply.value)
        if reply.ty.kind in ("set", "list"):
            return list(members_of(raw))
        if raw == NONE:
            raise Failed(f"the answer for `{reply.label}` is none")
        return [int(raw)]

    def _in_order(self, reply: Reply) -> list[int]:
        """The members named by an answer's value, in the order in which they are written."""
        if not reply.items:
            return self.members(reply)
        found = [int(self.stage.here.evaluate(item)) for item in reply.items]
        return [member for member in dict.fromkeys(found) if member != NONE]

    def _by_key(self, decision: Decision, key: str) -> Option:
        option = self._option(decision, key)
        if option is None:
            message = f"`{key}` is not an option of `{decision.label}`{self._now(key)}"
            raise Failed(message, key, listed(decision.options))
        return option

    def _now(self, key: str) -> str:
        """The reason why a word that the question has is not offered now; empty for any other."""
        state = self.stage.state
        instr = state.question.instr if state is not None and state.question is not None else None
        if state is None or not isinstance(instr, m.Choose) or all(extra.key != key for extra in instr.extras):
            return ""
        return " now: " + " and ".join(reason.text for reason in Refusals(state).why_not(key).reasons)

    def _option(self, decision: Decision, key: str) -> Option | None:
        """The option that is called by a key: of several pieces the first."""
        exact = (option for option in decision.options if option.key == key)
        return next(exact, None) or next((o for o in decision.options if key in self.stage.called(o)), None)

    def _by_member(self, decision: Decision, member: int) -> Option:
        for option in decision.options:
            if self.stands_for(option, member):
                return option
        key = self.member_key(member)
        raise Failed(f"`{key}` is not an option of `{decision.label}`", key, listed(decision.options))

    def stands_for(self, option: Option, member: int) -> bool:
        """True if an option means a member: interchangeable pieces are one option."""
        assert self.stage.state is not None
        return self.stage.state.stands_for(option, member)

    def member_key(self, member: int) -> str:
        """The key of one of what is chosen from."""
        return self.stage.layout.key(self.stage.universe, member)

    def keys_meant(self, reply: Reply) -> tuple[str, ...]:
        """The keys of all pieces that a plain key may stand for; none if it names one of them."""
        state = self.stage.state
        return () if reply.key is None or state is None else Refusals(state).keys_of(reply.key)

    def candidates(self, decision: Decision, reply: Reply) -> list[Candidate]:
        """Options that an answer may stand for."""
        state = self.stage.state
        assert state is not None
        members = self.members(reply) if reply.key is None else []
        if not members:
            key = reply.key or "done"  # none of several: that nothing more is wanted
            return [Candidate(key, self._option(decision, key) is not None, lambda: state.why_not(key, None))]
        refusals = Refusals(state)
        return [
            Candidate(
                self.member_key(member),
                any(self.stands_for(option, member) for option in decision.options),
                partial(refusals.of_member, member),
            )
            for member in members
        ]
