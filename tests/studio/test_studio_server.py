"""The server from outside: whoever is not meant to is turned away, and whatever a page sends, the server stays."""

from __future__ import annotations

import http.client
import json
import random
import re
import shutil
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from studio_page import PATIENCE, hello, require_valid

import rulewright as rw
from sampling import sample

pytest.importorskip("starlette")
websockets = pytest.importorskip("websockets.sync.client")

from websockets.exceptions import ConnectionClosed, InvalidStatus  # noqa: E402

from rulewright_tools.studio.server import page_files  # noqa: E402
from rulewright_tools.studio.server.access import SUBPROTOCOL, Access  # noqa: E402
from rulewright_tools.studio.server.application import LARGEST  # noqa: E402
from rulewright_tools.studio.server.game_file import GameFile  # noqa: E402

SERVE = """
import sys
from pathlib import Path
from rulewright_tools.studio.server import page_files, sessions
sessions.SECONDS = float(sys.argv.pop(1))  # a busy computer is no fault of what is tested
if not page_files.page_files():  # the page is not built here: any will do for what is tested
    page_files.page_files.__defaults__ = (Path(sys.argv.pop(1)),)
else:
    sys.argv.pop(1)
from rulewright_tools.cli import main
main()
"""


class Server:
    def __init__(self, folder: Path, *words: str, before: str = "", files: int | None = None) -> None:
        """`before` is run first, and the server may have so many `files` open at once."""
        games = folder.with_name(f"{folder.name}-games") / "games.sqlite3"
        command = [
            sys.executable,
            "-c",
            before + SERVE,
            str(PATIENCE),
            str(folder),
            "studio",
            "--no-open",
            "--port",
            "0",
        ]
        command += ["--keep", str(games), *words]
        if files is not None:
            command = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command]
        self.folder = folder
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True)
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://[\w.]+:(\d+)/#token=([\w-]{32})", self.link)
        assert found is not None, self.link
        self.port, self.token = int(found[1]), found[2]
        self.host = f"127.0.0.1:{self.port}"

    def close(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)

    def get(self, path: str, host: str | None = None) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.putrequest("GET", path, skip_host=True)
        connection.putheader("Host", host or self.host)
        connection.endheaders()
        response = connection.getresponse()
        response.read()
        connection.close()
        return response

    def connect(self, **other: Any) -> Any:
        """A websocket of a page of this server, but for what is said otherwise."""
        name, token = other.pop("session", "session-of-a-test"), other.pop("token", self.token)
        name += f"&game={other.pop('game')}" if "game" in other else ""
        settings = {"origin": f"http://{self.host}", "subprotocols": [SUBPROTOCOL, token], "max_size": None, **other}
        return websockets.connect(f"ws://{self.host}/host?session={name}", **settings)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<!doctype html><title>studio</title>", "utf-8")
    running = Server(folder)
    yield running
    running.close()


def ask(socket: Any, request: Any, id: int | None = None) -> Any:
    """The response to a request, or the one with an id."""
    socket.send(json.dumps(request) if not isinstance(request, str) else request)
    while True:
        message = json.loads(socket.recv(timeout=PATIENCE))
        require_valid(message)
        if "method" not in message and (id is None or message["id"] == id):
            return message


def closed_after(server: Server, texts: list[str]) -> int | None:
    """The code with which the server closes a websocket after such messages; none if it simply cuts it."""
    with server.connect() as socket:
        try:
            for text in texts:
                socket.send(text)
            while True:
                socket.recv(timeout=PATIENCE)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd is not None else None


def is_alive(server: Server) -> bool:
    time.sleep(0.1)
    with server.connect(session="another-session") as socket:
        return bool(ask(socket, hello())["result"]["protocol"] == 1)


def test_a_page_plays(server: Server) -> None:
    with server.connect(session="session-of-a-game") as socket:
        assert ask(socket, hello())["result"]["protocol"] == 1
        start = {"jsonrpc": "2.0", "id": 2, "method": "game/start", "params": {"ruleset": "tic-tac-toe", "seed": 1}}
        assert "result" in ask(socket, start)
        shown = json.loads(socket.recv(timeout=PATIENCE))
        assert shown["method"] == "game/shown"
    # A page that is loaded again finds its game as it was.
    time.sleep(0.2)
    with server.connect(session="session-of-a-game") as socket:
        again = json.loads(socket.recv(timeout=PATIENCE))
        assert again["params"]["board"].pop("number") == shown["params"]["board"].pop("number") + 1
        assert again == shown


@pytest.mark.parametrize(
    "wrong",
    [
        {"origin": "http://evil.example"},
        {"origin": None},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"subprotocols": None},
        {"subprotocols": [SUBPROTOCOL]},
        {"session": "no"},
        {"session": "..%2F..%2Fetc%2Fpasswd"},
        {"additional_headers": {"Host": "evil.example"}},
    ],
)
def test_strangers_are_turned_away(server: Server, wrong: dict[str, Any]) -> None:
    if "additional_headers" in wrong:  # another name that means this computer
        raw = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        head = f"GET /host?session=session-of-a-test HTTP/1.1\r\nHost: evil.example:{server.port}\r\n"
        head += f"Origin: http://{server.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        head += f"Sec-WebSocket-Protocol: {SUBPROTOCOL}, {server.token}\r\n\r\n"
        raw.sendall(head.encode())
        assert b" 403 " in raw.recv(200)
        raw.close()
        return
    with pytest.raises(InvalidStatus, match="403"), server.connect(**wrong):
        pass
    assert is_alive(server)


def test_a_link_that_nobody_has_given_is_named_as_such(server: Server) -> None:
    """The page is let in to be told that; a browser says nothing of why a websocket was refused."""
    for token in ("x" * 32, "none"):
        with server.connect(token=token) as socket, pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4003
    assert is_alive(server)


def test_only_files_of_the_page(server: Server) -> None:
    page = server.get("/")
    assert page.status == 200
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    outside = (
        "/../pyproject.toml",
        "/..%2f..%2fpyproject.toml",
        "//etc/passwd",
        "/assets/../../host/host.py",
        "/%00",
        "/a" * 4000,
    )
    for path in outside:
        assert server.get(path).status == 404, path
    assert server.get("/", host="evil.example").status == 421
    assert server.get("/", host=f"evil.example:{server.port}").status == 421


def test_messages_that_are_too_large_or_too_many(server: Server) -> None:
    assert closed_after(server, ["x" * 50_000_000]) in (None, 1009)
    assert is_alive(server)
    with server.connect() as socket:
        assert ask(socket, "x" * (LARGEST - 1))["error"]["code"] == -32700
        socket.send(b"\x00\x01")
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE)
    time.sleep(0.1)
    many = [json.dumps({"jsonrpc": "2.0", "method": "hello"})] * 20_000
    assert closed_after(server, many) in (None, 1008, 1011)  # the last: a busy computer answers even fewer a second
    assert is_alive(server)


def test_what_thinks_too_long_is_stopped(server: Server) -> None:
    """Another page is answered meanwhile, and the one that waits may stop it: then it gets the best found so far."""
    with server.connect(session="session-that-thinks") as socket:
        seats = ["person", "person"]
        params = {"ruleset": "connect-four", "seats": seats, "seed": 1}
        ask(socket, {"jsonrpc": "2.0", "id": 1, "method": "game/start", "params": params})
        hint = {"jsonrpc": "2.0", "id": 7, "method": "game/hint", "params": {"agent": "mcts:100000000"}}
        socket.send(json.dumps(hint))
        assert is_alive(server)
        began = time.monotonic()
        socket.send(json.dumps({"jsonrpc": "2.0", "method": "cancel", "params": {"id": 7}}))
        while (answer := json.loads(socket.recv(timeout=PATIENCE))).get("id") != 7:
            pass
        assert answer["result"]["answers"]
        assert time.monotonic() - began < 10
        assert "result" in ask(socket, {"jsonrpc": "2.0", "id": 8, "method": "game/goto", "params": {"at": 0}})


@pytest.mark.parametrize("path", ["language", "host?session=session-that-leaves"])
def test_a_page_that_leaves_leaves_no_traceback(tmp_path: Path, path: str) -> None:
    """Connections of a game and of an editor are cut, by the page or by whatever lies between."""
    (folder := tmp_path / "page").mkdir()
    running = Server(folder)
    settings = {"origin": f"http://{running.host}", "subprotocols": [SUBPROTOCOL, running.token]}
    for politely in (True, False):
        with websockets.connect(f"ws://{running.host}/{path}", **settings) as page:
            page.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}))
            if path == "language":
                page.recv(timeout=PATIENCE)
            if not politely:
                page.socket.shutdown(socket.SHUT_RDWR)
    running.process.terminate()
    _, told = running.process.communicate(timeout=PATIENCE)
    assert "Traceback" not in told, told


def test_one_game_is_open_in_one_window(server: Server) -> None:
    with server.connect(session="session-of-a-test") as first:
        assert ask(first, hello())
        with server.connect(session="session-of-a-test") as second, pytest.raises(ConnectionClosed) as closed:
            second.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013


KILLS = sample(4, 50)


def test_a_killed_server_has_lost_nothing(tmp_path: Path) -> None:
    """Killed in the middle of games: whatever the page was told is there again, and the game goes on."""
    (tmp_path / "index.html").write_text("<!doctype html>", "utf-8")
    told, answered, seed, ids, game = 0, 0, 5, iter(range(1, 1000)), ""
    for life in range(KILLS):
        server = Server(tmp_path)
        try:
            with server.connect(session="session-that-lasts", game=game) as socket:
                if life == 0:
                    shown = started(socket, seed)
                else:
                    shown = next_shown(socket)
                    assert shown["at"] >= told
                for turn in range(1 + life % 3):
                    if shown["question"] is None:  # the game is over: the next one begins
                        seed += 1
                        shown = started(socket, seed)
                    told, game = shown["at"], shown["game"]
                    params = {"at": told, "key": shown["question"]["options"][0]["key"]}
                    socket.send(json.dumps(request(next(ids), "game/answer", **params)))
                    answered += 1
                    if life % 2 and turn == life % 3:
                        break  # killed while it answers
                    shown = next_shown(socket)
                    told = shown["at"]
                server.process.kill()
        finally:
            server.process.kill()
            server.process.communicate(timeout=PATIENCE)
    assert answered > KILLS


def test_a_killed_server_loses_no_answer_of_a_table(tmp_path: Path) -> None:
    """Two people by links, and a server that is killed at any moment: what was acknowledged is there when it is begun
    again, and an answer that is sent once more counts once."""
    (tmp_path / "index.html").write_text("<!doctype html>", "utf-8")
    draw, acknowledged, keys, game = random.Random(3), list[tuple[str, str]](), dict[str, str](), ""
    pending: tuple[str, dict[str, Any]] = ("", {})
    for _ in range(sample(5, 100)):
        server = Server(tmp_path)
        try:
            if not keys:
                with server.connect(session="session-of-the-host") as owner:
                    start = request(1, "game/start", ruleset="hex", seats=["person", "person"])
                    assert "result" in ask(owner, start)
                    game = next_shown(owner)["game"]
                    for seat in rw.load("hex").seats:
                        links = ask(owner, request(2, "table/invite", to="seat", seat=seat))["result"]["links"]
                        keys = {one["seat"]: one["key"] for one in links if one["to"] == "seat"}
            with suppress(ConnectionClosed, ConnectionError, EOFError):
                opened = {seat: server.connect(session=f"session-of-{seat}", token=key) for seat, key in keys.items()}
                pages = {seat: one.__enter__() for seat, one in opened.items()}
                if pending[0]:
                    seat, params = pending
                    assert ask(pages[seat], request(3, "game/answer", **params)).get("result") == {}
                    acknowledged.append((seat, params["key"]))
                    pending = ("", {})
                threading.Timer(0.05 + draw.random() * 0.4, server.process.kill).start()
                while True:
                    for seat, page in pages.items():
                        page.send(json.dumps(request(4, "game/show")))
                        shown = shown_after(page, 4)
                        if shown["question"] is not None and shown["question"]["answerable"]:
                            key = draw.choice(shown["question"]["options"])["key"]
                            pending = (seat, {"at": shown["at"], "key": key})
                            assert ask(page, request(5, "game/answer", **pending[1]), 5).get("result") == {}
                            acknowledged.append((seat, key))
                            pending = ("", {})
                        elif shown["question"] is None:
                            raise EOFError
        finally:
            server.process.kill()
            server.process.communicate(timeout=PATIENCE)
    store = GameFile(tmp_path.with_name(f"{tmp_path.name}-games") / "games.sqlite3")
    saved = store.get(game)
    store.close()
    assert saved is not None
    given = [(entry[0], entry[2]) for entry in map(tuple, map(_entry, saved["save"]["log"]))]
    assert given[: len(acknowledged)] == acknowledged
    assert len(given) - len(acknowledged) <= bool(pending[0])


def _entry(entry: Any) -> list[str]:
    return [entry["who"], entry["name"], entry["key"]] if isinstance(entry, dict) else list(entry)


def shown_after(socket: Any, id: int) -> Any:
    """The position that is shown after the response to a request."""
    answered = False
    while True:
        message = json.loads(socket.recv(timeout=PATIENCE))
        answered = answered or message.get("id") == id
        if answered and message.get("method") == "game/shown":
            return message["params"]


def started(socket: Any, seed: int) -> Any:
    """The first position of a new game against an agent in which a person is asked."""
    params = {"ruleset": "carolus-magnus", "seed": seed, "seats": ["person", "random"]}
    socket.send(json.dumps(request(0, "game/start", **params)))
    return next_shown(socket)


def test_a_killed_server_has_lost_no_save(tmp_path: Path) -> None:
    """Killed while it saves games and writes files: each is as it was acknowledged, or as it was being written."""
    page, rules = tmp_path / "page", tmp_path / "own"
    page.mkdir()
    (page / "index.html").write_text("<!doctype html>", "utf-8")
    shutil.copytree(rw.rulesets.find_rulesets("tic-tac-toe")[0], rules)
    file = rules / "game.rules"
    first = file.read_text("utf-8")
    saved, text = 0, first
    for life in range(KILLS):
        server = Server(page, str(rules))
        try:
            with server.connect(session=f"session-that-saves-{life}") as socket:
                games = ask(socket, request(1, "games/list"))["result"]["games"]
                names = {one["label"]: one["game"] for one in games}
                assert {f"save {number}" for number in range(saved)} <= {*names}
                if saved:
                    assert "result" in ask(socket, request(2, "games/open", game=names[f"save {saved - 1}"]))
                else:
                    ask(socket, request(2, "game/start", ruleset="connect-four", seed=1))
                read = ask(socket, request(3, "files/read", name="own/game.rules"))["result"]
                assert read["text"] == text
                for _ in range(1 + life % 3):
                    assert "result" in ask(socket, request(4, "games/copy", label=f"save {saved}"))
                    saved += 1
                    text = f"{first}\n# {saved} {'x' * 50_000}\n"
                    params = {"name": "own/game.rules", "text": text, "version": read["version"]}
                    read = ask(socket, request(5, "files/write", **params))["result"]
                late = f"{first}\n# late {life}\n"
                socket.send(json.dumps(request(6, "games/copy", label=f"late {life}")))
                params = {"name": "own/game.rules", "text": late, "version": read["version"]}
                socket.send(json.dumps(request(7, "files/write", **params)))
                time.sleep(life % 5 * 0.002)  # nothing is expected to have happened by then
                server.process.kill()
        finally:
            server.process.kill()
            server.process.communicate(timeout=PATIENCE)
        assert file.read_text("utf-8") in (text, late)
        text = file.read_text("utf-8")


def request(id: int, method: str, /, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def next_shown(socket: Any) -> Any:
    """The next position in which a person is asked, or in which the game is over."""
    while True:
        message = json.loads(socket.recv(timeout=PATIENCE))
        assert "error" not in message
        assert message.get("method") != "game/stopped", message
        if message.get("method") == "game/shown":
            question = message["params"]["question"]
            if question is None or question["answerable"]:
                return message["params"]


def test_messages_that_nobody_would_write(server: Server) -> None:
    """Requests in which bytes were changed, and which were cut: each is answered or ends its own page only."""
    draw, sent = random.Random(7), 0
    known = [
        request(1, "game/start", ruleset="tic-tac-toe", seed=1),
        request(2, "game/answer", at=0, key="(0, 0)"),
        hello(),
    ]
    known += [hello(), request(3, "game/hint", agent="flat:2"), request(4, "cancel", id=1)]
    known += [request(5, "files/read", name="a/b")]
    while sent < sample(150, 10_000):
        with server.connect(session=f"session-{sent:08}") as page:
            for _ in range(100):
                sent += 1
                letters = list(json.dumps(draw.choice(known)))
                for _ in range(draw.randrange(4)):
                    letters[draw.randrange(len(letters))] = draw.choice('{}[]",:0-\\\x00\ud800é💥')
                text = "".join(letters[: draw.randrange(len(letters)) if draw.random() < 0.1 else None])
                page.send(text.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
            assert ask(page, request(99, "hello", protocol=1), id=99)["result"]["protocol"] == 1
    assert is_alive(server)


class Proxy(socketserver.ThreadingTCPServer):
    """Carries bytes to a server, as a proxy does that knows it by its public name."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Carrier)
        self.port = self.server_address[1]
        self.to = 0


class Carrier(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, Proxy)
        with socket.create_connection(("127.0.0.1", self.server.to)) as inside:
            back = threading.Thread(target=carry, args=(inside, self.request), daemon=True)
            back.start()
            carry(self.request, inside)
            back.join(10)


def carry(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(1 << 16):
            other.sendall(data)
        other.shutdown(socket.SHUT_WR)


def test_behind_a_proxy(tmp_path: Path) -> None:
    """A page that is reached by another name plays; by that name without the proxy's origin nobody does."""
    (tmp_path / "index.html").write_text("<!doctype html>", "utf-8")
    with Proxy() as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        public = f"http://games.example.org:{proxy.port}"
        with socket.create_server(("127.0.0.1", 0)) as free:
            proxy.to = free.getsockname()[1]
        server = Server(tmp_path, "--port", str(proxy.to), "--origin", public)
        try:
            assert server.link.startswith(f"{public}/#token=")
            server.port = proxy.port
            assert server.get("/", host=f"games.example.org:{proxy.port}").status == 200
            assert server.get("/", host=f"other.example.org:{proxy.port}").status == 421
            for origin in (public, "http://other.example.org"):
                outside = socket.create_connection(("127.0.0.1", proxy.port))
                address = f"ws://games.example.org:{proxy.port}/host?session=session-of-a-proxy"
                settings = {"sock": outside, "origin": origin, "subprotocols": [SUBPROTOCOL, server.token]}
                if origin != public:
                    with pytest.raises(InvalidStatus, match="403"):
                        websockets.connect(address, **settings)
                    continue
                with websockets.connect(address, **settings) as page:
                    assert "result" in ask(page, request(1, "game/start", ruleset="tic-tac-toe", seed=1))
                    assert next_shown(page)["at"] == 0
        finally:
            server.close()
            proxy.shutdown()


def test_the_name_and_origin_of_a_proxy() -> None:
    access = Access.to("127.0.0.1", 8474, "token", ["https://games.example.org"])
    assert access.knows_host("games.example.org")
    assert access.knows_origin("https://games.example.org")
    assert access.knows_host("LOCALHOST:8474")
    assert not access.knows_origin("http://games.example.org")
    assert not access.knows_host("127.0.0.1")
    assert not access.knows_host(None)
    assert not access.knows_host("192.168.1.5:8474")
    # Bound to all addresses of the computer it is known by any of them, but by no name that anybody may have made.
    access = Access.to("0.0.0.0", 8474, "token")
    assert access.knows_host("192.168.1.5:8474")
    assert access.knows_origin("http://192.168.1.5:8474")
    assert access.knows_origin("http://[fe80::1]:8474")
    for strange in (
        "evil.example:8474",
        "192.168.1.5:80",
        "192.168.1.5",
        "8474",
        ":8474",
        "192.168.1.5.evil.example:8474",
    ):
        assert not access.knows_host(strange)
        assert not access.knows_origin(f"http://{strange}")


def command(*words: str, page: Path | None = None, begin: str = "") -> subprocess.CompletedProcess[str]:
    started = [sys.executable, "-c", begin + SERVE, str(PATIENCE), str(page), "studio", "--no-open", *words]
    return subprocess.run(started, capture_output=True, text=True, timeout=PATIENCE)


def test_one_clear_sentence(server: Server, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>", "utf-8")
    used = command("--port", str(server.port), page=tmp_path)
    assert (used.returncode, used.stdout) == (2, "")
    assert (
        used.stderr
        == f"error: port {server.port} is in use: is another studio running? --port 0 takes any that is free\n"
    )
    folder = command(str(tmp_path), "--port", "0", page=tmp_path)
    assert folder.returncode == 2
    assert "is not a ruleset" in folder.stderr
    nowhere = command("--host", "203.0.113.1", "--port", "0", page=tmp_path)
    assert nowhere.stderr == "error: --host 203.0.113.1: this computer has no such address\n"
    without = command("--port", "0", page=tmp_path, begin="import sys; sys.modules['uvicorn'] = None\n")
    assert without.returncode == 2
    assert without.stderr.startswith("error: the studio needs `uvicorn`, which is not installed: ")
    assert without.stderr.endswith("[studio]'\n")
    if not page_files.page_files():
        unbuilt = command("--port", "0", page=tmp_path / "none")
        assert unbuilt.stderr == "error: the page of the studio is not built: `make studio` builds it, with Node\n"


def test_no_browser(tmp_path: Path) -> None:
    """The server goes on: its link can be opened elsewhere."""
    (tmp_path / "index.html").write_text("<!doctype html>", "utf-8")
    begin = "import webbrowser; webbrowser.open = lambda link: False\n"
    words = [
        sys.executable,
        "-c",
        begin + SERVE,
        str(PATIENCE),
        str(tmp_path),
        "studio",
        "--port",
        "0",
        "--keep",
        str(tmp_path / "games"),
    ]
    process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    assert "#token=" in process.stdout.readline()
    assert "no browser could be opened: open the link yourself" in process.stderr.readline()
    assert process.poll() is None
    process.terminate()
    process.communicate(timeout=PATIENCE)
