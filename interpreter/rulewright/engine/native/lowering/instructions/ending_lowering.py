"""The end of the game: who has won, or in which order the players come."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.helpers.ranking_functions import KEYS, MEMBERS, PLACE, row_bytes
from rulewright.engine.native.statuses import OVER
from rulewright.engine.native.values import Unsupported, Value, absent, constant
from rulewright.engine.native.webassembly.terms import I32, I64, Emitted, Memory, Term, call, const, mem32, mem64
from rulewright.engine.native.word_sizes import WORD_BITS
from rulewright.ir import model as m


class EndingLowering:
    """Writes instructions that end the game."""

    def __init__(self, lower: ExpressionLowering) -> None:
        self.lower, self.writer, self.ctx, self.body = lower, lower.writer, lower.ctx, lower.writer.body

    def win(self, i: m.FinishWin) -> None:
        """Give some players the first place, the others the second."""
        layout, body = self.ctx.layout, self.body
        winners = self.lower.members(i.players)
        for player in range(layout.sizes["Player"]):
            body.set(self._cell(layout.rank + player), 2 - self.writer.contains(winners, constant(player)))
        if i.parties is not None:
            parties = self.lower.members(i.parties)
            for number, (universe, member) in enumerate(layout.unplayed, layout.rank + layout.sizes["Player"]):
                if universe == i.universe:
                    body.set(self._cell(number), self.writer.contains(parties, constant(member)))
        if i.drawn:
            body.set(self._cell(layout.ranks.stop - 1), 1)
        self._over(i.rule)

    def _cell(self, number: int) -> Memory:
        return mem32(0, self.ctx.memory.cell_at[number])

    def _over(self, rule: str) -> None:
        """Note the rule that ends the game, drop all frames and stop."""
        ended = call(self.ctx.ending, 1 + self.ctx.rule_numbers[rule])
        self.body.set(self._cell(self.ctx.layout.rule), ended)
        self.body.set(self.ctx.frame, 0)
        self.body.give(OVER)

    def rank(self, i: m.FinishRank) -> None:
        """Rank players or parties by their keys: a row for each, then the places."""
        layout, memory, body = self.ctx.layout, self.ctx.memory, self.body
        players, size = layout.sizes["Player"], row_bytes(len(i.keys))
        ranked = players + len(layout.unplayed)
        if ranked > WORD_BITS:
            raise Unsupported("rankings of so many players and parties")
        source = self.lower.collection(i.source)
        rows = memory.reserve(size * (source.capacity if source.is_list else source.bits))
        row, count = body.locals(I32, I32)
        body.set(row, rows)
        body.set(count, 0)
        with self.lower.loop(source, i.var) as (member, _, _):
            if member.null:
                body.trap_if(absent(member))
            for number, e in enumerate(i.keys):
                body.set(mem32(row, KEYS + 4 * number), self.lower.value(e).term)
            body.set(mem64(row, MEMBERS), Emitted(I64, lambda: self._players(i.universe, member)))
            body.set(row, row + size)
            body.set(count, count + 1)
        last = self.writer.hold(call(self.ctx.ranking.rank, rows, row, len(i.keys)), 0, players + 1)
        for player in range(players):
            body.set(self._cell(layout.rank + player), last.term)
        at, first = self.writer.hold(const(rows), 0, memory.end), body.local()
        body.set(first, 0)
        with body.until(at.term.ge_u(row), (at.local, size)):
            place = self.lower.table(PLACE, 1, at).load_number(0, ranked + 1)
            members = self.lower.table(MEMBERS, 1, at).load_set(ranked, False)
            body.set(first, place.term.eq(1) + first)
            for player in range(ranked):
                with body.when(self.writer.contains(members, constant(player))):
                    body.set(self._cell(layout.rank + player), place.term)
        body.set(self._cell(layout.ranks.stop - 1), first.gt_u(1))
        self._over(i.rule)

    def _players(self, universe: str, member: Value) -> Term:
        """The players for whom the place of a party, or of one player, is noted."""
        players = self.ctx.layout.sizes["Player"]
        if universe == "Player":
            one = self.writer.new_set(players)
            self.writer.insert(one, member)
            return one.word(0)
        layout = self.ctx.layout
        held = [v for v in self.ctx.tables[universe + ".members"].values if isinstance(v, int)]
        members, bits = layout.ranked(universe, held), players + len(layout.unplayed)
        return self.lower.table(self.ctx.memory.sets(members, 1), 8, member).load_set(bits, False).word(0)
