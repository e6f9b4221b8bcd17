"""A game in place, played by the Python backend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from rulewright.engine.evaluator.registers import Meter, Registers
from rulewright.engine.native.suspended_state import SuspendedState
from rulewright.engine.random_numbers import MASK, RandomAnswers
from rulewright.engine.runtime.machine import ASK, DRAW, OVER, RETURNED, Engine
from rulewright.engine.states.state import State
from rulewright.engine.stepping.stepper import Snapshot, Stepper, base_of, rest_of
from rulewright.host.api_arguments import whole
from rulewright.host.budgets import DECISIONS, Scope
from rulewright.host.budgets import scope as limits_now


class PythonStepper(Stepper):
    """Cells, stack and registers of one game."""

    def __init__(self, engine: Engine, scope: Scope | None = None) -> None:
        super().__init__(engine)
        self._fired = engine.new_fired()
        self._scope = scope or limits_now()
        self._cells: list[int] = []
        self._stack: list[int] = []
        self._status = RETURNED
        self._members: tuple[int, ...] = ()
        self._extras = self._who = 0
        self._base = 3
        self._registers = self._fresh()

    def begin(self, seed: int = 0) -> int:
        """A new game."""
        whole("the seed", seed)
        self._cells, self._stack = self.engine.begin(seed)
        self._fired = self.engine.new_fired()
        self._take(3, RETURNED, (), 0, 0)
        return self._run(self.engine.push(self._stack, self.engine.program.main, ()), self._fresh())

    def _fresh(self) -> Registers:
        """New registers: nothing is remembered of the cells."""
        self._registers = self.engine.registers(self._base, self._fired)
        self._registers.meter = Meter(self._scope)
        return self._registers

    def apply(self, option: int) -> int:
        """Answer, or go back to the question and report what is wrong."""
        if not isinstance(option, int) or not 0 <= option < self.options:
            raise self._wrong_option(option)
        question = self.engine.question(self._stack, self._base)
        before = list(self._cells), list(self._stack)
        number = option - len(self._members)
        if number < 0:
            self._stack[self._base + question.into] = self._members[option]
            block = question.after
        else:
            words = [word for word in range(len(question.extras)) if self._extras >> word & 1]
            block = question.extras[words[number]]
        try:
            return self._run(block, self._registers)
        except BaseException:
            self._cells, self._stack = before
            self._fresh()
            raise

    def _run(self, block: int, R: Registers) -> int:
        """Run to the next question; nothing of it is noted if that fails."""
        engine, C, S = self.engine, self._cells, self._stack
        R.meter.begin(R)
        while (status := engine.run(C, S, R, block)) == DRAW:
            question = engine.question(S, R.base)
            S[R.base + question.into] = engine.outcome(C, S, question, R.legal)
            block = question.after
        if status == RETURNED:
            raise engine.no_result()
        members: tuple[int, ...] = ()
        if status == ASK and R.legal:
            universe = engine.question(S, R.base).instr.universe
            members = tuple(engine.offered(C, S, R.legal, universe))
        self._take(R.base, status, members, R.extras, R.seat)
        return self.options

    def _take(self, base: int, status: int, members: tuple[int, ...], extras: int, who: int) -> None:
        self._base, self._status, self._members = base, status, members
        self._extras, self._who = (extras, who) if status == ASK else (0, 0)

    @property
    def options(self) -> int:
        """Members and words."""
        return len(self._members) + self._extras.bit_count()

    @property
    def seat(self) -> int | None:
        """The player to decide."""
        return self._who if self._status == ASK else None

    @property
    def question(self) -> tuple[str, int] | None:
        """The question of the topmost frame."""
        if self._status != ASK:
            return None
        question = self.engine.question(self._stack, self._base)
        return question.function, question.pc

    @property
    def spent(self) -> int:
        """The part of the budget that the meter has handed out and that is not left."""
        R = self._registers
        left: int = R.meter.left + R.budget
        return self._scope.steps - left

    def _numbers(self, cells: slice) -> tuple[int, ...]:
        """The values of some cells."""
        return tuple(self._cells[cells])

    @property
    def in_move(self) -> bool:
        """The note among the cells."""
        return bool(self._cells[self.engine.layout.in_move]) if self.engine.layout.in_move >= 0 else False

    def _offer(self) -> tuple[Sequence[int], int]:
        return self._members, self._extras

    def _zone_of(self, piece: int) -> int:
        return self._cells[self.engine.layout.loc + piece]

    @property
    def drawn(self) -> int:
        """The counters among the cells."""
        return sum(self._cells[counter] for counter in self.engine.layout.counters.values())

    def outcome(self) -> bytes:
        """Cells and stack without the seed and the counters."""
        layout, cells = self.engine.layout, list(self._cells)
        for at in (layout.seed, *layout.counters.values()):
            cells[at] = 0
        return blake2b(repr((cells, self._stack)).encode(), digest_size=16).digest()

    def reseed(self, seed: int) -> None:
        """Put another seed among the cells, and let counters begin anew: what is remembered of the cells cannot depend
        on these, as no rule asks for them."""
        layout = self.engine.layout
        self._cells[layout.seed] = whole("the seed", seed) & MASK
        for counter in layout.counters.values():
            self._cells[counter] = 0

    def play_on(self, seed: int, most: int = DECISIONS) -> bool:
        """One answer after another."""
        whole("the number of decisions", most, 0)
        pick, size = RandomAnswers(whole("the seed", seed)), self.options
        while size and most > 0:
            size = self.apply(pick(size))
            most -= 1
        return self._status == OVER

    def rates(self, query: str) -> tuple[int, ...]:
        """For the engine: the compiled query, with what is remembered of the cells."""
        function, memory = self.engine.compiled.query(query), self._registers.memo
        players = range(self.engine.program.players)
        return tuple(int(self.engine.call(function, self._cells, player, memory=memory)) for player in players)

    def numbers(self, cells: tuple[int, ...]) -> list[int]:
        """For the engine: those of the list."""
        known = self._cells
        return [known[cell] for cell in cells]

    def snapshot(self) -> Snapshot:
        """Copies of cells, stack, and what is offered."""
        rest = self.rest()
        return Snapshot(self.engine, replace(rest, cells=list(rest.cells), stack=list(rest.stack)))

    def restore(self, kept: Snapshot) -> int:
        """Take copies of them."""
        if not isinstance(kept, Snapshot) or kept._of is not self.engine:
            raise self._wrong_snapshot(kept)
        assert isinstance(kept._held, SuspendedState)
        return self.go_to(kept._held)

    def uses(self, rule: int) -> int:
        """The counter of the rule."""
        return self._fired[self._rule(rule)]

    def key(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Cells and stack."""
        return tuple(self._cells), tuple(self._stack)

    def rest(self) -> SuspendedState:
        """For the engine: the lists themselves."""
        stack = [] if self._status == OVER else self._stack
        return SuspendedState(-self._status, self._cells, stack, self._who, self._members, self._extras)

    def load(self, state: State) -> int:
        """Go to a state."""
        return self.go_to(rest_of(state, self.engine))

    def go_to(self, rest: SuspendedState) -> int:
        """For the engine: go to a position."""
        self._cells, self._stack = list(rest.cells), list(rest.stack)
        base = base_of(self.engine, rest.stack) if rest.stack else 3
        self._take(base, -rest.status, rest.members, rest.extras, rest.who)
        self._fresh()
        return self.options
