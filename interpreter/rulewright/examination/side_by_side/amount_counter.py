"""A program that counts by how much fields and zones change, and in which rules: machine code plays it like any other.

Before each statement that changes a number or moves pieces, a cell of one more field grows by one: that of the thing,
the rule, whose it is, and the amount. An effect that an option or a consequence calls counts for that one: another
field holds which rule is going on. No instruction changes its place but these; what is added stands at the end of its
function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from rulewright.engine import Played
from rulewright.examination.examined_program import queries_in
from rulewright.examination.side_by_side.program_words import instruction_words
from rulewright.ir import model as m
from rulewright.ir.control_flow.digraphs import immediate_dominators
from rulewright.ir.control_flow.successors import EXIT, successors

MOST = 8
"""Larger amounts are counted as this one."""
TOO_MANY = 200_000
"""Cells of a program of which nothing is counted."""
AMOUNTS = 2 * MOST + 1
OWN, OTHERS, NOBODYS = range(3)
"""The owner of a thing: the player who chooses the option or whom the rule is about, another one, or nobody."""
COUNTS, RULE, PLAYER = "counted amounts", "rule that counts", "player that counts"
"""The names of the fields that are added; no rule can name them."""
_PARTS = ("consequence", "reaction", "end")


class Option(NamedTuple):
    """An option of a question, and who is asked."""

    rule: str
    who: m.Expr | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A thing that a rule changes, and whose it is."""

    rule: str
    thing: str
    whose: int


class AmountCounter:
    """The program that counts, and the reader of its counts."""

    def __init__(self, program: m.Program) -> None:
        self._options = {f.name: dict(_options(f)) for f in program.functions}
        changing = [f for f in program.functions if any(_thing(program, i) for i in f.code)]
        named = [option.rule for options in self._options.values() for option in options.values()]
        parts = [f.name for f in program.functions if f.word in _PARTS]
        self._rules = {
            name: n for n, name in enumerate(dict.fromkeys((*named, *parts, *(f.name for f in changing))), 1)
        }
        things = (thing for f in changing for i in f.code if (thing := _thing(program, i)))
        self._things = {thing: n for n, thing in enumerate(dict.fromkeys(things))}
        self._words = {f.name: f for f in program.functions}
        self._fields = {f.name: f for f in program.fields}
        self._zones = {z.name: z for z in program.zones}
        self.size = len(self._things) * (len(self._rules) + 1) * 3 * AMOUNTS
        """The number of its counts."""
        self._program = program

    @property
    def zones(self) -> frozenset[str]:
        """The zones whose pieces are counted when they come."""
        return frozenset(self._things.keys() & self._zones.keys())

    @property
    def rules(self) -> frozenset[str]:
        """The rules for which changes are counted."""
        return frozenset(self._rules)

    def statements(self, rule: str) -> tuple[frozenset[str], frozenset[str]]:
        """The instructions of a rule in words, without those of options below it; and what functions and queries they
        use. Consequences and what else counts for itself are left out."""
        words, used = set[str](), set[str]()
        for function in self._program.functions:
            options = self._options[function.name]
            for pc, i in enumerate(function.code):
                option = options.get(pc)
                if (option.rule if option else function.name) == rule:
                    words.add(instruction_words(function, i))
                    used |= queries_in(i)
                    if isinstance(i, m.Call) and self._words[i.function].word not in _PARTS:
                        used.add(i.function)
        return frozenset(words), frozenset(used)

    def counting(self) -> m.Program:
        """The program that counts."""
        program, keys = self._program, tuple(map(str, range(self.size)))
        more = (
            m.Field(COUNTS, (COUNTS,), ("n",), m.INT, 0, (), is_internal=True),
            m.Field(RULE, (), (), m.INT, 0, (), is_internal=True),
            m.Field(PLAYER, (), (), m.INT, -1, (), is_internal=True),
        )
        return replace(
            program,
            universes=(*program.universes, m.Universe(COUNTS, "enum", keys)),
            fields=(*program.fields, *more),
            functions=tuple(map(self._function, program.functions)),
        )

    def read(self, played: Played) -> Counter[tuple[Moved, int]]:
        """The counts of a game, by what was changed and the amount."""
        found = Counter[tuple[Moved, int]]()
        rules, things = ("", *self._rules), tuple(self._things)
        for number, times in enumerate(played.held(COUNTS)):
            if times:
                rest, amount = divmod(number, AMOUNTS)
                rest, whose = divmod(rest, 3)
                thing, rule = divmod(rest, len(rules))
                found[Moved(rules[rule], things[thing], whose), amount - MOST] += times
        return found

    def _function(self, function: m.Function) -> m.Function:
        options = self._options[function.name]
        code, slot = list(function.code), len(function.slots)
        for pc, i in enumerate(function.code):
            option = options.get(pc)
            added: list[m.Instr] = []
            if _thing(self._program, i):
                added = [self._count(function, i, option), i]
            elif isinstance(i, m.Call):
                called = self._words[i.function]
                inner = Option(called.name, i.args[0] if _who(called) else None) if called.word in _PARTS else option
                if inner is not None:
                    added = [
                        m.SetLocal(slot, m.FieldGet(RULE, ())),
                        m.SetLocal(slot + 1, m.FieldGet(PLAYER, ())),
                        m.SetField(RULE, (), m.Const(self._rules[inner.rule])),
                        m.SetField(PLAYER, (), inner.who or m.Const(-1)),
                        i,
                        m.SetField(RULE, (), m.Local(slot)),
                        m.SetField(PLAYER, (), m.Local(slot + 1)),
                    ]
            if added:
                code[pc] = m.Jump(len(code))
                code += [*added, m.Jump(pc + 1)]
        if len(code) == len(function.code):
            return function
        slots = (*function.slots, m.Slot("rule that counted", m.INT), m.Slot("player that counted", m.INT))
        return replace(function, code=tuple(code), slots=slots)

    def _count(self, function: m.Function, i: m.Instr, option: Option | None) -> m.Instr:
        """The instruction that counts a change."""
        none, going_on = m.Const(0), m.FieldGet(RULE, ())
        outside = m.Cmp("eq", going_on, none)
        rule: m.Expr = m.Const(self._rules[option.rule if option else function.name])
        player: m.Expr = (option.who if option else _who(function)) or m.Const(-1)
        if option is None:
            rule, player = m.IfElse(outside, rule, going_on), m.IfElse(outside, player, m.FieldGet(PLAYER, ()))
        index, keys, amount = self._change(i)
        whose: m.Expr = m.Const(NOBODYS)
        if keys and keys[0] == "Player":
            other = m.IfElse(m.Cmp("lt", player, m.Const(0)), m.Const(NOBODYS), m.Const(OTHERS))
            whose = m.IfElse(m.Cmp("eq", index[0], player), m.Const(OWN), other)
        thing = self._things[_thing(self._program, i)]
        bounded = m.IfElse(
            m.Cmp("gt", amount, m.Const(MOST)),
            m.Const(2 * MOST),
            m.IfElse(m.Cmp("lt", amount, m.Const(-MOST)), none, m.Arith("add", amount, m.Const(MOST))),
        )
        at: m.Expr = m.Arith("add", m.Const(thing * (len(self._rules) + 1)), rule)
        at = m.Arith("add", m.Arith("mul", at, m.Const(3)), whose)
        at = m.Arith("add", m.Arith("mul", at, m.Const(AMOUNTS)), bounded)
        return m.SetField(COUNTS, (at,), m.Arith("add", m.FieldGet(COUNTS, (at,)), m.Const(1)))

    def _change(self, i: m.Instr) -> tuple[tuple[m.Expr, ...], tuple[str, ...], m.Expr]:
        """The keys of what an instruction changes, their universes, and by how much."""
        if isinstance(i, m.SetField):
            return i.index, self._fields[i.field].index, m.Arith("sub", i.value, m.FieldGet(i.field, i.index))
        assert isinstance(i, m.Move)
        return i.index, self._zones[i.zone].index, m.Size(i.what, i.is_list)


def _thing(program: m.Program, i: m.Instr) -> str:
    """The field or zone that an instruction changes by an amount; empty if it does not."""
    if isinstance(i, m.SetField):
        field = next(f for f in program.fields if f.name == i.field)
        return "" if field.ty.kind != "int" or field.ty.optional or field.is_internal else i.field
    return i.zone if isinstance(i, m.Move) and i.zone != "box" else ""


def _who(function: m.Function) -> m.Expr | None:
    """The player whom a function is about: its first parameter."""
    is_about = function.params and function.slots[0].ty.kind == "entity" and function.slots[0].ty.universe == "Player"
    return m.Local(0) if is_about else None


def _options(function: m.Function) -> Iterator[tuple[int, Option]]:
    """The instructions that belong to an option, each with the innermost one."""
    code = function.code
    begins = {
        extra.to: Option(first.rule, i.who if i.who_is == "player" else None)
        for i in code
        if isinstance(i, m.Choose)
        for extra in i.extras
        if extra.to < len(code) and isinstance(first := code[extra.to], m.Fired)
    }
    if not begins:
        return
    after = {pc: successors(i, pc) for pc, i in enumerate(code)} | {EXIT: (), len(code): ()}
    above = immediate_dominators(after, 0)
    for pc in above:
        at = pc
        while at not in begins and at != 0:
            at = above[at]
        if at in begins:
            yield pc, begins[at]


__all__ = ["MOST", "NOBODYS", "OTHERS", "OWN", "TOO_MANY", "AmountCounter", "Moved"]
