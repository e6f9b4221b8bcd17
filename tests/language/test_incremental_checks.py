"""Edits, one after the other: a warm check gives the findings and the programs of a cold one."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from warm_checks import Cold, compare, found_cold, watch_relinking, watch_sources

import rulewright as rw
from rulewright.compiler import Sources
from rulewright.syntax import EditedFiles, ast, parse
from rulewright.syntax.parser import parser
from sampling import THOROUGH, sample

SHIPPED = Path(__file__).parents[2] / "rulesets"
SWAPPED = {"<": ">", ">": "<", "+": "-", "-": "+", "and": "or", "or": "and", "true": "false", "1": "2", "2": "3"}
WORD = re.compile(r"\w+|\W")


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[Sources]:
    return watch_sources(monkeypatch)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[rw.Workspace, Path, Cold, list[Sources]]:
    """A copy of the ruleset in which most is edited, what is found in it as it is, and the sources made of it."""
    root = tmp_path_factory.mktemp("edited")
    folder = Path(shutil.copytree(SHIPPED / "carolus-magnus", root / "carolus-magnus"))
    work = rw.Workspace(root)
    cold = found_cold(work, folder)
    with pytest.MonkeyPatch.context() as patched:
        made = watch_sources(patched)
        assert compare(work, folder, made, cold)
    return work, folder, cold, made


@pytest.fixture
def carolus(
    begun: tuple[rw.Workspace, Path, Cold, list[Sources]], held: list[Sources]
) -> Iterator[tuple[rw.Workspace, Path, Cold]]:
    """The copy, in which no file is open when a test begins."""
    work, folder, cold, made = begun
    held.append(made[-1])
    yield work, folder, cold
    for path in folder.rglob("*.rules"):
        work.close(path)
    work.check(folder)
    made.append(held[-1])


@pytest.fixture
def relinked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    return watch_relinking(monkeypatch)


def swaps(text: str) -> list[tuple[int, int]]:
    """The lines and words at which an operator or number can be another one."""
    lines = text.split("\n")
    return [
        (number, at)
        for number, line in enumerate(lines)
        for at, word in enumerate(WORD.findall(line.partition("#")[0]))
        if word in SWAPPED
    ]


def swapped(text: str, number: int, at: int) -> str:
    lines = text.split("\n")
    words = WORD.findall(lines[number])
    words[at] = SWAPPED[words[at]]
    lines[number] = "".join(words)
    return "\n".join(lines)


def edits(text: str, r: random.Random, count: int) -> Iterator[str]:
    """The text after random edits, each but the last on what the one before has left."""
    at = text
    for _ in range(count):
        lines = at.split("\n")
        kind = r.randrange(7)
        if kind == 0:
            lines.insert(r.randrange(len(lines)), r.choice(["", "# a comment", r.choice(lines)]))
            at = "\n".join(lines)
        elif kind == 5:
            at = moved(at, r)
        elif kind == 6:
            at = "\n".join([*[""] * r.randrange(3), "# a comment", *lines])
        elif kind == 1:
            del lines[r.randrange(len(lines))]
            at = "\n".join(lines)
        elif places := swaps(at):
            at = swapped(at, *r.choice(places))
        yield at
    yield text


def moved(text: str, r: random.Random) -> str:
    """The text with one of its declarations at another place."""
    parts = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)
    if len(parts) > 2:
        parts.insert(r.randrange(1, len(parts) - 1), parts.pop(r.randrange(1, len(parts))))
    return "".join(parts)


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_random_edits(name: str, tmp_path: Path, held: list[Sources]) -> None:
    folder = tmp_path / name
    shutil.copytree(SHIPPED / name, folder)
    work = rw.Workspace(tmp_path)
    edit_at_random(work, folder, held, found_cold(work, folder), 3)


def test_random_edits_of_a_larger_ruleset(carolus: tuple[rw.Workspace, Path, Cold], held: list[Sources]) -> None:
    work, folder, cold = carolus
    edit_at_random(work, folder, held, cold, sample(1, 3))


def edit_at_random(work: rw.Workspace, folder: Path, held: list[Sources], cold: Cold, count: int) -> None:
    """Compare after each edit; in the end the ruleset is what it was."""
    r = random.Random(f"{folder.name} 11")
    work.check(folder)
    files = sorted(folder.rglob("*.rules"))
    for path in r.sample(files, min(len(files), sample(1, 2))):
        before = path.read_text("utf-8")
        for text in edits(before, r, count):
            work.open(path, text)
            compare(work, folder, held, cold if text == before else None)


def test_an_edit_in_a_procedure_relinks_all_games(
    carolus: tuple[rw.Workspace, Path, Cold], held: list[Sources], relinked: list[bool]
) -> None:
    """Of swaps that leave a ruleset in order, most are relinked, and all games are what they are when compiled anew."""
    work, folder, cold = carolus
    r = random.Random(1)
    rules = [p for p in sorted(folder.glob("*.rules")) if "procedure" in p.read_text("utf-8")]
    found = 0
    while found < sample(1, 2):
        path = r.choice(rules)
        text = path.read_text("utf-8")
        work.open(path, swapped(text, *r.choice(swaps(text))))
        found += compare(work, folder, held)
        work.close(path)
    assert compare(work, folder, held, cold)
    assert sum(relinked) > len(relinked) / 2


def lines_inserted(text: str) -> Iterator[str]:
    """The text with lines in places where they mean nothing: at its beginning, and above and within a declaration."""
    lines = text.split("\n")
    heads = [number for number, line in enumerate(lines) if line[:1].isalpha()]
    yield "\n".join(["# a comment", "", *lines])
    yield "\n".join([*lines[: heads[1]], "", *lines[heads[1] :]])
    inside = next(n for n in range(heads[-1], 0, -1) if lines[n].startswith("    "))
    yield "\n".join([*lines[:inside], "    # a comment", *lines[inside:]])
    yield text


@pytest.mark.parametrize("name", ["tic-tac-toe/game.rules", "connect-four/game.rules"])
def test_lines_above_a_declaration_compile_nothing_anew(
    name: str, tmp_path: Path, held: list[Sources], relinked: list[bool]
) -> None:
    path = tmp_path / name
    folder = path.parent
    shutil.copytree(SHIPPED / folder.name, folder)
    work = rw.Workspace(tmp_path)
    assert compare(work, folder, held)
    for text in lines_inserted(path.read_text("utf-8")):
        work.open(path, text)
        assert compare(work, folder, held)
    assert relinked
    assert all(relinked)


CITED = r"^(param|party|enum|die|piece|map) [^@\n]*@(?=[A-Z])"


def test_a_citation_of_a_constant_compiles_nothing_anew(
    carolus: tuple[rw.Workspace, Path, Cold], held: list[Sources], relinked: list[bool]
) -> None:
    """The rules that a program lists have other citations then, and all else stays.

    Every day one declaration of each kind is edited, and what is found is compared after the last edit of a file.
    """
    work, folder, _ = carolus
    edited: set[str] = set()
    for path in sorted(folder.glob("*.rules")):
        text = path.read_text("utf-8")
        places = {found.group(1): found.end() for found in re.finditer(CITED, text, re.MULTILINE)}
        wanted = [end for kind, end in places.items() if THOROUGH or kind not in edited]
        for end in sorted(wanted, reverse=True):  # from below, so that the places above stay
            text = text[:end] + "CM-CONTENTS-2 @" + text[end:]
            work.open(path, text)
            assert not any(d.is_error for d in work.check(folder))
            if THOROUGH or end == min(wanted):
                assert compare(work, folder, held)
        edited |= places.keys()
        work.close(path)
    assert len(edited) > 2
    assert relinked
    assert all(relinked)


def test_a_mistake_and_its_correction_compile_nothing_anew(
    tmp_path: Path, held: list[Sources], relinked: list[bool]
) -> None:
    """Mistakes in a changed declaration are told without making games anew, and they are as before afterwards."""
    folder = tmp_path / "tic-tac-toe"
    shutil.copytree(SHIPPED / "tic-tac-toe", folder)
    work = rw.Workspace(tmp_path)
    compare(work, folder, held)
    path = folder / "game.rules"
    text = path.read_text("utf-8")
    assert "mark[cell] = p\n" in text
    work.open(path, text.replace("mark[cell] = p\n", "mark[cell] = q\n"))
    assert not compare(work, folder, held)
    work.open(path, text)
    assert compare(work, folder, held)
    assert relinked
    assert all(relinked)


def test_a_store_gives_the_same_trees_wherever_they_stand() -> None:
    files, text = EditedFiles(), (SHIPPED / "carolus-magnus" / "play.rules").read_text("utf-8")
    before = files.parse(text, "x").file.decls
    lower = "# one\n\n\n# two\n" + text
    after = files.parse(lower, "x").file.decls
    assert [a is b for a, b in zip(before, after, strict=True)] == [False, *[True] * (len(before) - 1)]
    whole = parse(lower, "x").file
    assert same_tree(files.parse(lower, "x").file, whole)
    assert [d.span for d in files.parse(text, "x").file.decls] == [d.span for d in parse(text, "x").file.decls]


def test_declarations_that_are_gone_for_a_while_are_known() -> None:
    files, text = EditedFiles(), (SHIPPED / "tic-tac-toe" / "game.rules").read_text("utf-8")
    before = files.parse(text, "x").file.decls
    files.parse(text.replace("procedure", "procedur"), "x")
    files.parse(text[: len(text) // 2].rpartition("\n\n")[0], "x")
    assert all(a is b for a, b in zip(before, files.parse(text, "x").file.decls, strict=True))


def test_the_same_text_twice_is_two_trees() -> None:
    files = EditedFiles()
    a, b = files.parse("field x: 0..3 = 0\nfield x: 0..3 = 0\n", "x").file.decls
    assert a is not b
    assert (a.span.line, b.span.line) == (1, 2)


def test_declarations_keep_their_identity() -> None:
    text = (SHIPPED / "carolus-magnus" / "play.rules").read_text("utf-8")
    before = parse(text, "x").file.decls
    number, at = swaps(text)[-1]
    after = parse(swapped(text, number, at), "x").file.decls
    changed = [a for a, b in zip(before, after, strict=True) if a is not b]
    assert len(changed) == 1
    assert changed[0].span.line <= number + 1


def same_tree(a: object, b: object) -> bool:
    """True if two trees are equal, with the places of their nodes and the comments around them."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(same_tree(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, ast.Node | ast.Trivia) and type(a) is type(b):
        return all(same_tree(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    return a == b


MARKS = (
    "",
    "# a",
    "    # b",
    "        # c",
    "@X-1",
    "    @X-2",
    "    1 + 1",
    "(",
    ")",
    "procedure x",
    "\t",
    "  ",
    "else:",
)


@pytest.mark.parametrize("path", sorted(SHIPPED.rglob("*.rules"))[::4], ids=lambda p: f"{p.parent.name}/{p.name}")
def test_parts_are_read_as_the_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that is read by declarations gives the tree and the findings of one that is read as a whole."""
    r, text, files = random.Random(path.name), path.read_text("utf-8"), EditedFiles()
    for number in range(0, 4, sample(2, 1)):
        lines = text.split("\n")
        for _ in range(number):
            lines.insert(r.randrange(len(lines)), r.choice(MARKS))
        now = "\n".join(lines)
        by_parts = parse(now, "x")
        stored = files.parse(now, "x")
        with monkeypatch.context() as patched:
            patched.setattr(parser, "parse_incrementally", lambda *_: None)
            whole = parse(now, "x")
        assert by_parts.diagnostics == whole.diagnostics
        assert same_tree(by_parts.file, whole.file)
        assert stored.diagnostics == whole.diagnostics
        assert same_tree(stored.file, whole.file)
