"""The file in which the server keeps games, with what has happened at their tables, and the secret of its own link.

SQLite with a write-ahead log, and one transaction for each change: what a page has seen is in the file, also if the
server is killed at any time.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from rulewright_tools.console import CommandError
from rulewright_tools.studio.host import Link, Role, Saved
from rulewright_tools.studio.host.messages import ErrorCode, Refused

UNTOUCHED = 24 * 3600
"""Seconds after which games are forgotten in which nothing was answered."""

TABLES = """
pragma journal_mode = wal;
pragma synchronous = full;
create table if not exists games (name text primary key, game text not null, summary text not null, answers integer not
    null, changed real not null);
create table if not exists links (key text primary key, game text not null, role text not null, seat integer);
create table if not exists events (game text not null, number integer not null, event text not null,
    primary key (game, number));
create table if not exists pictures (game text primary key, picture text not null);
create table if not exists secrets (name text primary key, value text not null);
"""


class GameFile:
    """Games in a file; all threads of a server share it."""

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)  # games contain what seats may not know of each other
            self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
            self._database.executescript(TABLES)
            untouched = "changed < unixepoch() - ? and answers = 0 and name not in (select game from links)"
            self._database.execute(f"delete from games where {untouched}", (UNTOUCHED,))
        except (sqlite3.Error, OSError) as error:
            raise CommandError(f"games cannot be kept in {path}: {error}") from None
        self._path = path
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @property
    def token(self) -> str:
        """The secret of the owner's link, which stays the same when the server is begun again."""
        self._rows("insert or ignore into secrets values ('owner', ?)", secrets.token_urlsafe(24))
        return str(self._rows("select value from secrets where name = 'owner'")[0][0])

    def link(self, key: str) -> tuple[str, Link] | None:
        """The game that a key opens, and the link."""
        rows = self._rows("select game, role, seat from links where key = ?", key)
        return (str(rows[0][0]), Link(key, Role(rows[0][1]), rows[0][2])) if rows else None

    def names(self) -> list[str]:
        """The names of all games."""
        return [str(name) for (name,) in self._rows("select name from games")]

    def summaries(self) -> dict[str, Saved]:
        """The summaries of all games, by their names, the last changed first."""
        rows = self._rows("select name, summary from games order by changed desc, name")
        return {str(name): json.loads(summary) for name, summary in rows}

    def put(self, name: str, saved: Saved, summary: Saved, events: Sequence[Saved]) -> None:
        """Keep a game as it is now, with its links and new events; Refused if that cannot be done."""
        links = [(one["key"], name, one["to"], one["seat"]) for one in saved["table"]["links"]]
        answers = max(summary["answers"], len(saved["save"]["log"]))  # those that not all may know are answers, too
        game = (name, json.dumps(saved), json.dumps(summary), answers, summary["changed"])
        count = "(select count(*) from events where game = ?)"
        with self._lock:
            try:
                self._database.execute("begin immediate")
                try:
                    self._database.execute("insert or replace into games values (?, ?, ?, ?, ?)", game)
                    self._database.execute("delete from links where game = ?", (name,))
                    self._database.executemany("insert into links values (?, ?, ?, ?)", links)
                    rows = [(name, name, json.dumps(event)) for event in events]
                    self._database.executemany(f"insert into events values (?, {count}, ?)", rows)
                    self._database.execute("commit")
                except BaseException:
                    self._database.execute("rollback")
                    raise
            except sqlite3.Error as error:
                raise self._refused(error) from None

    def get(self, name: str) -> Saved | None:
        """A game that is kept."""
        rows = self._rows("select game from games where name = ?", name)
        found: Saved | None = json.loads(rows[0][0]) if rows else None
        return found

    def put_picture(self, name: str, picture: str) -> None:
        """Keep the picture of a game."""
        self._rows("insert or replace into pictures values (?, ?)", name, picture)

    def pictures(self, names: Sequence[str]) -> dict[str, str]:
        """The pictures of some games, as far as there are any."""
        marks = ", ".join("?" * len(names))
        return dict(self._rows(f"select game, picture from pictures where game in ({marks})", *names))

    def delete(self, name: str) -> None:
        """Forget a game."""
        for table, column in (("games", "name"), ("links", "game"), ("events", "game"), ("pictures", "game")):
            self._rows(f"delete from {table} where {column} = ?", name)

    def events(self, name: str) -> list[Saved]:
        """All that has happened at the table of a game, in order."""
        rows = self._rows("select event from events where game = ? order by number", name)
        return [json.loads(event) for (event,) in rows]

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._lock:
            try:
                with closing(self._database.execute(query, values)) as rows:
                    return rows.fetchall()
            except sqlite3.Error as error:
                raise self._refused(error) from None

    def _refused(self, error: sqlite3.Error) -> Refused:
        return Refused(ErrorCode.NOT_NOW, f"games cannot be kept in {self._path.name}: {error}; nothing was changed")
