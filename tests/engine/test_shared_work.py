"""Work that games and worlds have in common is done once, and that changes nothing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_rules import loaded, written

import rulewright as rw
from rulewright.compiler import compile_program, player_counts, sources
from rulewright.engine.hidden_information.hidden_places import HiddenSlot, Places
from rulewright.engine.random_numbers import Dice
from rulewright.ir import model as m
from rulewright.ir.control_flow.function_shape import ShapeCache, everyone, shape, shape_with_keys, shapes
from rulewright.ir.dataflow.held_pieces import HeldPieces, held_pieces
from rulewright.ir.dataflow.piece_flow import Assignment, piece_flow
from rulewright.ir.hash_consing import interned
from rulewright.ir.model import Program
from rulewright.ir.transform import charges
from rulewright.ir.walk import nodes
from rulewright.knowledge.answers import answer_flow, public_answers
from rulewright.knowledge.answers.answer_flow import Flow
from rulewright.knowledge.answers.decided_branches import Kinds
from rulewright.knowledge.answers.public_answers import PublicAnswers
from rulewright.knowledge.answers.sinks import without_keys
from rulewright.knowledge.public_values import PublicValues
from rulewright.knowledge.secrets import public_flow
from rulewright.knowledge.secrets.function_levels import Back, FunctionLevels, Given, KnownFunction
from rulewright.knowledge.secrets.public_flow import public_lines
from rulewright.knowledge.secrets.unobserved_moves import Forgotten, _UnobservedMoves, unobserved_moves
from rulewright.play.scenarios import scenario_runner
from rulewright.play.scenarios.setup import game_of
from sampling import sample

SHOWN = """game small
players 2 to 4

piece Tile from "tiles.json"
    worth: 1..9
    named "tile {worth}"
    begins in deck

zone deck: bag of Tile, seen by {}
zone hand[p: Player]: set of Tile, face seen by p, count seen by everyone
zone pile: set of Tile, seen by {}

procedure play
    each p in players
        draw 1 from deck to hand[p]
    each p in players
        lay(p)
    finish ranking p in players by size(hand[p])

procedure lay(p: Player)
    p chooses c from hand[p]
    show {c} to everyone
    move c to pile
"""
TILES = {"tiles.json": '{"rows": [{"worth": 1, "count": 3}, {"worth": 2, "count": 3}]}'}


def parts(found: Forgotten) -> tuple[object, ...]:
    return found.places, found.shuffled


def test_games_that_differ_in_numbers_forget_alike() -> None:
    options: list[dict[str, rw.playing.OptionValue]] = [{}, {"last_turns": 3}, {"noblest": "first_seat"}]
    source = sources(rw.open_ruleset("rulesets/baron"))
    least = player_counts(source.rules)[0]
    made = [program for one in options if (program := compile_program(source, least, (), one)[0]) is not None]
    shared = [unobserved_moves(program) for program in made]
    assert [parts(one) for one in shared] == [parts(_UnobservedMoves(program).find()) for program in made]
    assert len({id(one) for one in shared}) < len(made), "some of them have it in common"


def charged(program: Program) -> tuple[Program, list[tuple[int, ...]]]:
    found = charges.Charges(program)
    return found.program, [found.steps(f.name) for f in program.functions]


def test_charges_are_the_same_whatever_other_programs_were_charged_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where only a declaration is another one, or a query that others ask."""
    made = []
    for name in ("domaine", "baron"):
        source = sources(rw.open_ruleset(f"rulesets/{name}"))
        made += [program for n in player_counts(source.rules) if (program := compile_program(source, n)[0]) is not None]
    least = made[-1]
    made.append(replace(least, zones=tuple(replace(zone, capacity=1) for zone in least.zones)))
    called = {node.query for query in least.queries for node in nodes(query.body) if isinstance(node, m.CallQuery)}
    longer = m.Fold("count", tuple(m.Bound(f"x{n}", m.Alive("Player")) for n in range(8)), None, None)
    changed = tuple(replace(q, body=longer) if q.name in called and q.ty == m.INT else q for q in least.queries)
    made.append(replace(least, queries=changed))
    together = [charged(program) for program in made]
    assert together[-1] != together[-3] != together[-2]
    for program, found in zip(made, together, strict=True):
        monkeypatch.setattr(charges, "_kept", ShapeCache())
        assert charged(program) == found


def shape_of(value: m.Expr, *index: m.Expr) -> bytes:
    slots = tuple(m.Slot(f"s{number}", m.INT) for number in range(2))
    return shape(m.Function("f", "procedure", 0, slots, (m.SetField("score", index, value),), None, ()))


def test_the_shape_of_a_function_leaves_out_numbers_and_how_they_are_compared() -> None:
    one, two, some = m.Const(1), m.Const(2), m.Local(0)
    assert shape_of(m.Arith("add", some, one)) == shape_of(m.Arith("sub", some, two))
    assert shape_of(m.Arith("add", some, one)) != shape_of(m.Arith("mul", some, one))
    assert shape_of(m.Cmp("lt", some, one)) == shape_of(m.Cmp("ge", some, two))
    assert shape_of(m.Cmp("lt", some, one)) != shape_of(m.Cmp("lt", some, m.Const(0)))
    assert shape_of(m.Cmp("lt", some, one)) != shape_of(m.Cmp("lt", m.Local(1), one))


def test_the_keys_of_a_field_belong_to_the_shape() -> None:
    """A field is raised where equal keys stand on both sides."""
    one, some = m.Const(1), m.Local(0)
    shapes = [shape_of(one, key) for key in (one, m.Const(0), m.Arith("add", some, one), m.Arith("sub", some, one))]
    assert len(set(shapes)) == 4
    assert shape_of(one, m.Const(1)) == shape_of(one, m.Const(2))
    same, other = (shape_of(m.FieldGet("score", (m.Const(number),)), one) for number in (1, 2))
    assert same != other, "of the constants in keys it counts which are the same"
    raised = [shape_of(m.Arith("add", m.FieldGet("score", (key,)), one), some) for key in (some, m.Local(1))]
    assert raised[0] != raised[1]


def test_keys_of_zones_and_what_is_handed_over_count_where_traces_name_them() -> None:
    def keyed(i: m.Instr) -> tuple[bytes, bytes]:
        function = m.Function("f", "procedure", 0, (m.Slot("s", m.INT),), (i,), None, ())
        return shape(function), shape_with_keys(function)

    some = m.Local(0)
    pairs: list[tuple[m.Instr, m.Instr]] = [
        (m.Move(some, False, "z", (m.Const(one),), "top"), m.Show(some, m.Const(one))) for one in (1, 2)
    ]
    for one, two in zip(*pairs, strict=True):
        assert keyed(one)[0] == keyed(two)[0]
        assert keyed(one)[1] != keyed(two)[1]
    calls = [keyed(m.Call("g", (m.Const(one),), None, "")) for one in (1, 2)]
    assert calls[0][0] == calls[1][0]
    assert calls[0][1] != calls[1][1]
    sets = [keyed(m.SetLocal(0, m.Const(one))) for one in (1, 2)]
    assert sets[0] == sets[1]
    keys = [keyed(m.SetField("score", (m.Const(one),), some)) for one in (1, 2)]
    assert keys[0][0] == keys[1][0]
    assert keys[0][1] != keys[1][1]


def test_lines_that_all_hear_are_the_same_whatever_is_known_of_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[str] = []
    solve = FunctionLevels.__init__

    def counted(self: FunctionLevels, known: KnownFunction, given: Given, back: dict[str, Back]) -> None:
        solved.append(known.function.name)
        solve(self, known, given, back)

    def forget() -> None:
        for module, name in ((answer_flow, "_results"), (answer_flow, "_followed"), (public_flow, "_functions")):
            monkeypatch.setattr(module, name, OrderedDict())
        for name in ("_kept", "_worlds", "_known", "_levels"):
            monkeypatch.setattr(public_flow, name, ShapeCache())
        monkeypatch.setattr(public_answers, "_traced", ShapeCache())
        solved.clear()

    def everything(program: Program) -> tuple[object, ...]:
        found = public_lines(program)
        return found._dark, found._open, found._announced, found._unannounced

    monkeypatch.setattr(FunctionLevels, "__init__", counted)
    programs = baron_programs()
    alone = []
    for program in programs:
        forget()
        alone.append(everything(program))
    least = len(solved)
    forget()
    assert [everything(program) for program in programs] == alone
    assert len(solved) < 2 * least, "most is found with the first game"


def test_who_hears_an_answer_does_not_depend_on_the_games_before(tmp_path: Path) -> None:
    """A hidden tile that is shown to all: that all are two players in one game, and three in the next, once made the
    second game keep from its log what everybody had seen."""
    source = sources(rw.open_ruleset(written(tmp_path, SHOWN, TILES)))
    found: list[list[bool]] = []
    for order in ((2, 3, 4), (4, 2, 3), (3,)):
        for module, name in ((answer_flow, "_results"), (answer_flow, "_followed")):
            getattr(module, name).clear()
        for count in order:
            program, _ = compile_program(source, count)
            assert program is not None
            answers = PublicAnswers(program, PublicValues(program))
            asked = [(f.name, pc) for f in program.functions for pc, i in enumerate(f.code) if isinstance(i, m.Choose)]
            found.append([answers.which(*place) for place in asked])
    assert all(one == found[0] for one in found)
    assert any(found[0])


def test_what_is_shown_to_some_is_not_taken_for_what_all_see(tmp_path: Path) -> None:
    program, _ = compile_program(sources(rw.open_ruleset(written(tmp_path, SHOWN, TILES))), 3)
    assert program is not None
    for to, all_see in ((m.Const(7), True), (m.Const(3), False)):
        functions = tuple(
            replace(f, code=tuple(replace(i, to=to) if isinstance(i, m.Show) else i for i in f.code))
            for f in program.functions
        )
        one = replace(program, functions=functions)
        assert (one == program) is all_see
        assert (shapes(one) == shapes(program)) is all_see


def test_without_keys_answers_leave_the_same_traces() -> None:
    for program in baron_programs():
        keyed, plain = (answer_flow.Answers(program, keyed=one) for one in (True, False))
        for f in program.functions:
            for pc, i in enumerate(f.code):
                if isinstance(i, m.Choose | m.Chance):
                    one, two = keyed.of(f.name, pc), plain.of(f.name, pc)
                    assert {without_keys(t, everyone(program)) for t in one.which.sinks} == {*two.which.sinks}
                    assert {without_keys(t, everyone(program)) for t in one.whether} == {*two.whether}
                    assert (one.piece, one.which.returned, one.which.handed) == (
                        two.piece,
                        two.which.returned,
                        two.which.handed,
                    )


@pytest.mark.parametrize("laid_out", [False, True])
def test_where_pieces_may_lie_is_a_fixpoint_in_whatever_order(laid_out: bool) -> None:
    for program in baron_programs():
        found = HeldPieces(program, laid_out)
        other = HeldPieces(replace(program, functions=program.functions[::-1]), laid_out)
        assert (other.zones, other.fields, other._slots) == (found.zones, found.fields, found._slots)
        for function in program.functions:
            for step in piece_flow(function):
                if found._may_carry(function.name, step.way):
                    found._pass(function.name, step.way)
        assert (other.zones, other.fields, other._slots) == (found.zones, found.fields, found._slots)


def test_of_an_expression_is_left_where_its_pieces_come_from() -> None:
    compared = 0
    for program in baron_programs():
        held = HeldPieces(program)
        for function in program.functions:
            values = [i.what for i in function.code if isinstance(i, m.Move)]
            left = [step.way for step in piece_flow(function)]
            moved = [way for way in left if isinstance(way, Assignment) and str(way.to).startswith("zone ")]
            for value, way in zip(values, moved, strict=True):
                assert held.of(function.name, value, way.kind) == held.of(function.name, way.value, way.kind)
                compared += 1
    assert compared > 20


HANDED = """
game small
players 2

piece Stone from "stones.json"
    begins in bag

zone bag: set of Stone, seen by everyone
zone left: set of Stone, seen by everyone
zone right: set of Stone, seen by everyone

procedure play
    to_left(first(Stone))
    finish with winner everyone

effect to_left(s: Stone)
    move s to left

effect to_right(s: Stone)
    move s to right
"""


def test_games_that_hand_pieces_to_others_have_another_flow(tmp_path: Path) -> None:
    for name, rules in (("one", HANDED), ("other", HANDED.replace("    to_left(first", "    to_right(first"))):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "stones.json").write_text('{"rows": [{"count": 3}]}', "utf-8")
        loaded(folder, rules)
        program = rw.load(folder).program
        assert held_pieces(program).zones == HeldPieces(program).zones


def baron_programs() -> list[Program]:
    """Games of one ruleset for several numbers of players and options."""
    source = sources(rw.open_ruleset("rulesets/baron"))
    options: list[dict[str, rw.playing.OptionValue]] = [{}, {"noblest": "first_seat"}]
    made = [compile_program(source, count, (), one)[0] for count in player_counts(source.rules) for one in options]
    return [program for program in made if program is not None]


def test_answers_are_followed_anew_only_where_others_tell_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    followed: list[str] = []
    follow = answer_flow.Answers._find_flow

    def counted(
        self: answer_flow.Answers, name: str, start: int, begun: frozenset[int], piece: bool, kinds: Kinds
    ) -> tuple[Flow, answer_flow.Visits]:
        followed.append(name)
        return follow(self, name, start, begun, piece, kinds)

    def all_answers(programs: Sequence[Program]) -> list[object]:
        monkeypatch.setattr(answer_flow, "_results", OrderedDict())
        followed.clear()
        return [
            answers.of(f.name, pc)
            for program in programs
            for answers in (answer_flow.Answers(program),)
            for f in program.functions
            for pc, i in enumerate(f.code)
            if isinstance(i, m.Choose | m.Chance)
        ]

    monkeypatch.setattr(answer_flow.Answers, "_find_flow", counted)
    programs = [interned(program) for program in baron_programs()]
    all_answers(programs)
    known = all_answers(programs)
    assert not followed, "functions that are the same objects have been followed already"
    monkeypatch.setattr(answer_flow, "_known_of", lambda function: {})
    assert all_answers(programs) == known
    assert followed


def test_equal_functions_of_programs_that_run_are_one_object() -> None:
    programs = baron_programs()
    shared = [interned(program) for program in programs]
    assert shared == programs
    functions = [f for one in shared for f in one.functions]
    objects = {id(f) for f in functions}
    assert len(objects) < len(functions) / 2, "numbers of players and options change few"
    assert all((a is b) == (a == b) for a in functions for b in functions if a.name == b.name)


def dealt(places: Sequence[HiddenSlot], begun: Sequence[int], dice: Dice) -> dict[int, int]:
    """The definition, from an arrangement on: pieces that may lie in the same places are shuffled, then those that may
    lie in places of others: together if each may lie in each of these places, else by exchanges of two that are
    tried."""
    now = list(begun)
    groups: dict[tuple[bool, ...], list[int]] = {}
    for number, piece in enumerate(begun):
        groups.setdefault(tuple(bool(p.admits >> piece & 1) for p in places), []).append(number)
    for numbers in groups.values():
        order = dice.shuffled(range(len(numbers)))
        for number, one in zip(numbers, order, strict=True):
            now[number] = begun[numbers[one]]
    others = {
        number: sum(1 << begun[n] for n in range(len(places)) if n not in numbers)
        for numbers in groups.values()
        for number in numbers
    }
    loose = [n for n in others if places[n].admits & others[n]]
    if all(places[a].admits >> places[b].piece & 1 for a in loose for b in loose):
        order = dice.shuffled(range(len(loose)))
        now = [now[loose[order[loose.index(n)]]] if n in loose else piece for n, piece in enumerate(now)]
        loose = []
    for _ in range(8 * len(loose)):
        pair = dice.below(len(loose) ** 2)
        a, b = loose[pair // len(loose)], loose[pair % len(loose)]
        if places[a].admits >> now[b] & 1 and places[b].admits >> now[a] & 1:
            now[a], now[b] = now[b], now[a]
    return {place.piece: piece for place, piece in zip(places, now, strict=True)}


@st.composite
def some_places(draw: st.DrawFn) -> list[HiddenSlot]:
    pieces = draw(st.lists(st.integers(0, 40), unique=True, max_size=12))
    masks = draw(st.lists(st.integers(0, (1 << 41) - 1), min_size=1, max_size=3))
    return [HiddenSlot(piece, draw(st.sampled_from(masks)) | 1 << piece) for piece in pieces]


@settings(max_examples=sample(100, 2000))
@given(some_places(), st.integers(0, 5))
def test_pieces_change_places_as_defined(places: list[HiddenSlot], seed: int) -> None:
    found = Places(places)
    begun = found.arranged
    assert sorted(begun) == sorted(place.piece for place in places)
    assert all(place.admits >> piece & 1 for place, piece in zip(places, begun, strict=True))
    for world in (seed, seed + 1, seed):  # what the dice have given once is kept
        dice, other = Dice(world, "worlds"), Dice(world, "worlds")
        assert found.exchanged(dice) == dealt(places, begun, other)
        assert dice.below(1 << 60) == other.below(1 << 60), "as many numbers are drawn"


@settings(max_examples=sample(100, 2000))
@given(some_places(), st.integers(0, 5))
def test_how_pieces_really_lie_decides_nothing(places: list[HiddenSlot], seed: int) -> None:
    lie = list(Places(places).exchanged(Dice(seed, "the truth")).values())
    other = [HiddenSlot(piece, place.admits) for piece, place in zip(lie, places, strict=True)]
    one, same = (Places(them).exchanged(Dice(seed, "worlds")) for them in (places, other))
    assert list(one.values()) == list(same.values())


def test_scenarios_of_one_game_are_run_together(monkeypatch: pytest.MonkeyPatch) -> None:
    plans = rw.scenarios.plans(rw.open_ruleset("rulesets/baron"))[::-1]
    ran: list[rw.scenarios.ScenarioPlan] = []

    def run(plan: rw.scenarios.ScenarioPlan) -> str:
        ran.append(plan)
        return plan.title

    monkeypatch.setattr(scenario_runner, "run_scenario", run)
    assert scenario_runner.run_scenarios(plans) == tuple(plan.title for plan in plans)
    games = [game_of(plan) for plan in ran]
    assert len(set(games)) == 1 + sum(a != b for a, b in pairwise(games))
    assert games != [game_of(plan) for plan in plans]
