"""Random well-typed expressions over the playground."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, get_args

from closed_words import words_of
from rulewright.ir import model as m
from rulewright.ir.folds import Counting, type_of
from rulewright.ir.model import NONE, Program

Kind = tuple[str, str]
"""The kind of an expression: ``bool``, ``int``, ``one`` of a universe, ``set`` or ``list`` of one."""

UNIVERSES = ("Player", "Piece", "Colour", "Cell", "Border", "Direction", "Space", "Region", "Side")
SETS = (*UNIVERSES, "Int")
PRINTED = {
    "Player": ("Side.members", "Colour.folk", "Player.friends"),
    "Cell": ("Colour.fields",),
    "Int": ("Colour.prices",),
}
"""Tables that hold sets: read at a constant they are constants, which may not be taken for numbers."""

TRUTHS = tuple(kind for kind in words_of(m.Fold, "kind") if type_of(kind) == m.BOOL)
NUMBERS = tuple(kind for kind in words_of(m.Fold, "kind") if type_of(kind) == m.INT)


class Maker:
    """Makes random well-typed expressions."""

    def __init__(self, p: Program, r: Random, old: bool = False, named: bool = True) -> None:
        """`named`: pieces may be named by their numbers, of which rules know nothing."""
        self.p = p
        self.r = r
        self.old = old
        self.named = named
        self.effects: tuple[str, ...] = ()
        """Functions that may be imagined, and the kinds of their parameters."""
        self.params: tuple[Kind, ...] = ()
        self.made = 0

    def kind(self) -> Kind:
        r = self.r
        return (
            k := r.choice(("bool", "int", "one", "set", "set", "list")),
            "" if k in ("bool", "int") else r.choice(UNIVERSES if k == "one" else SETS),
        )

    def name(self) -> str:
        self.made += 1
        return f"v{self.made}"

    def make(self, kind: Kind, env: dict[str, Kind], depth: int) -> m.Expr:
        """An expression of a kind, at most `depth` deep."""
        r = self.r
        known = [v for v, k in env.items() if k == kind]
        if known and r.random() < (0.5 if depth else 0.8):
            return m.Var(r.choice(known))
        if depth <= 0:
            return self.leaf(kind)
        if r.random() < 0.1:
            return self.general(kind, env, depth)
        maker: Callable[..., m.Expr] = getattr(self, "_" + kind[0])
        return maker(kind[1], env, depth)

    def leaf(self, kind: Kind) -> m.Expr:
        r = self.r
        what, universe = kind
        size = next((u.size for u in self.p.universes if u.name == universe), 8)
        if universe == "Piece" and not self.named:
            return self.lying(what)
        if what == "bool":
            return r.choice((m.Const(0), m.Const(1), m.FieldGet("flag", ())))
        if what == "int":
            return r.choice((m.Const(r.randrange(-3, 12)), m.Const(r.randrange(4)), m.Const(NONE)))
        if what == "one":
            return m.Const(NONE if r.random() < 0.1 else r.randrange(size))
        if what == "set":
            if r.random() < 0.3:
                return self.known(universe, size)
            if universe == "Int":
                return m.FieldGet("numbers", ())
            if universe == "Piece":
                printed = m.Preimage("Piece.worth", m.Const(r.choice((NONE, 0, 1, 2))), r.random() < 0.5)
                return r.choice((m.Kind("Coin"), m.Kind("Cube"), m.Alive("Piece"), m.ZoneGet("table", ()), printed))
            return m.Alive(universe) if r.random() < 0.8 else m.MakeSet(())
        if universe == "Player" and r.random() < 0.5:
            return m.FieldGet("turn_order", ())
        if universe == "Piece" and r.random() < 0.5:
            return m.ZoneList("deck", ())
        return m.ListConst(tuple(r.randrange(size) for _ in range(r.randrange(4))))

    def lying(self, what: str) -> m.Expr:
        """Pieces by what they are and where they lie."""
        r = self.r
        player = m.Const(r.randrange(3))
        rows: list[m.Expr] = [m.ZoneList("deck", ()), m.ZoneList("shelf", (player,))]
        sets: list[m.Expr] = [m.ZoneGet("hand", (player,)), m.ZoneGet("table", ()), m.ZoneGet("box", ())]
        if what == "list":
            return r.choice(rows)
        if what == "set":
            return r.choice((*sets, *map(m.ToSet, rows), m.Kind("Coin"), m.Kind("Cube"), m.Alive("Piece")))
        return m.First(r.choice(sets)) if r.random() < 0.6 else m.First(r.choice(rows), True)

    def known(self, universe: str, size: int) -> m.Expr:
        """A set that is known when the program is made: none of its members, one, several, or what a constant has."""
        r = self.r
        if universe in PRINTED and r.random() < 0.5:
            name = r.choice(PRINTED[universe])
            of = next(u.size for u in self.p.universes if u.name == name.split(".")[0])
            return m.Attr(name, m.Const(NONE if r.random() < 0.1 else r.randrange(of)))
        if r.random() < 0.2:
            return m.Const(0)
        most = r.choice((4, 12, 70)) if universe == "Int" else size
        return m.Const(r.randrange(1 << most) if r.random() < 0.7 else 1 << r.randrange(most))

    def general(self, kind: Kind, env: dict[str, Kind], depth: int) -> m.Expr:
        """Expressions that exist for every kind."""
        r = self.r
        if self.old and r.random() < 0.4:
            return m.Old(self.make(kind, {}, depth - 1))
        if self.effects and r.random() < 0.4:
            args = (m.Const(0), *(self.make(param, env, depth - 2) for param in self.params[1:]))
            return m.After(r.choice(self.effects), args, self.make(kind, env, depth - 1))
        if r.random() < 0.5:
            return m.IfElse(
                self.make(("bool", ""), env, depth - 1),
                self.make(kind, env, depth - 1),
                self.make(kind, env, depth - 1),
            )
        var, inner = self.name(), self.kind()
        return m.LetIn(var, self.make(inner, env, depth - 1), self.make(kind, {**env, var: inner}, depth - 1))

    def source(self, env: dict[str, Kind], depth: int, universe: str = "") -> tuple[m.Expr, Kind, bool]:
        """Something to run over, what its members are, and whether it is a list."""
        r = self.r
        universe = universe or r.choice((*SETS, "Piece", "Piece", "Player"))
        is_list = r.random() < 0.25
        e = self.make(("list" if is_list else "set", universe), env, depth - 1)
        return e, (("int", "") if universe == "Int" else ("one", universe)), is_list

    def _bool(self, _: str, env: dict[str, Kind], depth: int) -> m.Expr:
        r, d = self.r, depth - 1
        pick = r.randrange(13)
        b: Kind = ("bool", "")
        if pick == 0:
            return m.And(tuple(self.make(b, env, d) for _ in range(r.randrange(4))))
        if pick == 1:
            return m.Or(tuple(self.make(b, env, d) for _ in range(r.randrange(4))))
        if pick == 2:
            return m.Not(self.make(b, env, d))
        if pick in (3, 4):
            op = r.choice(words_of(m.Cmp, "op"))
            k: Kind = ("int", "")
            if r.random() < 0.6:
                op, k = r.choice(("eq", "ne")), ("one", r.choice(UNIVERSES))
            return m.Cmp(op, self.make(k, env, d), self.make(k, env, d), op in ("eq", "ne") and r.random() < 0.3)  # type: ignore[arg-type]
        if pick == 5:
            k = (r.choice(("set", "list")), r.choice(SETS))
            return m.SetEq(self.make(k, env, d), self.make(k, env, d))
        if pick in (6, 7):
            source, member, is_list = self.source(env, depth)
            return m.Contains(source, self.make(member, env, d), is_list)
        if pick == 8:
            return m.InZone(
                r.choice((("hand",), ("deck", "table"), ("land", "on"), ("shelf",), ("box", "table"))),
                self.make(("one", "Piece"), env, d),
            )
        if pick == 9:
            return m.CallQuery("open", (self.make(("one", "Border"), env, d), self.make(("int", ""), env, d)))
        if pick == 10:
            return r.choice(
                (
                    m.Attr("Piece.shiny", self.make(("one", "Piece"), env, d)),
                    m.FieldGet("walled", (self.make(("one", "Border"), env, d),)),
                )
            )
        return self.fold(r.choice(TRUTHS), env, depth)

    def fold(self, kind: Any, env: dict[str, Kind], depth: int) -> m.Expr:
        r = self.r
        binds = []
        inner = dict(env)
        for _ in range(1 + (r.random() < 0.4)):
            source, member, is_list = self.source(inner, depth)
            var = self.name() if r.random() < 0.9 or not env else r.choice(list(env))
            binds.append(m.Bound(var, source, is_list))
            inner[var] = member
        where = self.where(inner, depth) if r.random() < 0.7 else None
        body = None
        if kind not in get_args(Counting):
            body = self.make(("bool" if kind in TRUTHS else "int", ""), inner, depth - 1)
        return m.Fold(kind, tuple(binds), where, body)

    def where(self, env: dict[str, Kind], depth: int) -> m.Expr:
        """A condition, often of the forms that are turned into masks."""
        r = self.r
        parts = []
        for _ in range(1 + r.randrange(3)):
            pieces = [v for v, k in env.items() if k == ("one", "Piece")]
            ones = [v for v, k in env.items() if k[0] == "one"]
            part: m.Expr
            if pieces and r.random() < 0.6:
                v = m.Var(r.choice(pieces))
                op = r.choice(("eq", "ne"))
                sides: list[m.Expr] = [m.Attr("Piece.colour", v), self.make(("one", "Colour"), env, depth - 2)]
                if r.random() < 0.3:
                    sides = [m.PlaceOf("Region", v), self.make(("one", "Region"), env, depth - 2)]
                r.shuffle(sides)
                part = r.choice(
                    (
                        m.Cmp(op, sides[0], sides[1], r.random() < 0.2),  # type: ignore[arg-type]
                        m.Contains(self.make(("set", "Piece"), env, depth - 2), v),
                        m.Attr("Piece.shiny", v),
                        m.InZone(("box", "table"), v),
                    )
                )
            elif ones and r.random() < 0.4:
                name = r.choice(ones)
                part = m.Cmp(r.choice(("eq", "ne")), m.Var(name), self.make(env[name], env, depth - 2))
            else:
                part = self.make(("bool", ""), env, depth - 1)
            parts.append(m.Not(part) if r.random() < 0.2 else part)
        return m.And(tuple(parts)) if len(parts) > 1 or r.random() < 0.2 else parts[0]

    def _int(self, _: str, env: dict[str, Kind], depth: int) -> m.Expr:
        r, d = self.r, depth - 1
        i: Kind = ("int", "")
        pick = r.randrange(12)
        if pick in (0, 1):
            return m.Arith(r.choice(words_of(m.Arith, "op")), self.make(i, env, d), self.make(i, env, d))
        if pick == 2:
            source, _, is_list = self.source(env, depth)
            return m.Size(source, is_list)
        if pick == 3:
            piece = self.make(("one", "Piece"), env, d)
            return r.choice((m.Attr("Piece.worth", piece), m.SlotOf(piece), m.SideOf(piece)))
        if pick == 4:
            region, colour = self.make(("one", "Region"), env, d), self.make(("one", "Colour"), env, d)
            return r.choice(
                (m.FieldGet("level", (region, colour)), m.FieldGet("score", (self.make(("one", "Player"), env, d),)))
            )
        if pick == 5:
            return m.DistanceOf("Board", self.make(("one", "Cell"), env, d), self.make(("one", "Cell"), env, d))
        if pick == 6:
            return m.CallQuery("total", (self.make(("one", "Player"), env, d),))
        if pick == 7:
            return r.choice((m.Single(self.make(("set", "Int"), env, d)), m.First(self.make(("set", "Int"), env, d))))
        if pick == 8:
            return m.Item(self.make(("list", "Int"), env, d), self.make(i, env, d))
        if pick == 9:
            lists: Kind = ("list", r.choice(SETS))
            return m.Occurrences(self.make(lists, env, d), self.make(lists, env, d), r.randrange(1, 4))
        return self.fold(r.choice(("count", *NUMBERS)), env, depth)

    def _one(self, universe: str, env: dict[str, Kind], depth: int) -> m.Expr:
        r, d = self.r, depth - 1
        if r.random() < 0.4:
            if r.random() < 0.4:
                return m.Item(self.make(("list", universe), env, d), self.make(("int", ""), env, d))
            is_list = r.random() < 0.3
            e = self.make(("list" if is_list else "set", universe), env, d)
            return m.First(e, is_list) if is_list or r.random() < 0.5 else m.Single(e)
        one = lambda u: self.make(("one", u), env, d)  # noqa: E731
        match universe:
            case "Player":
                return r.choice(
                    (
                        m.CallQuery("leader", (one("Colour"),)),
                        m.FieldGet("owner", (one("Colour"),)),
                        m.FieldGet("control", (one("Region"),)),
                        m.PlaceOf("Player", one("Piece")),
                    )
                )
            case "Colour":
                return m.Attr("Piece.colour", one("Piece"))
            case "Side":
                return m.Attr("Player.Side", one("Player"))
            case "Cell":
                return r.choice(
                    (
                        m.Attr("Player.home", one("Player")),
                        m.PlaceOf("Cell", one("Piece")),
                        m.Towards(
                            "Board",
                            one("Cell"),
                            one("Direction"),
                            r.choice((m.Const(1), m.Const(-2), self.make(("int", ""), env, d))),
                        ),
                    )
                )
            case "Border":
                return m.EdgeBetween("Board", one("Cell"), one("Cell"))
            case "Space":
                return m.Ahead("Track", "", one("Space"), self.make(("int", ""), env, d))
            case "Region":
                return r.choice(
                    (
                        m.Canon("Region", one("Region")),
                        m.PlaceOf("Region", one("Piece")),
                        m.Ahead("Track", "Region", one("Region"), self.make(("int", ""), env, d)),
                    )
                )
        return self.leaf(("one", universe))

    def _set(self, universe: str, env: dict[str, Kind], depth: int) -> m.Expr:
        r, d = self.r, depth - 1
        me: Kind = ("set", universe)
        member: Kind = ("int", "") if universe == "Int" else ("one", universe)
        pick = r.randrange(10)
        if pick == 9 and universe not in ("Int", "Region"):
            within = self.make(me, env, d) if r.random() < 0.5 else None
            var = self.name()
            return m.Closure(universe, self.make(member, env, d), within, var, self.make(me, {**env, var: member}, d))
        if pick == 0:
            return m.SetOp(r.choice(words_of(m.SetOp, "op")), self.make(me, env, d), self.make(me, env, d))
        if pick == 1:
            return m.MakeSet(tuple(self.make(member, env, d) for _ in range(r.randrange(4))))
        if pick == 2:
            return m.Lowest(self.make(me, env, d), self.make(("int", ""), env, d))
        if pick == 3:
            var = self.name()
            return m.Filter(self.make(me, env, d), var, self.where({**env, var: member}, depth))
        if pick == 4:
            source, other, is_list = self.source(env, depth)
            var, flat = self.name(), r.random() < 0.4
            return m.Collect(source, var, self.make(me if flat else member, {**env, var: other}, d), flat, is_list)
        if pick == 5:
            source, other, is_list = self.source(env, depth, universe)
            var = self.name()
            return (
                m.Best(source, var, self.make(("int", ""), {**env, var: other}, d), is_list)
                if universe != "Int"
                else self.leaf(me)
            )
        if pick == 6:
            return m.ToSet(self.make(("list", universe), env, d))
        one = lambda u: self.make(("one", u), env, d)  # noqa: E731
        match universe:
            case "Piece":
                return r.choice(
                    (
                        m.ZoneGet("hand", (one("Player"),)),
                        m.ZoneGet("on", (one("Cell"),)),
                        m.ZoneGet("land", (one("Region"),)),
                        m.ZoneGet("deck", ()),
                        m.ZoneGet("shelf", (one("Player"),)),
                    )
                )
            case "Player":
                name = r.choice(PRINTED["Player"])
                return m.Attr(name, one(name.split(".")[0]))
            case "Border":
                return m.EdgesOf("Board", one("Cell"))
            case "Space":
                return r.choice(
                    (
                        m.PlacesOf("Region", one("Region")),
                        m.NeighboursOf("Track", one("Space")),
                        m.ReachFrom("Track", one("Space"), self.make(me, env, d), None, None),
                    )
                )
            case "Region":
                return m.RegionsBeside("Region", one("Region"))
            case "Int":
                return m.IntRange(self.make(("int", ""), env, d), self.make(("int", ""), env, d))
            case "Cell":
                var = self.name()
                across = self.make(("bool", ""), {**env, var: ("one", "Border")}, d)
                within = self.make(me, env, d) if r.random() < 0.5 else None
                return r.choice(
                    (
                        m.NeighboursOf("Board", one("Cell")),
                        m.Component("Yard", one("Cell")),
                        m.CallQuery("near", (one("Cell"),)),
                        m.FieldGet("marked", ()),
                        m.ReachFrom("Board", one("Cell"), within, var, across),
                    )
                )
        return self.leaf(me)

    def _list(self, universe: str, env: dict[str, Kind], depth: int) -> m.Expr:
        r, d = self.r, depth - 1
        me: Kind = ("list", universe)
        member: Kind = ("int", "") if universe == "Int" else ("one", universe)
        pick = r.randrange(8)
        if pick == 7:
            source, other, is_list = self.source(env, depth)
            var, flat = self.name(), r.random() < 0.4
            return m.Mapped(source, var, self.make(me if flat else member, {**env, var: other}, d), flat, is_list)
        if pick == 6:
            return m.Joined(self.make(me, env, d), self.make(me, env, d))
        if pick == 0:
            return m.MakeList(tuple(self.make(member, env, d) for _ in range(r.randrange(4))))
        if pick == 1:
            var = self.name()
            where = self.where({**env, var: member}, depth)
            source = self.make(me, env, d)
            return m.Leading(source, var, where) if r.random() < 0.3 else m.Filter(source, var, where, True)
        if pick == 2:
            source, _, is_list = self.source(env, depth, universe)
            var = self.name()
            return m.Sort(source, var, self.make(("int", ""), {**env, var: member}, d), r.random() < 0.5, is_list)
        if pick == 3:
            return m.ToList(self.make(("set", universe), env, d))
        one = lambda u: self.make(("one", u), env, d)  # noqa: E731
        match universe:
            case "Player":
                return r.choice(
                    (m.ClockwiseFrom(one("Player")), m.FieldGet("turn_order", ()), m.CallQuery("ranked", ()))
                )
            case "Piece":
                return r.choice(
                    (
                        m.ZoneList("shelf", (one("Player"),)),
                        m.ZoneList("deck", ()),
                        m.Top("deck", (), self.make(("int", ""), env, d)),
                        m.Top("shelf", (one("Player"),), self.make(("int", ""), env, d)),
                    )
                )
            case "Cell":
                return m.Attr("Colour.way", one("Colour"))
            case "Int":
                if r.random() < 0.3:
                    fields = ("score", "owner", "walled", "marked", "numbers", "turn_order", "queue", "flag")
                    zones = ("hand", "on", "deck", "shelf")
                    some = [tuple(name for name in names if r.random() < 0.5) for names in (fields, zones)]
                    return m.Fingerprint(*some)
                return m.FieldGet("queue", (one("Player"),))
        return self.leaf(me)
