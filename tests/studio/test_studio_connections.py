"""Connections that use up what is there: half requests, answers that nobody reads, strange frames."""

from __future__ import annotations

import asyncio
import errno
import json
import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from studio_page import PATIENCE, hello

pytest.importorskip("starlette")
pytest.importorskip("websockets.sync.client")

from test_studio_attacks import memory
from test_studio_server import ConnectionClosed, Server, ask, next_shown, request

from rulewright_tools.studio.server.connections import exhaustion_handler

QUICK = """
from rulewright_tools.studio.server import connections
connections.HEAD, connections.ANSWER, connections.STALLED, connections.GRACE = 2.0, 4.0, 2.0, 1.0
"""
OPEN = 20
"""Connections that a server keeps open which may open four times as many files."""
HALF = b"GET / HTTP/1.1\r\nHost: 127."


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (folder := tmp_path / "page").mkdir()
    (folder / "index.html").write_text("<!doctype html>" + " " * 1_000_000, "utf-8")
    return folder


@pytest.fixture
def server(page: Path) -> Iterator[Server]:
    running = Server(page, before=QUICK)
    yield running
    running.close()


def end_of(server: Server) -> str:
    """All that it has said of what is wrong, when it has ended."""
    server.process.terminate()
    return str(server.process.communicate(timeout=PATIENCE)[1])


def cut_after(connection: socket.socket) -> float:
    """The seconds after which the server cuts a connection."""
    begun = time.monotonic()
    connection.settimeout(PATIENCE)
    with suppress(ConnectionError):
        while connection.recv(1 << 16):
            pass
    return time.monotonic() - begun


def wait_for_cuts(connections: list[socket.socket], left: int) -> None:
    """Wait until the server has cut all but some connections, so that none of them waits to be accepted any more."""
    held = list(connections)
    while len(held) > left:
        cut, _, _ = select.select(held, [], [], PATIENCE)
        assert cut
        for one in cut:
            with suppress(ConnectionError):
                assert one.recv(1) == b""
            held.remove(one)


def test_strangers_with_half_requests_keep_nobody_out(page: Path) -> None:
    """More of them than files may be open: pages are served meanwhile, and little is said of it."""
    server = Server(page, files=4 * OPEN)
    strangers: list[socket.socket] = []
    for number in range(200):
        one = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        strangers.append(one)
        with suppress(ConnectionError):
            one.sendall(HALF if number % 2 else b"")
        if number % 50 == 49:
            wait_for_cuts(strangers, OPEN)  # on a busy machine one could be accepted after the page, and end its turn
            assert server.get("/").status == 200
            with server.connect(session=f"session-{number}") as socket_of_page:
                assert ask(socket_of_page, hello())["result"]["protocol"] == 1
    told = [line for line in end_of(server).splitlines() if line != "stopped"]
    assert len(told) <= 1, told
    assert all("Traceback" not in line for line in told)
    for one in strangers:
        one.close()


def test_that_no_more_files_can_be_opened_is_told_once() -> None:
    told: list[str] = []
    loop = asyncio.new_event_loop()
    handle = exhaustion_handler(told.append)
    for _ in range(3):
        handle(loop, {"message": "no more", "exception": OSError(errno.EMFILE, "Too many open files")})
    loop.close()
    assert len(told) == 1


def test_what_takes_too_long_is_cut(server: Server) -> None:
    """A head that never ends, one that comes byte by byte, and an answer that nobody reads."""
    for sent in (b"", HALF, b"GET / HTTP/1.1\r\nX: y\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-"):
        with socket.create_connection(("127.0.0.1", server.port)) as stranger:
            stranger.sendall(sent)
            assert cut_after(stranger) < PATIENCE / 2
    with socket.create_connection(("127.0.0.1", server.port)) as stranger:
        begun = time.monotonic()
        with suppress(ConnectionError):
            while time.monotonic() - begun < PATIENCE / 2:
                stranger.sendall(b"G")
                time.sleep(0.2)
            pytest.fail("it is still there")
    with socket.create_connection(("127.0.0.1", server.port)) as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        wanted = f"GET / HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode()
        with suppress(ConnectionError):
            stranger.sendall(wanted * 20)  # one after the other
            time.sleep(8)
            for _ in range(100):
                stranger.sendall(wanted)
                time.sleep(0.1)
            pytest.fail("it is still there")
    assert server.get("/").status == 200
    assert "Traceback" not in end_of(server)


def test_a_frame_that_is_no_text_is_told_so(server: Server) -> None:
    for sent in ([b"\xff"], [b"{", b"\xc3"], [b""] * 1_500):
        with server.connect() as page_of:
            with suppress(ConnectionClosed):  # perhaps before all is said
                page_of.send(iter(sent) if len(sent) > 1 else sent[0], text=True)
            with pytest.raises(ConnectionClosed) as closed:
                page_of.recv(timeout=PATIENCE)
            if len(sent) < 3:
                assert closed.value.rcvd is not None
                assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1007, "this is no text: it must be UTF-8")
        with server.connect() as page_of:
            assert ask(page_of, hello())
    assert "Traceback" not in end_of(server)


def test_a_page_that_reads_nothing_is_left(server: Server) -> None:
    """Little waits for it, though it asks for much; after a while it is told to go, and cut off."""
    with server.connect(session="session-that-reads") as page_of:
        ask(page_of, request(1, "game/start", ruleset="domaine", seed=1, seats=["person", "random"]))
        next_shown(page_of)
    before = memory(server)
    with server.connect(session="session-that-reads", max_queue=1, close_timeout=0.1) as ignore_interrupts:

        def say() -> None:
            with suppress(ConnectionClosed, OSError):
                for number in range(3_000):
                    ignore_interrupts.send(json.dumps(request(number, "game/show")))
                    time.sleep(0.005 if number < 200 else 0.02)

        saying = threading.Thread(target=say, daemon=True)
        saying.start()
        saying.join(PATIENCE)
        assert not saying.is_alive()
        assert memory(server) < before + 100
    with server.connect(session="session-that-reads") as again:
        assert json.loads(again.recv(timeout=PATIENCE))["method"] == "game/shown"
    assert "Traceback" not in end_of(server)
