"""Questions: who is asked, what is offered, what chance is asked."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.known_values import known_truth
from rulewright.engine.native.lowering.expressions.sparse_sets import SparseSets
from rulewright.engine.native.lowering.instructions.instruction_lowering import InstructionLowering
from rulewright.engine.native.memory_map import EXTRAS, LEGAL, QUESTION, WHO
from rulewright.engine.native.statuses import ASK, DREW
from rulewright.engine.native.values import Unsupported, Value
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.word_sizes import SMALL_BITS, WORD_BITS, words
from rulewright.ir import model as m
from rulewright.ir.conditions import allowed
from rulewright.ir.model import MAX_DRAWN, NONE

LISTED = -1
"""In place of the words of the set that is offered: it is a list."""


class QuestionLowering:
    """Writes instructions at which the rules wait."""

    def __init__(self, x: ExpressionLowering, code: InstructionLowering) -> None:
        self.x, self.w, self.ctx, self.body, self.code = x, x.w, x.ctx, x.w.body, code
        self.sparse = SparseSets(x)

    def ask(self, i: m.Choose, pc: int, question: int, nobody: int | None, answered: int) -> None:
        """Find what is offered and stop, or go to a label if it is nothing; to another one if it is answered at once.

        Games at random are answered where they ask, without leaving the function: most questions are so simple.
        """
        if len(i.extras) > WORD_BITS:
            raise Unsupported(f"a choice of more than {WORD_BITS} options")
        with self.body.block() as empty:
            self._seat(i, empty)
            legal = self._legal(i) if i.source is not None else Value(is_set=True)
            is_simple = legal.words == 1 and not legal.is_list and not self.ctx.is_interchangeable(i.universe)
            if is_simple:
                legal = self.w.loaded(legal)
            else:
                self._offer(legal, question)
            extras = self.body.local(Type.I64)
            self.body.i64(0)
            self.body.set(extras)
            for number, extra in enumerate(i.extras):
                if extra.guard is not None and known_truth(self.w, extra.guard) is False:
                    continue
                with self.body.block() as refused:
                    if extra.guard is not None:
                        self.x.guard(extra.guard, refused)
                    for condition in allowed(extra.restrictions):
                        self.x.guard(condition, refused)
                    self.body.get(extras)
                    self.body.i64(1 << number)
                    self.body.op(Op.I64_OR)
                    self.body.set(extras)
            self.body.i32(0)
            self.body.get(extras)
            self.body.memory(Op.I64_STORE, EXTRAS)
            alone = sum(1 << number for number, extra in enumerate(i.extras) if not extra.aside)
            self._push_nothing(legal)
            self.body.get(extras)
            self.body.i64(alone)
            self.body.op(Op.I64_AND, Op.I64_EQZ, Op.I32_AND)
            self.body.branch_if(empty)
            self.code.rest(pc)
            if is_simple:
                self._answer_at_once(i, legal, extras, answered)
                self._offer(legal, question)
            elif self.ctx.is_interchangeable(i.universe):
                self._bundle(legal, question, False)
            self.body.i32(0)
            self.body.i32(question)
            self.body.memory(Op.I32_STORE, QUESTION)
            self.code.status(ASK)
        if nobody is None:
            self.body.op(Op.UNREACHABLE)
        else:
            self.body.branch(nobody)

    def draw(self, i: m.Chance, pc: int, question: int) -> None:
        """Draw a member; where there is nothing to draw from, the slot becomes none."""
        if isinstance(i.source, m.IntRange):
            self._draw_number(i, i.source, question)
            return
        legal = self.x.collection(i.source)
        drawn = self.body.local(Type.I32)
        self.body.i32(NONE)
        self.body.set(drawn)
        self._push_nothing(legal)
        self.body.op(Op.I32_EQZ)
        with self.body.when():
            self._stop_if_looking()
            if legal.words == 1 and not legal.is_list and not self.ctx.is_interchangeable(i.universe):
                self.w.push_word(legal, 0)
                self.body.i32(question)
                self.body.call(self.ctx.draw_of_few)
            else:
                alike = self.ctx.is_interchangeable(i.universe)
                one_class = alike and not legal.is_list and self.ctx.bundles.classes_are_ranges
                if alike:
                    self.code.rest(pc)
                if one_class:
                    self._offer_pieces(legal, question)
                else:
                    self._offer(legal, question)
                if alike and not one_class:
                    self._bundle(legal, question, True)
                self.body.i32(question)
                self.body.call(self.ctx.draw_of_many)
                if one_class:  # only pieces of the class that was drawn need be put in order
                    self.w.charge(self.ctx.layout.pieces)
                    self.body.call(self.ctx.bundles.standing_for)
            self.body.set(drawn)
        self.code.store(i.into, Value((drawn,), null=True))

    def _stop_if_looking(self) -> None:
        """Stop if a policy looks ahead: it does not know what will be drawn."""
        if self.ctx.looking is not None:
            self.body.get_global(self.ctx.looking)
            with self.body.when():
                self.code.status(DREW)

    def _draw_number(self, i: m.Chance, source: m.IntRange, question: int) -> None:
        """Draw one of several numbers in a row: their set is not made, as their count is known."""
        low, high = self.x.value(source.low), self.x.value(source.high)
        drawn = self.body.local(Type.I32)
        self.body.i32(NONE)
        self.body.set(drawn)
        with self.body.block() as empty:
            for v in (low, high):
                if v.null:
                    self.w.push_present([v])
                    self.body.op(Op.I32_EQZ)
                    self.body.branch_if(empty)
            self.w.push(low)
            self.w.push(high)
            self.body.op(Op.I32_GT_S)
            self.body.branch_if(empty)
            if low.low < 0:
                self.w.push(low)
                self.body.i32(0)
                self.body.op(Op.I32_LT_S)
                self.w.trap_if()
            if high.high >= MAX_DRAWN:
                self.w.push(high)
                self.body.i32(MAX_DRAWN)
                self.body.op(Op.I32_GE_S)
                self.w.trap_if()
            self._stop_if_looking()
            self.w.push(low)
            self.w.push(high)
            self.w.push(low)
            self.body.op(Op.I32_SUB)
            self.body.i32(1)
            self.body.op(Op.I32_ADD)
            self.body.i32(question)
            self.body.call(self.ctx.draw_below)
            self.body.op(Op.I32_ADD)
            self.body.set(drawn)
        self.code.store(i.into, Value((drawn,), null=True, low=0, high=MAX_DRAWN - 1))

    def _answer_at_once(self, i: m.Choose, legal: Value, extras: int, answered: int) -> None:
        """If the game is at random and nothing is offered beside the members, take one of them and go on."""
        if not self.ctx.log.makes("answers"):
            return
        self.body.get_global(self.ctx.left)
        if i.extras:
            self.body.i32(0)
            self.body.get(extras)
            self.body.op(Op.I64_EQZ, Op.SELECT)
        self.ctx.log.note("answers")
        with self.body.when():
            self.w.push_word(legal, 0)
            self.body.call(self.ctx.pick)
            member = self.body.local(Type.I32)
            self.body.set(member)
            self.code.store(i.into, Value((member,)))
            self.body.branch(answered)

    def _offer(self, legal: Value, question: int) -> None:
        """Store the members that are offered; of a list its address."""
        if legal.is_list:
            self.body.i32(0)
            self.w.push(legal)
            self.body.memory(Op.I32_STORE, LEGAL)
            self.ctx.offered_words[question] = LISTED
            return
        self.w.store_set(legal, LEGAL)
        self.ctx.offered_words[question] = legal.words

    def _bundle(self, legal: Value, question: int, each: bool) -> None:
        """Let one piece stand for all that are interchangeable: once, or, where chance is asked, for each."""
        self._offer_pieces(self.x.lists.as_set(legal) if legal.is_list else legal, question)
        self.w.charge(self.ctx.layout.pieces)
        self.body.i32(int(each))
        if legal.is_list:
            self.w.push(legal)
        self.body.call(self.ctx.bundles.bundle_list if legal.is_list else self.ctx.bundles.bundle)
        self.ctx.offered_words[question] = LISTED

    def _offer_pieces(self, legal: Value, question: int) -> None:
        """Store the pieces that are offered, and that no others are: also in words that the set does not have."""
        count = words(self.ctx.layout.pieces)
        self.w.store_set(self.w.loaded(legal), LEGAL, None, count)
        self.ctx.offered_words[question] = count

    def _push_nothing(self, legal: Value) -> None:
        """Push whether there are no members."""
        if legal.is_list:
            self.x.lists.push_length(legal)
            self.body.op(Op.I32_EQZ)
        else:
            self.w.push_empty(legal)

    def _seat(self, i: m.Choose, nobody: int) -> None:
        """Note who is asked; leave if they are out of the game."""
        layout = self.ctx.layout
        address, width = self.x.cell(layout.out, (), (), ())
        out = address.load_set(layout.sizes["Player"], width <= SMALL_BITS)
        if i.who_is != "player":
            self._seat_of_party(self.x.members(i.who), out, nobody)
            return
        v = self.x.value(i.who)
        if v.null:
            self.w.push_present([v])
            self.body.op(Op.I32_EQZ)
            self.w.trap_if()
        self.w.push_contains(out, v)
        self.body.branch_if(nobody)
        self.body.i32(0)
        self.w.push(v)
        self.body.memory(Op.I32_STORE, WHO)

    def _seat_of_party(self, v: Value, out: Value, nobody: int) -> None:
        """Note the first of several players who is in the game."""
        asked = self.w.new_set(out.bits)
        self.w.assign(asked, v)
        self.w.without(out.bits, asked, out, into=asked)
        self.w.push_empty(asked)
        self.body.branch_if(nobody)
        self.body.i32(0)
        self.w.push_first(asked)
        self.body.memory(Op.I32_STORE, WHO)

    def _legal(self, i: m.Choose) -> Value:
        """The members that may be chosen."""
        assert i.source is not None
        wheres = [*([i.where] if i.where is not None else []), *allowed(i.restrictions)]
        source = self.sparse.collection(i.source)
        if i.is_list:
            source = self.x.lists.once(source)
        if not wheres:
            return source
        with self.w.binding("*source", source):
            return self.x.collection(m.Filter(m.Var("*source"), i.var, m.And(tuple(wheres)), source.is_list))
