"""The function that writes what a seat may know of the state at rest, and which actions are legal, into memory."""

from __future__ import annotations

from collections.abc import Iterator
from struct import pack

from rulewright.engine.native.lowering.driver.answer_functions import AnswerFunctions
from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import EXTRAS, LEGAL, OPTIONS, QUESTION, STATUS, TOP, WHO
from rulewright.engine.native.observed import Observed, ObservedField, ObservedZone, ValueForm
from rulewright.engine.native.statuses import ASK, OVER
from rulewright.engine.native.values import Unsupported
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Local,
    Term,
    byte,
    call,
    const,
    mem32,
    mem64,
    real,
    select,
)
from rulewright.engine.native.word_sizes import WORD_BITS, cell_bytes, words
from rulewright.ir.model import NONE

ONE = 0x3F800000
"""The bits of the float 1."""
COLUMN, FIRST, LOW, MEMBERS, WORDS, LOOKS = 0, 4, 8, 12, 16, 20
"""Within the entry of a question: see `ObservedQuestion`; the words of the set that is offered, or LISTED; the address
of its table of pieces, or 0."""
ENTRY_BYTES = 32


class ObservationFunctions:
    """The functions `observe` and `option`."""

    def __init__(self, ctx: LoweringContext, plan: Observed, answers: AnswerFunctions) -> None:
        self.ctx, self.plan, declare = ctx, plan, ctx.module.declare
        self._answers = answers
        self._hides = bool(plan.faces)
        self._kinds = max(plan.kinds, default=0) + 1 + self._hides
        self._alike = ctx.memory.reserve(4 * self._kinds * max(1, len(ctx.layout.instances) + self._hides))
        """The address where the pieces offered are counted that lie in one zone and look the same; zeros otherwise."""
        self.observe = declare((I32, I32, I32))
        """The function that writes the observation of a seat, and the mask, to two addresses."""
        self.option = declare((I32,), (I32,))
        """The function that finds the option of an action; -1 if it is not legal."""
        self._option_in = declare((I32, I32), (I32,), "option_in")

    def write(self, asked: list[tuple[int, int]]) -> None:
        """Write both, given the function and the instruction of each question."""
        table = self._questions(asked)
        self._write_observe(table)
        self._write_option(table)
        with self.ctx.module.writing(self._option_in) as (body, [state, action]):
            body.copy(0, state, mem32(state, TOP))
            body.push(call(self.option, action))

    def _questions(self, asked: list[tuple[int, int]]) -> int:
        """The address of a table with an entry for each question."""
        known = {(one.function, one.pc): one for one in self.plan.questions}
        names = [function.name for function in self.ctx.program.functions]
        rows = b""
        for number, (function, pc) in enumerate(asked):
            one, offered = known.get((names[function], pc)), self.ctx.offered_words.get(number, 0)
            told = (0,) * 6
            if one is not None:
                looks = self.ctx.memory.numbers(one.looks) if one.looks else 0
                told = one.column, one.first, one.low, one.members, offered, looks
            rows += pack("<6i8x", *told)
        return self.ctx.memory.constant(rows)

    # ------------------------------------------------------------------------------------------------- observing

    def _write_observe(self, table: int) -> None:
        ctx, plan = self.ctx, self.plan
        with ctx.module.writing(self.observe) as (body, [viewer, out, mask]):
            question = body.local()
            body.copy(out, self._template(), 4 * plan.size)
            body.fill(mask, 0, plan.actions)
            body.set(mem32(out + (viewer << 2), 4 * plan.seat), ONE)
            with body.when(mem32(0, STATUS).eq(ASK)):
                body.set(question, mem32(0, QUESTION) * ENTRY_BYTES + table)
                body.set(mem32(out + (mem32(0, WHO) << 2), 4 * plan.asked), ONE)
                body.set(mem32(out + (mem32(question, COLUMN) << 2), 4 * plan.question), ONE)
                with body.when(mem32(0, WHO).eq(viewer)):
                    self._mark(body, question, mask)
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

    def _mark(self, body: FunctionBody, question: Local, mask: Local) -> None:
        """Mark the actions that are legal."""
        first, at, end, word, listed = body.locals(I32, I32, I32, I64, I32)
        body.set(first, mask + mem32(question, FIRST) - mem32(question, LOW))
        with body.block() as done:
            if self.plan.kinds:
                with body.when(mem32(question, LOOKS)):
                    for _, number in self._offered_pieces(body, question):
                        body.set(byte(first + number), 1)
                    body.branch(done)
            with body.when(end.tee(mem32(question, WORDS)).eq(LISTED)):
                body.set(listed, mem32(0, LEGAL))
                body.set(end, mem32(listed))
                with body.until(at.ge_u(end), (at, 1)):
                    body.set(byte(first + mem32(listed + (at << 2), 4)), 1)
                body.branch(done)
            with body.until(at.ge_u(end), (at, 1)):
                body.set(word, mem64(at << 3, LEGAL))
                with body.until(word.eqz()):
                    body.set(byte(first + (at << 6) + word.ctz().wrap()), 1)
                    body.set(word, word & (word - 1))
        body.set(first, mask + mem32(question, FIRST) + mem32(question, MEMBERS))
        body.set(word, mem64(0, EXTRAS))
        with body.until(word.eqz()):
            body.set(byte(first + word.ctz().wrap()), 1)
            body.set(word, word & (word - 1))

    def _offered_pieces(self, body: FunctionBody, question: Local) -> Iterator[tuple[Local, Local]]:
        """A loop over the pieces that are offered: for each the number of the option and of the piece. What is written
        between them stands inside of the loop."""
        ctx = self.ctx
        at, end, look, number = body.locals(I32, I32, I32, I32)
        zone, kind = body.locals(I32, I32)
        kinds, lying = ctx.memory.numbers(self.plan.kinds), ctx.memory.cell_at[ctx.layout.loc]

        def find() -> None:
            """Find the zone and the kind of a piece."""
            body.set(look, call(self._answers.member, at, mem32(question, WORDS)))
            if self._hides:
                self._find_hidden(body, look, zone, kind)
                body.set(look, zone * self._kinds + kind << 2)
                return
            body.set(look, look << 2)
            body.set(look, mem32(look, lying) * self._kinds + mem32(look, kinds) << 2)

        body.set(end, mem32(0, OPTIONS) - mem64(0, EXTRAS).popcnt().wrap())
        body.set(at, 0)
        with body.until(at.ge_u(end), (at, 1)):
            find()
            body.trap_if(number.tee(mem32(look + mem32(question, LOOKS))).lt_s(0))
            body.set(number, number + mem32(look, self._alike))
            body.set(mem32(look, self._alike), mem32(look, self._alike) + 1)
            yield at, number
        body.set(at, 0)
        with body.until(at.ge_u(end), (at, 1)):
            find()
            body.set(mem32(look, self._alike), 0)

    def _find_hidden(self, body: FunctionBody, piece: Local, zone: Local, kind: Local) -> None:
        """Find the zone and the kind of a piece, as far as an option tells them: in a row or stack a piece is told by
        its place where its face is not seen."""
        ctx, who = self.ctx, mem32(0, WHO)
        body.set(zone, mem32(piece << 2, ctx.memory.cell_at[ctx.layout.loc]))
        body.set(kind, mem32(piece << 2, ctx.memory.numbers(self.plan.kinds)))
        everyone = (1 << ctx.program.players) - 1
        faces = ctx.memory.numbers(self.plan.faces)
        told = zip(self.plan.faces, ctx.layout.instances, strict=True)
        named = ctx.memory.numbers(tuple(seers if zone.ordered else everyone for seers, zone in told))
        with body.when(mem32(zone << 2, faces).ne(everyone)):
            with body.when((mem32(zone << 2, named) >> who & 1).eqz() & self._knows(who, piece).eqz()):
                body.set(kind, self._kinds - 1)
            body.set(zone, len(ctx.layout.instances))

    def _knows(self, player: Term, piece: Term) -> Term:
        """1 if a player remembers a piece, else 0."""
        ctx = self.ctx
        first, step = self._rows(ctx.layout.known, ctx.program.players, 1)
        return mem32(player * step + (piece >> 5 << 2), first) >> (piece & 31) & 1

    def _rows(self, first: int, count: int, span: int) -> tuple[int, int]:
        """The address of the first of some rows of cells, and the bytes from one to the next."""
        memory, places = self.ctx.memory, range(first, first + count * span, span)
        found = [memory.cell_at[place] for place in places]
        step = found[1] - found[0] if count > 1 else 0
        if any(one != found[0] + number * step for number, one in enumerate(found)):
            raise Unsupported("observations of such fields")
        return found[0], step

    def _field(self, body: FunctionBody, field: ObservedField, viewer: Local, out: Local) -> None:
        if field.sight == "none":
            return
        place = self.ctx.layout.fields[field.name]
        first, step = self._rows(place.at, place.count, place.span)
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
        first, step = self._rows(place.at, place.count, place.span)
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
            with body.when(sees | self._knows(viewer, piece)):
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
                for seen, told in ((sees, self.plan.faces), (anything, self.plan.anything)):
                    body.set(seen, mem32(row << 2, ctx.memory.numbers(told[place.first :][: place.count])))
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

    def _write_option(self, table: int) -> None:
        """The number of the option of an action; -1 if it is not legal."""
        with self.ctx.module.writing(self.option) as (body, [action]):
            question, members, found, at, end, word = body.locals(I32, I32, I32, I32, I32, I64)
            listed, one = end, const(1, I64)
            with body.when(mem32(0, STATUS).ne(ASK)):
                body.give(-1)
            body.set(question, mem32(0, QUESTION) * ENTRY_BYTES + table)
            body.set(action, action - mem32(question, FIRST))
            body.set(members, mem32(question, MEMBERS))
            with body.when(action.lt_s(0)):
                body.give(-1)
            with body.when(action.lt_s(members)):
                if self.plan.kinds:
                    with body.when(mem32(question, LOOKS)):
                        body.set(found, -1)
                        for option, number in self._offered_pieces(body, question):
                            body.set(found, select(option, found, number.eq(action)))
                        body.give(found)
                body.set(action, action + mem32(question, LOW))
                with body.when(mem32(question, WORDS).eq(LISTED)):
                    body.set(listed, mem32(0, LEGAL))
                    with (
                        body.until(found.ge_u(mem32(listed)), (found, 1)),
                        body.when(mem32(listed + (found << 2), 4).eq(action)),
                    ):
                        body.give(found)
                    body.give(-1)
                with body.when((action >> 6).ge_u(mem32(question, WORDS))):
                    body.give(-1)
                with body.until(at.eq(action >> 6), (at, 1)):
                    body.set(found, found + mem64(at << 3, LEGAL).popcnt().wrap())
                body.set(word, mem64(at << 3, LEGAL))
                bit = (action & WORD_BITS - 1).extend_u()
                with body.when((word >> bit & 1).eqz()):
                    body.give(-1)
                below = word & (one << bit) - 1
                body.give(found + below.popcnt().wrap())
            body.set(action, action - members)
            with body.when(action.ge_u(WORD_BITS)):
                body.give(-1)
            body.set(word, mem64(0, EXTRAS))
            with body.when((word >> action.extend_u() & 1).eqz()):
                body.give(-1)
            body.set(found, mem32(0, OPTIONS) - word.popcnt().wrap())
            body.push(found + (word & (one << action.extend_u()) - 1).popcnt().wrap())
