"""The end of the game: who has won, or in which order the players come."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.helpers.ranking_functions import KEYS, MEMBERS, PLACE, row_bytes
from rulewright.engine.native.statuses import OVER
from rulewright.engine.native.values import Unsupported, Value, constant
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.word_sizes import WORD_BITS
from rulewright.ir import model as m


class EndingLowering:
    """Writes instructions that end the game."""

    def __init__(self, x: ExpressionLowering) -> None:
        self.x, self.w, self.ctx, self.body = x, x.w, x.ctx, x.w.body

    def win(self, i: m.FinishWin) -> None:
        """Give some players the first place, the others the second."""
        layout, memory = self.ctx.layout, self.ctx.memory
        winners = self.x.members(i.players)
        for player in range(layout.sizes["Player"]):
            self.body.i32(0)
            self.body.i32(2)
            self.w.push_contains(winners, constant(player))
            self.body.op(Op.I32_SUB)
            self.body.memory(Op.I32_STORE, memory.cell_at[layout.rank + player])
        if i.parties is not None:
            parties = self.x.members(i.parties)
            for number, (universe, member) in enumerate(layout.unplayed, layout.rank + layout.sizes["Player"]):
                if universe == i.universe:
                    self.body.i32(0)
                    self.w.push_contains(parties, constant(member))
                    self.body.memory(Op.I32_STORE, memory.cell_at[number])
        if i.drawn:
            self.body.i32(0)
            self.body.i32(1)
            self.body.memory(Op.I32_STORE, memory.cell_at[layout.ranks.stop - 1])
        self._over(i.rule)

    def _over(self, rule: str) -> None:
        """Note the rule that ends the game, drop all frames and stop."""
        layout, memory = self.ctx.layout, self.ctx.memory
        self.body.i32(0)
        self.body.i32(1 + self.ctx.rule_numbers[rule])
        self.body.call(self.ctx.ending)
        self.body.memory(Op.I32_STORE, memory.cell_at[layout.rule])
        self.body.i32(0)
        self.body.set_global(self.ctx.frame)
        self.body.i32(OVER)
        self.body.op(Op.RETURN)

    def rank(self, i: m.FinishRank) -> None:
        """Rank players or parties by their keys: a row for each, then the places."""
        layout, memory, body = self.ctx.layout, self.ctx.memory, self.body
        players, size = layout.sizes["Player"], row_bytes(len(i.keys))
        ranked = players + len(layout.unplayed)
        if ranked > WORD_BITS:
            raise Unsupported("rankings of so many players and parties")
        source = self.x.collection(i.source)
        rows = memory.reserve(size * (source.capacity if source.is_list else source.bits))
        row, count = body.local(Type.I32), body.local(Type.I32)
        body.i32(rows)
        body.set(row)
        body.i32(0)
        body.set(count)
        with self.x.loop(source, i.var) as (member, _, _):
            if member.null:
                self.w.push_present([member])
                body.op(Op.I32_EQZ)
                self.w.trap_if()
            for number, e in enumerate(i.keys):
                key = self.x.value(e)
                body.get(row)
                self.w.push(key)
                body.memory(Op.I32_STORE, KEYS + 4 * number)
            body.get(row)
            self._push_players(i.universe, member)
            body.memory(Op.I64_STORE, MEMBERS)
            for local, more in ((row, size), (count, 1)):
                body.increase(local, more)
        body.get(count)
        body.get(count)
        body.op(Op.I32_MUL)
        self.w.charge_top(1)
        body.i32(rows)
        body.get(row)
        body.i32(len(i.keys))
        body.call(self.ctx.ranking.rank)
        last = self.w.pop(0, players + 1)
        for player in range(players):
            body.i32(0)
            self.w.push(last)
            body.memory(Op.I32_STORE, memory.cell_at[layout.rank + player])
        body.i32(rows)
        at, first = self.w.pop(0, memory.end), body.local(Type.I32)
        body.i32(0)
        body.set(first)
        with body.block() as out, body.loop() as again:
            self.w.push(at)
            body.get(row)
            body.op(Op.I32_GE_U)
            body.branch_if(out)
            place = self.x.table(PLACE, 1, at).load_number(0, ranked + 1)
            members = self.x.table(MEMBERS, 1, at).load_set(ranked, False)
            self.w.push(place)
            body.i32(1)
            body.op(Op.I32_EQ)
            body.get(first)
            body.op(Op.I32_ADD)
            body.set(first)
            for player in range(ranked):
                self.w.push_contains(members, constant(player))
                with body.when():
                    body.i32(0)
                    self.w.push(place)
                    body.memory(Op.I32_STORE, memory.cell_at[layout.rank + player])
            self.w.push(at)
            body.i32(size)
            body.op(Op.I32_ADD)
            body.set(at.locals[0])
            body.branch(again)
        body.i32(0)
        body.get(first)
        body.i32(1)
        body.op(Op.I32_GT_U)
        body.memory(Op.I32_STORE, memory.cell_at[layout.ranks.stop - 1])
        self._over(i.rule)

    def _push_players(self, universe: str, member: Value) -> None:
        """Push for whom the place of a party, or of one player, is noted."""
        players = self.ctx.layout.sizes["Player"]
        if universe == "Player":
            one = self.w.new_set(players)
            self.w.insert(one, member)
            self.w.push_word(one, 0)
            return
        layout = self.ctx.layout
        held = [v for v in self.ctx.tables[universe + ".members"].values if isinstance(v, int)]
        members, bits = layout.ranked(universe, held), players + len(layout.unplayed)
        self.w.push_word(self.x.table(self.ctx.memory.sets(members, 1), 8, member).load_set(bits, False), 0)
