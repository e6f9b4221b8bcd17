"""Bad input of every kind: one clear error, an exit code, never a traceback (the fixture looks for one)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.host.budgets import STEPS

from .conftest import Run, edit

COULD_NOT_RUN, FINDINGS = 2, 1


@pytest.mark.parametrize("command", ["check", "test", "trace", "play", "simulate", "perft", "draw"])
def test_missing_ruleset(run: Run, command: str) -> None:
    more = ["--depth", "1"] if command == "perft" else []
    outcome = run(command, "no-such-game", *more)
    assert outcome.code == COULD_NOT_RUN
    assert "no-such-game" in outcome.err
    assert outcome.out == ""


@pytest.mark.parametrize("kind", ["pipe", "loop", "dangling"])
def test_what_is_there_but_can_be_no_ruleset(run: Run, tmp_path: Path, kind: str) -> None:
    odd = tmp_path / "odd"
    if kind == "pipe":
        os.mkfifo(odd)
    else:
        odd.symlink_to(odd if kind == "loop" else tmp_path / "nowhere")
    outcome = run("show", str(odd))
    assert (outcome.code, outcome.out) == (COULD_NOT_RUN, "")
    assert "error[DAT021]" in outcome.err
    assert "is neither a folder nor an ordinary file" in outcome.err
    assert "there is no ruleset" not in outcome.err


def test_missing_file_for_fmt(run: Run) -> None:
    outcome = run("fmt", "no-such.rules")
    assert outcome.code == COULD_NOT_RUN
    assert "no-such.rules" in outcome.err


def test_a_file_that_the_manifest_names_is_missing(run: Run, pond: Path) -> None:
    (pond / "pieces.json").unlink()
    outcome = run("check", pond)
    assert outcome.code == FINDINGS
    assert "pieces.json" in outcome.out
    assert "game.rules:10" in outcome.out


@pytest.mark.parametrize("name", ["ruleset.json", "pieces.json", "rulebook.json", "rulings.json"])
def test_broken_json(run: Run, pond: Path, name: str) -> None:
    (pond / name).write_text('{\n  "name": \n', encoding="utf-8")
    outcome = run("check", pond)
    assert outcome.code == FINDINGS
    assert name in outcome.out
    assert outcome.out.count("error[") == 1


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("ruleset.json", '"title"', '"titel": "x", "title"'),
        ("pieces.json", '"colour": "grey"', '"colour": "grey", "weight": 3'),
        ("rulebook.json", '"kind": "setup"', '"kind": "setup", "sort": 1'),
    ],
)
def test_unknown_key(run: Run, pond: Path, name: str, old: str, new: str) -> None:
    edit(pond / name, old, new)
    outcome = run("check", pond)
    assert outcome.code == FINDINGS
    assert name in outcome.out
    assert outcome.out.count("error[") == 1


def test_wrong_type_in_a_table(run: Run, pond: Path) -> None:
    edit(pond / "pieces.json", '"worth": 3', '"worth": "three"')
    outcome = run("check", pond)
    assert outcome.code == FINDINGS
    assert "pieces.json:4" in outcome.out
    assert outcome.out.count("error[") == 1


def test_unknown_statement_id(run: Run, pond: Path) -> None:
    edit(pond / "game.rules", "@P-3", "@P-33")
    outcome = run("check", pond)
    assert outcome.code == FINDINGS
    assert "P-33" in outcome.out
    traced = run("trace", pond)
    assert traced.code == FINDINGS
    assert "P-33" in traced.out


def test_syntax_error(run: Run, pond: Path) -> None:
    edit(pond / "game.rules", "p chooses stone from", "p chooses stone form")
    for command in ("check", "test"):
        outcome = run(command, pond)
        assert outcome.code in (FINDINGS, COULD_NOT_RUN)
        assert "game.rules:38" in outcome.all
        assert outcome.all.count("error[") == 1


def test_endless_loop(run: Run, pond: Path) -> None:
    loop = "    repeat while last is stone, at most 999999999 times\n        last = stone\n"
    edit(pond / "game.rules", "    last = stone\n", "    last = stone\n" + loop)
    plain, limited = (
        ["simulate", pond, "--games", "2", "--decisions", "8"],
        ["play", pond, "--seats", "random", "--steps", "20000"],
    )
    for command, steps in ((plain, STEPS), (limited, 20_000)):
        outcome = run(*command)
        assert f"in {steps} steps" in outcome.err
        assert outcome.code == COULD_NOT_RUN, outcome
        assert "`turn`" in outcome.err
        assert "game.rules" in outcome.err
        assert outcome.err.count("error[") == 1


def test_ten_thousand_brackets(run: Run, pond: Path) -> None:
    edit(pond / "game.rules", "= sum(pebble.worth for pebble in hand[p])", "= " + "(" * 10_000 + "1" + ")" * 10_000)
    outcome = run("check", pond)
    assert outcome.code == FINDINGS
    assert outcome.out.count("error[") == 1
    assert len(outcome.out) < 2000
    assert run("fmt", pond / "game.rules").code == COULD_NOT_RUN


def test_ten_thousand_brackets_in_json(run: Run, pond: Path) -> None:
    (pond / "pieces.json").write_text("[" * 10_000 + "]" * 10_000, encoding="utf-8")
    outcome = run("check", pond)
    assert outcome.code == FINDINGS
    assert "pieces.json" in outcome.out


def test_a_file_of_ten_megabytes(run: Run, pond: Path) -> None:
    with (pond / "game.rules").open("a", encoding="utf-8") as file:
        file.write("# a long story\n" * 750_000)
    outcome = run("check", pond)
    assert outcome.code == FINDINGS
    assert "MB" in outcome.out
    assert outcome.out.count("error[") == 1


def test_not_utf8(run: Run, pond: Path) -> None:
    (pond / "game.rules").write_bytes(b"game pond\n# \xff\xfe\n")
    outcome = run("check", pond)
    assert outcome.code == FINDINGS
    assert "UTF-8" in outcome.out
    assert "UTF-8" in run("fmt", pond).err


def test_wrong_number_of_players(run: Run, pond: Path) -> None:
    for command in (["play", pond], ["simulate", pond], ["perft", pond, "--depth", "1"], ["draw", pond]):
        outcome = run(*command, "--players", "7")
        assert outcome.code == COULD_NOT_RUN
        assert "2 to 3 players" in outcome.err


def test_unknown_variant(run: Run, pond: Path) -> None:
    outcome = run("play", pond, "--variant", "Deep pont")
    assert outcome.code == COULD_NOT_RUN
    assert "did you mean `Deep pond`?" in outcome.err
    outcome = run("play", pond, "--variant", "nowhere.rules")
    assert outcome.code == COULD_NOT_RUN
    assert "nowhere.rules" in outcome.err


def test_unknown_or_bad_option(run: Run, pond: Path) -> None:
    assert "pebbles_a_stone" in run("play", pond, "--option", "pebbles_a_ston=3").err
    for setting in ("pebbles_a_stone=many", "pebbles_a_stone", "=3"):
        outcome = run("simulate", pond, "--games", "1", "--option", setting)
        assert outcome.code == COULD_NOT_RUN
        assert "error" in outcome.err


def test_a_value_that_is_too_large_stands_in_no_file(run: Run, pond: Path) -> None:
    outcome = run("simulate", pond, "--games", "1", "--option", "pebbles_a_stone=1000000000000")
    assert outcome.code == COULD_NOT_RUN
    assert "is too large" in outcome.err
    assert "-->" not in outcome.err


@pytest.mark.parametrize("what", ["variant", "experiment"])
def test_what_is_begun_needs_a_name(run: Run, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("new", what)
    assert outcome.code == COULD_NOT_RUN
    assert "give one name" in outcome.err
    assert not list(tmp_path.iterdir())


def test_bad_seats(run: Run, pond: Path) -> None:
    outcome = run("play", pond, "--seats", "human,robot")
    assert outcome.code == COULD_NOT_RUN
    assert "robot" in outcome.err
    outcome = run("play", pond, "--seats", "human,human,human")
    assert outcome.code == COULD_NOT_RUN
    assert "red, blue" in outcome.err


def saved(run: Run, pond: Path) -> Path:
    save = pond.parent / "game.json"
    outcome = run("play", pond, "--seats", "human,first", "--seed", "3", stdin=f"1\n1\nsave {save}\nquit\n")
    assert outcome.code == 0
    return save


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "[]",
        lambda text: "{}",
        lambda text: text.replace('"grey pebble"', '"gray pebble"', 1),
        lambda text: json.dumps({**json.loads(text), "fields": {}}),
        lambda text: json.dumps({**json.loads(text), "players": 3}),
        lambda text: json.dumps({**json.loads(text), "players": "two", "variants": 5, "options": []}),
        lambda text: json.dumps({**json.loads(text), "version": 99}),
        lambda text: "[" * 10_000,
        lambda text: text.replace('"players": 2', '"players": 2, "players": 2', 1),
    ],
)
def test_corrupted_save(run: Run, pond: Path, damage: Callable[[str], str]) -> None:
    save = saved(run, pond)
    save.write_text(damage(save.read_text(encoding="utf-8")), encoding="utf-8")
    for command in (["play", pond, save], ["draw", pond, save]):
        outcome = run(*command)
        assert outcome.code == COULD_NOT_RUN
        assert outcome.err.startswith("error")
        assert outcome.out == ""
    # A game that is being played goes on as it was.
    outcome = run("play", pond, "--seats", "human,first", stdin=f"load {save}\n1\n")
    assert outcome.code == 0
    assert "The game stops after" in outcome.out or "input has ended" in outcome.out


def test_a_save_of_other_rules(run: Run, pond: Path) -> None:
    save = saved(run, pond)
    edit(pond / "game.rules", "param pebbles_a_stone = 2", "param pebbles_a_stone = 1")
    outcome = run("play", pond, save)
    assert outcome.code == COULD_NOT_RUN
    assert "rules have changed" in outcome.err or "options" in outcome.err


def test_saving_where_nothing_can_be_written(run: Run, pond: Path) -> None:
    outcome = run("play", pond, "--seats", "human,first", stdin="save /nowhere/at/all.json\nquit\n")
    assert outcome.code == 0
    assert "cannot write" in outcome.out
    assert run("draw", pond, "-o", "/nowhere/at/all.svg").code == COULD_NOT_RUN
