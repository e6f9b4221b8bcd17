"""The file in which the server keeps games: those that people have saved by name, and that of each page as it is.

SQLite with a write-ahead log: what was answered to a page is in the file, also if the server is killed at any time.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

from rulewright_tools.console import CommandError
from rulewright_tools.studio.host import Saved
from rulewright_tools.studio.host.messages import ErrorCode, Refused
from rulewright_tools.studio.host.stores import MOST

KEPT = 30 * 24 * 3600
"""Seconds for which the game of a page is kept that is not opened again."""

TABLES = """
pragma journal_mode = wal;
pragma synchronous = full;
create table if not exists saved (name text primary key, game text not null);
create table if not exists pages (name text primary key, game text not null, changed real not null);
"""


class GameFile:
    """Games in a file; all threads of a server share it."""

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)  # games contain what seats may not know of each other
            self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
            self._database.executescript(TABLES)
            self._database.execute("delete from pages where changed < unixepoch() - ?", (KEPT,))
        except (sqlite3.Error, OSError) as error:
            raise CommandError(f"games cannot be kept in {path}: {error}") from None
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def names(self) -> list[str]:
        """The names of all saved games, sorted."""
        return [str(name) for (name,) in self._rows("select name from saved order by name")]

    def put(self, name: str, saved: Saved) -> None:
        """Keep a game, in the place of one of that name; Refused if there are too many."""
        known = self.names()
        if name not in known and len(known) >= MOST:
            raise Refused(ErrorCode.NOT_NOW, f"no more than {MOST} games are kept")
        self._rows("insert or replace into saved values (?, ?)", name, json.dumps(saved))

    def get(self, name: str) -> Saved | None:
        """A game that was saved."""
        return self._game("select game from saved where name = ?", name)

    def keep_page(self, name: str, saved: Saved) -> None:
        """Keep the game of a page as it is now."""
        self._rows("insert or replace into pages values (?, ?, unixepoch())", name, json.dumps(saved))

    def page(self, name: str) -> Saved | None:
        """The game of a page as it was last."""
        return self._game("select game from pages where name = ?", name)

    def _game(self, query: str, name: str) -> Saved | None:
        rows = self._rows(query, name)
        found: Saved | None = json.loads(rows[0][0]) if rows else None
        return found

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._lock, closing(self._database.execute(query, values)) as rows:
            return rows.fetchall()
