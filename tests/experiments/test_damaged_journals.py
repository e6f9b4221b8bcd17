"""Journals that were damaged, by chance or by hand: the figures are those of the games, or there is one clear error."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from test_experiments import asked

from sampling import sample

pytest.importorskip("scipy")

WORDS = ("tic-tac-toe", "breakthrough:size=5", "--games", "120", "--format", "json")
VALUES = (None, "text", "", "1", 1.5, -1, 0, 1, 2, 1 << 62, b"", bytes(20))
IDENTITIES = (None, "", "null", "[]", "{}", '{"arm', "[" * 5000, 7, b"\xff\xfe", '"\ud7ff"', '{"seed": 0}')

Damage = tuple[str, bytes]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A journal, and what is told of its games."""
    journal = tmp_path_factory.mktemp("whole") / "games.journal"
    code, out, err = asked(*WORDS, "--keep", str(journal))
    assert code == 0, err
    with closing(sqlite3.connect(journal)) as base:
        base.execute("pragma wal_checkpoint(truncate)")
        assert len(base.execute("select distinct arm from portions").fetchall()) == 2
    return journal, out


def is_told(journal: Path, out: str, what: str) -> bool:
    """True if a damage was told; the figures are the same if it was not."""
    code, told, err = asked(*WORDS, "--keep", str(journal))
    assert "Traceback" not in err, what
    assert "inside Rulewright" not in err, what
    if code == 0:
        assert told == out, what
        return False
    assert (code, told) == (2, ""), (what, err)
    assert err.count("error[") == 1, (what, err)
    assert "the journal" in err, (what, err)
    return True


def test_damaged_bytes(whole: tuple[Path, str], tmp_path: Path) -> None:
    """A portion that is lost at the end is played again; all else is told."""
    raw, journal = whole[0].read_bytes(), tmp_path / "games.journal"
    told = 0
    for number in range(sample(80, 1500)):
        draw = random.Random(number)
        damaged, beside = bytearray(raw), b""
        at, size = draw.randrange(len(raw)), draw.choice((1, 1, 4, 64, 512, 4096))
        match number % 8:
            case 0 | 1 | 2:
                damaged[at] ^= 1 << draw.randrange(8)
            case 3:
                damaged[at : at + size] = draw.randbytes(size)
            case 4:
                damaged[at : at + size] = b""
            case 5:
                damaged[at:at] = draw.randbytes(size)
            case 6:
                other = draw.randrange(len(raw))
                damaged[at : at + size] = raw[other : other + size]
            case _:
                beside = draw.randbytes(size * 8)
        for old in tmp_path.iterdir():
            old.unlink()
        journal.write_bytes(damaged)
        if beside:
            journal.with_name("games.journal-wal").write_bytes(beside)
        told += is_told(journal, whole[1], f"damage {number}")
    assert told > 15


def changes(base: sqlite3.Connection) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """Statements that damage a journal, with their values: cells of other types, lines that are cut, swapped, twice."""
    numbers = [number for (number,) in base.execute("select number from portions order by number")]
    arms = dict(base.execute("select number, arm from portions"))
    columns = [row[1] for row in base.execute("pragma table_info(portions)")]
    for number in numbers:
        yield f"{number} is cut", "delete from portions where number = ?", (number,)
        yield (
            f"{number} is twice",
            f"insert into portions select {numbers[-1] + 1}, arm, columns{{}} from portions where number = ?",
            (number,),
        )
    for name in columns:
        for value in VALUES:
            yield f"{name} is {value!r}", f"update portions set {name} = ? where number = ?", (value, numbers[1])
            yield f"all {name}s are {value!r}", f"update portions set {name} = ?", (value,)
    for value in IDENTITIES:
        yield f"identity {value!r}"[:60], "update experiment set identity = ?", (value,)
    for one in numbers:
        for other in numbers[:one]:
            for moved in (("columns",), ("arm",), tuple(columns[1:]), tuple(columns[2:])):
                pairs = ", ".join(
                    f"{x} = (select {x} from portions p where p.number = {one + other} - portions.number)"
                    for x in moved
                )
                yield (
                    f"{one} and {other} exchange {moved}",
                    f"update portions set {pairs} where number in (?, ?)",
                    (one, other),
                )
    yield "arms are exchanged", "update portions set arm = 1 - arm", ()
    yield "numbers move", "update portions set number = -number", ()
    yield "no portions", "drop table portions", ()
    yield "no identity", "delete from experiment", ()
    yield "two identities", "insert into experiment select * from experiment", ()
    yield "other application", "pragma application_id = 7", ()
    yield "other format", "pragma user_version = 77", ()
    yield "a column more", "alter table portions add column more", ()
    yield "a column less", "alter table portions drop column columns", ()
    yield "another name", "alter table portions rename to portion", ()
    assert len(set(arms.values())) == 2


def test_damaged_rows(whole: tuple[Path, str], tmp_path: Path) -> None:
    """Portions of one arm that are given to the other are told, also with the digests of the place they came from."""
    journal = tmp_path / "games.journal"
    with closing(sqlite3.connect(whole[0])) as base:
        asked_for = [*changes(base)]
        script = "\n".join(base.iterdump()).replace(" not null", "").replace(" integer primary key", "")
    step = sample(5, 1)
    for number, (what, statement, values) in enumerate(asked_for):
        if number % step and "exchange" in what:
            continue
        for old in tmp_path.iterdir():
            old.unlink()
        with closing(sqlite3.connect(journal, isolation_level=None)) as base:
            for word in ("application_id", "user_version"):
                with closing(sqlite3.connect(whole[0])) as first:
                    (value,) = first.execute(f"pragma {word}").fetchone()
                base.execute(f"pragma {word} = {value}")
            base.executescript(script)
            more = ", digest" if "digest" in script else ""
            before = [*base.iterdump()]
            with suppress(sqlite3.IntegrityError):
                base.execute(statement.format(more), values)
            changed = [*base.iterdump()] != before
        told = is_told(journal, whole[1], what)
        assert told or not changed or "cut" in what or "a column more" in what or "application" in what, what
