"""Evaluation of instructions that say where to go on: jumps, calls, questions, chance and the end of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.engine.evaluator.collections import Collections
from rulewright.engine.evaluator.expressions import Expressions
from rulewright.engine.evaluator.instructions import FunctionFrame, Step
from rulewright.engine.evaluator.registers import ASK, DECIDED, DRAW, OVER, RETURNED
from rulewright.engine.evaluator.scope import BASE, REGISTERS, STACK, Environment, Evaluate, Scope
from rulewright.engine.evaluator.state_reads import frame_of, offsets
from rulewright.engine.faults import NO_PLAYER, NOTHING_OFFERED, SILENT, TOO_DEEP, fault
from rulewright.host.budgets import DEEPEST
from rulewright.ir import model as m
from rulewright.ir.model import NONE
from rulewright.ir.walk import allowed

TERMINATORS = (
    m.Jump, m.Call, m.Return, m.Fail, m.FinishWin, m.FinishRank, m.Choose, m.Chance,
)  # fmt: skip
"""Instructions after which the next one never comes by itself."""
LARGE = 512
"""Larger frames are compared with the depth of the stack when they are pushed."""
_FIRST = 10


def leave(to: int) -> int:
    """The value of an instruction that leaves its block: for another one, or for a reason (below 0)."""
    return -to - _FIRST


class Transfers:
    """Makes the closures of instructions that say where to go on."""

    def __init__(
        self, x: Expressions, frame: FunctionFrame, block: Callable[[int, int, bool], int], handed_back: int
    ) -> None:
        """`block` gives the number of a block, `handed_back` is how many parameters the function hands back."""
        self.x, self.ctx, self.support, self.layout = x, x.ctx, x.ctx.support, x.ctx.layout
        self.number, self.function, self.slots, self.scope = frame.number, frame.function, frame.slots, frame.scope
        self.store, self._block, self._handed_back = frame.store, block, handed_back

    def _s_Turn(self, i: m.Turn, pc: int) -> Step:
        leaving, memory, uncounted = leave(DECIDED), self.support.player_memory, self.ctx.uncounted
        forgets = memory is not None and self.ctx.moves_in_turns and bool(uncounted)
        if i.leaving:
            return lambda C, E: leaving if E[REGISTERS].alone else None
        number = self.x.value(m.Local(i.at), self.scope)

        def turn(C: list[int], E: Environment) -> None:
            if not number(C, E):
                E[REGISTERS].simultaneous_blocks += 1
                if forgets and memory is not None:  # no player sees it happen
                    memory.forget_unobserved(C, uncounted, ())

        return turn

    # ------------------------------------------------------------------------------------------ where to go on

    def _s_Jump(self, i: m.Jump, pc: int) -> Step:
        to = i.to
        return lambda C, E: to

    def _s_JumpUnless(self, i: m.JumpUnless, pc: int) -> Step:
        test, to = self.x.test(i.condition, self.scope), i.to
        return lambda C, E: None if test(C, E) else to

    def _s_Call(self, i: m.Call, pc: int) -> Step:
        number = self.ctx.functions[i.function]
        frame, to = frame_of(self.x, i.function, i.args, self.scope), leave(self._block(number, 0, False))
        is_large = offsets(self.ctx.program.functions[number].slots)[-1] > LARGE

        def call(C: list[int], E: Environment) -> int:
            S, base = E[STACK], E[BASE]
            if is_large and len(S) > DEEPEST:
                fault(TOO_DEEP, "calls are nested too deeply")
            S[base - 2] = pc
            pushed = frame(C, E, base)
            E[REGISTERS].base = len(S) + 3
            S += pushed
            return to

        return call

    def take(self, pc: int) -> Step:
        """Store what a called function has given and handed back; the call is the instruction before `pc`."""
        i = self.function.code[pc - 1]
        assert isinstance(i, m.Call)
        at = offsets(self.ctx.program.functions[self.ctx.functions[i.function]].slots)
        store = self.store(i.into) if i.into is not None else None
        shared = [(self.slots[slot][0], at[n], at[n + 1]) for n, slot in enumerate(i.shared)]

        def take(C: list[int], E: Environment) -> None:
            R, S, base = E[REGISTERS], E[STACK], E[BASE]
            if store is not None:
                store(E, R.result)
                R.result = 0
            for offset, start, end in shared:
                S[base + offset : base + offset + end - start] = R.shared[start:end]

        return take

    def _s_Return(self, i: m.Return, pc: int) -> Step:
        result, returned = self.function.result, leave(RETURNED)
        kind = result.kind if result is not None else ""
        value = self.x.value(i.value, self.scope) if i.value is not None else None
        nothing: Any = 0 if kind == "set" else () if kind == "list" else NONE
        size = offsets(self.function.slots)[self._handed_back]
        functions, block = self.ctx.program.functions, self._block
        known: dict[tuple[int, int], int] = {}

        def back(C: list[int], E: Environment) -> int:
            R, S, at = E[REGISTERS], E[STACK], E[BASE]
            found = nothing if value is None else value(C, E)
            if result is not None:
                R.result = found
            if size:
                R.shared = S[at : at + size]
            base = S[at - 1]
            del S[at - 3 :]
            if not base:
                return returned
            R.base = base
            caller = S[base - 3], S[base - 2]
            to = known.get(caller)
            if to is None:
                call = functions[caller[0]].code[caller[1]]
                assert isinstance(call, m.Call)
                to = leave(block(caller[0], caller[1] + 1, call.into is not None or bool(call.shared)))
                known[caller] = to
            return to

        return back

    def _s_Fail(self, i: m.Fail, pc: int) -> Step:
        message = i.message
        return lambda C, E: fault(SILENT, message)

    # ------------------------------------------------------------------------------------------ the end

    def _s_FinishWin(self, i: m.FinishWin, pc: int) -> Step:
        layout, winners = self.layout, self.x.bits(i.players, self.scope)
        parties = self.x.bits(i.parties, self.scope) if i.parties is not None else None
        players, over = layout.sizes["Player"], self._over(i.rule)
        members = [
            (number, member)
            for number, (universe, member) in enumerate(layout.parties_without_players, layout.rank + players)
            if universe == i.universe
        ]

        def win(C: list[int], E: Environment) -> int | None:
            won = winners(C, E)
            for player in range(players):
                C[layout.rank + player] = 1 if won >> player & 1 else 2
            if parties is not None:
                found = parties(C, E)
                for number, member in members:
                    C[number] = found >> member & 1
            if i.drawn:
                C[layout.ranks.stop - 1] = 1
            return over(C, E)

        return win

    def _s_FinishRank(self, i: m.FinishRank, pc: int) -> Step:
        layout, (source, members), ranking = self.layout, self.x.members(i.source, self.scope), self.support.ranking
        inner, kept = self.scope.loop()
        inner, at = inner.bind(i.var)
        keys, over = self.x.values(i.keys, inner), self._over(i.rule)
        ranked: Sequence[int] = [1 << player for player in range(layout.sizes["Player"])]
        if i.universe != "Player":
            held = [v for v in self.ctx.tables[i.universe + ".members"].values if isinstance(v, int)]
            ranked = layout.ranked(i.universe, held)

        def rank(C: list[int], E: Environment) -> int | None:
            for place in kept:
                E[place] = None
            found = []
            for one in members[source(C, E)]:
                E[at] = one
                found.append((tuple([key(C, E) for key in keys]), ranked[one]))
            C[layout.ranks.start : layout.ranks.stop] = ranking(found)
            return over(C, E)

        return rank

    def _over(self, rule: str) -> Step:
        """The end of the game. An effect may end it for several ends: the result names the end that called it."""
        numbers, layout, support = self.ctx.rule_numbers, self.layout, self.support
        functions = self.ctx.program.functions
        ends = {number: 1 + numbers[f.name] for number, f in enumerate(functions) if f.word == "end"}
        move, by_itself, stopped = self.ctx.functions.get(self.ctx.program.move, -1), 1 + numbers[rule], leave(OVER)

        def over(C: list[int], E: Environment) -> int:
            S, base = E[STACK], E[REGISTERS].base
            C[layout.rule] = support.ending(S, base, ends, by_itself)
            if layout.in_move >= 0:
                C[layout.in_move] = 1 if support.runs(S, base, move) else 0
            S.clear()
            return stopped

        return over

    # ------------------------------------------------------------------------------------------ questions

    def legal(self, i: m.Choose) -> Evaluate:
        """The members that may be chosen."""
        assert i.source is not None
        wheres = [*([i.where] if i.where is not None else []), *allowed(i.restrictions)]
        is_list = i.is_list or self.x.is_list(i.source, self.scope)
        source, unique = self.x.value(i.source, self.scope), self.support.unique
        given = (lambda C, E: unique(source(C, E))) if is_list else source
        if not wheres:
            return given
        inner, at = self.scope.bind("*offered", is_list)
        kept = self.x.value(m.Filter(m.Var("*offered"), i.var, m.And(tuple(wheres)), is_list), inner)

        def legal(C: list[int], E: Environment) -> Any:
            E[at] = given(C, E)
            return kept(C, E)

        return legal

    def _s_Choose(self, i: m.Choose, pc: int) -> Step:
        seat = decider_of(self.x, i, self.scope, i.on_empty is None)
        nothing = leave(self._block(self.number, i.on_empty, False)) if i.on_empty is not None else 0
        legal = self.legal(i) if i.source is not None else None
        extras = []
        for number, extra in enumerate(i.extras):
            conditions = (*((extra.guard,) if extra.guard is not None else ()), *allowed(extra.restrictions))
            extras.append((1 << number, self.x.test(m.And(conditions), self.scope)))
        alone = sum(1 << number for number, extra in enumerate(i.extras) if not extra.aside)
        stopped = leave(ASK)

        def choose(C: list[int], E: Environment) -> int:
            who = seat(C, E)
            if who < 0:
                return nothing
            members = legal(C, E) if legal is not None else 0
            words = 0
            for word, test in extras:
                if test(C, E):
                    words |= word
            if not members and not words & alone:
                return nothing if i.on_empty is not None else fault(NOTHING_OFFERED, "nothing can be chosen here")
            R = E[REGISTERS]
            E[STACK][E[BASE] - 2] = pc
            R.legal, R.extras, R.seat = members, words, who
            return stopped

        return choose

    def _s_Chance(self, i: m.Chance, pc: int) -> Step:
        source = i.source
        drawn = (
            Collections(self.x).numbers(source, self.scope, m.MAX_DRAWN)
            if isinstance(source, m.IntRange)
            else self.x.value(source, self.scope)
        )
        store, to, stopped = self.store(i.into), leave(self._block(self.number, pc + 1, False)), leave(DRAW)

        def chance(C: list[int], E: Environment) -> int:
            found = drawn(C, E)
            if not found:
                store(E, NONE)
                return to
            E[STACK][E[BASE] - 2] = pc
            E[REGISTERS].legal = found
            return stopped

        return chance


def decider_of(x: Expressions, i: m.Choose, scope: Scope, is_error: bool) -> Evaluate:
    """The player to decide; where that player is out, none, or an error."""
    out, keys = x.ctx.layout.out, x.ctx.layout.universes["Player"].keys
    if i.who_is == "player":
        who = x.value(i.who, scope)

        def one(C: list[int], E: Environment) -> int:
            seat: int = who(C, E)
            if seat < 0:
                fault(NO_PLAYER, "there is nobody to ask")
            if C[out] >> seat & 1:
                if is_error:
                    fault(NOTHING_OFFERED, f"{keys[seat]} is out of the game and cannot be asked")
                return NONE
            return seat

        return one
    several = x.bits(i.who, scope)

    def first(C: list[int], E: Environment) -> int:
        seats: int = several(C, E) & ~C[out]
        if not seats and is_error:
            fault(NOTHING_OFFERED, "all who could be asked are out of the game")
        return (seats & -seats).bit_length() - 1 if seats else NONE

    return first
