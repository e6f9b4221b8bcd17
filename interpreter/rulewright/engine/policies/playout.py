"""Whole games in place: no keys are made and nothing is copied, so thousands of games are played per second."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from fractions import Fraction
from functools import cache, cached_property
from typing import TYPE_CHECKING

from rulewright.engine.cells.layout import Outcome
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.tiering import EngineName
from rulewright.engine.policies.policy import (
    DICE,
    Agent,
    Choice,
    Judge,
    are_policies,
    choice_of,
    each_seat,
    needs_log,
    rated_by,
)
from rulewright.engine.random_numbers import Dice, RandomAnswers
from rulewright.engine.runtime.machine import ASK, DRAW, RETURNED, Engine, engine_of
from rulewright.engine.runtime.position import result_of
from rulewright.engine.runtime.query_calls import Measured, measured
from rulewright.engine.runtime.records import Mode, Result
from rulewright.engine.states.property_watch import Checks
from rulewright.engine.states.state import State, advance
from rulewright.engine.stepping.engine_choice import stepper_of
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.budgets import DECISIONS, TOTAL, TOTAL_SPENT, Pool, scope, shared_pool
from rulewright.ir.model import Program

if TYPE_CHECKING:
    from rulewright.engine.native.backend import Backend


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played."""

    seed: int
    decisions: int
    """Answers of players; chance is not counted."""
    finished: bool
    """False if it was stopped after too many decisions."""
    places: tuple[int, ...]
    """The place of each player, from 1; all 0 if it was stopped."""
    rule: str
    """The rule that ended it."""
    answers: tuple[int, ...]
    """The number of each option that was chosen, chance left out; to play it again with :meth:`State.choose`."""
    sizes: tuple[int, ...]
    """The number of options for each of the answers."""
    broken: tuple[str, ...]
    """The invariants and properties that did not hold at some time, each as ``name`` or ``name (member)``."""
    result: Result | None
    """The outcome of the game; None if it was stopped."""
    payoffs: tuple[Fraction, ...]
    """The worth of the game to each seat. Of one that was stopped what was paid so far; empty if its rules do not say
    what they pay."""
    options: int
    """The numbers of options of all decisions together; -1 if they were not counted, as in games at random by machine
    code."""
    forced: int
    """The number of decisions with one option, if they were counted."""
    _last: Callable[[], State]
    _measured: Callable[[], Measured]
    _held: Callable[[str], Sequence[int]]

    @property
    def state(self) -> State:
        """The last state (without its log)."""
        return self._last()

    @property
    def measures(self) -> Measured:
        """The measures of the rules when it was over: for each its number, or one for every seat if it is about a
        player. Empty if the game was stopped."""
        return self._measured() if self.finished else {}

    def held(self, field: str) -> Sequence[int]:
        """For the engine: the cells of a field at the end, also of games whose last state would be played again."""
        return self._held(field)


def _of_use(backend: Backend | None) -> Backend | None:
    """A backend, unless steps are shared: native ones are counted otherwise, and cannot be paid from that."""
    return None if scope().pools else backend


@contextmanager
def judging(engine: Engine, backend: Backend | None) -> Iterator[Judge | None]:
    """A backend that knows the queries of some policies as a judge for them."""
    if _of_use(backend) is None or backend is None:
        yield None
        return
    from rulewright.engine.native.instance import NoRoom  # takes a while, as the backend does
    from rulewright.engine.policies.native_policies import NativeJudge

    try:
        judge = NativeJudge(engine, backend)
    except NoRoom:
        yield None
        return
    try:
        yield judge
    finally:
        judge.close()


class _Logged:
    """Play the same game once more, with its log. Its steps are not paid from what the game may spend."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self._outside = copy_context()
        cells, stack = engine.begin(seed)
        block = engine.push(stack, engine.program.main, ())
        self.state: State = self._outside.run(advance, engine, cells, stack, 3, block, _LOGGED, None)

    def answer(self, number: int) -> None:
        """Answer with an option, by its number."""
        self.state = self._outside.run(self.state.choose, number)


class Playout:
    """Plays games of a program: at random, or each seat by its policy."""

    def __init__(
        self,
        program: Program,
        fired: list[int] | None = None,
        policies: Sequence[Agent] = (),
        check: bool = False,
        backend: Backend | None = None,
        wanted: EngineName = "auto",
        passes: Passes = ALL,
    ) -> None:
        """`backend` plays games at random, and is then one that checks what the rules assert, or that need not; or it
        is one that knows the queries of the policies. Agents that search play with the engine that is `wanted`.
        """
        self.engine = engine_of(program, passes)
        self.program = program
        self.fired = fired
        self.policies = each_seat(policies, program.players)
        self._wanted, self._passes = wanted, passes
        self.check = check
        self.backend = backend

    def play(
        self,
        seed: int,
        most: int = DECISIONS,
        keep: bool = False,
        total: int = TOTAL,
        answers_seed: int | None = None,
    ) -> Played:
        """One game; the players' answers follow from the seed too, or from one of their own. With `keep` the answers
        are kept.

        It is stopped after `most` decisions; an error if it takes more than `total` steps.
        """
        backend = _of_use(self.backend)
        if backend is not None and answers_seed is None and not keep and (not self.policies or self._plays_alone):
            played = self._play_natively(backend, seed, most, total)
            if played is not None:
                return played
        message = f"the game is not over after {total} steps, although all questions were answered"
        with judging(self.engine, backend if rated_by(self.policies) else None) as judge:
            choices = [choice_of(one, self.program, self._wanted, self._passes, judge) for one in self.policies]
            logged = _Logged(self.engine, seed) if any(map(needs_log, self.policies)) else None
            with shared_pool(total, TOTAL_SPENT, message) as pool:
                of_answers = seed if answers_seed is None else answers_seed
                return self._play((seed, of_answers), min(most, scope().decisions), keep, pool, choices, logged)

    @cached_property
    def _plays_alone(self) -> bool:
        """True if machine code can play by the policies without the Python backend."""
        from rulewright.engine.policies.native_policies import plays_alone

        return not self.check and are_policies(self.policies) and plays_alone(self.engine, self.policies)

    def _play_natively(self, backend: Backend, seed: int, most: int, total: int) -> Played | None:
        """One game by the native backend; None if only the Python backend can finish it."""
        here = scope()
        here.look()
        most_here = min(most, here.decisions)
        if self.policies:
            from rulewright.engine.policies.native_policies import play_natively

            assert are_policies(self.policies)
            found = play_natively(self.engine, backend, self.policies, seed, most_here, total, self.fired)
        else:
            found = backend.play(seed, most_here, here.steps, total, self.fired)
        if found is None:
            return None
        outcome, raw = found

        def last() -> State:
            """The last state; where players remember hidden pieces, the native backend does not keep it: no rule
            asks."""
            if self.engine.layout.known >= 0 or not outcome.rule:
                alone = Playout(self.program, policies=self.policies, passes=self.engine.passes)
                return alone.play(seed, most, total=total).state
            return State.at_rest(self.engine, backend.codec.cells(raw), _MODE, None)

        return self._played(seed, outcome, [], [], (), cache(last), lambda: backend.codec.cells(raw))

    def _play(
        self,
        seeds: tuple[int, int],
        most: int,
        keep: bool,
        pool: Pool,
        choices: Sequence[Choice | None],
        logged: _Logged | None,
    ) -> Played:
        engine = self.engine
        run, layout, questions = engine.run, engine.layout, engine.compiled.questions
        seed, of_answers = seeds
        dice = Dice(of_answers, DICE)
        checks = Checks(engine) if self.check else None
        C, S = engine.begin(seed)
        block = engine.push(S, self.program.main, ())
        R = engine.registers(3, self.fired, watch=checks and checks.watch)
        at_random = RandomAnswers(of_answers)
        decisions = options = forced = 0
        begin = R.meter.begin
        answers: list[int] = []
        sizes: list[int] = []
        while True:
            status = run(C, S, R, block)
            if status == DRAW:
                base = R.base
                question = questions[S[base - 3], S[base - 2]]
                S[base + question.into] = engine.outcome(C, S, question, R.legal)
                block = question.after
                continue
            if checks is not None and status != RETURNED:
                checks.look(State(engine, C, S, R, status, _MODE, None))
            if status != ASK or decisions >= most:
                break
            if pool.left <= 0:
                raise engine.rules.error(pool.code, pool.message, self.program.main)
            begin(R)
            decisions += 1
            base = R.base
            question = questions[S[base - 3], S[base - 2]]
            members = engine.offered(C, S, R.legal, question.instr.universe) if R.legal else ()
            extras: int = R.extras
            size = len(members) + extras.bit_count()
            options += size
            forced += size == 1
            choice = choices[R.seat] if size > 1 and choices else None
            if choice is not None:
                number = choice(logged.state if logged else State(engine, C, S, R, status, _MODE, None), dice)
            else:
                number = at_random(size)
            if logged is not None:
                logged.answer(number)
            if keep:
                answers.append(number)
                sizes.append(size)
            if number < len(members):
                S[base + question.into] = members[number]
                block = question.after
            else:
                number -= len(members)
                while number:
                    extras &= extras - 1
                    number -= 1
                block = question.extras[(extras & -extras).bit_length() - 1]
        if status == RETURNED:
            raise engine.no_result()
        found = checks.names if checks is not None else ()
        final = C[layout.rule], tuple(C[layout.ranks]), tuple(C[layout.paid])
        outcome = Outcome(decisions, *final, options, forced)
        state = State(engine, C, S, R, status, _MODE, None)
        return self._played(seed, outcome, answers, sizes, found, lambda: state, lambda: C)

    def _played(
        self,
        seed: int,
        outcome: Outcome,
        answers: list[int],
        sizes: list[int],
        found: tuple[str, ...],
        last: Callable[[], State],
        cells: Callable[[], list[int]],
    ) -> Played:
        """The record of a game."""

        def held(field: str) -> Sequence[int]:
            place = self.engine.layout.fields[field]
            return cells()[place.at : place.at + place.span * place.count]

        rule, ranks = outcome.rule, outcome.ranks
        name = self.engine.rule_names[rule - 1] if rule else ""
        result = result_of(self.engine, rule, ranks, outcome.paid)
        payoffs = self.engine.payoffs.payoffs(ranks, outcome.paid)
        places, given = ranks[: self.program.players], (tuple(answers), tuple(sizes))
        ended, counted = (bool(rule), places, name), (outcome.options, outcome.forced)
        return Played(
            seed,
            outcome.answers,
            *ended,
            *given,
            found,
            result,
            payoffs,
            *counted,
            last,
            lambda: measured(self.engine, cells()),
            held,
        )


_MODE, _LOGGED = Mode(), Mode(whole=True)


def visited(
    program: Program,
    seed: int,
    at: Iterable[int],
    answers: Sequence[int] | None,
    wanted: EngineName,
    passes: Passes = ALL,
) -> Iterator[tuple[int, State]]:
    """The states of a game after so many answers each, in their order: the random game of the seed if none are given.

    What players remember of hidden pieces is kept by the Python backend only, so such games it plays from the first.
    """
    engine, left = engine_of(program, passes), set(at)
    stepper = stepper_of(program, wanted, passes) if engine.layout.known < 0 else PythonStepper(engine)
    size = stepper.begin(seed)
    pick = RandomAnswers(seed)
    number = 0
    while left:
        if number in left:
            left.remove(number)
            yield number, stepper.state()
        if not left or not size or (answers is not None and number >= len(answers)):
            return
        size = stepper.apply(pick(size) if answers is None else answers[number])
        number += 1
