"""A designer's changes, by text edits alone, seen through the command line: they change play as expected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Run, edit

Copied = Callable[[str], Path]


def add_scenario(folder: Path, text: str) -> None:
    """Put a scenario file into the ruleset, in place of the others."""
    (folder / "scenarios").mkdir(exist_ok=True)
    for old in (folder / "scenarios").glob("*.rules"):
        old.write_text("", encoding="utf-8")
    first = sorted((folder / "scenarios").glob("*.rules"))[0]
    first.write_text(text, encoding="utf-8")


def holds(run: Run, folder: Path) -> bool:
    outcome = run("test", folder)
    assert outcome.code in (0, 1), outcome
    return outcome.code == 0


def test_a_parameter(run: Run, copied: Copied) -> None:
    folder = copied("carolus-magnus")
    add_scenario(
        folder,
        """\
scenario "two knights a turn"
    players black, white
    put 7 "red knight" in reserve[black]
    given number[black] = 1
    start turn(black)
    when black: knight = "red knight", court
    when black: knight = "red knight", court
    offered black: steps = {1}
""",
    )
    assert not holds(run, folder)
    edit(folder / "components.rules", "param knights_per_turn = 3", "param knights_per_turn = 2")
    assert holds(run, folder)


def test_a_restriction(run: Run, copied: Copied) -> None:
    folder = copied("carolus-magnus")
    add_scenario(
        folder,
        """\
scenario "the second may lay the number of the first"
    players black, white
    given turn_order = [black, white]
    start choose_discs
    when black: disc = "black disc 3"
    offered white: disc = {"white disc 1", "white disc 2", "white disc 3", "white disc 4", "white disc 5"}
""",
    )
    outcome = run("test", folder)
    assert outcome.code == 1
    assert "other options are offered" in outcome.out
    play = folder / "play.rules"
    # The restriction goes, with its exceptions.
    lines = play.read_text(encoding="utf-8").splitlines(keepends=True)
    start = next(number for number, line in enumerate(lines) if "forbid taken" in line)
    end = next(number for number, line in enumerate(lines) if number > start and "number[p] = disc.number" in line)
    play.write_text("".join(lines[:start] + lines[end:]), encoding="utf-8")
    assert holds(run, folder)


def test_a_phase(run: Run, copied: Copied) -> None:
    folder = copied("carolus-magnus")
    add_scenario(
        folder,
        """\
scenario "the emperor moves before knights are placed"
    players black, white
    put 7 "red knight" in reserve[black]
    given number[black] = 1
    start turn(black)
    when black: steps = 1
    offered black: knight = {"red knight"}
""",
    )
    assert not holds(run, folder)
    play = folder / "play.rules"
    text = play.read_text(encoding="utf-8")
    steps = ("place_knights", "move_emperor", "declaration")
    placing, moving, rest = (text.index(f"    step {name}") for name in steps)
    play.write_text(text[:placing] + text[moving:rest] + text[placing:moving] + text[rest:], encoding="utf-8")
    assert holds(run, folder)


def test_a_number_of_a_small_game(run: Run, copied: Copied) -> None:
    folder = copied("breakthrough")
    assert run("perft", folder, "--depth", "1").out == "22\n"
    edit(folder / "game.rules", "param size = 8", "param size = 6")
    assert run("perft", folder, "--depth", "1").out == "16\n"
    assert run("perft", folder, "--depth", "1", "--option", "size=5").out == "13\n"


def test_a_variant_from_a_file_outside(run: Run, tmp_path: Path) -> None:
    variant = tmp_path / "small.rules"
    variant.write_text('variant "Small" of breakthrough\n    set size = 5\n', encoding="utf-8")
    assert run("perft", "breakthrough", "--depth", "1", "--variant", variant).out == "13\n"


def test_a_removed_rule_is_missed_by_the_trace(run: Run, copied: Copied) -> None:
    folder = copied("tic-tac-toe")
    before = run("trace", folder, "--format", "json").json
    assert before["percent"] == 100
    edit(folder / "game.rules", "@TTT-4", "")
    after = run("trace", folder, "--format", "json").json
    assert after["missing"] == ["TTT-4"]
    assert after["percent"] < 100
    assert run("trace", folder, "--fail-under", "100").code == 1
    assert run("trace", folder, "--fail-under", "50").code == 0


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_fmt_keeps_the_ends_of_lines(run: Run, tmp_path: Path, end: str, mark: str) -> None:
    """As `rename` and `check --fix` do."""
    file = tmp_path / "a.rules"
    file.write_bytes((mark + "game  a\nplayers   2\n".replace("\n", end)).encode())
    assert run("fmt", file).code == 0
    assert file.read_bytes() == (mark + "game a\nplayers 2\n".replace("\n", end)).encode()
    assert run("fmt", "--diff", file).code == 0
