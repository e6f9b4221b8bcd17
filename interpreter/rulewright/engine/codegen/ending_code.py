"""Code for instructions that end the game: the places of the players, and the rule that did it."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.engine.codegen.expressions.expression_writer import ExpressionWriter
from rulewright.engine.codegen.registers import BASE, OVER
from rulewright.ir import model as m


class EndingCode:
    """Writes them."""

    def __init__(self, x: ExpressionWriter, as_set: Callable[[m.Expr], str]) -> None:
        """`as_set` writes a set, or the items of a list as a set."""
        self._x, self._w, self._ctx, self._as_set = x, x.w, x.ctx, as_set

    def win(self, i: m.FinishWin) -> None:
        """Note who has won."""
        layout = self._ctx.layout
        winners = self._w.temp()
        self._w.line(f"{winners} = {self._as_set(i.players)}")
        players = layout.sizes["Player"]
        for player in range(players):
            self._w.line(f"C[{layout.rank + player}] = 1 if {winners} >> {player} & 1 else 2")
        if i.parties is not None:
            parties = self._w.temp()
            self._w.line(f"{parties} = {self._as_set(i.parties)}")
            for number, (universe, member) in enumerate(layout.unplayed, layout.rank + players):
                if universe == i.universe:
                    self._w.line(f"C[{number}] = {parties} >> {member} & 1")
        if i.drawn:
            self._w.line(f"C[{layout.ranks.stop - 1}] = 1")
        self._over(i.rule)

    def rank(self, i: m.FinishRank) -> None:
        """Rank all by their keys."""
        layout, found = self._ctx.layout, self._w.temp()
        self._w.line(f"{found} = []")
        with self._w.loop(self._x.expr(i.source), i.var) as member:
            keys = "".join(self._x.value(k).code + ", " for k in i.keys)
            if i.universe == "Player":
                members = f"1 << {member.code}"
            else:
                held = [v for v in self._ctx.tables[i.universe + ".members"].values if isinstance(v, int)]
                ranked = self._ctx.given(("ranked", i.universe), "P", layout.ranked(i.universe, held))
                members = f"{ranked}[{member.code}]"
            self._w.line(f"{found}.append((({keys}), {members}))")
        self._ctx.helper("ranking")
        self._w.line(f"C[{layout.ranks.start}:{layout.ranks.stop}] = ranking({found})")
        self._over(i.rule)

    def _over(self, rule: str) -> None:
        # An effect may end the game for several ends: the result names the end that called it.
        ends = {
            number: 1 + self._ctx.rule_numbers[f.name]
            for number, f in enumerate(self._ctx.program.functions)
            if f.word == "end"
        }
        self._ctx.helper("ending")
        known = self._ctx.given(("ends",), "E", ends)
        self._w.line(f"C[{self._ctx.layout.rule}] = ending(S, R[{BASE}], {known}, {1 + self._ctx.rule_numbers[rule]})")
        if self._ctx.layout.in_move >= 0:
            self._ctx.helper("runs")
            move = self._ctx.functions[self._ctx.program.move]
            self._w.line(f"C[{self._ctx.layout.in_move}] = 1 if runs(S, R[{BASE}], {move}) else 0")
        self._w.line("S.clear()")
        self._w.line(f"return {OVER}")
