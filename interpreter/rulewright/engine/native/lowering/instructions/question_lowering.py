"""Questions: who decides, what is offered, what chance decides."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.known_values import known_truth
from rulewright.engine.native.lowering.expressions.sets.sparse_sets import SparseSets
from rulewright.engine.native.lowering.instructions.instruction_lowering import InstructionLowering
from rulewright.engine.native.memory_map import ASK, DREW, EXTRAS, LEGAL, QUESTION, SMALL_BITS, WHO, WORD_BITS, words
from rulewright.engine.native.values import Unsupported, Value, absent
from rulewright.engine.native.webassembly.terms import I64, Local, Stacked, Term, call, mem32, mem64, select
from rulewright.ir import model as m
from rulewright.ir.model import MAX_DRAWN, NONE
from rulewright.ir.walk import allowed

LISTED = -1
"""In place of the words of the set that is offered: it is a list."""


class QuestionLowering:
    """Writes instructions at which the rules wait."""

    def __init__(self, lower: ExpressionLowering, code: InstructionLowering) -> None:
        self.lower, self.writer, self.ctx, self.body, self.code = (
            lower,
            lower.writer,
            lower.ctx,
            lower.writer.body,
            code,
        )
        self.sparse = SparseSets(lower)

    def ask(self, i: m.Choose, pc: int, question: int, no_decider: int | None, answered: int) -> None:
        """Find what is offered and stop, or go to a label if it is nothing; to another one if it is answered at once.

        Games at random are answered where they ask, without leaving the function: most questions are so simple.
        """
        if len(i.extras) > WORD_BITS:
            raise Unsupported(f"a choice of more than {WORD_BITS} options")
        body = self.body
        with body.block() as empty:
            self._seat(i, empty)
            legal = self._legal(i) if i.source is not None else Value(is_set=True)
            is_simple = legal.words == 1 and not legal.is_list and not self.ctx.is_interchangeable(i.universe)
            if is_simple:
                legal = self.writer.loaded(legal)
            else:
                self._offer(legal, question)
            extras = self._offered_beside(i)
            body.set(mem64(0, EXTRAS), extras)
            alone = sum(1 << number for number, extra in enumerate(i.extras) if not extra.aside)
            body.branch_if(empty, self._is_nothing(legal) & (extras & alone).eqz())
            self.code.rest(pc)
            if is_simple:
                self._answer_at_once(i, legal, extras, question, answered)
                self._offer(legal, question)
            elif self.ctx.is_interchangeable(i.universe):
                self._bundle(legal, question, False)
            body.set(mem32(0, QUESTION), question)
            self.code.status(ASK)
        if no_decider is None:
            body.trap()
        else:
            body.branch(no_decider)

    def _offered_beside(self, i: m.Choose) -> Local:
        """The words that may be chosen beside the members, as a set."""
        body = self.body
        extras = body.local(I64)
        body.set(extras, 0)
        for number, extra in enumerate(i.extras):
            if extra.guard is not None and known_truth(self.writer, extra.guard) is False:
                continue
            with body.block() as refused:
                if extra.guard is not None:
                    self.lower.guard(extra.guard, refused)
                for condition in allowed(extra.restrictions):
                    self.lower.guard(condition, refused)
                body.set(extras, extras | 1 << number)
        return extras

    def draw(self, i: m.Chance, pc: int, question: int) -> None:
        """Draw a member; where there is nothing to draw from, the slot becomes none."""
        if isinstance(i.source, m.IntRange):
            self._draw_number(i, i.source, question)
            return
        legal = self.lower.collection(i.source)
        drawn = self.body.local()
        self.body.set(drawn, NONE)
        with self.body.when(self._is_nothing(legal).eqz()):
            self._stop_if_looking()
            if legal.words == 1 and not legal.is_list and not self.ctx.is_interchangeable(i.universe):
                found = call(self.ctx.draw_of_few, legal.word(0), question)
            else:
                found = self._draw_of_many(i, legal, pc, question)
            self.body.set(drawn, found)
        self.code.store(i.into, Value((drawn,), null=True))

    def _draw_of_many(self, i: m.Chance, legal: Value, pc: int, question: int) -> Term:
        """A member of a set of several words, of a list, or of pieces that are alike."""
        alike = self.ctx.is_interchangeable(i.universe)
        one_class = alike and not legal.is_list and self.ctx.equivalence_classes.classes_are_ranges
        if alike:
            self.code.rest(pc)
        if one_class:
            self._offer_pieces(legal, question)
        else:
            self._offer(legal, question)
        if alike and not one_class:
            self._bundle(legal, question, True)
        found = call(self.ctx.draw_of_many, question)
        if not one_class:
            return found
        self.body.push(found)  # only pieces of the class that was drawn need be put in order
        return call(self.ctx.equivalence_classes.standing_for, Stacked())

    def _stop_if_looking(self) -> None:
        """Stop if a policy looks ahead: it does not know what will be drawn."""
        if self.ctx.looking is not None:
            with self.body.when(self.ctx.looking):
                self.code.status(DREW)

    def _draw_number(self, i: m.Chance, source: m.IntRange, question: int) -> None:
        """Draw one of several numbers in a row: their set is not made, as their count is known."""
        body, low, high = self.body, self.lower.value(source.low), self.lower.value(source.high)
        drawn = body.local()
        body.set(drawn, NONE)
        with body.block() as empty:
            for v in (low, high):
                if v.null:
                    body.branch_if(empty, absent(v))
            body.branch_if(empty, low.term.gt_s(high.term))
            if low.low < 0:
                body.trap_if(low.term.lt_s(0))
            if high.high >= MAX_DRAWN:
                body.trap_if(high.term.ge_s(MAX_DRAWN))
            self._stop_if_looking()
            body.set(drawn, low.term + call(self.ctx.draw_below, high.term - low.term + 1, question))
        self.code.store(i.into, Value((drawn,), null=True, low=0, high=MAX_DRAWN - 1))

    def _answer_at_once(self, i: m.Choose, legal: Value, extras: Local, question: int, answered: int) -> None:
        """If the game is at random and nothing is offered beside the members, take one of them and go on."""
        if not self.ctx.log.makes("answers"):
            return
        self.ctx.log.note("answers")
        with self.body.when(select(self.ctx.left, 0, extras.eqz()) if i.extras else self.ctx.left):
            member = self.body.hold(call(self.ctx.pick, legal.word(0)))
            if self.ctx.coverage is not None:
                self.ctx.coverage.offered(self.body, question, legal.word(0).popcnt().wrap())
                self.ctx.coverage.taken(self.body, question, member)
            self.code.store(i.into, Value((member,)))
            self.body.branch(answered)

    def _offer(self, legal: Value, question: int) -> None:
        """Store the members that are offered; of a list its address."""
        if legal.is_list:
            self.body.set(mem32(0, LEGAL), legal.term)
            self.ctx.offered_words[question] = LISTED
            return
        self.writer.store_set(legal, LEGAL)
        self.ctx.offered_words[question] = legal.words

    def _bundle(self, legal: Value, question: int, each: bool) -> None:
        """Let one piece stand for all that are interchangeable: once, or, where chance decides, for each."""
        self._offer_pieces(self.lower.lists.as_set(legal) if legal.is_list else legal, question)
        if legal.is_list:
            self.body.call(self.ctx.equivalence_classes.representatives_of_list, int(each), legal.term)
        else:
            self.body.call(self.ctx.equivalence_classes.representatives, int(each))
        self.ctx.offered_words[question] = LISTED

    def _offer_pieces(self, legal: Value, question: int) -> None:
        """Store the pieces that are offered, and that no others are: also in words that the set does not have."""
        count = words(self.ctx.layout.pieces)
        self.writer.store_set(self.writer.loaded(legal), LEGAL, count=count)
        self.ctx.offered_words[question] = count

    def _is_nothing(self, legal: Value) -> Term:
        """The truth of there being no members."""
        return self.lower.lists.length(legal).eqz() if legal.is_list else self.writer.empty(legal)

    def _seat(self, i: m.Choose, no_decider: int) -> None:
        """Note who decides; leave if they are out of the game."""
        layout = self.ctx.layout
        address, width = self.lower.cell(layout.out, (), (), ())
        out = address.load_set(layout.sizes["Player"], width <= SMALL_BITS)
        if i.who_is != "player":
            self._seat_of_party(self.lower.members(i.who), out, no_decider)
            return
        v = self.lower.value(i.who)
        if v.null:
            self.body.trap_if(absent(v))
        self.body.branch_if(no_decider, self.writer.contains(out, v))
        self.body.set(mem32(0, WHO), v.term)

    def _seat_of_party(self, v: Value, out: Value, no_decider: int) -> None:
        """Note the first of several players who is in the game."""
        seated = self.writer.new_set(out.bits)
        self.writer.assign(seated, v)
        self.writer.without(out.bits, seated, out, into=seated)
        self.body.branch_if(no_decider, self.writer.empty(seated))
        self.body.set(mem32(0, WHO), self.writer.first(seated))

    def _legal(self, i: m.Choose) -> Value:
        """The members that may be chosen."""
        assert i.source is not None
        wheres = [*([i.where] if i.where is not None else []), *allowed(i.restrictions)]
        source = self.sparse.collection(i.source)
        if i.is_list:
            source = self.lower.lists.unique(source)
        if not wheres:
            return source
        with self.writer.binding("*source", source):
            return self.lower.collection(m.Filter(m.Var("*source"), i.var, m.And(tuple(wheres)), source.is_list))
