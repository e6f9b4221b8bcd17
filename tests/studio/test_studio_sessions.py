"""Sessions: pages at one game work one after the other, but for what is worked out without the game."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from functools import partial, partialmethod
from pathlib import Path
from typing import Any

import pytest
from studio_page import PATIENCE

pytest.importorskip("starlette")

import rulewright as rw
from rulewright_tools.studio.host import Catalogue, Link
from rulewright_tools.studio.host.game import refusals
from rulewright_tools.studio.host.inspecting.methods import ObservedPosition
from rulewright_tools.studio.server.game_file import GameFile
from rulewright_tools.studio.server.outbox import Outbox
from rulewright_tools.studio.server.sessions import Session, Sessions


class Table:
    """A server without connections, at which pages sit."""

    def __init__(self, folder: Path) -> None:
        self.file = GameFile(folder / "games.sqlite3")
        self.sessions = Sessions(Catalogue.of([]), self.file)
        self.pages: dict[str, Session] = {}

    async def come(self, who: str, link: Link | None = None, game: str = "") -> Session:
        page = self.sessions.opened(who, link)
        assert page is not None
        self.pages[who] = page
        page.arrive(Outbox(), lambda code, reason: None)
        await self.sessions.show_again(page, game)
        return page

    async def ask(self, who: str, method: str, **params: Any) -> Any:
        """The result of a request."""
        request = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        await self.sessions.answer(self.pages[who], json.dumps(request))
        return next(message["result"] for message in await self.read(who) if message.get("id") == 7)

    async def read(self, who: str) -> list[Any]:
        """All that a page has been sent since."""
        outbox = self.pages[who].outbox
        assert outbox is not None
        found = []
        while True:
            try:
                found.append(json.loads(await asyncio.wait_for(outbox.next(), 0.2)))
            except TimeoutError:
                return found


async def seated(folder: Path) -> Table:
    """The owner, who plays x, and a guest, who plays o."""
    table = Table(folder)
    await table.come("owner")
    await table.ask("owner", "game/start", ruleset="tic-tac-toe", seats=["person", "person"], seed=1)
    given = await table.ask("owner", "table/invite", to="seat", seat="o")
    opened = table.file.link(given["links"][0]["key"])
    assert opened is not None
    await table.come("guest", opened[1], opened[0])
    await table.read("guest")
    return table


def test_reasons_do_not_keep_others_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are given while a guest is told why something is not possible, however long that takes."""
    begun, may_end = threading.Event(), threading.Event()
    plain = refusals.refusal_of

    def slow(*given: Any) -> dict[str, Any]:
        begun.set()
        assert may_end.wait(PATIENCE)
        return plain(*given)

    monkeypatch.setattr("rulewright_tools.studio.host.game.viewpoint.refusal_of", slow)

    async def play() -> None:
        table = await seated(tmp_path)
        asked = asyncio.create_task(table.ask("guest", "game/whyNot", key="(5, 5)"))
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        await table.ask("owner", "game/answer", at=0, key="(0, 0)")
        assert not asked.done()
        may_end.set()
        assert (await asked)["allowed"] is False
        await table.ask("guest", "game/answer", at=1, key="(1, 1)")
        assert len(table.sessions._games.opened(table.pages["owner"].game).play.positions) == 3
        table.sessions.close()

    asyncio.run(play())


@pytest.mark.parametrize("method", ["state", "trace", "plan"])
def test_inspecting_does_not_keep_others_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    """A guest answers while the owner looks under the game, however long that takes."""
    begun, may_end = threading.Event(), threading.Event()

    def slow(plain: Callable[..., Any], *given: Any, **named: Any) -> Any:
        begun.set()
        assert may_end.wait(PATIENCE)
        return plain(*given, **named)

    monkeypatch.setattr(rw.plans, "Plan", partial(slow, rw.plans.Plan))
    monkeypatch.setattr(
        ObservedPosition, "usage", partialmethod(lambda seen, plain: slow(plain, seen), ObservedPosition.usage)
    )

    async def play() -> None:
        table = await seated(tmp_path)
        await table.ask("owner", "game/answer", at=0, key="(0, 0)")
        asked = asyncio.create_task(table.ask("owner", f"inspect/{method}"))
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        await table.ask("guest", "game/answer", at=1, key="(1, 1)")
        assert not asked.done()
        may_end.set()
        assert (await asked).get("at", 1) == 1
        table.sessions.close()

    asyncio.run(play())


def test_a_hint_does_not_keep_others_waiting(tmp_path: Path) -> None:
    """A guest answers while a hint is sought that has no end; it ends with a stop, with what was found."""

    async def play() -> None:
        table = await seated(tmp_path)
        await table.ask("owner", "game/answer", at=0, key="(0, 0)")
        await table.ask("owner", "table/settle", free=True)
        await table.ask("owner", "game/goto", at=0)
        hint = asyncio.create_task(table.ask("owner", "game/hint", agent="mcts:100000000"))
        while table.pages["owner"].host.unfinished is None:
            await asyncio.sleep(0.01)
        await table.ask("guest", "game/answer", at=1, key="(1, 1)")
        assert not hint.done()
        while not table.pages["owner"].running:
            await asyncio.sleep(0.01)
        table.sessions.halt(table.pages["owner"], 7)
        assert (await hint)["answers"]
        table.sessions.close()

    asyncio.run(play())


def test_a_page_that_leaves_leaves_its_game_alone(tmp_path: Path) -> None:
    """Others use a game only after the work has ended that a page has begun and left."""
    begun, may_end = threading.Event(), threading.Event()

    def slow() -> Iterator[Any]:
        begun.set()
        assert may_end.wait(PATIENCE)
        yield from ()

    async def play() -> None:
        table = await seated(tmp_path)

        async def work() -> None:
            async with table.sessions._alone((table.pages["guest"].game,)):
                await table.sessions._in_thread(table.pages["guest"], slow)

        working = asyncio.create_task(work())
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        working.cancel()
        answered = asyncio.create_task(table.ask("owner", "game/answer", at=0, key="(0, 0)"))
        await asyncio.sleep(0.1)
        assert not answered.done()
        may_end.set()
        await answered
        assert working.cancelled()
        table.sessions.close()

    asyncio.run(play())
