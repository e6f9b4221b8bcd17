"""The function that writes what a seat may know of the state at rest, and which actions are legal, into memory."""

from __future__ import annotations

from struct import pack

from rulewright.engine.native.lowering.driver.answer_functions import (
    COLUMN,
    ActionFunctions,
    AnswerFunctions,
    knows,
    rows_of_cells,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import ASK, OVER, STATUS, WHO, WORD_BITS, cell_bytes, words
from rulewright.engine.native.observation_plan import Observed, ObservedField, ObservedZone, ValueForm
from rulewright.engine.native.values import Unsupported
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Local,
    Term,
    mem32,
    mem64,
    real,
)
from rulewright.ir.model import NONE

ONE = 0x3F800000
"""The bits of the float 1."""


class ObservationFunctions:
    """The functions `observe` and `option`."""

    def __init__(self, ctx: LoweringContext, plan: Observed, answers: AnswerFunctions) -> None:
        self.ctx, self.plan, declare = ctx, plan, ctx.module.declare
        self._actions = ActionFunctions(ctx, plan, answers)
        self.option = self._actions.option
        """The function that finds the option of an action; -1 if it is not legal."""
        self.observe = declare((I32, I32, I32))
        """The function that writes the observation of a seat, and the mask, to two addresses."""

    def write(self, places: list[tuple[int, int]]) -> None:
        """Write both, given the function and the instruction of each question."""
        self._actions.write(places)
        self._write_observe()

    # ------------------------------------------------------------------------------------------------- observing

    def _write_observe(self) -> None:
        ctx, plan = self.ctx, self.plan
        with ctx.module.writing(self.observe) as (body, [viewer, out, mask]):
            question = body.local()
            body.copy(out, self._template(), 4 * plan.size)
            body.fill(mask, 0, plan.actions)
            body.set(mem32(out + (viewer << 2), 4 * plan.seat), ONE)
            with body.when(mem32(0, STATUS).eq(ASK)):
                body.set(question, self._actions.entry())
                body.set(mem32(out + (mem32(0, WHO) << 2), 4 * plan.decider), ONE)
                body.set(mem32(out + (mem32(question, COLUMN) << 2), 4 * plan.question), ONE)
                with body.when(mem32(0, WHO).eq(viewer)):
                    self._actions.mark(body, question, mask)
            self._gone(body, out)
            with body.when(mem32(0, STATUS).eq(OVER)):
                body.set(mem32(out, 4 * plan.over), ONE)
                for seat in range(ctx.program.players):
                    place = mem32(0, ctx.memory.cell_at[ctx.layout.rank + seat])
                    body.set(mem32(out, 4 * (plan.first + seat)), place.eq(1) * ONE)
            for field in plan.fields:
                self._field(body, field, viewer, out)
            for zone in plan.zones:
                self._zone(body, zone, viewer, out)
            for name, at in plan.regions:
                self._regions(body, name, at, out)

    def _template(self) -> int:
        """The address of an observation in which only that is set which is so in each position."""
        blank = [0.0] * self.plan.size
        layout = self.ctx.layout
        for field in self.plan.fields:
            if field.sight == "all":
                count = layout.fields[field.name].count
                blank[field.at : field.at + count * field.width : field.width] = [1.0] * count
        for zone in self.plan.zones:
            count = layout.zones[zone.name].count
            if zone.is_open:
                blank[zone.at : zone.at + count * zone.width : zone.width] = [1.0] * count
        return self.ctx.memory.constant(pack(f"<{len(blank)}f", *blank))

    def _gone(self, body: FunctionBody, out: Local) -> None:
        """Mark the players who are out."""
        cell = self.ctx.memory.cell_at[self.ctx.layout.out]
        with body.when(mem32(0, cell)):
            for seat in range(self.ctx.program.players):
                body.set(mem32(out, 4 * (self.plan.out + seat)), (mem32(0, cell) >> seat & 1) * ONE)

    def _field(self, body: FunctionBody, field: ObservedField, viewer: Local, out: Local) -> None:
        if field.sight == "none":
            return
        place = self.ctx.layout.fields[field.name]
        first, step = rows_of_cells(self.ctx, place.at, place.count, place.span)
        size = cell_bytes(self.ctx.layout.widths[place.at])
        row, cell, goal = body.locals(I32, I32, I32)
        body.set(row, 0)
        body.set(cell, first)
        body.set(goal, out + 4 * field.at)
        with body.until(row.ge_u(place.count), (row, 1)), body.block() as done:
            with body.block() as shown:
                if field.sight == "owner":
                    stride, owners = field.owner
                    owner = row.div_s(stride).rem_s(owners) if (stride, owners) != (1, place.count) else row
                    body.branch_if(shown, owner.ne(viewer))
                    body.set(mem32(goal), ONE)
                if field.optional:
                    with body.when(mem32(cell).eq(NONE)):
                        body.set(mem32(goal, 4), ONE)
                        body.branch(shown)
                body.set(goal, goal + 4 * (1 + field.optional))
                self._value(body, field.form, cell, size, goal)
                body.set(goal, goal + 4 * (field.width - 1 - field.optional))
                body.set(cell, cell + step)
                body.branch(done)
            body.set(goal, goal + 4 * field.width)
            body.set(cell, cell + step)

    def _value(self, body: FunctionBody, form: ValueForm, cell: Local, size: int, goal: Local) -> None:
        """Write the value in a cell of so many bytes."""
        if form.kind in ("places", "counts"):
            self._list(body, form, cell, goal)
        elif form.kind == "members" and form.capacity:
            self._set(body, form, cell, size, goal)
        else:
            self._one(body, form, form.kind, mem32(cell), goal)

    def _one(self, body: FunctionBody, form: ValueForm, kind: str, value: Term, goal: Term) -> None:
        if kind == "truth":
            body.set(mem32(goal), value.eq(1) * ONE)
        elif kind == "number":
            body.set(mem32(goal), value.to_float().div(real(form.unit)).single())
        else:
            body.set(mem32(goal + (self._column(form, value) << 2)), ONE)

    def _column(self, form: ValueForm, member: Term) -> Term:
        if form.columns:
            return mem32(member << 2, self.ctx.memory.numbers(form.columns))
        return member - form.low if form.low else member

    def _set(self, body: FunctionBody, form: ValueForm, cell: Local, size: int, goal: Local) -> None:
        """Mark each member of a set; of those that have one element together count them."""
        at, word, member, place = body.locals(I32, I64, I32, I32)
        body.set(at, 0)
        with body.until(at.ge_u(words(8 * size)), (at, 1)):
            body.set(word, mem64(cell + (at << 3)) if size > 4 else mem32(cell).extend_u())
            with body.until(word.eqz()):
                body.set(member, word.ctz().wrap() + at * WORD_BITS)
                body.set(place, goal + (self._column(form, member) << 2))
                if form.columns:
                    body.set(mem32(place), mem32(place) + 1)
                else:
                    body.set(mem32(place), ONE)
                body.set(word, word & (word - 1))
        if form.columns:
            self._as_floats(body, goal, form.width)

    def _list(self, body: FunctionBody, form: ValueForm, cell: Local, goal: Local) -> None:
        """Write the items of a list: its length, then they."""
        number, value, place, length = body.locals(I32, I32, I32, I32)
        body.set(number, 0)
        body.set(length, mem32(cell))
        body.set(place, goal)
        with body.until(number.ge_u(length), (number, 1)):
            body.set(value, mem32(cell + (number << 2), 4))
            with body.when(value.ne(NONE)):
                if form.kind == "counts":
                    body.set(place, goal + (self._column(form, value) << 2))
                    body.set(mem32(place), mem32(place) + 1)
                else:
                    self._one(body, form, form.item, value, place)
            if form.kind == "places":
                body.set(place, place + 4 * (form.width // form.capacity))
        if form.kind == "counts":
            self._as_floats(body, goal, form.width)

    def _as_floats(self, body: FunctionBody, goal: Term, width: int) -> None:
        """Make floats of the numbers in so many elements."""
        at, end = body.locals(I32, I32)
        body.set(at, goal)
        body.set(end, goal + 4 * width)
        with body.until(at.ge_u(end), (at, 4)):
            body.set(mem32(at), mem32(at).to_float().single())

    def _zone(self, body: FunctionBody, zone: ObservedZone, viewer: Local, out: Local) -> None:
        ctx = self.ctx
        place = ctx.layout.zones[zone.name]
        first, step = rows_of_cells(ctx, place.at, place.count, place.span)
        size = cell_bytes(ctx.layout.widths[place.at])
        row, cell, goal, end = body.locals(I32, I32, I32, I32)
        at, word, item, piece = body.locals(I32, I64, I32, I32)
        sees, anything = body.locals(I32, I32)
        columns = ctx.memory.numbers(zone.columns)

        def count(found: Term) -> None:
            """Count a piece, and its kind."""
            body.set(piece, found)
            if zone.is_open:
                add()
                return
            with body.when(sees | knows(ctx, viewer, piece)):
                add()
            with body.otherwise():
                body.set(mem32(goal, 4), mem32(goal, 4) + anything)

        def add() -> None:
            """Count a piece of which the face is known."""
            body.set(item, goal + (mem32(piece << 2, columns) << 2))
            body.set(mem32(item), mem32(item) + 1)
            body.set(mem32(goal, 4), mem32(goal, 4) + 1)

        body.set(row, 0)
        body.set(cell, first)
        body.set(goal, out + 4 * zone.at)
        with body.until(row.ge_u(place.count), (row, 1)):
            body.set(at, 0)
            if not zone.is_open:
                for seen, visibility in ((sees, self.plan.faces), (anything, self.plan.anything)):
                    body.set(seen, mem32(row << 2, ctx.memory.numbers(visibility[place.first :][: place.count])))
                    body.set(seen, seen >> viewer & 1)
            if place.ordered:
                body.set(end, mem32(cell))
                with body.until(at.ge_u(end), (at, 1)):
                    count(mem32(cell + (at << 2), 4))
                body.set(word, end.extend_u())
            else:
                body.set(end, 0)
                with body.until(at.ge_u(words(8 * size)), (at, 1)):
                    body.set(word, mem64(cell + (at << 3)) if size > 4 else mem32(cell).extend_u())
                    with body.until(word.eqz()):
                        count(word.ctz().wrap() + at * WORD_BITS)
                        body.set(word, word & (word - 1))
            if not zone.is_open:
                body.set(mem32(goal), (anything | mem32(goal, 4).ne(0)) * ONE)
            with body.when(mem32(goal, 4)):
                self._as_floats(body, goal + 4, zone.width - 1)
            body.set(goal, goal + 4 * zone.width)
            body.set(cell, cell + step)

    def _regions(self, body: FunctionBody, name: str, at: int, out: Local) -> None:
        """For each place the number of its region, as a fraction."""
        ctx = self.ctx
        merged = ctx.layout.merged[name]
        alive, members = ctx.memory.cell_at[merged.alive], ctx.memory.cell_at[merged.members]
        if words(merged.size) > 1:
            raise Unsupported("observations of so many regions")
        size = cell_bytes(ctx.layout.widths[merged.members])
        living, places, number, region = body.locals(I64, I64, I32, I32)

        def loaded(cell: Term | int, offset: int) -> Term:
            """The set in a cell."""
            return mem64(cell, offset) if size > 4 else mem32(cell, offset).extend_u()

        body.set(number, 0)
        body.set(living, loaded(0, alive))
        with body.until(living.eqz()):
            body.set(number, number + 1)
            body.set(region, living.ctz().wrap())
            body.set(places, loaded(region * size, members))
            with body.until(places.eqz()):
                share = number.to_float().div(real(merged.size)).single()
                body.set(mem32(out + (places.ctz().wrap() << 2), 4 * at), share)
                body.set(places, places & (places - 1))
            body.set(living, living & (living - 1))

    # ------------------------------------------------------------------------------------------------- answering
