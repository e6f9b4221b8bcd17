"""Code for instructions: one Python function for each stretch of code that runs without a stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulewright.engine.codegen.expressions.expression_code import ZoneCode
from rulewright.engine.codegen.expressions.expression_writer import ExpressionWriter
from rulewright.engine.codegen.expressions.set_code import SetCode
from rulewright.engine.codegen.registers import (
    ASK,
    DECIDED,
    DRAW,
    LEFT,
    OVER,
)
from rulewright.engine.codegen.value_ranges import N, V
from rulewright.engine.faults import BOUNDS, NO_KEY, NO_PLAYER, NOTHING_OFFERED, SILENT
from rulewright.ir import model as m
from rulewright.ir.dataflow.memoized_queries import condition_set_by
from rulewright.ir.model import NONE
from rulewright.ir.walk import allowed


def find_out(x: ExpressionWriter, i: m.SetLocal, store: Callable[[int, V], None]) -> bool:
    """Write an instruction that finds out for whom a condition holds; False if it is no such one, or its result is not
    remembered."""
    w, ctx = x.w, x.ctx
    known = ctx.memo_layout.numbers.get(condition_set_by(ctx.program.functions[ctx.functions[w.function]], i))
    if known is None:
        return False
    w.line("m = R.memo")
    w.line("if m[0] is not C: forget(m, C)")
    w.line(f"m = m[{known}]")
    pays, before = ctx.facts.pays(i.value), w.temp()
    with w.inside("if m:"):  # it held for no player, and nothing that it reads has changed since
        if pays:
            w.pay("m[0]")
        store(i.slot, V(str(NONE), "n", True))
    with w.inside("else:"):
        if pays:
            w.line(f"{before} = {LEFT}")
        found = w.hold(x.value(i.value))
        store(i.slot, found)
        w.line(f"if {found.code} == {NONE}: m[0] = {f'{before} - ({LEFT})' if pays else True}")
    return True


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
            for number, (universe, member) in enumerate(layout.parties_without_players, layout.rank + players):
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
        self._w.line(f"C[{self._ctx.layout.rule}] = ending(S, R.base, {known}, {1 + self._ctx.rule_numbers[rule]})")
        if self._ctx.layout.in_move >= 0:
            self._ctx.helper("runs")
            move = self._ctx.functions[self._ctx.program.move]
            self._w.line(f"C[{self._ctx.layout.in_move}] = 1 if runs(S, R.base, {move}) else 0")
        self._w.line("S.clear()")
        self._w.line(f"return {OVER}")


LIFTED = 6
"""To take a piece out of a stack of ``2 ** LIFTED`` pieces costs a step more than out of a short one."""

SEEN = (m.Return, m.SetField, m.SwapItems, m.Move, m.Exchange, m.Flip, m.Show, m.Merge, m.Eliminate)
"""Instructions by which an answer can be seen, and those that hand it back."""

NOTED = 16
"""Steps for what goes into the log: they bound its length."""


class InstructionCode:
    """Code for single instructions without jumps."""

    def __init__(self, x: ExpressionWriter) -> None:
        self.x, self.w, self.ctx = x, x.w, x.ctx
        self.zones, self.endings = ZoneCode(x), EndingCode(x, self.as_set)

    def changed(self, by: m.Instr) -> None:
        """The cells have changed: results of queries are no longer known."""
        self.w.available = {k: v for k, v in self.w.available.items() if k[0] == "slot"}
        for index in self.ctx.memo_layout.invalidated_by(self.w.function, by):
            self.w.line(f"R.memo[{index}].clear()")

    @contextmanager
    def looking_on(self, i: m.Instr) -> Iterator[None]:
        """Let those who no longer see a zone after an instruction remember what lay there."""
        zones = self.ctx.sight_changes(i)
        if not zones:
            yield
            return
        player_memory = self.ctx.support.player_memory
        assert player_memory is not None
        numbers = self.ctx.given(("zones", zones), "Z", zones)
        self.ctx.globals.update(sight_before=player_memory.sight_before, update_sight=player_memory.update_sight)
        before = self.w.temp()
        self.w.line(f"{before} = sight_before(C, {numbers})")
        yield
        self.w.line(f"update_sight(C, {numbers}, {before})")

    def look_where_it_went(self, pc: int) -> None:
        """Note before an instruction what the one before has brought out of sight, if it is recorded."""
        player_memory = self.ctx.support.player_memory
        if player_memory is not None and (self.w.function, pc - 1) in self.ctx.out_of_sight:
            self.ctx.globals["is_remembered"] = player_memory.is_remembered
            numbers = self.ctx.uncounted
            zones = self.ctx.given(("zones", numbers), "Z", numbers)
            self.w.line(f"if R.announcements is not None and is_remembered(C, {zones}): {self._note(pc - 1)}")

    def note_what_is_done(self, i: m.Instr, pc: int) -> None:
        """Note before an instruction that players who do not know an answer may see by it what it was."""
        if self.ctx.hides and isinstance(i, SEEN):
            self.w.line(f"if R.traces is not None: {self._note(pc, 'traces')}")

    def forget_unobserved(self, pc: int) -> None:
        """Before an instruction: players forget where something may happen that they do not observe."""
        unobserved = self.ctx.unobserved(self.w.function, pc)
        if any(unobserved):
            player_memory = self.ctx.support.player_memory
            assert player_memory is not None
            self.ctx.globals["forget_unobserved"] = player_memory.forget_unobserved
            zones = [self.ctx.given(("zones", numbers), "Z", numbers) for numbers in unobserved]
            self.w.line(f"forget_unobserved(C, {', '.join(zones)})")

    def keys_present(self, nulls: list[str], what: str) -> None:
        """An error if one of the keys is none."""
        if nulls:
            test = " or ".join(f"{code} < 0" for code in nulls)
            self.w.line(f"if {test}: fault({NO_KEY!r}, {f'there is no `{what}` of none'!r})")

    def store(self, slot: int, v: V) -> None:
        """Store a value in a slot of the frame."""
        offset, declared = self.w.slots[slot]
        at = f"B + {offset}" if offset else "B"
        if v.null and not declared.ty.optional:
            self.ctx.expect_none("slot", self.w.function, slot)
        self.w.available.pop(("slot", str(slot)), None)
        if declared.ty.kind == "list":
            self.ctx.helper("padded")
            capacity = declared.ty.capacity
            self.w.line(f"S[{at}:{at} + {1 + capacity}] = padded({v.code}, {capacity}, {declared.name!r})")
        else:
            self.w.line(f"S[{at}] = {v.code}")

    def _s_SetLocal(self, i: m.SetLocal) -> None:
        if not find_out(self.x, i, self.store):
            self.store(i.slot, self.x.value(i.value))

    def _s_Append(self, i: m.Append) -> None:
        offset, slot = self.w.slots[i.slot]
        v = self.x.value(i.value)
        spared = ""
        if v.null and i.keeps_none:
            self.ctx.expect_none("slot", self.w.function, i.slot)
        elif v.null:
            v = self.w.hold(v)
            spared = f"if {v.code} != {N}: "
        self.ctx.helper("append")
        self.w.line(f"{spared}append(S, B + {offset}, {slot.ty.capacity}, {v.code}, {slot.name!r})")

    def _s_SetField(self, i: m.SetField) -> None:
        declared = self.ctx.layout.field_of[i.field]
        place = self.ctx.layout.fields[i.field]
        address, nulls = self.x.address(place.at, place.strides, declared.index, i.index)
        self.keys_present(nulls, i.field)
        ty = declared.ty
        v = self.x.value(i.value)
        if ty.kind == "list":
            if v.null:
                self.ctx.expect_none("field", i.field, 0)
            self.ctx.helper("padded")
            at = self.w.hold(V(address)).code
            what = f"{i.field!r}{', True' if declared.is_record else ''}"
            self.w.line(f"C[{at}:{at} + {1 + ty.capacity}] = padded({v.code}, {ty.capacity}, {what})")
        else:
            v = self._checked(i.field, ty, v)
            self.w.line(f"C[{address}] = {v.code}")
        self.changed(i)

    def _checked(self, name: str, ty: m.Ty, v: V) -> V:
        """The value, checked against the bounds of the field."""
        if ty.kind == "set":
            size = self.ctx.layout.set_bits(ty)
            if v.bits > size:
                v = self.w.hold(v)
                self.w.line(f"if {v.code} >> {size}: fault({BOUNDS!r}, {f'`{name}` cannot hold such a number'!r})")
            return v
        low, high = ty.low, ty.high
        if ty.kind == "bool":
            low, high = 0, 1
        elif ty.kind == "entity":
            low, high = 0, self.ctx.layout.sizes[ty.universe] - 1
        if v.low < low or v.high > high or (v.null and not ty.optional):
            v = self.w.hold(v)
            spared = f"{v.code} != {N} and " if ty.optional and v.null else ""
            self.w.line(f"if {spared}not {low} <= {v.code} <= {high}: bounds({name!r}, {v.code}, {low}, {high})")
        return v

    def _s_Reset(self, i: m.Reset) -> None:
        for name in i.fields:
            place = self.ctx.layout.fields[name]
            end = place.at + place.span * place.count
            values = tuple(self.ctx.layout.initial[place.at : end])
            if len(values) == 1:
                self.w.line(f"C[{place.at}] = {values[0]}")
            else:
                constant = self.ctx.given(("reset", name), "X", values)
                self.w.line(f"C[{place.at}:{end}] = {constant}")
        self.changed(i)

    def _s_Move(self, i: m.Move) -> None:
        instance, nulls = self.zones.instance_code(i.zone, i.index)
        self.keys_present(nulls, i.zone)
        what = self.w.hold(self.x.expr(i.what))
        face = -1 if i.face is None else i.face
        name = "move" if what.kind == "l" or i.is_list else "move_set"
        self.ctx.helper(name)
        self.w.line(f"{name}(C, {what.code}, {instance}, {i.at == 'bottom'}, {face})")
        self.changed(i)

    def _s_Flip(self, i: m.Flip) -> None:
        what = self.w.hold(V(self.as_set(i.what), "s"))
        self.ctx.helper("turn")
        self.w.line(f"turn(C, {what.code}, {i.side})")
        self.changed(i)

    def as_set(self, e: m.Expr) -> str:
        """A set, or the items of a list as a set; a constant is the bits of a set, never a single member."""
        v = self.x.value(e)
        if v.kind == "l":
            self.ctx.helper("list_mask")
            return f"list_mask({v.code})"
        return v.code

    def _s_SwapItems(self, i: m.SwapItems) -> None:
        if i.zone:
            at, nulls = self.zones.zone_cell(i.zone, i.index)
            stack = self.ctx.layout.zone_of[i.zone].order == "stack"
            code = at.code
        else:
            place = self.ctx.layout.fields[i.field]
            code, nulls = self.x.address(place.at, place.strides, self.ctx.layout.field_of[i.field].index, i.index)
            stack = False
        self.keys_present(nulls, i.zone or i.field)
        first, second = self.x.value(i.first), self.x.value(i.second)
        self.ctx.helper("swap")
        self.w.line(f"swap(C, {code}, {stack}, {first.code}, {second.code})")
        self.changed(i)

    def _s_Exchange(self, i: m.Exchange) -> None:
        if isinstance(i.left, m.ZoneGet) and isinstance(i.right, m.ZoneGet) and i.whole:
            zones = []
            for zone in (i.left, i.right):
                number, nulls = self.zones.instance_code(zone.zone, zone.index)
                self.keys_present(nulls, zone.zone)
                zones.append(self.w.hold(V(number)).code)
            name, sides = "exchange_zones", zones
        else:
            name, sides = "exchange", [self.x.value(i.left).code, self.x.value(i.right).code]
        self.ctx.helper(name)
        self.w.line(f"{name}(C, {', '.join(sides)})")
        self.changed(i)

    def _s_Merge(self, i: m.Merge) -> None:
        left, right = self.x.value(i.left), self.x.value(i.right)
        self.ctx.helper("join")
        self.w.line(f"join(C, {i.merged!r}, {left.code}, {right.code})")
        self.changed(i)

    def _s_Show(self, i: m.Show) -> None:
        what, to = self.w.temp(), self.w.temp()
        self.w.line(f"{what} = {self.as_set(i.what)}")
        self.w.line(f"{to} = {self.as_set(i.to)}")
        self.ctx.helper("show")
        self.w.line(f"show(C, {what}, {to})")
        self.w.line(f"if R.shown is not None: R.shown.append((C, {self.w.function!r}, {what}, {to}))")

    def _s_Eliminate(self, i: m.Eliminate) -> None:
        player = self.x.atom(i.player)
        if player.null:
            self.w.line(f"if {player.code} < 0: fault({NO_PLAYER!r}, 'there is no player to eliminate')")
        self.w.line(f"C[{self.ctx.layout.out}] |= 1 << {player.code}")
        self.changed(i)

    def _s_Fired(self, i: m.Fired) -> None:
        number = self.ctx.rule_numbers[i.rule]
        self.w.line(f"if R.fired is not None: R.fired[{number}] += 1")

    def _s_Observe(self, i: m.Observe) -> None:
        self.w.line(f"if R.watch is not None: R.watch.block({i.block!r}, {i.leaving}, C)")

    def _s_Turn(self, i: m.Turn) -> None:
        if i.leaving:
            self.w.line(f"if R.alone: return {DECIDED}")
        else:
            self.w.line(f"if not {self.x.value(m.Local(i.at)).code}:")
            self.w.line(" R.simultaneous_blocks += 1")
            self._forget_before_turns()

    def _forget_before_turns(self) -> None:
        """Before several decide at once, players forget what may be moved then, as no player sees it happen."""
        player_memory = self.ctx.support.player_memory
        if player_memory is not None and self.ctx.moves_in_turns and self.ctx.uncounted:
            self.ctx.globals["forget_unobserved"] = player_memory.forget_unobserved
            zones = self.ctx.given(("zones", self.ctx.uncounted), "Z", self.ctx.uncounted)
            self.w.line(f" forget_unobserved(C, {zones}, (), ())")

    def _s_Tell(self, i: m.Tell) -> None:
        # The values are evaluated afterwards: a game costs the same, and fails the same, without them.
        self.w.line(f"if R.announcements is not None: {self._note(self.w.origin[1])}")

    def _note(self, pc: int, into: str = "announcements") -> str:
        """Code that notes this moment, by an instruction."""
        return f"R.{into}.append(({self.w.origin[0]!r}, {pc}, C[:], S[:], B))"

    def _s_Fail(self, i: m.Fail) -> None:
        self.w.line(f"fault({SILENT!r}, {i.message!r})")

    def _s_FinishWin(self, i: m.FinishWin) -> None:
        self.endings.win(i)

    def _s_FinishRank(self, i: m.FinishRank) -> None:
        self.endings.rank(i)

    # ------------------------------------------------------------------------------------------ questions

    def seat(self, i: m.Choose, otherwise: str) -> str:
        """The player to decide; `otherwise` leaves if that player is out, and without it this is an error."""
        out = f"C[{self.ctx.layout.out}]"
        if i.who_is == "player":
            v = self.x.atom(i.who)
            if v.null:
                self.w.line(f"if {v.code} < 0: fault({NO_PLAYER!r}, 'there is nobody to ask')")
            left = f"fault({NOTHING_OFFERED!r}, {self._seats()}[{v.code}] + ' is out of the game and cannot be asked')"
            self.w.line(f"if {out} >> {v.code} & 1: {otherwise or left}")
            return v.code
        name = self.w.temp()
        self.w.line(f"{name} = {self.as_set(i.who)} & ~{out}")
        left = f"fault({NOTHING_OFFERED!r}, 'all who could be asked are out of the game')"
        self.w.line(f"if not {name}: {otherwise or left}")
        return f"({name} & -{name}).bit_length() - 1"

    def _seats(self) -> str:
        """The keys of the players."""
        keys = next(universe.keys for universe in self.ctx.program.universes if universe.name == "Player")
        return self.ctx.given(("seats",), "P", keys)

    def legal(self, i: m.Choose) -> V:
        """The members that may be chosen."""
        assert i.source is not None
        wheres = [*([i.where] if i.where is not None else []), *allowed(i.restrictions)]
        source = self.w.hold(self.x.expr(i.source))
        is_list = source.kind == "l" or i.is_list
        if is_list:
            self.ctx.helper("unique")
            source = self.w.hold(V(f"unique({source.code})", "l", size=source.size))
        given = "*" + self.w.temp()
        self.w.env[given] = source
        if not wheres:
            return source
        return self.w.hold(self.x.expr(m.Filter(m.Var(given), i.var, m.And(tuple(wheres)), is_list)))

    def ask(self, i: m.Choose, pc: int, otherwise: str) -> None:
        """Find what is offered and stop, or leave by `otherwise` if it is nothing."""
        if i.on_empty is None:
            otherwise = f"fault({NOTHING_OFFERED!r}, 'nothing can be chosen here')"
        who = self.seat(i, otherwise if i.on_empty is not None else "")
        legal = self.legal(i) if i.source is not None else V("0")
        extras = self.w.temp()
        self.w.line(f"{extras} = 0")
        for number, extra in enumerate(i.extras):
            conditions = [*([extra.guard] if extra.guard is not None else []), *allowed(extra.restrictions)]
            test = self.x.decide(m.And(tuple(conditions))) if conditions else "True"
            self.w.line(f"if {test}: {extras} |= {1 << number}")
        alone = sum(1 << number for number, extra in enumerate(i.extras) if not extra.aside)
        answers = extras if alone == (1 << len(i.extras)) - 1 else f"{extras} & {alone}"
        self.w.line(f"if not {legal.code} and not {answers}: {otherwise}")
        self.w.line(f"S[B - 2] = {pc}")
        self.w.line(f"R.legal = {legal.code}")
        self.w.line(f"R.extras = {extras}")
        self.w.line(f"R.seat = {who}")
        self.w.line(f"return {ASK}")

    def draw(self, i: m.Chance, pc: int, go_on: str) -> None:
        """Stop for chance; without any outcome the slot becomes none."""
        drawn = SetCode(self.x).numbers(i.source, m.MAX_DRAWN) if isinstance(i.source, m.IntRange) else None
        v = self.w.hold(drawn or self.x.expr(i.source))
        self.ctx.expect_none("slot", self.w.function, i.into)
        with self.w.inside(f"if not {v.code}:"):
            self.store(i.into, V(N, null=True))
            self.w.line(go_on)
        self.w.line(f"S[B - 2] = {pc}")
        self.w.line(f"R.legal = {v.code}")
        self.w.line(f"return {DRAW}")
