"""Small programs made by hand, so that the engine is tested without the language."""

from __future__ import annotations

from building import add, c, choose, entity, eq, field, function, get, in_zone, loc, program, put, ring, set_of, v, zone

from rulewright.ir import model as m
from rulewright.ir.model import INT, NONE, Program, Slot, Ty, Universe


def race(size: int = 12, to_win: int = 20) -> Program:
    """Players roll a die and move their runner on a ring; who has gone far enough wins."""
    seats = ("red", "blue")
    pieces = ("red runner", "blue runner")
    spaces = Universe("Space", "place", tuple(str(i + 1) for i in range(size)))
    here = m.PlaceOf("Space", m.Attr("Player.runner", loc(0)))
    turn = function(
        "turn",
        [
            m.Fired("turn"),
            m.Chance("roll", "roll", "die", "Int", m.IntRange(c(1), c(6)), False, 1),
            choose(
                "step", loc(0), m.MakeSet((loc(1), c(1))), 2, universe="Int", extras=(m.Extra("pass", None, (), "end"),)
            ),
            m.Move(m.MakeSet((m.Attr("Player.runner", loc(0)),)), False, "on", (m.Ahead("Track", "", here, loc(2)),)),
            put("gone", loc(0), add(get("gone", loc(0)), loc(2))),
            "end",
            m.Return(None),
        ],
        slots=(Slot("p", entity("Player")), Slot("roll", INT), Slot("step", INT)),
        params=1,
    )
    main = function(
        "game",
        [
            m.SetLocal(0, c(0)),
            "round",
            m.Call("turn", (loc(0),), None, "turn"),
            m.JumpUnless(m.Cmp("ge", get("gone", loc(0)), c(to_win)), "next"),
            m.FinishWin(m.MakeSet((loc(0),)), "race_won"),
            "next",
            m.SetLocal(0, m.Arith("sub", c(1), loc(0))),
            m.Jump("round"),
        ],
        slots=(Slot("p", entity("Player")),),
    )
    return program(
        seats=seats,
        pieces=pieces,
        universes=(spaces,),
        tables=(m.Table("Player.runner", "Player", entity("Piece"), (0, 1)),),
        begins=(("on", (0,)), ("on", (0,))),
        graphs=(ring("Track", size),),
        zones=(zone("on", ("Space",), capacity=2),),
        fields=(field("gone", Ty("int", low=0, high=999), ("Player",)),),
        streams=(m.Stream("die"),),
        functions=(turn, main),
        rules=(m.RuleInfo("turn", ("R-1",), "race.rules", 3, 1), m.RuleInfo("turn.step", ("R-2",), "race.rules", 5, 5)),
    )


def courts(players: int = 3, spaces: int = 15, each: int = 40, turns: int = 60) -> Program:
    """Cubes of five colours are drawn, laid at court or on the ring; whoever leads a colour holds it, and whoever
    holds most on a space owns it. A queue of consequences is asked after every statement."""
    colours = ("red", "green", "blue", "pink", "white")
    pieces = tuple(f"{colour} cube" for colour in colours for _ in range(each))
    seats = tuple(f"seat{i + 1}" for i in range(players))
    p, f, s, q, x = v("p"), v("f"), v("s"), v("q"), v("x")
    colour_is = lambda colour: eq(m.Attr("Piece.colour", x), colour)  # noqa: E731

    def most(count: m.Expr) -> m.Expr:
        return m.Single(m.Best(m.Alive("Player"), "p", count))

    cubes_at_court = m.Fold("count", (m.Bound("x", in_zone("court", p)),), colour_is(f), None)
    held_cubes = m.Fold(
        "sum",
        (m.Bound("f", m.Alive("Colour")),),
        eq(get("control", f), p),
        m.Fold("count", (m.Bound("x", in_zone("land", s)),), colour_is(f), None),
    )
    strength = add(held_cubes, m.IfElse(eq(get("owner", s), p), c(1), c(0)))
    queries = (
        m.QueryDef("at_court", (Slot("p", entity("Player")), Slot("f", entity("Colour"))), INT, cubes_at_court),
        m.QueryDef(
            "leader", (Slot("f", entity("Colour")),), entity("Player", True), most(m.CallQuery("at_court", (p, f)))
        ),
        m.QueryDef("strength", (Slot("p", entity("Player")), Slot("s", entity("Space"))), INT, strength),
        m.QueryDef(
            "strongest", (Slot("s", entity("Space")),), entity("Player", True), most(m.CallQuery("strength", (p, s)))
        ),
        m.QueryDef(
            "owned",
            (Slot("q", entity("Player")),),
            INT,
            m.Fold("count", (m.Bound("s", m.Alive("Space")),), eq(get("owner", s), q), None),
        ),
    )
    settle = function(
        "settle",
        [
            "again",
            m.SetLocal(
                0,
                m.Filter(
                    m.Alive("Colour"),
                    "f",
                    m.And(
                        (
                            m.Cmp("ne", m.CallQuery("leader", (f,)), c(NONE), True),
                            m.Cmp("ne", m.CallQuery("leader", (f,)), get("control", f)),
                        )
                    ),
                ),
            ),
            m.JumpUnless(m.Cmp("gt", m.Size(loc(0)), c(0)), "spaces"),
            put("control", m.First(loc(0)), m.CallQuery("leader", (m.First(loc(0)),))),
            m.Fired("crest_changes"),
            m.Jump("again"),
            "spaces",
            m.SetLocal(
                0,
                m.Filter(
                    m.Alive("Space"),
                    "s",
                    m.And(
                        (
                            eq(s, get("herald")),
                            m.Cmp("ne", m.CallQuery("strongest", (s,)), c(NONE), True),
                            m.Cmp("ne", m.CallQuery("strongest", (s,)), get("owner", s)),
                        )
                    ),
                ),
            ),
            m.JumpUnless(m.Cmp("gt", m.Size(loc(0)), c(0)), "done"),
            put("owner", m.First(loc(0)), m.CallQuery("strongest", (m.First(loc(0)),))),
            m.Fired("owner_changes"),
            m.Jump("again"),
            "done",
            m.Return(None),
        ],
        slots=(Slot("todo", set_of("Space")),),
        word="system",
    )
    turn = function(
        "turn",
        [
            m.Fired("turn"),
            m.SetLocal(1, c(0)),
            "draw",
            m.JumpUnless(m.Cmp("lt", m.Size(in_zone("hand", loc(0))), c(6)), "lay"),
            m.JumpUnless(m.Cmp("gt", m.Size(in_zone("box")), c(0)), "lay"),
            m.Chance("drawn", "drawn", "box", "Piece", in_zone("box"), False, 2),
            m.Move(m.MakeSet((loc(2),)), False, "hand", (loc(0),)),
            m.Jump("draw"),
            "lay",
            m.JumpUnless(m.Cmp("lt", loc(1), c(3)), "herald"),
            choose("cube", loc(0), in_zone("hand", loc(0)), 2, on_empty="herald"),
            choose(
                "where",
                loc(0),
                m.Alive("Space"),
                3,
                universe="Space",
                extras=(m.Extra("court", None, (), "court"),),
                restrictions=(m.Restriction("turn.full", m.Cmp("ge", m.Size(in_zone("land", v("where"))), c(12)), ()),),
            ),
            m.Move(m.MakeSet((loc(2),)), False, "land", (loc(3),)),
            m.Jump("laid"),
            "court",
            m.Move(m.MakeSet((loc(2),)), False, "court", (loc(0),)),
            "laid",
            m.Call("settle", (), None, "settle"),
            m.SetLocal(1, add(loc(1), c(1))),
            m.Jump("lay"),
            "herald",
            choose("steps", loc(0), m.IntRange(c(1), c(5)), 2, universe="Int"),
            put("herald", m.Ahead("Track", "", get("herald"), loc(2))),
            m.Call("settle", (), None, "settle 2"),
            m.Return(None),
        ],
        slots=(Slot("p", entity("Player")), Slot("n", INT), Slot("chosen", INT), Slot("s", entity("Space"))),
        params=1,
    )
    main = function(
        "game",
        [
            "round",
            m.Call("turn", (loc(0),), None, "turn"),
            put("turns", add(get("turns"), c(1))),
            m.JumpUnless(m.Cmp("ge", get("turns"), c(turns)), "next"),
            m.FinishRank(m.Alive("Player"), "Player", "q", (m.CallQuery("owned", (q,)),), "last_turn"),
            "next",
            m.SetLocal(0, m.IfElse(eq(loc(0), c(players - 1)), c(0), add(loc(0), c(1)))),
            m.Jump("round"),
        ],
        slots=(Slot("p", entity("Player")),),
    )
    everyone = (m.Audience("all", m.Alive("Player")),)
    return program(
        seats=seats,
        pieces=pieces,
        main="game",
        universes=(
            Universe("Colour", "enum", colours),
            Universe("Space", "place", tuple(str(i + 1) for i in range(spaces))),
        ),
        tables=(m.Table("Piece.colour", "Piece", entity("Colour"), tuple(i // each for i in range(len(pieces)))),),
        kinds=(m.KindSet("Cube", (1 << len(pieces)) - 1),),
        graphs=(ring("Track", spaces),),
        streams=(m.Stream("box"),),
        queries=queries,
        functions=(main, turn, settle),
        fields=(
            field("control", entity("Player", True), ("Colour",), NONE, audiences=everyone),
            field("owner", entity("Player", True), ("Space",), NONE, audiences=everyone),
            field("herald", entity("Space"), audiences=everyone),
            field("turns", audiences=everyone),
        ),
        zones=(
            zone("box", order="bag", capacity=len(pieces), audiences=(m.Audience("count", m.Alive("Player")),)),
            zone(
                "hand",
                ("Player",),
                capacity=len(pieces),
                audiences=(m.Audience("face", m.MakeSet((v("i0"),))), m.Audience("count", m.Alive("Player"))),
            ),
            zone("court", ("Player",), capacity=len(pieces), audiences=everyone),
            zone("land", ("Space",), capacity=len(pieces), audiences=everyone),
        ),
        assertions=(
            m.Assertion(
                "all_there",
                "invariant",
                None,
                None,
                None,
                eq(
                    m.Fold("sum", (m.Bound("s", m.Alive("Space")),), None, m.Size(in_zone("land", s))),
                    m.Arith(
                        "sub",
                        c(len(pieces)),
                        add(
                            m.Size(in_zone("box")),
                            m.Fold(
                                "sum",
                                (m.Bound("p", m.Alive("Player")),),
                                None,
                                add(m.Size(in_zone("hand", p)), m.Size(in_zone("court", p))),
                            ),
                        ),
                    ),
                ),
            ),
            m.Assertion(
                "led",
                "invariant",
                None,
                "f",
                m.Alive("Colour"),
                m.Or(
                    (
                        m.Cmp("eq", m.CallQuery("leader", (f,)), c(NONE), True),
                        eq(m.CallQuery("leader", (f,)), get("control", f)),
                    )
                ),
            ),
            m.Assertion("turns_grow", "property", None, None, None, m.Cmp("ge", get("turns"), m.Old(get("turns")))),
        ),
    )


def hidden() -> Program:
    """A small card game: hidden hands and deck, a secret choice each, one card shown and one face down."""
    cards = tuple(f"{n} of {s}" for s in ("cups", "swords", "stars") for n in (1, 2, 3))
    both = m.Alive("Player")
    deal = function(
        "deal",
        [
            "again",
            m.JumpUnless(m.Cmp("lt", m.Size(in_zone("hand", loc(0))), c(3)), "end"),
            m.Chance("card", "card", "luck", "Piece", in_zone("deck"), False, 1),
            m.Move(m.MakeSet((loc(1),)), False, "hand", (loc(0),)),
            m.Jump("again"),
            "end",
            m.Return(None),
        ],
        slots=(Slot("p", entity("Player")), Slot("card", entity("Piece"))),
        params=1,
    )
    main = function(
        "game",
        [
            m.Call("deal", (c(0),), None, "first"),
            m.Call("deal", (c(1),), None, "second"),
            choose("mine", c(0), in_zone("hand", c(0)), 0, secret=True),
            choose("yours", c(1), in_zone("hand", c(1)), 1, secret=True),
            m.Move(m.MakeSet((loc(0),)), False, "table", (), face=0),
            m.Move(m.MakeSet((loc(1),)), False, "table", (), face=1),
            choose("guess", c(0), m.IntRange(c(1), c(3)), 2, "Int"),
            m.JumpUnless(eq(m.Attr("Piece.value", loc(1)), loc(2)), "wrong"),
            m.FinishWin(c(1), "guessed"),
            "wrong",
            m.FinishWin(c(2), "not_guessed"),
        ],
        slots=(Slot("a", entity("Piece")), Slot("b", entity("Piece")), Slot("n", INT)),
    )
    return program(
        pieces=cards,
        begins=(("deck", ()),) * 9,
        streams=(m.Stream("luck"),),
        functions=(main, deal),
        tables=(m.Table("Piece.value", "Piece", Ty("int", low=1, high=3), (1, 2, 3) * 3),),
        zones=(
            zone("deck", (), "stack", 9, audiences=(m.Audience("count", both),)),
            zone(
                "hand",
                ("Player",),
                "set",
                9,
                audiences=(m.Audience("face", m.MakeSet((v("i0"),))), m.Audience("back", both)),
            ),
            zone("table", (), "set", 9, faced=True, audiences=(m.Audience("count", both),)),
        ),
        fields=(
            field("secret_number", INT, audiences=(m.Audience("face", None),)),
            field(
                "spied", INT, ("Player",), audiences=(m.Audience("all", m.SetOp("minus", both, m.MakeSet((v("i0"),)))),)
            ),
            field("known", set_of("Player"), initial=3, audiences=(m.Audience("count", both),)),
        ),
    )
