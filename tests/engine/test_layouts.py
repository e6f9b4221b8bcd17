"""Layouts are laid out once for all games that declare the same: what any of them asks of its own is its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from shipped_programs import shipped_game

import rulewright as rw
from rulewright.engine.cells import layout
from rulewright.engine.cells.layout import Layout, layout_of
from rulewright.ir import model as m

PARTIES = """game parties
players 2
party Crew: players, pirates
field owner: Crew = pirates
procedure play
    finish with winner owner
"""


def laid(found: Layout) -> dict[str, object]:
    """All that a layout is, without what is kept in it."""
    return {name: held for name, held in vars(found).items() if name != "program" and not name.startswith("_")}


def relatives(program: m.Program) -> Iterator[m.Program]:
    """The program without each of its parts that can be left out, and with another word for each of its words."""
    yield program
    for name in ("tables", "assertions", "rules", "functions"):
        yield replace(program, **{name: ()})  # type: ignore[arg-type]
    for name in ("move", "title"):
        for word in ("", "play", "turn"):
            yield replace(program, **{name: word})  # type: ignore[arg-type]


def test_a_layout_depends_on_all_that_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ruleset.json").write_text('{"name": "parties", "title": "Parties", "rules": ["game.rules"]}', "utf-8")
    (tmp_path / "game.rules").write_text(PARTIES, "utf-8")
    names = ("tic-tac-toe", "baron", "kings-and-things", "carolus-magnus")
    for program in (rw.load(tmp_path).program, *(shipped_game(name).program for name in names)):
        monkeypatch.setattr(layout, "_known", [])
        for one in relatives(program):
            assert laid(layout_of(one)) == laid(Layout(one)), one.title
