"""Games whose value is known from elsewhere, and small ones that are solved in two ways."""

from __future__ import annotations

from pathlib import Path

import pytest
from theory_games import HEX, MORRIS, NIM, game_of

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine.native.instance import NoRoom
from rulewright.engine.stepping import native_search
from rulewright_lab.theory import Solution, solving
from sampling import thorough

ORTHOGONAL = MORRIS.replace(" with diagonals", "")
DICE = """\
game dice
players 2
die D: 1 to 3
field product: 0..9 = 0
procedure play
    each p in players
        p chooses n from {0 .. 2}
        p rolls D as rolled
        product = rolled * n if rolled > 1 else 0
        if product is 6 then finish with winner p
    finish with a draw
"""
AGAIN = DICE.replace("play\n", "play\n    repeat\n        round\nprocedure round\n").replace(
    "    finish with a draw\n", ""
)
BANKED = """\
game banked
players 2
field left: 0..9 = 9
procedure play
    repeat
        each p in players
            p chooses n from {1 .. 3} where n <= left
            left -= n
            reward p: n * n
            reward p.left: -n * n
            if left is 0 then finish paying 0 for q in players
"""


def best(found: Solution) -> list[str]:
    return [option.key for option in found.options if option.best]


def test_tic_tac_toe_is_a_draw() -> None:
    found = lab.solve(rw.load("tic-tac-toe"))
    assert (found.words, found.method, len(found.line)) == ("a draw", "retrograde analysis", 9)
    assert len(best(found)) == 9
    assert [one.least for one in found.payoffs] == [0, 0]


@pytest.mark.parametrize(
    ("columns", "rows", "value"),
    [
        ("4", "4", 0),
        ("5", "4", 0),
        pytest.param("5", "5", 0, marks=thorough),
        pytest.param("6", "4", -1, marks=thorough),
    ],
)  # J. Tromp, John's Connect Four Playground
def test_connect_four(columns: str, rows: str, value: int) -> None:
    found = lab.solve(rw.load("connect-four", options={"columns": columns, "rows": rows}))
    assert (found.value.least, found.value.exact, found.method) == (value, True, "alpha-beta")
    assert found.line_end == "over"


@pytest.mark.parametrize("heap", range(4, 10))
def test_nim(tmp_path: Path, heap: int) -> None:
    """A multiple of four is lost: what is taken is made up to four."""
    found = lab.solve(game_of(tmp_path, NIM, heap=str(heap)))
    assert found.words == ("player_1 wins" if heap % 4 else "player_2 wins")
    if heap % 4:
        assert best(found) == [str(heap % 4)]
    assert found.length == 2 * (heap // 4) + bool(heap % 4) == len(found.line)


def test_hex(tmp_path: Path) -> None:
    """The first player wins, from the openings that a program of its own finds."""
    found = lab.solve(game_of(tmp_path, HEX))
    assert (found.words, found.length) == ("player_1 wins", 5)
    assert best(found) == ["(1, 0)", "(2, 0)", "(1, 1)", "(0, 2)", "(1, 2)"]


def test_hex_of_four(tmp_path: Path) -> None:
    found = lab.solve(game_of(tmp_path, HEX, size="4"))
    assert (found.words, found.method) == ("player_1 wins", "alpha-beta")
    assert best(found) == ["(3, 0)", "(2, 1)", "(1, 2)", "(0, 3)"]


def test_three_mens_morris(tmp_path: Path) -> None:
    """Positions come again: a draw where men go in all directions, else the first player wins from the middle."""
    found = lab.solve(game_of(tmp_path, MORRIS))
    assert (found.words, found.line_end, found.length) == ("a draw", "comes again", None)
    won = lab.solve(game_of(tmp_path, ORTHOGONAL))
    assert (won.words, won.line_end) == ("player_1 wins", "over")
    assert best(won) == ["(1, 1)"]
    assert won.length == len(won.line)


@pytest.mark.parametrize("rules", [NIM, HEX, BANKED], ids=["nim", "hex", "banked"])
def test_both_methods_agree(tmp_path: Path, rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And both engines: they look at the same positions in the same order."""
    game = game_of(tmp_path, rules)
    backwards = lab.solve(game)
    monkeypatch.setattr(solving, "SMALL", 0)
    searched, python = (lab.solve(game_of(tmp_path, rules, engine=engine)) for engine in ("native", "python"))
    assert searched == python
    assert (backwards.method, searched.method) == ("retrograde analysis", "alpha-beta")
    assert (backwards.value, best(backwards)) == (searched.value, best(searched))
    assert backwards.length == searched.length is not None
    begin = game.start()
    for step in searched.line:
        begin = begin.choose(step.key)
    assert begin.result is not None
    assert begin.result.payoffs[0] == searched.value.least


@pytest.mark.parametrize(("rules", "size"), [(NIM, "12"), (NIM, "13"), (HEX, "2")])
def test_how_soon_a_game_is_won(tmp_path: Path, rules: str, size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both methods say it, whoever wins; nobody can win sooner, and a budget that is too small leaves it open."""
    game = game_of(
        tmp_path, rules.replace("param heap = 7", f"param heap = {size}").replace("size = 3", f"size = {size}")
    )
    length = lab.solve(game).length
    monkeypatch.setattr(solving, "SMALL", 0)
    searched = lab.solve(game)
    assert searched.length == length is not None
    assert lab.solve(game, positions=searched.positions - 1).length is None
    assert lab.solve(game, positions=searched.positions - 1).value == searched.value


def test_nobody_wins_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "SMALL", 0)
    found = lab.solve(rw.load("tic-tac-toe"))
    assert (found.method, found.words, found.length) == ("alpha-beta", "a draw", None)


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "breakthrough"])
@pytest.mark.parametrize("positions", [40, 1_000, 6_000])
def test_machine_code_searches_the_same(name: str, positions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "SMALL", 0)
    all_options: dict[str, dict[str, int]] = {"connect-four": {"columns": 4, "rows": 3}, "breakthrough": {"size": 4}}
    options = all_options.get(name, {})
    native = lab.solve(rw.load(name, options=options, engine="native"), positions=positions)
    python = lab.solve(rw.load(name, options=options, engine="python"), positions=positions)
    assert native == python


def test_machine_code_with_little_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The room for the way grows; where it cannot the steps of Python go on."""
    monkeypatch.setattr(solving, "SMALL", 0)
    monkeypatch.setattr(native_search, "WAY", 1 << 10)
    game = game_of(tmp_path, HEX, engine="native")
    wanted = lab.solve(game_of(tmp_path, HEX, engine="python"))
    found = lab.solve(game)
    assert (found.value, best(found)) == (wanted.value, best(wanted))
    make_room, made = native_search.NativeAlphaBetaSolver._make_room, list[int]()

    def once(self: native_search.NativeAlphaBetaSolver, end: int) -> None:
        if made:
            raise NoRoom(MemoryError())
        made.append(end)
        make_room(self, end)

    monkeypatch.setattr(native_search.NativeAlphaBetaSolver, "_make_room", once)
    assert lab.solve(game) == wanted
    assert made


@pytest.mark.parametrize("engine", ["native", "python"])
def test_a_turn_of_a_scenario(engine: rw.playing.EngineName) -> None:
    """The positions that are not decided when the turn is over are worth nothing."""
    game, begin = rw.Game.of_scenario("connect-four", "four on a slope win")
    game.backend = engine
    found = lab.solve(game, begin)
    assert (found.words, found.length, best(found)) == ("red wins", 1, ["3"])
    assert [step.key for step in found.line] == ["3"]
    assert {one.value.least for one in found.options if not one.best} == {0}
    other, piled = rw.Game.of_scenario("connect-four", "discs pile up, and a full column is refused")
    assert lab.solve(other, piled, positions=2_000).value.exact is False


@pytest.mark.parametrize("engine", ["native", "python"])
def test_errors_of_the_rules_are_told(
    tmp_path: Path, engine: rw.playing.EngineName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "SMALL", 0)
    rules = NIM.replace("stones -= amount", "stones -= amount * (6 / (amount - 2) rounded up)")
    with pytest.raises(rw.RulesetError) as caught:
        lab.solve(game_of(tmp_path, rules, engine=engine))
    assert caught.value.diagnostics[0].span.line


def test_a_search_that_meets_itself_goes_backwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = lab.solve(game_of(tmp_path, MORRIS))
    monkeypatch.setattr(solving, "SMALL", 0)
    again = lab.solve(game_of(tmp_path, MORRIS))
    assert (again.value, again.method, best(again)) == (found.value, found.method, best(found))


def test_chance_is_weighed(tmp_path: Path) -> None:
    """2 is best: it wins with a third of the rolls, and the other one has the same chance if it does not."""
    found = lab.solve(game_of(tmp_path, DICE))
    assert (found.method, found.line_end) == ("expectiminax", "chance")
    assert str(found.value.least) == "1/9"
    assert found.words == "worth 1/9 to player_1"
    assert best(found) == ["2"]


def test_chance_and_positions_that_come_again(tmp_path: Path) -> None:
    """Pig is known from its equations (T. Neller, C. Presser, *Optimal play of the dice game Pig*, 2004), here iterated
    by themselves; in `AGAIN` each rolls for a third until somebody has it: 1/3 + 2/3 * 2/3 * 1/3 + … = 3/5."""
    found = lab.solve(rw.load("pig", options={"goal": 10}))
    assert (found.method, found.line_end, best(found)) == ("value iteration", "chance", ["roll"])
    assert found.wins == pytest.approx(pig(10), abs=1e-8)
    again = lab.solve(game_of(tmp_path, AGAIN))
    assert (again.wins, best(again)) == (pytest.approx(3 / 5, abs=1e-8), ["2"])
    assert not lab.solve(rw.load("pig", options={"goal": 10}), positions=500).value.exact
    assert not lab.solve(rw.load("pig", options={"goal": 20}), megabytes=1).value.exact


def pig(goal: int) -> float:
    """The chance to win of who begins."""
    wins = {(i, j, k): 0.5 for i in range(goal) for j in range(goal) for k in range(goal - i + 6)}
    for _ in range(100):
        for i, j, k in wins:
            if i + k >= goal:
                wins[i, j, k] = 1.0
                continue
            roll = (1 - wins[j, i, 0] + sum(wins[i, j, k + n] for n in range(2, 7))) / 6
            wins[i, j, k] = max(roll, 1 - wins[j, i + k, 0])
    return wins[0, 0, 0]


def test_a_budget_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The more is looked at the nearer are the bounds that are proved by then."""
    monkeypatch.setattr(solving, "SMALL", 0)
    game = rw.load("connect-four", options={"columns": "5", "rows": "5"})
    found = lab.solve(game, positions=3_000)
    assert found.positions < 3_200
    assert not found.value.exact
    assert found.words == "not known"
    assert not best(found)
    small = rw.load("connect-four", options={"columns": "4", "rows": "4"})
    bounds = [lab.solve(small, positions=number).value for number in (1_000, 20_000, 400_000)]
    assert bounds[-1].exact
    assert all(one.least is not None and one.most is not None for one in bounds)
    spans = [one.most - one.least for one in bounds]  # type: ignore[operator]
    assert spans == sorted(spans, reverse=True)


def test_little_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions that were forgotten are looked at again."""
    monkeypatch.setattr(solving, "SMALL", 0)
    game = game_of(tmp_path, HEX)
    assert lab.solve(game, megabytes=1).value == lab.solve(game).value
    monkeypatch.setattr("rulewright_lab.theory.alpha_beta.ENTRY_BYTES", 1 << 12)
    assert lab.solve(game, megabytes=1).value == lab.solve(game).value


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (NIM.replace("players 2", "players 3"), "only games of two"),
        (NIM.replace("heap\n", "heap, seen by {}\n"), "perfect information"),
        (NIM.replace("finish with winner p", "finish paying amount for q in players"), "payoffs sum to"),
        (NIM.replace("finish with winner p", "finish with winner players"), None),
    ],
)  # fmt: skip
def test_games_that_have_no_value(tmp_path: Path, rules: str, said: str | None) -> None:
    game = game_of(tmp_path, rules)
    if said is None:
        assert lab.solve(game).value.least == 1
        return
    with pytest.raises(rw.RulesetError, match=said) as caught:
        lab.solve(game)
    assert caught.value.diagnostics[0].hint
