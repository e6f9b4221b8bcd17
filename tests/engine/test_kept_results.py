"""Findings about secrets on disk: the same as those that are found anew, whatever lies there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw
from rulewright.host import disk_cache
from rulewright.ir.control_flow.function_shape import ShapeCache
from rulewright.ir.model import Program, Tell
from rulewright.knowledge import kept_results
from rulewright.knowledge.answers import public_answers
from rulewright.knowledge.kept_results import forgotten_places, lines_of_all
from rulewright.knowledge.secrets import public_flow, unobserved_moves
from rulewright.knowledge.secrets.public_flow import PublicLines
from rulewright.knowledge.secrets.unobserved_moves import Forgotten


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache in which findings about small programs are kept, too."""
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path / "cache"))
    monkeypatch.setattr(kept_results, "LEAST", 0)
    return tmp_path / "cache"


@pytest.fixture
def program() -> Program:
    return rw.load("baron").program


def forget_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """As another process would begin, which has found nothing so far."""
    monkeypatch.setattr(unobserved_moves, "_kept", ShapeCache[Forgotten]())
    monkeypatch.setattr(public_flow, "_kept", ShapeCache[PublicLines]())
    public_answers._recent.kept.clear()


def heard(lines: PublicLines, program: Program) -> list[bool]:
    tells = [(f.name, pc) for f in program.functions for pc, i in enumerate(f.code) if isinstance(i, Tell)]
    assert tells
    return [lines.may_be_public(line) for line in tells]


def refuse(*_: object) -> None:
    raise AssertionError("it was found before")


def test_what_is_kept_is_not_found_again(cache: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all(monkeypatch)
    places, lines = forgotten_places(program), heard(lines_of_all(program), program)
    assert places.places
    assert len([*cache.iterdir()]) == 2
    with monkeypatch.context() as patched:
        patched.setattr(unobserved_moves._UnobservedMoves, "find", refuse)
        patched.setattr(public_answers.PublicAnswers, "_all_hear", refuse)
        patched.setattr(public_answers.PublicAnswers, "_find_whether", refuse)
        forget_all(monkeypatch)
        assert forgotten_places(program) == places
        assert heard(lines_of_all(program), program) == lines
    forget_all(monkeypatch)
    assert unobserved_moves.unobserved_moves(program) == places
    assert heard(public_flow.public_lines(program), program) == lines


@pytest.mark.parametrize("damage", ["cut", "other words", "no such function", "no such zone", "no list", "open"])
def test_what_does_not_fit_is_found_anew(
    cache: Path, program: Program, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_all(monkeypatch)
    places, lines = forgotten_places(program), heard(lines_of_all(program), program)
    for path in cache.iterdir():
        text = path.read_text("ascii")
        if damage == "cut":
            path.write_text(text[:-10], "ascii")
        elif damage == "other words":
            path.write_text(text.replace("[", "{", 1), "ascii")
        elif damage == "open":
            path.write_text(text.replace("true", "false").replace('"0"', '"1"'), "ascii")
            path.chmod(0o666)
        else:
            first = path.name.startswith("forgotten")
            wrong = {"no such function": ["nobody", 0, ["deck"] if first else True], "no such zone": None, "no list": 7}
            part = wrong[damage] or [program.functions[0].name, 0, ["nowhere"] if first else "yes"]
            body = json.dumps([[part], [], []])
            head = disk_cache._head(text.partition(" ")[0], body)
            path.write_text(f"{head}\n{body}", "ascii")
    forget_all(monkeypatch)
    assert forgotten_places(program) == places
    assert heard(lines_of_all(program), program) == lines


def test_nothing_is_kept_of_small_programs(cache: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_results, "LEAST", 10_000)
    forget_all(monkeypatch)
    forgotten_places(program)
    lines_of_all(program)
    assert not cache.exists()
