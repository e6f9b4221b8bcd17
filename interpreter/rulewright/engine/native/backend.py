"""Games played by WebAssembly."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from rulewright.engine.cells.layout import Outcome
from rulewright.engine.native.compiled_programs import compiled
from rulewright.engine.native.instance import Instance, NoRoom, Trap, watchdog
from rulewright.engine.native.memory_map import ASK, OVER, STATUS
from rulewright.engine.native.observation_plan import Covered, Measured, Observed
from rulewright.engine.native.passes import ALL, Passes
from rulewright.engine.native.state_codec import StateCodec
from rulewright.engine.random_numbers import MASK, PLAYERS, stream_key
from rulewright.host.budgets import Scope, scope
from rulewright.ir.assertion_queries import assertion_queries
from rulewright.ir.model import PAID, Program


class Backend:
    """The machine code of a program, and instances of it that are not in use."""

    def __init__(
        self,
        program: Program,
        check: bool = False,
        passes: Passes = ALL,
        rated: tuple[str, ...] = (),
        searches: bool = False,
        measured: Measured | None = None,
        observed: Observed | None = None,
        covered: Covered | None = None,
    ) -> None:
        """With `check` every game is one that does not come to its end in which something does not hold that must.

        Seats may decide by policies that ask the queries among `rated`. With `searches` the code can search. With
        `measured` rows about games have what is counted in them, too, and the answers of these queries at their ends.
        With `observed` many games can be played by actions, and observed. With `covered` it can be explored what the
        rules may come to.
        """
        assertions = assertion_queries(program) if check else None
        program = assertions.program if assertions is not None else program
        self.rated, self._passes = rated, passes
        self.native, self._module = compiled(program, assertions, passes, rated, searches, measured, observed, covered)
        self.most_games = self.native.most_games
        """So many games at once are played at most."""
        self.portion = 0
        """So many games were last thought to take the time between two looks at the clock; 0 if none was played."""
        self._program = program
        self._standing_cells = 1 + program.players * (1 + any(field.name == PAID for field in program.fields))
        self._free: list[Instance] = [Instance(self.native, self._module)]  # or it is known at once that none can be

    @cached_property
    def codec(self) -> StateCodec:
        """Reads and writes the states, for those who look at them."""
        return StateCodec(self._program, self.native)

    @cached_property
    def searching(self) -> Backend:
        """The backend of the same program whose code can search, which takes longer to compile."""
        return Backend(self._program, passes=self._passes, rated=self.rated, searches=True)

    def instance(self) -> Instance:
        """An instance for one thread."""
        try:
            return self._free.pop()
        except IndexError:
            return Instance(self.native, self._module)

    def free(self, instance: Instance) -> None:
        """Give an instance back."""
        self._free.append(instance)

    def play(
        self, seed: int, most: int, steps: int, total: int, fired: list[int] | None
    ) -> tuple[Outcome, bytes] | None:
        """One game and the bytes of its last state (see :attr:`codec`); None if it has failed.

        `fired` is counted up.
        """
        try:
            instance = self.instance()
        except NoRoom:
            return None
        try:
            instance.begin(seed & MASK)
            with watchdog.watching(instance, scope()):
                answers = instance.play(most, stream_key(seed, PLAYERS), steps, total)
            return self._ended(instance, answers, fired)
        except Trap:
            return None
        finally:
            self._free.append(instance)

    def play_policies(
        self, seats: bytes, seed: int, dice: int, most: int, steps: int, total: int, fired: list[int] | None
    ) -> tuple[Outcome, bytes] | None:
        """Play a game in which seats decide by policies, by their entries; `dice` is the key of the numbers
        that they draw."""
        try:
            instance = self.instance()
        except NoRoom:
            return None
        policies = self.native.policies
        assert policies is not None
        try:
            instance.write(policies.seats, seats)
            instance.begin(seed & MASK)
            play = instance.known("play_policies", 5)
            with watchdog.watching(instance, scope()):
                answers = play(most, stream_key(seed, PLAYERS), dice, steps, total)
            ended = self._ended(instance, answers, fired)
            if ended is None:
                return None
            outcome, last = ended
            options, forced = struct.unpack("<qi", instance.read(policies.counted, 12))
            return replace(outcome, options=options, forced=forced), last
        except Trap:
            return None
        finally:
            self._free.append(instance)

    def _ended(self, instance: Instance, answers: int, fired: list[int] | None) -> tuple[Outcome, bytes] | None:
        """A game after so many answers; None if it is neither over nor stopped."""
        native = self.native
        if instance.number(STATUS) not in (OVER, ASK):
            return None
        last = instance.read(0, native.memory.stack)
        if fired is not None:
            counted = struct.unpack(f"<{len(fired)}q", instance.read(native.fired, 8 * len(fired)))
            fired[:] = [old + new for old, new in zip(fired, counted, strict=True)]
        layout, at = native.memory.layout, native.memory.cell_at
        (rule,) = struct.unpack_from("<i", last, at[layout.rule])
        ranks, paid = (_numbers(last, at[cells]) for cells in (layout.ranks, layout.paid))
        return Outcome(answers, rule, ranks, paid), last

    @property
    def width(self) -> int:
        """The numbers in a row of :meth:`play_rows`."""
        return 3 + self._standing_cells if self.native.plan is None else self.native.plan.width

    def play_rows(
        self, seed: int, count: int, most: int, steps: int, total: int, here: Scope | None = None
    ) -> array[int]:
        """Games of successive seeds, as far as they were played at once, up to the first that has failed: for each the
        answers, the status, the number of the rule that ended it (-1 for none), the places, whether it was drawn, and
        what was paid, if the rules pay; then what is measured, see :class:`RowPlan`.

        Other threads run meanwhile, and may play with this backend, too; `here` are the limits, if this thread is not
        the one that has laid them down.
        """
        native, width = self.native, self.width
        try:
            instance = self.instance()
        except NoRoom:
            return array("i")
        with suppress(Trap), watchdog.watching(instance, here or scope()):
            instance.play_many(min(count, self.most_games), seed & MASK, most, steps, total)
        try:
            rows = array("i", instance.read(native.rows, 4 * width * instance.number(native.games)))
        finally:
            self._free.append(instance)
        ends = rows[1::width]
        if ends.count(OVER) + ends.count(ASK) < len(ends):
            del rows[width * next(number for number, end in enumerate(ends) if end not in (OVER, ASK)) :]
        return rows


def _numbers(memory: bytes, addresses: Sequence[int]) -> tuple[int, ...]:
    """The numbers of some cells."""
    return tuple(struct.unpack_from("<i", memory, at)[0] for at in addresses)
