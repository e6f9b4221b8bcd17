"""Every instruction, run by itself in a small program."""

from __future__ import annotations

from typing import Any

import pytest
from building import (
    add,
    c,
    choose,
    entity,
    eq,
    field,
    function,
    get,
    in_zone,
    list_of,
    loc,
    program,
    put,
    ring,
    set_of,
    v,
    zone,
)

from rulewright.diagnostics import RulesetError
from rulewright.engine import Position, State, engine_of, start
from rulewright.host.budgets import Limits, limited
from rulewright.ir import model as m
from rulewright.ir.model import INT, NONE, Program, Slot, Ty, Universe
from sampling import sample

SEATS = ("red", "blue", "green")
COLOURS = Universe("Colour", "enum", ("white", "black"))
SPACES = Universe("Space", "place", tuple(str(i + 1) for i in range(6)))
REGIONS = Universe("Region", "merged", tuple(str(i + 1) for i in range(6)))


def small(code: list[Any], slots: tuple[Slot, ...] = (), **more: Any) -> Program:
    parts: dict[str, Any] = {
        "seats": SEATS,
        "pieces": ("coin", "coin", "crown", "card a", "card b", "card c"),
        "universes": (COLOURS, SPACES, REGIONS),
        "kinds": (m.KindSet("Coin", 3, ("heads", "tails")),),
        "graphs": (ring("Track", 6),),
        "merged": (m.MergedMap("Region", "Space"),),
        "fields": (
            field("score", Ty("int", low=0, high=9), ("Player",), 1),
            field("owner", entity("Player", True), ("Colour",), NONE),
            field("holder", entity("Player")),
            field("names", list_of("Player", 2), (), (2,)),
            field("numbers", Ty("set", "Int", low=0, high=5)),
        ),
        "zones": (
            zone("deck", (), "stack", 4),
            zone("shelf", (), "row", 4),
            zone("hand", ("Player",), "set", 2, limited=True),
            zone("land", ("Region",), "bag", 6),
            zone("table", (), "set", 6, faced=True),
        ),
        "streams": (m.Stream("luck"),),
        "functions": (function("game", code, slots),),
    }
    return program(**{**parts, **more})


def run(code: list[Any], slots: tuple[Slot, ...] = (), **more: Any) -> State:
    p = small([*code, m.Return(None)], slots, **more)
    return Position(p, 7).enter("game")


def error(code: list[Any], slots: tuple[Slot, ...] = (), **more: Any) -> str:
    with pytest.raises(RulesetError) as caught:
        run(code, slots, **more)
    return caught.value.diagnostics[0].code


def move(pieces: list[int], zone_: str, *index: m.Expr, **more: Any) -> m.Move:
    return m.Move(m.ListConst(tuple(pieces)), True, zone_, index, **more)


def value(state: State, e: m.Expr) -> Any:
    return state.evaluate(e)


def test_fields_keep_their_bounds() -> None:
    state = run(
        [put("score", c(1), c(9)), put("owner", c(0), c(2)), put("owner", c(1), c(NONE)), put("numbers", c(0b101))]
    )
    assert [value(state, get("score", c(i))) for i in range(3)] == [1, 9, 1]
    assert value(state, get("owner", c(0))) == 2
    assert value(state, get("numbers")) == 5
    assert error([put("score", c(0), c(10))]) == "RUN001"
    assert error([put("score", c(0), c(NONE))]) == "RUN001"
    assert error([put("score", c(NONE), c(1))]) == "RUN002"
    assert error([put("holder", get("owner", c(0)))]) == "RUN001"
    assert error([put("numbers", m.IntRange(c(1), c(6)))]) == "RUN001"
    assert error([put("names", m.ListConst((0, 1, 2)))]) == "RUN003"


def test_locals_lists_and_reset() -> None:
    slots = (Slot("many", list_of("Player", 2)), Slot("n", INT))
    state = run(
        [
            m.Append(0, c(2)),
            m.Append(0, c(NONE)),
            m.Append(0, c(0)),
            put("names", loc(0)),
            m.SetLocal(1, m.Size(loc(0), True)),
            put("score", c(0), loc(1)),
        ],
        slots,
    )
    assert value(state, get("names")) == (2, 0)
    assert value(state, get("score", c(0))) == 2
    assert error([m.Append(0, c(1))] * 3, slots) == "RUN003"
    state = run([put("names", m.ListConst(())), put("score", c(2), c(5)), m.Reset(("names", "score"))])
    assert value(state, get("names")) == (2,)
    assert value(state, get("score", c(2))) == 1


def test_stacks_and_rows() -> None:
    state = run([move([3, 4], "deck"), move([5], "deck", at="bottom"), move([3, 4, 5], "shelf", at="bottom")])
    assert value(state, m.ZoneList("shelf", ())) == (5, 4, 3)
    state = run([move([3, 4], "deck"), move([5], "deck", at="bottom")])
    assert value(state, m.ZoneList("deck", ())) == (4, 3, 5)
    assert value(state, m.Top("deck", (), c(2))) == (4, 3)
    assert value(state, m.SlotOf(c(5))) == 2
    state = run([move([3, 4, 5], "deck"), m.SwapItems("deck", "", (), c(0), c(2))])
    assert value(state, m.ZoneList("deck", ())) == (3, 4, 5)
    state = run([m.SwapItems("", "names", (), c(0), c(0))])
    assert value(state, get("names")) == (2,)
    assert error([m.SwapItems("", "names", (), c(0), c(1))]) == "RUN005"
    state = run([move([3, 4, 5], "deck"), move([4], "deck")])
    assert value(state, m.ZoneList("deck", ())) == (4, 5, 3)


def test_capacity() -> None:
    assert error([move([0, 1, 2], "hand", c(0))]) == "RUN003"
    assert error([move([0, 1, 2, 3, 4], "deck")]) == "RUN003"
    assert error([move([0], "hand", c(NONE))]) == "RUN002"


def test_faces_and_sides() -> None:
    state = run([move([0, 3, 4], "table", face=1), m.Flip(m.MakeSet((c(0), c(4))), 0), m.Flip(c(0b10), 1)])
    assert [value(state, m.SideOf(c(p))) for p in (0, 1, 3, 4)] == [0, 1, 1, 0]
    state = run([move([3], "table", face=1), move([3], "hand", c(0)), move([3], "table")])
    assert value(state, m.SideOf(c(3))) == 0


def test_joining_regions_moves_what_lies_there() -> None:
    state = run(
        [move([0], "land", c(4)), move([2], "land", c(5)), m.Merge("Region", c(5), c(4)), m.Merge("Region", c(5), c(0))]
    )
    assert value(state, m.Alive("Region")) == 0b001111
    assert value(state, m.Canon("Region", c(5))) == 0
    assert value(state, in_zone("land", c(4))) == 0b101
    assert value(state, m.PlacesOf("Region", c(0))) == 0b110001
    assert value(state, m.RegionsBeside("Region", c(0))) == 0b1010
    assert value(state, m.Ahead("Track", "Region", c(3), c(1))) == 0
    assert error([m.Merge("Region", c(0), c(NONE))]) == "RUN002"


def test_calls_return_values() -> None:
    double = function("double", [m.Return(m.Arith("mul", loc(0), c(2)))], (Slot("n", INT),), 1, result=INT)
    twice = function(
        "twice",
        [m.Return(m.MakeList((loc(0), loc(0))))],
        (Slot("p", entity("Player")),),
        1,
        result=list_of("Player", 2),
    )
    main = function(
        "game",
        [
            m.Call("double", (c(3),), 0, "a"),
            put("score", c(0), loc(0)),
            m.Call("twice", (c(1),), 1, "b"),
            put("names", loc(1)),
            m.Return(None),
        ],
        (Slot("n", INT), Slot("l", list_of("Player", 2))),
    )
    state = run([], functions=(main, double, twice))
    assert value(state, get("score", c(0))) == 6
    assert value(state, get("names")) == (1, 1)


def test_players_out() -> None:
    state = run([m.Eliminate(c(1))])
    assert value(state, m.Alive("Player")) == 0b101
    assert value(state, m.ClockwiseFrom(c(1))) == (2, 0)
    assert error([m.Eliminate(get("owner", c(0)))]) == "RUN014"


def test_the_end() -> None:
    state = start(small([m.FinishWin(c(0b101), "won")]))
    assert state.result is not None
    assert state.result.winners == ("red", "green")
    assert state.result.ranking == (("red", "green"), ("blue",))
    assert state.decision is None
    ranked = m.FinishRank(m.Alive("Player"), "Player", "p", (get("score", v("p")), v("p")), "counted")
    state = start(small([put("score", c(1), c(4)), m.Eliminate(c(0)), ranked]))
    assert state.result is not None
    assert state.result.ranking == (("blue",), ("green",), ("red",))
    assert state.result.rule == "counted"
    with pytest.raises(RulesetError, match="over"):
        state.choose(0)


def test_parties_are_ranked_and_asked() -> None:
    army = Universe("Army", "party", ("sun", "moon"))
    members = m.Table("Army.members", "Army", set_of("Player"), (0b101, 0b010))
    rank = m.FinishRank(m.Alive("Army"), "Army", "a", (v("a"),), "ranked")
    state = start(small([rank], universes=(COLOURS, SPACES, REGIONS, army), tables=(members,)))
    assert state.result is not None
    assert state.result.ranking == (("blue",), ("red", "green"))
    for out, who in (((), "red"), ((0,), "green")):
        code = [m.Eliminate(c(p)) for p in out]
        asked = m.Attr("Army.members", loc(1))
        party_asked = choose("x", asked, m.IntRange(c(1), c(2)), 0, "Int", who_is="party")
        found = run(
            [*code, m.SetLocal(1, c(0)), party_asked],
            (Slot("n", INT), Slot("a", entity("Army"))),
            universes=(COLOURS, SPACES, REGIONS, army),
            tables=(members,),
        )
        assert found.decision is not None
        assert found.decision.who == who


def test_rules_that_say_nothing() -> None:
    assert error([m.Fail("what now?")]) == "RUN008"
    with pytest.raises(RulesetError, match="without a result") as caught:
        start(small([m.Return(None)]))
    assert caught.value.diagnostics[0].code == "RUN009"
    assert (
        error(
            [
                m.SetLocal(0, m.Arith("div_up", c(1), get("score", c(0)))),
                put("score", c(0), c(0)),
                m.SetLocal(0, m.Arith("div_up", c(1), get("score", c(0)))),
            ],
            (Slot("n", INT),),
        )
        == "RUN004"
    )


def test_choices_and_extras() -> None:
    refused = m.Restriction(
        "game.odd", eq(v("x"), c(3)), (m.Exception_("game.rich", m.Cmp("gt", get("score", c(0)), c(5))),)
    )
    ask = choose(
        "x",
        c(1),
        m.IntRange(c(2), c(4)),
        0,
        "Int",
        restrictions=(refused,),
        extras=(m.Extra("done", None, (), "end"), m.Extra("stop", m.Cmp("gt", get("score", c(0)), c(1)), (), "end")),
        secret=True,
    )
    state = run([ask, put("score", c(2), loc(0)), "end"], (Slot("x", INT),))
    decision = state.decision
    assert decision is not None
    assert (decision.who, decision.seat, decision.name, decision.secret) == ("blue", 1, "game.x", True)
    assert [o.key for o in decision.options] == ["2", "4", "done"]
    assert value(state.choose("4"), get("score", c(2))) == 4
    assert value(state.choose("done"), get("score", c(2))) == 1
    assert state.choose(0).log[-1].secret
    for wrong in ("3", "stop", 7, "nonsense"):
        with pytest.raises(RulesetError, match="option"):
            state.choose(wrong)
    assert [r.label for r in state.why_not("3", None).reasons] == ["game.odd"]
    assert [r.label for r in state.why_not("3").reasons] == ["unseen"], "nobody sees the field that it reads"
    assert state.why_not("3", None).reasons[0].exceptions == ("game.rich",)
    assert [r.label for r in state.why_not("9").reasons] == ["not_among"]
    assert [r.label for r in state.why_not("stop", None).reasons] == ["not_among"]
    assert state.why_not("2").allowed


def test_nothing_to_choose() -> None:
    nothing = m.MakeSet(())
    state = run(
        [choose("x", c(0), nothing, 0, "Int", on_empty="else"), m.Fail("no"), "else", put("score", c(0), c(3))],
        (Slot("x", INT),),
    )
    assert value(state, get("score", c(0))) == 3
    assert error([choose("x", c(0), nothing, 0, "Int")], (Slot("x", INT),)) == "RUN007"
    state = run(
        [m.Eliminate(c(0)), choose("x", c(0), m.IntRange(c(1), c(2)), 0, "Int", on_empty="else"), m.Fail("no"), "else"],
        (Slot("x", INT),),
    )
    assert state.decision is None


def test_alike_pieces_are_one_option() -> None:
    everywhere = m.SetOp("union", in_zone("hand", c(0)), m.SetOp("union", in_zone("hand", c(1)), in_zone("box")))
    ask = choose("x", c(0), everywhere, 0)
    slots = (Slot("x", entity("Piece")),)
    state = run([ask], slots)
    assert state.decision is not None
    assert [o.key for o in state.decision.options] == ["coin", "crown", "card a", "card b", "card c"]
    state = run([move([1], "hand", c(1)), ask], slots)
    assert state.decision is not None
    assert [o.key for o in state.decision.options][:2] == ["coin in box", "coin in hand[blue]"]
    state = run([move([0, 1], "table"), m.Flip(c(0b10), 1), choose("x", c(0), in_zone("table"), 0)], slots)
    assert state.decision is not None
    assert [o.key for o in state.decision.options] == ["coin with heads up", "coin with tails up"]
    rows = run([choose("x", c(0), m.ListConst((4, 1, 0, 1)), 0, is_list=True)], slots)
    assert rows.decision is not None
    assert [o.key for o in rows.decision.options] == ["card b", "coin"]


def test_keys_that_nothing_tells_apart_are_an_error() -> None:
    p = small(
        [choose("x", c(0), in_zone("box"), 0), m.Return(None)], (Slot("x", entity("Piece")),), alike=tuple(range(6))
    )
    state = Position(p).enter("game")
    with pytest.raises(RulesetError, match="coin"):
        _ = state.decision


def test_chance_has_weights() -> None:
    draw = m.Chance("d", "d", "luck", "Piece", in_zone("box"), False, 0)
    p = small(
        [draw, m.Move(m.MakeSet((loc(0),)), False, "hand", (c(0),)), m.Return(None)], (Slot("d", entity("Piece")),)
    )
    state = Position(p, 3, ask_chance=True).enter("game")
    decision = state.decision
    assert decision is not None
    assert decision.who == "chance"
    assert [(o.key, w) for o, w in zip(decision.options, decision.weights, strict=True)] == [
        ("coin", 2),
        ("crown", 1),
        ("card a", 1),
        ("card b", 1),
        ("card c", 1),
    ]
    assert state.choose("coin").log[-1].who == "chance"
    drawn = Position(p, 3).enter("game")
    assert drawn.log[-1].key in {o.key for o in decision.options}
    assert drawn.cells[drawn.engine.layout.counters["luck"]] >= 1
    faces = m.Chance("d", "d", "luck", "Colour", m.ListConst((0, 1, 1)), True, 0)
    state = Position(small([faces, m.Return(None)], (Slot("d", entity("Colour")),)), ask_chance=True).enter("game")
    assert state.decision is not None
    assert state.decision.weights == (1, 2)
    empty = m.Chance("d", "d", "luck", "Piece", in_zone("deck"), False, 0)
    state = run(
        [empty, m.JumpUnless(m.Cmp("eq", loc(0), c(NONE), True), "end"), put("score", c(0), c(4)), "end"],
        (Slot("d", entity("Piece", True)),),
    )
    assert value(state, get("score", c(0))) == 4


def test_showing_goes_to_the_log() -> None:
    state = run(
        [m.Show(m.MakeSet((c(2),)), m.MakeSet((c(1),))), choose("x", c(0), m.IntRange(c(1), c(2)), 0, "Int")],
        (Slot("x", INT),),
    )
    assert (state.log[-1].who, state.log[-1].key, state.log[-1].seen_by) == ("rules", "crown", ("blue",))


def test_fired_rules_are_counted() -> None:
    p = small([m.Fired("a"), m.Fired("b"), m.Fired("a"), m.FinishWin(c(1), "end")])
    engine = engine_of(p)
    fired = engine.new_fired()
    start(p, fired=fired)
    assert dict(zip(engine.rule_names, fired, strict=True)) == {"a": 2, "b": 1, "end": 0}


def test_an_endless_loop_names_its_rule() -> None:
    leaf = function("leaf", [m.Return(None)])
    info = m.RuleInfo("spin", ("S-1",), "spin.rules", 12, 3)
    for spin in (
        function("spin", ["top", m.Call("leaf", (), None, "leaf"), m.Jump("top")]),
        function("spin", ["top", put("score", c(0), c(1)), m.Jump("top")]),
        function(
            "spin",
            [
                m.SetLocal(
                    0, m.Fold("count", tuple(m.Bound(f"x{i}", m.IntRange(c(0), c(900))) for i in range(4)), None, None)
                )
            ],
            (Slot("n", INT),),
        ),
    ):
        main = function("game", [m.Call("spin", (), None, "spin"), m.Return(None)])
        with limited(Limits(steps=50_000)), pytest.raises(RulesetError) as caught:
            run([], functions=(main, spin, leaf), rules=(info,))
        found = caught.value.diagnostics[0]
        assert (found.code, found.span.file, found.span.line, found.cites) == ("RUN006", "spin.rules", 12, ("S-1",))
        assert "`spin`" in found.message


def test_endless_recursion_is_an_error() -> None:
    again = function(
        "again", [m.Call("again", (add(loc(0), c(1)),), None, "again"), m.Return(None)], (Slot("n", INT),), 1
    )
    main = function("game", [m.Call("again", (c(0),), None, "again"), m.Return(None)])
    with pytest.raises(RulesetError) as caught:
        run([], functions=(main, again))
    assert caught.value.diagnostics[0].code in ("RUN006", "RUN010")
    assert "again" in caught.value.diagnostics[0].message


def test_deep_nesting_is_no_problem() -> None:
    depth = sample(3_000, 10_000)
    number: m.Expr = get("score", c(0))
    truth: m.Expr = eq(get("score", c(0)), c(1))
    chosen: m.Expr = c(1)
    for i in range(depth):
        number = m.Arith("sub" if i % 2 else "add", number, c(1))
        truth = m.Or((m.Not(truth), m.And((eq(get("score", c(1)), c(9)),))))
        chosen = m.IfElse(
            m.Fold("some", (m.Bound(f"v{i % 3}", m.Alive("Player")),), eq(v(f"v{i % 3}"), c(1)), None), chosen, c(0)
        )
    state = run([])
    assert value(state, number) == 1
    assert value(state, truth) == 1
    assert value(state, chosen) == 1
