"""Random programs over the playground: turns of choices, draws, stores and moves with random expressions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from building import add, c, choose, entity, function, list_of, loc, set_of
from maker import Kind, Maker
from playground import everything

from rulewright.ir import model as m
from rulewright.ir.model import Program, Slot, Ty

TURN, WHO = 0, 1
SLOTS: tuple[tuple[Slot, Kind], ...] = (
    (Slot("turn", Ty("int", low=0, high=999)), ("int", "")),
    (Slot("who", entity("Player", True)), ("one", "Player")),
    (Slot("piece", entity("Piece", True)), ("one", "Piece")),
    (Slot("cell", entity("Cell", True)), ("one", "Cell")),
    (Slot("number", Ty("int", optional=True)), ("int", "")),
    (Slot("colour", entity("Colour", True)), ("one", "Colour")),
    (Slot("region", entity("Region", True)), ("one", "Region")),
    (Slot("cells", set_of("Cell")), ("set", "Cell")),
    (Slot("pieces", set_of("Piece")), ("set", "Piece")),
    (Slot("crowd", list_of("Player", 5)), ("list", "Player")),
)
TURNS = 12
"""Turns of a game."""
EVERYONE = (1 << 3) - 1
PAYMENTS = m.Field(m.PAID, ("Player",), ("p",), m.INT, 0, (m.Audience("all", c(0)),), is_internal=True)
"""The field that rules which pay have, which no rule reads."""


def random_program(seed: int, depth: int = 3) -> Program:
    """A program; in most of them all faces are seen by all, and nobody sees a field."""
    return _Programs(Random(seed), depth).made()


def hiding_program(seed: int, depth: int = 2) -> Program:
    """A program in which each zone and each field is seen by whom it pleases, as by rules: no piece has a number."""
    return _Programs(Random(seed), depth, hiding=True).made()


def unless(condition: m.Expr, label: Any) -> m.JumpUnless:
    """A jump to a label."""
    return m.JumpUnless(condition, label)


def passing(label: Any) -> m.Extra:
    """The option to pass, which goes to a label."""
    return m.Extra("pass", None, (), label)


def _seen(r: Random, declared: m.Zone | m.Field) -> tuple[m.Audience, ...]:
    """Audiences of a zone or field: everyone, most often, or its owners, one seat, nobody; and those who may count."""
    everyone = c(EVERYONE)
    if r.random() < 0.5:
        return (m.Audience("all", everyone),)
    seers: list[m.Expr] = [c(1 << r.randrange(3)), c(0)]
    if "Player" in declared.index:
        own = m.Var(declared.binders[declared.index.index("Player")])
        seers += [m.MakeSet((own,))] * 4
    elif isinstance(declared, m.Field):
        seers.append(everyone)
    counted = isinstance(declared, m.Zone) or declared.ty.kind in ("set", "list")
    count = (m.Audience("count", everyone if r.random() < 0.8 else c(0)),) if counted else ()
    return (m.Audience("face" if counted else "all", r.choice(seers)), *count)


class _Programs:
    def __init__(self, r: Random, depth: int, hiding: bool = False) -> None:
        self.r, self.depth = r, depth
        base = everything()
        zones, fields = base.zones, base.fields
        if hiding:
            zones = tuple(replace(zone, audiences=_seen(r, zone)) for zone in zones)
            fields = tuple(replace(field, audiences=_seen(r, field)) for field in fields)
        elif r.random() < 0.8:
            seen = (m.Audience("all", c(EVERYONE)),)
            zones = tuple(replace(zone, faced=False, audiences=seen) for zone in zones)
        self.base = replace(base, zones=zones, fields=fields, streams=(m.Stream("dice"),))
        self.maker = Maker(self.base, r, named=not hiding)
        self.pays = r.random() < 0.5
        self.sizes = {u.name: u.size for u in self.base.universes}

    def made(self) -> Program:
        """The whole program."""
        effects = tuple(self._effect(f"deed {number}") for number in range(self.r.randrange(3)))
        code: list[Any] = [m.SetLocal(WHO, c(0)), "turn"]
        for number in range(self.r.randrange(1, 4)):
            code += self._ask(number)
            for _ in range(self.r.randrange(1, 5)):
                code += self._statement(f"after {len(code)}")
        code += [
            m.SetLocal(TURN, add(loc(TURN), c(1))),
            m.SetLocal(WHO, m.Arith("sub", c(2), m.Arith("min", loc(TURN), c(2)))),
            unless(m.Cmp("ge", loc(TURN), c(TURNS)), "turn"),
            *self._end(),
        ]
        main = function("game", code, tuple(slot for slot, _ in SLOTS))
        fields = (*self.base.fields, PAYMENTS) if self.pays else self.base.fields
        return replace(self.base, fields=fields, functions=(main, *effects))

    def _end(self) -> list[Any]:
        """The end of the game: whoever is in a set has won, perhaps nobody; or players or parties are ranked, or paid
        and ranked by that."""
        if self.pays and self.r.random() < 0.7:
            return self._pay_all()
        if self.r.random() < 0.5:
            return [self._win()]
        if self.r.random() < 0.3:
            side = m.FieldGet("score", (m.First(m.Attr("Side.members", m.Var("s"))),))
            return [m.FinishRank(self._expr(("set", "Side")), "Side", "s", (side,))]
        return [m.FinishRank(self._expr(("set", "Player")), "Player", "p", (m.FieldGet("score", (m.Var("p"),)),))]

    def _pay_all(self) -> list[Any]:
        """``finish paying``, as the compiler writes it: players are ranked by all that they were paid."""
        if self.r.random() < 0.3:
            worth = self._expr(("int", ""))
            code = [self._pay(m.First(m.Attr("Side.members", c(side)))) for side in range(self.sizes["Side"])]
            return [*code, m.FinishRank(self._expr(("set", "Side")), "Side", "s", (worth,))]
        code = [self._pay(c(seat)) for seat in range(self.sizes["Player"])]
        paid = m.FieldGet(m.PAID, (m.Var("p"),))
        return [*code, m.FinishRank(self._expr(("set", "Player")), "Player", "p", (paid,))]

    def _pay(self, player: m.Expr) -> m.Instr:
        """Pay somebody."""
        return m.SetField(m.PAID, (player,), add(m.FieldGet(m.PAID, (player,)), self._expr(("int", ""))))

    def _win(self) -> m.FinishWin:
        players = self._expr(("set", "Player"))
        if self.r.random() < 0.5:
            return m.FinishWin(players, universe="Side", parties=self._expr(("set", "Side")))
        return m.FinishWin(players, drawn=self.r.random() < 0.3)

    def _effect(self, name: str) -> m.Function:
        """An effect, which from then on may be imagined."""
        code = [i for n in range(self.r.randrange(1, 4)) for i in self._statement(f"after {n}")]
        made = function(name, code, tuple(slot for slot, _ in SLOTS), len(SLOTS), word="effect")
        self.maker.params = tuple(kind for _, kind in SLOTS)
        self.maker.effects += (name,)
        return made

    def _expr(self, kind: Kind) -> m.Expr:
        """An expression, which may read locals."""
        taken = self.r.sample(range(len(SLOTS)), self.r.randrange(3))
        e = self.maker.make(kind, {f"s{n}": SLOTS[n][1] for n in taken}, self.r.randrange(self.depth + 1))
        for n in taken:
            e = m.LetIn(f"s{n}", loc(n), e)
        return e

    def _key(self, universe: str) -> m.Expr:
        """A member, most often one that is there."""
        if universe == "Piece" and not self.maker.named:
            return self._expr(("one", universe))
        return c(self.r.randrange(self.sizes[universe])) if self.r.random() < 0.7 else self._expr(("one", universe))

    def _ask(self, number: int) -> list[Any]:
        """A question, or a draw."""
        r = self.r
        into = r.choice([n for n, (_, kind) in enumerate(SLOTS) if n > WHO and kind[0] in ("one", "int")])
        kind = SLOTS[into][1]
        universe = kind[1] or "Int"
        is_list = universe != "Piece" and r.random() < 0.2
        source = self._expr(("list" if is_list else "set", universe))
        if r.random() < 0.3:
            return [m.Chance(f"draw{number}", f"draw{number}", "dice", universe, source, is_list, into)]
        end = f"empty {number}"
        var = f"q{number}"
        where = self.maker.where({var: kind}, 2) if r.random() < 0.5 else None
        extras = (passing(end),) if r.random() < 0.5 else ()
        who: m.Expr = m.IfElse(m.Cmp("eq", loc(WHO), c(m.NONE)), c(0), loc(WHO))
        party = r.random() < 0.3
        if party:
            who = self._expr(("set", "Player"))
        asked = choose(
            var, who, source, into, universe, who_is="party" if party else "player", is_list=is_list, where=where,
            extras=extras, on_empty=end, secret=r.random() < 0.1,
        )  # fmt: skip
        return [asked, end]

    def _statement(self, label: str) -> list[Any]:
        """Something that is done, under a condition now and then."""
        makers: tuple[Callable[[], m.Instr], ...] = (
            self._store, self._store, self._store, self._keep, self._keep, self._move, self._move, self._other,
        )  # fmt: skip
        done = [self.r.choice(makers)()]
        return [unless(self._expr(("bool", "")), label), *done, label] if self.r.random() < 0.4 else done

    def _store(self) -> m.Instr:
        field = self.r.choice(self.base.fields)
        kind = {"bool": ("bool", ""), "int": ("int", ""), "entity": ("one", field.ty.universe)}.get(
            field.ty.kind, (field.ty.kind, field.ty.universe)
        )
        return m.SetField(field.name, tuple(self._key(universe) for universe in field.index), self._expr(kind))

    def _keep(self) -> m.Instr:
        slot = self.r.randrange(WHO + 1, len(SLOTS))
        if SLOTS[slot][1][0] == "list":
            return m.Append(slot, self._expr(("one", "Player")))
        return m.SetLocal(slot, self._expr(SLOTS[slot][1]))

    def _move(self) -> m.Instr:
        zone = self.r.choice(self.base.zones)
        is_list = self.r.random() < 0.3
        what = self._expr(("list" if is_list else "set", "Piece"))
        at: Any = self.r.choice(("top", "top", "bottom")) if zone.order in ("stack", "row") else "top"
        index = tuple(self._key(universe) for universe in zone.index)
        return m.Move(what, is_list, zone.name, index, at, self.r.choice((0, 1)) if zone.faced else None)

    def _other(self) -> m.Instr:
        r = self.r
        match r.randrange(6):
            case 0:
                return m.Flip(self._expr(("set", "Piece")), r.randrange(2))
            case 1:
                return m.Merge("Region", self._key("Region"), self._key("Region"))
            case 2:
                return m.SwapItems("deck", "", (), self._expr(("int", "")), c(1))
            case 3 if r.random() < 0.3:
                return m.Eliminate(self._key("Player"))
            case 4:
                return m.Reset((r.choice(self.base.fields).name,))
            case _:
                pass
        if r.random() < 0.2:
            return self._win()
        if self.pays and r.random() < 0.5:
            return self._pay(self._key("Player"))
        return m.Show(self._expr(("set", "Piece")), self._expr(("set", "Player")))
