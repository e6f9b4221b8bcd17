"""The load of a server: tables of scripted players over websockets, each table an answer every few seconds.

    python tests/benchmarks/bench_tables.py --tables 200 --seconds 60

Prints the time from an answer that is sent until each page of the table has been sent its consequence (median and 95th
percentile, milliseconds), the share of a processor that the server takes, and its memory for each table.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
from websockets.asyncio.client import ClientConnection, connect

SUBPROTOCOL = "rulewright.1"
SERVE = "from rulewright_tools.cli import main; main()"


class Page:
    """A page of a table: it reads what it is sent, and answers when it is asked to."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.shown: dict[str, Any] = {}
        self.heard_at = 0.0
        self.replies: dict[int, asyncio.Future[Any]] = {}
        self._last = 0
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for text in self.socket:
            message = json.loads(text)
            if message.get("method") == "game/shown":
                self.shown, self.heard_at = message["params"], time.perf_counter()
            elif message.get("id") in self.replies:
                self.replies.pop(message["id"]).set_result(message)

    async def ask(self, method: str, **params: Any) -> Any:
        self._last += 1
        reply = self.replies[self._last] = asyncio.get_running_loop().create_future()
        request = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        await self.socket.send(json.dumps(request))
        message = await asyncio.wait_for(reply, 60)
        if "error" in message:
            raise RuntimeError(message["error"]["message"])
        return message["result"]


async def page(port: int, token: str, session: str, game: str = "") -> Page:
    address = f"ws://127.0.0.1:{port}/host?session={session}&game={game}"
    origin = f"http://127.0.0.1:{port}"
    return Page(await connect(address, origin=origin, subprotocols=[SUBPROTOCOL, token], max_size=None))  # type: ignore[arg-type, list-item]


async def table(port: int, owner: Page, token: str, number: int, ruleset: str, players: int) -> list[Page]:
    """The pages of a new table, one for each seat."""
    await owner.ask("game/start", ruleset=ruleset, players=players, seats=["person"] * players)
    while not owner.shown:
        await asyncio.sleep(0.01)
    links: list[Any] = []
    for seat in [one["seat"] for one in owner.shown["seats"]]:
        links = (await owner.ask("table/invite", to="seat", seat=seat))["links"]
    keys = [one["key"] for one in links if one["to"] == "seat"]
    return [await page(port, key, f"session-{number:05}-{n:02}") for n, key in enumerate(keys)]


async def play(pages: list[Page], pause: float, until: float, delays: list[float], draw: random.Random) -> int:
    """Let a table answer again and again; the number of its answers."""
    answers = 0
    await asyncio.sleep(draw.random() * pause)
    while time.perf_counter() < until:
        begun = time.perf_counter()
        asked = next((one for one in pages if (one.shown.get("question") or {}).get("answerable")), None)
        if asked is None:
            if any(one.shown.get("result") for one in pages):
                return answers
            await asyncio.sleep(0.05)
            continue
        options = asked.shown["question"]["options"]
        await asked.ask("game/answer", at=asked.shown["at"], key=draw.choice(options)["key"])
        while any(one.heard_at < begun for one in pages) and time.perf_counter() - begun < 30:
            await asyncio.sleep(0.001)
        delays.append(max(one.heard_at for one in pages) - begun)
        answers += 1
        await asyncio.sleep(max(0.0, pause - (time.perf_counter() - begun)))
    return answers


async def measure(port: int, token: str, server: psutil.Process, given: argparse.Namespace) -> None:
    owner = await page(port, token, "session-of-the-owner")
    before = server.memory_info().rss
    tables = []
    for number in range(given.tables):
        owner.shown = {}
        tables.append(await table(port, owner, token, number, given.ruleset, given.players))
    memory = server.memory_info().rss - before
    print(f"{given.tables} tables of {given.players}: {memory / given.tables / 1e6:.2f} MB each", flush=True)
    for pause in given.pause:
        delays: list[float] = []
        used, begun = server.cpu_times(), time.perf_counter()
        until = begun + given.seconds
        draws = [random.Random(number) for number in range(len(tables))]
        playing = [play(one, pause, until, delays, draw) for one, draw in zip(tables, draws, strict=True)]
        done = await asyncio.gather(*playing)
        after, spent = server.cpu_times(), time.perf_counter() - begun
        share = (after.user + after.system - used.user - used.system) / spent
        delays.sort()
        p95 = delays[int(len(delays) * 0.95)] if delays else 0.0
        print(
            f"an answer every {pause:g} s: {sum(done) / spent:.1f} answers a second, "
            f"median {statistics.median(delays) * 1000:.0f} ms, 95th percentile {p95 * 1000:.0f} ms, "
            f"server {share:.2f} processors",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ruleset", default="carolus-magnus")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--pause", type=float, nargs="*", default=[2.0])
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192), most))
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", SERVE, "studio", "--no-open", "--port", "0", "--keep", f"{folder}/g.sqlite3"]
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, env=os.environ)
        assert process.stdout is not None
        found = re.search(r":(\d+)/#token=([\w-]+)", process.stdout.readline())
        assert found is not None
        try:
            asyncio.run(measure(int(found[1]), found[2], psutil.Process(process.pid), given))
        finally:
            process.terminate()
            process.wait()
        size = Path(folder, "g.sqlite3").stat().st_size
        print(f"file of games: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
