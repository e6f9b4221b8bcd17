"""Functions about the end of a simulation: its payoffs are noted on the way back, and what has become certain by it."""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    BRANCHES,
    CERTAIN,
    DEPTH,
    DOUBT,
    MEAN,
    OUTCOMES,
    PATH,
    PROVEN,
    SEAT,
    SIZE,
    STEP_BYTES,
    TIMES,
    TOTAL,
    TRIED,
    VISITS,
    TreeRegisters,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.webassembly.terms import F64, I32, mem32, mem_real, real


class BackupFunctions:
    """The functions `note` and `settle`."""

    def __init__(self, ctx: LoweringContext, registers: TreeRegisters, by_place: bool) -> None:
        self.ctx, self._registers, self._by_place = ctx, registers, by_place
        self.note = ctx.module.declare((), (), "note")
        """The function that notes the payoffs along the path."""
        self._settle = ctx.module.declare((I32, I32))

    def write(self) -> None:
        """Write both."""
        self._write_note()
        self._write_settle()

    def _write_note(self) -> None:
        registers = self._registers
        with self.ctx.module.writing(self.note) as (body, []):
            at, node, branch, known, seat, times, certain = body.locals(I32, I32, I32, I32, I32, I32, I32)
            total, count = body.locals(F64, F64)
            first = registers.map.registers + PATH
            body.set(at, (registers.number(DEPTH) << STEP_BYTES.bit_length() - 1) + first)
            body.set(known, mem32(mem32(at - STEP_BYTES, 4), CERTAIN))
            with body.loop() as again:
                body.set(at, at - STEP_BYTES)
                body.set(node, mem32(at))
                body.set(branch, mem32(at, 4))
                body.set(mem32(node, VISITS), mem32(node, VISITS) + 1)
                body.set(mem32(branch, TIMES), times.tee(mem32(branch, TIMES) + 1))
                body.set(seat, mem32(node, SEAT))
                body.set(total, mem_real(branch, TOTAL) + registers.payoff(seat))
                body.set(mem_real(branch, TOTAL), total)
                with body.when(known), body.when(mem32(node, PROVEN).eqz()):
                    with body.block() as open_:
                        if registers.chance:  # what is certain behind one outcome is not behind the others
                            body.branch_if(open_, mem32(branch, OUTCOMES))
                        body.set(mem32(branch, CERTAIN), known)
                        body.call(self._settle, node, known)
                    body.set(known, mem32(node, PROVEN))
                with body.when(certain.tee(mem32(branch, CERTAIN))):
                    body.set(mem_real(branch, MEAN), mem_real((seat << 3) + certain))
                    body.set(mem_real(branch, DOUBT), real(0.0))
                with body.otherwise():
                    body.set(count, times.to_float())
                    body.set(mem_real(branch, MEAN), total.div(count))
                    body.set(mem_real(branch, DOUBT), real(1.0).div(count.sqrt()))
                body.branch_if(again, at.gt_u(first))

    def _write_settle(self) -> None:
        """Note what is certain at a node, now that so much is of one of its branches."""
        registers = self._registers
        with self.ctx.module.writing(self._settle) as (body, [node, known]):
            at, end, best, seat, found = body.locals(I32, I32, I32, I32, I32)
            most = body.local(F64)
            body.set(seat, mem32(node, SEAT) << 3)
            if self._by_place:
                with body.when(mem_real(known + seat).ge(real(1.0))):
                    body.set(mem32(node, PROVEN), known)
                    body.give()
            with body.when(mem32(node, TRIED).lt_s(mem32(node, SIZE))):
                body.give()
            body.set(at, mem32(node, BRANCHES))
            body.set(end, mem32(node, TRIED) * registers.map.branch + at)
            with body.until(at.ge_u(end), (at, registers.map.branch)):
                with body.when(found.tee(mem32(at, CERTAIN)).eqz()):
                    body.give()
                with body.when(best.eqz() | mem_real(found + seat).gt(most)):
                    body.set(best, found)
                    body.set(most, mem_real(found + seat))
            body.set(mem32(node, PROVEN), best)
