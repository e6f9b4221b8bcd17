"""``rulewright play``, ``draw`` and ``new``."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import rulewright as rw
from rulewright_tools.render.colours import Palette, dark
from rulewright_tools.render.picture import Holder, Item, MapStyle, Picture, Pile, Spot
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.terminal.board import Board
from rulewright_tools.render.theme import palette_of, piece_keys
from rulewright_tools.session.prompts import columns
from sampling import THOROUGH

from .conftest import RULESETS, Run, edit

GAMES = ("tic-tac-toe", "connect-four", "breakthrough", "carolus-magnus")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_boards_fit_the_terminal(name: str, width: int) -> None:
    game = rw.load(name)
    state = game.playout(4).state
    board = Board(palette_of(game), piece_keys(game), width)
    lines = board.draw(picture_of(game, state, None))
    assert lines
    assert max(line.cell_len for line in lines) <= width


def test_a_whole_game_at_the_terminal(run: Run) -> None:
    answers = "(1, 1)\n1\n3\n2\nnonsense\n99\n(2, 0)\n"
    outcome = run("play", "tic-tac-toe", "--seats", "human,human", stdin=answers)
    assert outcome.code == 0
    assert "'nonsense' is not an option" in outcome.out
    assert "There are the options 1 to" in outcome.out


def test_end_of_a_game(run: Run) -> None:
    answers = "".join(f"({key})\n" for key in ("0, 0", "1, 0", "0, 1", "1, 1", "0, 2"))
    outcome = run("play", "tic-tac-toe", "--seats", "human,human", stdin=answers)
    assert "1. x\n2. o\nended by three_in_a_row after 5 decisions" in outcome.out


def test_what_answers_lead_to_is_told(run: Run) -> None:
    outcome = run("play", "tic-tac-toe", "--seats", "human,first", stdin="(1, 1)\nundo\n(2, 2)\nlog\nlog quote\n")
    assert "\n  o: puts a mark on (0, 0)\n" in outcome.out
    log, quoted = outcome.out.split("   1  x: puts a mark on (2, 2)\n")[1:]
    assert log.startswith("   2  o: puts a mark on (0, 0)\n")
    assert quoted.startswith("          @TTT-3  ")


def test_the_log_of_a_saved_game(run: Run, pond: Path) -> None:
    save = pond.parent / "evening.json"
    assert run("play", pond, "--seats", "human,first", stdin=f"1\nsave {save}\n").code == 0
    told = run("log", pond, save, "--seat", "red")
    assert told.code == 0
    assert "   1  chance: bag " in told.out
    for wrong in ([save, "--decisions", "1"], ["--seat", "red", "--reveal"], ["--seat", "purple"]):
        outcome = run("log", pond, *wrong)
        assert outcome.code == 2
        assert "Traceback" not in outcome.all
    whole = run("log", pond, "--seed", "5").out
    assert run("log", pond, "--seed", "5", "--decisions", "2").out in whole
    assert "the game ends: pond is empty" in whole


def test_why_names_restriction_and_statement(run: Run) -> None:
    outcome = run("play", "tic-tac-toe", "--seats", "human,human", stdin="(1, 1)\nwhy (1, 1)\nwhy (0, 0)\nwhy\n")
    assert "turn.taken" in outcome.out
    assert "@TTT-4" in outcome.out
    assert "may not be marked again" in outcome.out
    assert "This is possible." in outcome.out


def test_undo_save_and_load(run: Run, pond: Path) -> None:
    save = pond.parent / "evening.json"
    first = run("play", pond, "--seats", "human,human", "--seed", "2", stdin=f"1\n1\nsave {save}\nlog\nquit\n")
    assert first.code == 0
    assert f"saved to {save}" in first.out
    again = run("play", pond, "--seats", "human,human", save, stdin="log\nquit\n")

    def log(text: str) -> list[str]:
        return [line for line in text.splitlines() if line[:4].strip().isdigit() and ": " in line]

    assert log(first.out) == log(again.out) != []
    undone = run("play", pond, "--seats", "human,human", "--seed", "2", stdin="undo\n1\nundo\nlog\n")
    assert "nothing to take back" in undone.out
    assert "red: stone" not in undone.out.split("undo")[-1]


def test_a_save_knows_its_players_and_variant(run: Run, pond: Path) -> None:
    save = pond.parent / "three.json"
    outcome = run(
        "play", pond, "-n", "3", "--variant", "Deep pond", "--option", "pebbles_a_stone=1",
        "--seats", "human,first", stdin=f"save {save}\n",
    )  # fmt: skip
    assert outcome.code == 0, outcome
    picture = pond.parent / "three.svg"
    assert run("draw", pond, save, "-o", picture).code == 0
    assert "green: stone " in run("play", pond, save, "--seats", "human,first", stdin="1\n1\n").out


def test_saving_replaces_only_what_was_written_whole(run: Run, pond: Path) -> None:
    save = pond.parent / "keep.json"
    save.write_text("precious", encoding="utf-8")
    save.chmod(0o640)
    assert run("play", pond, stdin=f"save {save}\n").code == 0
    assert save.read_text(encoding="utf-8").startswith("{")
    assert save.stat().st_mode & 0o777 == 0o640
    assert [file.name for file in pond.parent.iterdir() if file.name.startswith(".")] == []


def test_forced_choices_are_taken_and_told(run: Run, pond: Path) -> None:
    quick = run("play", pond, "--seats", "human,first", "--seed", "3", stdin="1\n")
    assert "(the only possibility)" in quick.out


def test_nobody_asked(run: Run, pond: Path) -> None:
    for seats in (["--seats", "random"], ["--seats", "random,random"], ["--seats", "first,random"]):
        outcome = run("play", pond, "--seed", "5", *seats)
        assert outcome.code == 0
        assert "ended by pond_is_empty" in outcome.out


def test_input_ends(run: Run, pond: Path) -> None:
    outcome = run("play", pond)
    assert outcome.code == 0
    assert "The input has ended" in outcome.out


def test_help_inside(run: Run, pond: Path) -> None:
    assert "why KEY" in run("play", pond, stdin="help\nboard\nquit\n").out


def test_numbers_that_are_keys_are_not_numbered(run: Run) -> None:
    assert "  0  1  2  3  4  5  6\n" in run("play", "connect-four", stdin="quit\n").out
    assert columns({1: "a", 2: "b"}, 80) == ["  1 a", "  2 b"]
    assert len(columns({n: f"({n}, {n})" for n in range(1, 31)}, 80)) == 6


# ------------------------------------------------------------------------------------------------ pictures


@pytest.mark.parametrize("name", GAMES)
def test_draw(run: Run, name: str, tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert run("draw", name, "-o", file).code == 0
    root = ElementTree.parse(file).getroot()
    assert root.tag.endswith("svg")
    text = file.read_text(encoding="utf-8")
    assert rw.open_ruleset(name).title in text
    assert run("draw", name).out == text


def test_draw_what_a_seat_sees(run: Run, pond: Path) -> None:
    assert run("draw", pond, "--seat", "red").code == 0
    outcome = run("draw", pond, "--seat", "purple")
    assert outcome.code == 2
    assert "red, blue" in outcome.err


def test_draw_escapes_names(pond: Path, run: Run) -> None:
    manifest = pond / "ruleset.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"Pond"', "\"<Pond> & 'co'\""), encoding="utf-8")
    ElementTree.fromstring(run("draw", pond).out)


def test_region_names() -> None:
    def spots(regions: str) -> Picture:
        found = tuple(Spot(str(n + 1), 0, 0, (), (), region) for n, region in enumerate(regions))
        return Picture("t", "ring", MapStyle(), found, (), (), Holder("", (), ()))

    picture = spots("113341")
    assert [picture.region_name(spot) for spot in picture.spots] == ["6–2", "6–2", "3–4", "3–4", "5", "6–2"]


def test_signs_are_short_and_different() -> None:
    signs = Palette().signs(["red knight", "red king", "blue knight", "disc 1", "disc 11"])
    assert len(set(signs.values())) == 5
    assert signs["red knight"] == "rk"
    assert signs["disc 11"] == "d11"


def test_colours() -> None:
    palette = Palette({"red": "#f00", "Knight": "teal"}, words={"guard": ("Knight",)})
    assert palette.colour("red knight") == "#ff0000"
    assert palette.colour("guard") == "#2c7f7c"
    assert palette.colour("thing") == Palette().colour("thing")
    assert dark("#000000")
    assert not dark("#ffffff")


def test_hidden_pieces_are_only_counted(pond: Path) -> None:
    game = rw.load(pond)
    state = game.start(seed=1)
    bag = {pile.name: pile for pile in picture_of(game, state, 0).table.piles}["bag"]
    assert bag == Pile("bag", (Item("", 12, back=True, zone="bag"),))
    whole = {pile.name: pile for pile in picture_of(game, state, None).table.piles}["bag"]
    assert whole.size == 12
    assert not any(item.back for item in whole.items)


def test_backs_are_shown(run: Run, pond: Path) -> None:
    edit(pond / "game.rules", "zone bag: bag of Pebble, count seen", "zone bag: bag of Pebble, back seen")
    edit(pond / "game.rules", '    named "{colour} pebble"', '    back shows "{colour}"\n    named "{colour} pebble"')
    game = rw.load(pond)
    state = game.start(seed=2)
    told = state.view(0)["zones"]["bag"]["backs"]
    bag = {pile.name: pile for pile in picture_of(game, state, 0).table.piles}["bag"]
    assert bag == Pile("bag", tuple(Item(back, count, back=True, zone="bag") for back, count in told.items()))
    assert sum(told.values()) == 12
    assert f"{told['grey']} face down (grey), " in run("play", pond, "--seed", 2, stdin="quit\n").out


def test_the_log_tells_no_secrets(run: Run, pond: Path) -> None:
    answers = "log\nquit\n"
    told = run("play", pond, stdin=answers).out
    assert told.count("chance: bag ") == 12
    seen = "zone hand[Player]: set of Pebble, seen by everyone"
    edit(pond / "game.rules", seen, "zone hand[p: Player]: set of Pebble, seen by p")
    draw = "        draw pebbles_a_stone from bag to on[s]\n"
    edit(pond / "game.rules", draw, draw + "    each q in players\n        draw 1 from bag to hand[q]\n")
    out = run("play", pond, stdin=answers).out
    assert out.count("chance: bag ") == 13, "what the other has drawn is not told"


# ---------------------------------------------------------------------------------------------------- new


@pytest.mark.parametrize("name", ["pond", "river-race-2", "7"])
def test_new_checks_tests_and_plays(run: Run, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "deeper" / name
    assert run("new", folder).code == 0
    assert run("check", folder).out == "1 ruleset checked, nothing found\n"
    assert run("test", folder).code == 0
    assert run("trace", folder, "--fail-under", "100").code == 0
    assert run("fmt", folder, "--diff").code == 0
    assert run("play", folder, "--seats", "random").code == 0
    assert run("simulate", folder, "-n", "3", "--games", "5", "--variant", "Deep pond").code == 0


def test_new_overwrites_nothing(run: Run, pond: Path) -> None:
    before = {file: file.read_bytes() for file in pond.rglob("*") if file.is_file()}
    outcome = run("new", pond)
    assert outcome.code == 2
    assert "exists already" in outcome.err
    assert {file: file.read_bytes() for file in pond.rglob("*") if file.is_file()} == before
    assert [file.name for file in pond.parent.iterdir()] == [pond.name]


@pytest.mark.parametrize("name", ["My Game", "ÄÖÜ", "a_b", "-x-", ""])
def test_new_wants_a_good_name(run: Run, tmp_path: Path, name: str) -> None:
    assert run("new", tmp_path / name if name else "").code == 2
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------------------------------------- fmt, check


def test_fmt(run: Run, pond: Path) -> None:
    game = pond / "game.rules"
    tidy = game.read_text(encoding="utf-8")
    game.write_text(tidy.replace("p chooses pebble from", "p   chooses pebble   from"), encoding="utf-8")
    outcome = run("fmt", pond, "--diff")
    assert outcome.code == 1
    assert "game.rules" in outcome.out
    assert game.read_text(encoding="utf-8") != tidy
    assert "-    p   chooses pebble   from on[stone]\n" in outcome.out
    assert run("fmt", pond).code == 0
    assert game.read_text(encoding="utf-8") == tidy
    assert run("fmt", game, "--diff").code == 0


def test_fmt_writes_the_good_files_although_one_is_bad(run: Run, pond: Path) -> None:
    (pond / "bad.rules").write_text("procedure\n", encoding="utf-8")
    game = pond / "game.rules"
    game.write_text(game.read_text(encoding="utf-8").replace("p chooses", "p  chooses"), encoding="utf-8")
    outcome = run("fmt", pond)
    assert outcome.code == 2
    assert "p  chooses" not in game.read_text(encoding="utf-8")
    assert (pond / "bad.rules").read_text(encoding="utf-8") == "procedure\n"


def test_shipped_rules_are_in_the_style(run: Run) -> None:
    """Also told by `check`, which all of them pass."""
    large = () if THOROUGH else ("kings-and-things",)
    folders = [folder for folder in sorted(RULESETS.iterdir()) if folder.name not in large]
    assert run("fmt", "--diff", *folders).code == 0


def test_explain(run: Run) -> None:
    assert "REF001" in run("explain", "ref001").out
    outcome = run("explain", "REF999")
    assert outcome.code == 2
    assert "REF001" in outcome.err
    assert run("explain", "../../secret").code == 2


def test_wrong_commands(run: Run) -> None:
    assert run("--help").code == 0
    assert run("nonsense").code == 2
    assert run("perft", "tic-tac-toe").code == 2


def test_a_save_of_another_game(run: Run, tmp_path: Path) -> None:
    """Its options are unknown here; the message says why."""
    save = tmp_path / "goofspiel.json"
    save.write_text(json.dumps(rw.load("goofspiel", players=2).start(seed=1).save()), "utf-8")
    for found in (run("play", "tic-tac-toe", save), run("draw", "tic-tac-toe", save)):
        message = "error[SAV002]: the save is of the game `goofspiel`, and this is `tic_tac_toe`"
        assert (found.code, found.err) == (2, f"{message}\n --> {save}\n\n")


def test_messages_about_saves_name_the_file(run: Run, tmp_path: Path) -> None:
    save = tmp_path / "broken.json"
    save.write_text(json.dumps(rw.load("tic-tac-toe").start(seed=1).save() | {"seed": "4"}), "utf-8")
    for command in ("play", "draw", "log"):
        found = run(command, "tic-tac-toe", save)
        assert (found.code, found.err) == (
            2,
            f"error[SAV003]: the save is damaged: its checksum does not match\n --> {save}\n\n",
        )
    told = run("play", "tic-tac-toe", stdin=f"load {save}\nquit\n").out
    assert f"{save}: the save is damaged: its checksum does not match" in told
