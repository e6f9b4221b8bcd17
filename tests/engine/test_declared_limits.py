"""Games as large as the declared limits allow are played by both engines, and `auto` plays what cannot be compiled."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rulewright as rw
from rulewright.engine.native import instance, tiering
from rulewright.engine.native.instance import NoRoom
from rulewright.foundation import limits

CARDS = """\
game many
players 2
piece Card from "cards.json"
    n: 0..9000
    named "card {n}"
    begins in deck
zone deck: stack of Card, seen by everyone
zone line: row of Card, seen by everyone
field order: list of Card, at most %d
field x: Int = 0
procedure play
    %s
    each p in players
        p chooses n from {0 .. 1}
    finish ranking p in players by x
"""
ONE_BEYOND = 1025
"""Sets beyond so many members lie in memory, and numbers of a set end there."""


def game(folder: Path, rules: str, engine: Any, cards: int = 0) -> rw.Game:
    folder.mkdir(exist_ok=True)
    (folder / "game.rules").write_text(rules, "utf-8")
    (folder / "ruleset.json").write_text(json.dumps({"name": "many", "title": "Many", "rules": ["game.rules"]}))
    (folder / "cards.json").write_text(json.dumps({"rows": [{"n": n} for n in range(cards)]}))
    return rw.load(folder, engine=engine)


def ends(folder: Path, rules: str, cards: int = 0) -> tuple[Any, ...]:
    """The ends of games by Python, which are those of machine code."""
    python, native = (game(folder, rules, engine, cards) for engine in ("python", "native"))
    found = [(one.playout(7).places, one.playouts(2).decisions) for one in (python, native)]
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("count", [ONE_BEYOND - 1, ONE_BEYOND, limits.PIECES])
@pytest.mark.parametrize(
    "deed",
    [
        "x = first(Card).n",
        "if single(Card) is none then x = 1",
        "x = size(Card) + count(c in Card where c.n > 1020)",
        "shuffle deck\n    x = first(deck).n",
        "move deck to line\n    shuffle line\n    x = first(line).n",
        "each c in Card\n        order += c\n    shuffle order\n    x = first(order).n",
        "if Card is deck then x = 2",
    ],
)
def test_many_pieces(tmp_path: Path, deed: str, count: int) -> None:
    ends(tmp_path / "many", CARDS % (count, deed), count)


def test_each_order_of_a_long_shuffle_is_drawn(tmp_path: Path) -> None:
    """Also where chance is asked, and the first is not always the same."""
    rules = CARDS % (1, "shuffle deck\n    x = first(deck).n")
    many = game(tmp_path / "many", rules, "python", ONE_BEYOND)
    assert len({many.start(seed).digest() for seed in range(4)}) == 4
    asked = many.start(1, ask_chance=True)
    assert asked.decision is not None
    assert len(asked.decision.options) == ONE_BEYOND


GROWING = """\
game land
players 2
place Cell
map Land: growing hexes of Cell, at most %d
piece Tile from "cards.json"
    n: 0..9000
    named "tile"
    begins in stock
zone stock: set of Tile, seen by everyone
zone on[Cell]: set of Tile, at most 1, seen by everyone
procedure play
    move 1 of stock to on[(0, 0)]
    each p in players
        p chooses c from Cell where on[c] is empty
            forbid far: %s
        move 1 of stock to on[c]
    finish with winner players
"""


@pytest.mark.parametrize("count", [117, limits.LAID])
@pytest.mark.parametrize(
    "far",
    [
        "size(reach(from c)) < 2",
        "size(reach(from c within {x in Cell where on[x] is empty})) < 2",
        "not connected({x in Cell where on[x] is not empty or x is c})",
        "c in Cell and size(Cell) < 1",
    ],
)
def test_a_wide_growing_map(tmp_path: Path, far: str, count: int) -> None:
    """Its sets are numbers of more digits than Python converts."""
    ends(tmp_path / "land", GROWING % (count, far), 3)


OPTIONS = """\
game words
players 2
field x: Int = 0
procedure play
    each p in players
        p chooses either as deed
%s
    finish ranking p in players by x
"""


def options(count: int) -> str:
    return OPTIONS % "\n".join(f"            option o{n}: x += {n}" for n in range(count))


def test_options_of_a_choice(tmp_path: Path) -> None:
    ends(tmp_path / "words", options(64))
    for count in (65, 200):
        auto = game(tmp_path / "words", options(count), "auto")
        assert auto.playouts(20) == game(tmp_path / "words", options(count), "python").playouts(20)
        with pytest.raises(rw.RulesetError, match=r"RUN018.*more than 64 options"):
            game(tmp_path / "words", options(count), "native").playouts(1)


class TestWhereMachineCodeCannotBeRun:
    """Python plays with `auto`, `native` says why not."""

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the address space")
    @pytest.mark.parametrize("gigabytes", [1, 3])
    def test_little_address_space(self, gigabytes: int) -> None:
        code = (
            "import resource, sys\n"
            f"resource.setrlimit(resource.RLIMIT_AS, ({gigabytes} << 30, {gigabytes} << 30))\n"
            "import rulewright as rw\n"
            "print(list(rw.load('tic-tac-toe').playouts(20).decisions), rw.playing.native_engine())\n"
            "print(list(rw.load('tic-tac-toe', engine='native').playouts(20).decisions))\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        first, second = done.stdout.splitlines()
        assert first.startswith(second)
        assert "wasmtime" in first

    def test_no_instance_can_be_made(self, monkeypatch: pytest.MonkeyPatch) -> None:
        expected = rw.load("tic-tac-toe", engine="python").playouts(20)
        monkeypatch.setattr(tiering, "_tiers", {})

        def refuse(*_: object) -> None:
            raise NoRoom(MemoryError("no room\nat all"))

        monkeypatch.setattr("rulewright.engine.native.backend.Instance", refuse)
        auto = rw.load("tic-tac-toe")
        assert auto.playouts(20) == expected
        assert auto.stepper(1).options == 9
        assert auto.batch(3, 1).options[0] == 9
        with pytest.raises(rw.RulesetError, match=r"RUN018.*no room"):
            rw.load("tic-tac-toe", engine="native").playouts(1)

    def test_no_further_instance_can_be_made(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The first one is in use, and there is no room for a second."""
        monkeypatch.setattr(tiering, "_tiers", {})
        auto, native = rw.load("tic-tac-toe"), rw.load("tic-tac-toe", engine="native")
        held = [auto.stepper(1), native.stepper(1)]

        def refuse(*_: object) -> None:
            raise NoRoom(MemoryError("no room"))

        monkeypatch.setattr("rulewright.engine.native.backend.Instance", refuse)
        assert auto.stepper(1).options == held[0].options
        assert auto.playouts(3) == native.playouts(3) == rw.load("tic-tac-toe", engine="python").playouts(3)
        with pytest.raises(rw.RulesetError, match="RUN018"):
            native.stepper(1)

    def test_a_mistake_of_the_compiler(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tiering, "_tiers", {})

        def fail(*_: object) -> None:
            raise ValueError("byte must be in range")

        monkeypatch.setattr("rulewright.engine.native.backend.compiled", fail)
        assert len(rw.load("tic-tac-toe").playouts(20)) == 20
        with pytest.raises(rw.RulesetError, match=r"RUN018.*error inside"):
            rw.load("tic-tac-toe", engine="native").playouts(1)

    def test_the_library_cannot_reserve_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import wasmtime

        def fail(*_: object) -> None:
            raise wasmtime.WasmtimeError("mmap failed to reserve 0x104000000 bytes\n\nCaused by: no memory")

        monkeypatch.setattr(wasmtime, "Instance", fail)
        with pytest.raises(NoRoom, match=r"cannot be run here: mmap failed to reserve 0x104000000 bytes$"):
            instance.try_out()
        with pytest.raises(rw.RulesetError, match="RUN018"):
            rw.playing.native_engine()
