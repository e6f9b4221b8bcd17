"""Policies on the native backend.

Where nothing is hidden from anybody, machine code plays the whole game. Else the Python backend plays, as it alone
keeps what players remember: it deals the worlds in which a seat tries its options, and machine code tries them.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack, unpack

from rulewright.engine.cells.layout import Outcome
from rulewright.engine.hidden_information.answers.audience import has_secrets
from rulewright.engine.hidden_information.worlds.resampling import Deal
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.instance import Trap, watchdog
from rulewright.engine.native.lowering.driver.policy_functions import (
    AGAINST_OTHERS,
    AT_RANDOM,
    FOR_ITSELF,
    MOST_OPTIONS,
    SEAT_BYTES,
)
from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.memory_map import ASK
from rulewright.engine.native.suspended_state import SuspendedState
from rulewright.engine.policies.policy import DICE, LEAD, RANDOM, Policy, worth_in
from rulewright.engine.random_numbers import hash64, stream_key
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.position import Position
from rulewright.host.budgets import Scope, scope

_WORDS = {RANDOM: AT_RANDOM, LEAD: AGAINST_OTHERS}


def plays_alone(engine: Engine, policies: Sequence[Policy]) -> bool:
    """True if machine code can play whole games with these policies: nothing is ever hidden from anybody."""
    return not has_secrets(engine) and all(policy.look <= MOST_OPTIONS for policy in policies)


def play_natively(
    engine: Engine,
    backend: Backend,
    policies: Sequence[Policy],
    seed: int,
    most: int,
    total: int,
    fired: list[int] | None,
) -> tuple[Outcome, bytes] | None:
    """A game of a program in which nothing is hidden; None if only the Python backend can finish it."""
    seats = b"".join(_entry(engine, backend, policy) for policy in policies)
    return backend.play_policies(seats, seed, stream_key(seed, hash64(DICE)), most, scope().steps, total, fired)


def _entry(engine: Engine, backend: Backend, policy: Policy) -> bytes:
    """The entry of a seat."""
    if policy.word == RANDOM:
        return bytes(SEAT_BYTES)
    query = len(engine.program.functions) + backend.rated.index(policy.query)
    return pack("<4i", _WORDS.get(policy.word, FOR_ITSELF), query, min(policy.look, MOST_OPTIONS), policy.noise)


class NativeJudge:
    """Tries options in worlds that are dealt, with one instance of the machine code."""

    def __init__(self, engine: Engine, backend: Backend) -> None:
        self.engine, self._backend, self._codec = engine, backend, backend.codec
        self._instance = backend.instance()
        here = scope()
        self._consider = self._instance.known("consider", 4, release=here.until is not None or bool(here.cancel))
        assert backend.native.policies is not None
        self._map = backend.native.policies

    def close(self) -> None:
        """Give the instance back."""
        self._backend.free(self._instance)

    def worths(
        self, state: Position, dealt: Deal, tried: Sequence[int], how: Policy, player: int
    ) -> Sequence[float] | None:
        """The worths of options, as :func:`worth_in` finds each; None if that is left to it."""
        here, options = scope(), state.answers()
        here.look()
        if len(tried) > MOST_OPTIONS or any(pool.left < here.steps for pool in here.pools):
            return None
        members = [dealt.instead.get(value, value) for value, extra in options if not extra]
        if state.question is None or state.question.instr.universe != "Piece":
            members = [value for value, extra in options if not extra]
        extras = sum(1 << value for value, extra in options if extra)
        try:
            raw = self._codec.encoded(SuspendedState(ASK, dealt.cells, dealt.stack, player, tuple(members), extras))
        except OverflowError:  # the piece that is dealt in the place of one is none of those that can be offered
            return None
        if len(raw) > self._backend.native.memory.stack_end:
            return None
        places = self._map
        numbers = self._numbers(raw, members, tried)
        self._instance.write(places.saved, raw)
        self._instance.write(places.seats + SEAT_BYTES * player, _entry(self.engine, self._backend, how))
        self._instance.write(places.numbers, pack(f"<{len(tried)}q", *numbers))
        failed = self._tried(len(tried), player, here)
        found = unpack(f"<{len(tried)}d", self._instance.read(places.worths, 8 * len(tried)))
        return [
            worth_in(state, dealt, options[tried[place]], how, player) if place in failed else one
            for place, one in enumerate(found)
        ]

    def _numbers(self, raw: bytes, members: Sequence[int], tried: Sequence[int]) -> Sequence[int]:
        """The numbers that options have there: other pieces may lie in another order."""
        if self._codec.offered_words(raw) == LISTED:
            return tried
        rank = {member: number for number, member in enumerate(sorted(members))}
        return [rank[members[number]] if number < len(members) else number for number in tried]

    def _tried(self, count: int, player: int, here: Scope) -> set[int]:
        """Try so many options; the places of those that the Python backend has to try."""
        failed: set[int] = set()
        first, places = 0, self._map
        while first < count:
            try:
                with watchdog.watching(self._instance, here):
                    self._consider(first, count, player, here.steps)
                first = count
            except Trap:
                first = self._instance.number(places.at)
                failed.add(first)
                first += 1
            spent = int.from_bytes(self._instance.read(places.spent, 8), "little", signed=True)
            for pool in here.pools:
                pool.left -= spent
        return failed
