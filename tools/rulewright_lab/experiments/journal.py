"""A journal of an experiment: its portions on disk, so that it can be interrupted, killed, and gone on with.

It is a database of SQLite. Each portion is one transaction in its log of writing ahead, so whatever happens to this
process the file holds the portions that were played before, and no part of another one. One process writes it at a
time. Each portion has a digest of all that it is, its place and its arm among it: one that is damaged, or stands where
another one did, is never taken for games that were played.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright_lab.agents.words import wrong
from rulewright_lab.experiments.columns.portion_columns import PortionColumns

APPLICATION = 0x52774578
"""The number by which a file of SQLite names its application (``RwEx``)."""
FORMAT = 2
_COMPRESSION = 1
_TABLES = """
create table experiment (identity text not null);
create table portions (number integer primary key, arm integer not null, columns blob not null, digest blob not null);
"""

_DAMAGES = tuple(
    f"SQLITE_{name}" for name in ("NOTADB", "CORRUPT", "SCHEMA", "ERROR", "CONSTRAINT", "MISMATCH", "RANGE")
)
"""Beginnings of the errors that come of the content of the file."""

Identity = Mapping[str, Any]
"""All that the games of an experiment follow from, as plain data."""


class Journal:
    """The journal in a file, which begins with this experiment or must be of it."""

    def __init__(self, path: str | Path, identity: Identity) -> None:
        """RulesetError if it cannot be read or written, or is of another experiment."""
        self.path = Path(path)
        self._identity: Identity = json.loads(json.dumps(identity))
        if self.path.is_dir():
            raise self._wrong("it is a folder", "name a file, for instance games.journal")
        if not self.path.parent.is_dir():
            raise self._wrong(f"there is no folder {self.path.parent}", "make it first, or name another file")
        self._last = 0
        """The number of the last portion that was read or added."""
        with self._explained_errors():
            self._base = sqlite3.connect(self.path, isolation_level=None, timeout=0.5)
        try:
            with self._explained_errors():
                self._open()
        except BaseException:
            self._base.close()
            raise

    def _open(self) -> None:
        base = self._base
        base.execute("pragma locking_mode = exclusive")
        base.execute("pragma journal_mode = wal")
        base.execute("pragma synchronous = normal")
        base.execute("begin immediate")  # no other process writes it from here on
        (application,) = base.execute("pragma application_id").fetchone()
        (tables,) = base.execute("select count(*) from sqlite_master").fetchone()
        if not tables:
            for statement in _TABLES.strip().splitlines():
                base.execute(statement)
            base.execute(f"pragma application_id = {APPLICATION}")
            base.execute(f"pragma user_version = {FORMAT}")
            base.execute("insert into experiment values (?)", (json.dumps(self._identity),))
        elif application != APPLICATION:
            raise self._wrong("it is a database of something else", "name another file")
        base.execute("commit")
        (version,) = base.execute("pragma user_version").fetchone()
        if version != FORMAT:
            raise self._wrong("another version of Rulewright has written it", "begin a new one")
        rows = base.execute("select identity from experiment").fetchall()
        if len(rows) != 1:
            raise self.damaged()
        try:
            there = json.loads(rows[0][0])
        except (ValueError, TypeError, RecursionError):
            raise self.damaged() from None
        differs = _difference(there, self._identity)
        if differs:
            raise self._wrong(f"it is of another experiment: {differs}", "ask as it was asked, or name another file")

    def portions(self) -> Generator[tuple[int, PortionColumns], None, None]:
        """The portions so far with their arms, in the order in which they were added."""
        query = "select number, arm, columns, digest from portions order by number"
        with self._explained_errors(), closing(self._base.execute(query)) as rows:
            for self._last, (number, arm, columns, digest) in enumerate(rows, 1):
                whole = isinstance(columns, bytes) and isinstance(arm, int) and number == self._last
                if not whole or digest != self._digest(arm, columns):
                    raise self.damaged()
                try:
                    portion = PortionColumns.from_bytes(zlib.decompress(columns))
                except (ValueError, KeyError, TypeError, zlib.error):
                    raise self.damaged() from None
                yield arm, portion

    def add(self, arm: int, portion: PortionColumns) -> None:
        """Add a portion; it is on disk when this returns."""
        raw = zlib.compress(portion.to_bytes(), _COMPRESSION)
        self._last += 1
        with self._explained_errors():
            self._base.execute(
                "insert into portions values (?, ?, ?, ?)", (self._last, arm, raw, self._digest(arm, raw))
            )

    def _digest(self, arm: int, columns: bytes) -> bytes:
        """The digest of a portion of this experiment that stands where the last one was read or added."""
        place = json.dumps([self._identity, self._last, arm], sort_keys=True).encode()
        return blake2b(columns, key=blake2b(place).digest(), digest_size=16).digest()

    def close(self) -> None:
        """Close the file; what was added is there."""
        with suppress(sqlite3.Error):  # if the disk is full, the log beside the file has what was added
            self._base.close()

    @contextmanager
    def _explained_errors(self) -> Iterator[None]:
        """Errors of the database inside of it become errors of the journal."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # names in its messages are no UTF-8 either
            code = getattr(error, "sqlite_errorname", "") or ""
            if not code or code.startswith(_DAMAGES):
                raise self.damaged() from None
            if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
                raise self._wrong("another process is writing it", "wait for that one, or name another file") from None
            if code.startswith("SQLITE_FULL") or "disk I/O" in str(error):
                hint = "make room, and go on with the same command: what was played is kept"
                raise self._wrong(f"it cannot be written ({error})", hint) from None
            raise self._wrong(f"it cannot be opened or written ({error})", "look at its permissions") from None

    def damaged(self) -> RulesetError:
        """The error that its content is not what it must be."""
        return self._wrong("it is damaged, or no journal", f"name another file, or delete {self.path}* and begin anew")

    def too_long(self, games: int) -> RulesetError:
        """The error that it has more than so many games."""
        return self._wrong(f"it has more than {games} games of an arm", "ask for as many as it has, or more")

    def _wrong(self, what: str, hint: str) -> RulesetError:
        return wrong(f"the journal {self.path} cannot be used: {what}", hint)


def _difference(there: Any, here: Any, where: str = "") -> str:
    """The first place in which two identities differ, in words; nothing if they are equal."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in {**there, **here}:
            found = _difference(there.get(key), here.get(key), f"{where}, {key}" if where else key)
            if found:
                return found
        return ""
    if isinstance(there, list) and isinstance(here, list):
        if len(there) != len(here):
            return f"{where}: {len(there)} there, {len(here)} here"
        for number, (one, other) in enumerate(zip(there, here, strict=True), 1):
            found = _difference(one, other, f"{where} {number}")
            if found:
                return found
        return ""
    return "" if there == here else f"{where} is {_describe(there)} there, {_describe(here)} here"


def _describe(value: Any) -> str:
    return "nothing" if value in (None, "", [], {}) else str(value)
