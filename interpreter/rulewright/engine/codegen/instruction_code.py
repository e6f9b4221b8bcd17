"""Code for instructions: one Python function for each stretch of code that runs without a stop.

Such a function gets the cells ``C``, the stack ``S`` and the registers ``R`` and gives the number of the block to go
on with, or why the machine stops. A frame is ``[function, pc, caller's base, locals…]``; the base points to the first
local.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.engine.codegen.expression_code import Expressions
from rulewright.engine.codegen.memoization import REGISTER as MEMORY
from rulewright.engine.codegen.statement_writer import COPIED, OPERATIONS
from rulewright.engine.codegen.value_ranges import N, V
from rulewright.engine.codegen.zone_code import SEARCHED
from rulewright.engine.runtime.budgets import BUDGET
from rulewright.engine.runtime.faults import BOUNDS, NO_KEY, NOBODY, NOTHING_OFFERED, SILENT
from rulewright.ir import model as m
from rulewright.ir.model import NONE

ASK, DRAW, OVER, RETURNED = -1, -2, -3, -4
"""Why the machine stops: a question, chance, the end of the game, the first function has come back."""

BASE, RESULT, _, LEGAL, EXTRAS, WHO, FIRED, SHOWN, WATCH = range(9)
"""The registers, before that of the memory; for the budget and the meter see `budgets`."""

SHARED = MEMORY + 1
"""The register in which a function hands its parameters back."""

LIFTED = 6
"""To take a piece out of a stack of ``2 ** LIFTED`` pieces costs a step more than out of a short one."""

NOTED = 16
"""Steps for what goes into the log: they bound its length."""


class StepCode(Expressions):
    """A writer that knows single instructions without jumps."""

    def changed(self, by: m.Instr) -> None:
        """The cells have changed: answers of queries are no longer known."""
        self.asked = {k: v for k, v in self.asked.items() if k[0] == "slot"}
        for index in self.ctx.remembered.concerned(by):
            self.line(f"R[{MEMORY}][{index}].clear()")

    @contextmanager
    def looking_on(self, i: m.Instr) -> Iterator[None]:
        """Whoever no longer sees a zone behind an instruction remembers what lay there."""
        zones = self.ctx.sight_changes(i)
        if not zones:
            yield
            return
        recall = self.ctx.support.recall
        assert recall is not None
        numbers = self.ctx.given(("zones", zones), "Z", zones)
        self.ctx.globals.update(looking=recall.looking, looked=recall.looked)
        before = self.temp()
        self.line(f"{before} = looking(C, {numbers})")
        yield
        self.line(f"looked(C, {numbers}, {before})")

    def forget_unheard(self, pc: int) -> None:
        """Before an instruction: players forget where something may happen of which they do not hear."""
        unheard = self.ctx.unheard(self.function, pc)
        if any(unheard):
            recall = self.ctx.support.recall
            assert recall is not None
            self.ctx.globals["unheard"] = recall.unheard
            zones = [self.ctx.given(("zones", numbers), "Z", numbers) for numbers in unheard]
            self.operations += sum(map(len, unheard))
            self.line(f"unheard(C, {', '.join(zones)})")

    def keys_present(self, nulls: list[str], what: str) -> None:
        """An error if one of the keys is none."""
        if nulls:
            test = " or ".join(f"{code} < 0" for code in nulls)
            self.line(f"if {test}: fault({NO_KEY!r}, {f'there is no `{what}` of none'!r})")

    def store(self, slot: int, v: V) -> None:
        """Store a value in a slot of the frame."""
        offset, declared = self.slots[slot]
        at = f"B + {offset}" if offset else "B"
        if v.null and not declared.ty.optional:
            self.ctx.learn("slot", self.function, slot)
        self.asked.pop(("slot", str(slot)), None)
        if declared.ty.kind == "list":
            self.ctx.helper("pad")
            capacity = declared.ty.capacity
            self.operations += capacity >> COPIED
            self.line(f"S[{at}:{at} + {1 + capacity}] = pad({v.code}, {capacity}, {declared.name!r})")
        else:
            self.line(f"S[{at}] = {v.code}")

    def _s_SetLocal(self, i: m.SetLocal) -> None:
        self.store(i.slot, self.value(i.value))

    def _s_Append(self, i: m.Append) -> None:
        offset, slot = self.slots[i.slot]
        v = self.value(i.value)
        if v.null:
            self.ctx.learn("slot", self.function, i.slot)
        self.ctx.helper("append")
        self.line(f"append(S, B + {offset}, {slot.ty.capacity}, {v.code}, {slot.name!r})")

    def _s_SetField(self, i: m.SetField) -> None:
        declared = self.ctx.layout.field_of[i.field]
        place = self.ctx.layout.fields[i.field]
        address, nulls = self.address(place.at, place.strides, declared.index, i.index)
        self.keys_present(nulls, i.field)
        ty = declared.ty
        v = self.value(i.value)
        if ty.kind == "list":
            if v.null:
                self.ctx.learn("field", i.field, 0)
            self.ctx.helper("pad")
            self.operations += ty.capacity >> COPIED
            at = self.hold(V(address)).code
            self.line(f"C[{at}:{at} + {1 + ty.capacity}] = pad({v.code}, {ty.capacity}, {i.field!r})")
        else:
            v = self._checked(i.field, ty, v)
            self.line(f"C[{address}] = {v.code}")
        self.changed(i)

    def _checked(self, name: str, ty: m.Ty, v: V) -> V:
        """The value, checked against the bounds of the field."""
        if ty.kind == "set":
            size = self.ctx.layout.set_bits(ty)
            if v.bits > size:
                v = self.hold(v)
                self.line(f"if {v.code} >> {size}: fault({BOUNDS!r}, {f'`{name}` cannot hold such a number'!r})")
            return v
        low, high = ty.low, ty.high
        if ty.kind == "bool":
            low, high = 0, 1
        elif ty.kind == "entity":
            low, high = 0, self.ctx.layout.sizes[ty.universe] - 1
        if v.low < low or v.high > high or (v.null and not ty.optional):
            v = self.hold(v)
            spared = f"{v.code} != {N} and " if ty.optional and v.null else ""
            self.line(f"if {spared}not {low} <= {v.code} <= {high}: bounds({name!r}, {v.code}, {low}, {high})")
        return v

    def _s_Reset(self, i: m.Reset) -> None:
        for name in i.fields:
            place = self.ctx.layout.fields[name]
            end = place.at + place.span * place.count
            values = tuple(self.ctx.layout.initial[place.at : end])
            self.operations += 1 + (len(values) >> COPIED)
            if len(values) == 1:
                self.line(f"C[{place.at}] = {values[0]}")
            else:
                constant = self.ctx.given(("reset", name), "X", values)
                self.line(f"C[{place.at}:{end}] = {constant}")
        self.changed(i)

    def _s_Move(self, i: m.Move) -> None:
        instance, nulls = self.instance_code(i.zone, i.index)
        self.keys_present(nulls, i.zone)
        what = self.hold(self.expr(i.what))
        self._pay_for_moving(f"len({what.code})" if what.kind == "l" else f"({what.code}).bit_count()")
        face = -1 if i.face is None else i.face
        name = "move" if what.kind == "l" or i.is_list else "move_set"
        self.ctx.helper(name)
        self.line(f"{name}(C, {what.code}, {instance}, {i.at == 'bottom'}, {face})")
        self.changed(i)

    def _pay_for_moving(self, count: str) -> None:
        """A step for each piece; more where long stacks close their gaps, or where it must be forgotten who saw it."""
        support, layout = self.ctx.support, self.ctx.layout
        weight = 1 + (support.longest >> LIFTED)
        if layout.known >= 0:
            weight += (layout.sizes["Player"] + support.longest) // 8
        self.count(count if weight == 1 else f"{count} * {weight}")

    def _s_Flip(self, i: m.Flip) -> None:
        what = self.hold(V(self.as_set(i.what), "s"))
        self.members_count(what)
        self.ctx.helper("turn")
        self.line(f"turn(C, {what.code}, {i.side})")
        self.changed(i)

    def as_set(self, e: m.Expr) -> str:
        """A set, list or single member as a set."""
        v = self.value(e)
        if v.kind == "l":
            self.ctx.helper("list_mask")
            return f"list_mask({v.code})"
        if v.kind == "s" or (isinstance(e, m.Const) and e.value != NONE):
            return v.code
        v = self.hold(v)
        return f"({self.single_bit(v)} if {v.code} >= 0 else 0)"

    def _s_SwapItems(self, i: m.SwapItems) -> None:
        if i.zone:
            at, nulls = self.zone_cell(i.zone, i.index)
            stack = self.ctx.layout.zone_of[i.zone].order == "stack"
            code = at.code
        else:
            place = self.ctx.layout.fields[i.field]
            code, nulls = self.address(place.at, place.strides, self.ctx.layout.field_of[i.field].index, i.index)
            stack = False
        self.keys_present(nulls, i.zone or i.field)
        self.operations += self.ctx.support.longest >> SEARCHED
        first, second = self.value(i.first), self.value(i.second)
        self.ctx.helper("swap")
        self.line(f"swap(C, {code}, {stack}, {first.code}, {second.code})")
        self.changed(i)

    def _s_Exchange(self, i: m.Exchange) -> None:
        if isinstance(i.left, m.ZoneGet) and isinstance(i.right, m.ZoneGet) and i.whole:
            zones = []
            for zone in (i.left, i.right):
                number, nulls = self.instance_code(zone.zone, zone.index)
                self.keys_present(nulls, zone.zone)
                zones.append(self.hold(V(number)).code)
            self.ctx.helper("content")
            self._pay_for_moving(" + ".join(f"len(content(C, {number}))" for number in zones))
            name, sides = "exchange_zones", zones
        else:
            self._pay_for_moving("2")
            name, sides = "exchange", [self.value(i.left).code, self.value(i.right).code]
        self.ctx.helper(name)
        self.line(f"{name}(C, {', '.join(sides)})")
        self.changed(i)

    def _s_Merge(self, i: m.Merge) -> None:
        left, right = self.value(i.left), self.value(i.right)
        # Regions never part again: so few of them join in a game that their pieces need not be counted.
        size = self.ctx.layout.merged[i.merged].size
        self.count(str(1 + (size + len(self.ctx.support.keyed.get(i.merged, ()))) // 8))
        self.ctx.helper("join")
        self.line(f"join(C, {i.merged!r}, {left.code}, {right.code})")
        self.changed(i)

    def _s_Show(self, i: m.Show) -> None:
        what, to = self.temp(), self.temp()
        self.line(f"{what} = {self.as_set(i.what)}")
        self.line(f"{to} = {self.as_set(i.to)}")
        self.count(f"{NOTED} + ({what}).bit_count()")
        self.ctx.helper("show")
        self.line(f"show(C, {what}, {to})")
        self.line(f"if R[{SHOWN}] is not None: R[{SHOWN}].append((C, {self.function!r}, {what}, {to}))")

    def _s_Eliminate(self, i: m.Eliminate) -> None:
        player = self.atom(i.player)
        if player.null:
            self.line(f"if {player.code} < 0: fault({NOBODY!r}, 'there is nobody to put out')")
        self.line(f"C[{self.ctx.layout.out}] |= 1 << {player.code}")
        self.changed(i)

    def _s_Fired(self, i: m.Fired) -> None:
        number = self.ctx.rule_number(i.rule)
        self.line(f"if R[{FIRED}] is not None: R[{FIRED}][{number}] += 1")

    def _s_Observe(self, i: m.Observe) -> None:
        self.operations += self.ctx.layout.size * OPERATIONS // 8
        self.line(f"if R[{WATCH}] is not None: R[{WATCH}].block({i.block!r}, {i.leaving}, C)")

    def _s_Fail(self, i: m.Fail) -> None:
        self.line(f"fault({SILENT!r}, {i.message!r})")

    # ------------------------------------------------------------------------------------------ the end

    def _s_FinishWin(self, i: m.FinishWin) -> None:
        layout = self.ctx.layout
        winners = self.temp()
        self.line(f"{winners} = {self.as_set(i.players)}")
        for player in range(layout.sizes["Player"]):
            self.line(f"C[{layout.rank + player}] = 1 if {winners} >> {player} & 1 else 2")
        self._over(i.rule)

    def _s_FinishRank(self, i: m.FinishRank) -> None:
        layout = self.ctx.layout
        players = layout.sizes["Player"]
        found = self.temp()
        self.line(f"{found} = []")
        with self.loop(self.expr(i.source), i.var) as member:
            keys = "".join(self.value(k).code + ", " for k in i.keys)
            if i.universe == "Player":
                members = f"1 << {member.code}"
            else:
                members = f"{self.ctx.table(i.universe + '.members')}[{member.code}]"
            self.line(f"{found}.append((({keys}), {members}))")
        self.count(f"len({found}) * len({found})")
        self.ctx.helper("ranking")
        self.line(f"C[{layout.rank}:{layout.rank + players}] = ranking({found}, {players})")
        self._over(i.rule)

    def _over(self, rule: str) -> None:
        # An effect may end the game for several ends: the result names the end that called it.
        ends = {
            number: 1 + self.ctx.rule_number(f.name)
            for number, f in enumerate(self.ctx.program.functions)
            if f.word == "end"
        }
        self.ctx.helper("ending")
        known = self.ctx.given(("ends",), "E", ends)
        self.line(f"C[{self.ctx.layout.rule}] = ending(S, R[{BASE}], {known}, {1 + self.ctx.rule_number(rule)})")
        self.line("S.clear()")
        self.line(f"return {OVER}")

    # ------------------------------------------------------------------------------------------ questions

    def seat(self, i: m.Choose, nobody: str) -> str:
        """Who is asked; `nobody` leaves if a player who is out is asked."""
        out = f"C[{self.ctx.layout.out}]"
        v = self.value(i.who)
        if v.kind == "n" and i.who_is == "player":
            v = self.hold(v)
            if v.null:
                self.line(f"if {v.code} < 0: fault({NOBODY!r}, 'nobody is asked')")
            self.line(f"if {out} >> {v.code} & 1: {nobody}")
            return v.code
        code = v.code
        if v.kind == "n" and not isinstance(i.who, m.Const):
            v = self.hold(v)
            if v.null:
                self.line(f"if {v.code} < 0: fault({NOBODY!r}, 'nobody is asked')")
            party = next(u.name for u in self.ctx.program.universes if u.sort == "party")
            code = f"{self.ctx.table(party + '.members')}[{v.code}]"
        name = self.temp()
        self.line(f"{name} = {code} & ~{out}")
        self.line(f"if not {name}: {nobody}")
        return f"({name} & -{name}).bit_length() - 1"

    def allowed(self, restrictions: tuple[m.Restriction, ...]) -> list[m.Expr]:
        """The conditions that no restriction refuses."""
        return [
            m.Not(m.And((r.condition, *(m.Not(x.condition) for x in r.unless)))) if r.unless else m.Not(r.condition)
            for r in restrictions
        ]

    def legal(self, i: m.Choose) -> V:
        """The members that may be chosen."""
        assert i.source is not None
        wheres = [*([i.where] if i.where is not None else []), *self.allowed(i.restrictions)]
        source = self.hold(self.expr(i.source))
        if source.kind == "l" or i.is_list:
            self.ctx.helper("once")
            self.operations += source.size >> 1
            source = self.hold(V(f"once({source.code})", "l", size=source.size))
            given = "*" + self.temp()
            self.env[given] = source
            return self.hold(self.expr(m.Filter(m.Var(given), i.var, m.And(tuple(wheres)), True))) if wheres else source
        given = "*" + self.temp()
        self.env[given] = source
        return self.hold(self.expr(m.Filter(m.Var(given), i.var, m.And(tuple(wheres))))) if wheres else source

    def ask(self, i: m.Choose, pc: int, nobody: str) -> None:
        """Find what is offered and stop, or leave by `nobody` if it is nothing."""
        if i.on_empty is None:
            nobody = f"fault({NOTHING_OFFERED!r}, 'nothing can be chosen here')"
        who = self.seat(i, nobody)
        legal = self.legal(i) if i.source is not None else V("0")
        extras = self.temp()
        self.line(f"{extras} = 0")
        for number, extra in enumerate(i.extras):
            conditions = [*([extra.guard] if extra.guard is not None else []), *self.allowed(extra.restrictions)]
            test = self.decide(m.And(tuple(conditions))) if conditions else "True"
            self.line(f"if {test}: {extras} |= {1 << number}")
        alone = sum(1 << number for number, extra in enumerate(i.extras) if not extra.aside)
        answers = extras if alone == (1 << len(i.extras)) - 1 else f"{extras} & {alone}"
        self.line(f"if not {legal.code} and not {answers}: {nobody}")
        self.line(f"S[B - 2] = {pc}")
        self.line(f"R[{LEGAL}] = {legal.code}")
        self.line(f"R[{EXTRAS}] = {extras}")
        self.line(f"R[{WHO}] = {who}")
        self.line(f"return {ASK}")

    def draw(self, i: m.Chance, pc: int, go_on: str) -> None:
        """Stop for chance; without any outcome the slot becomes none."""
        v = self.hold(self.expr(i.source))
        self.ctx.learn("slot", self.function, i.into)
        with self.inside(f"if not {v.code}:"):
            self.store(i.into, V(N, null=True))
            self.line(go_on)
        self.members_count(v)
        self.line(f"R[{BUDGET}] -= {NOTED}")
        self.line(f"if R[{BUDGET}] < 0: over(R)")
        self.line(f"S[B - 2] = {pc}")
        self.line(f"R[{LEGAL}] = {v.code}")
        self.line(f"return {DRAW}")
