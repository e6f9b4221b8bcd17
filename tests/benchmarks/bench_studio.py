"""The time that a page of the studio waits: for the server, for the first board, for the board after each answer.

A server is started as people start it, and a page talks to it over its websocket, as a browser does. An answer's time
ends when the board after it has come, before agents have answered. Prints; asserts nothing. CPU is the time that the
server has spent on an answer and those of agents after it, which other work on the machine does not lengthen.

    python tests/benchmarks/bench_studio.py
    python tests/benchmarks/bench_studio.py --answers 100 domaine baron
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

RULESETS = ("carolus-magnus", "kings-and-things", "domaine")


def cpu(process: int) -> float:
    """Seconds of processor time of a process."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def ask(socket: ClientConnection, method: str, params: dict[str, Any]) -> tuple[dict[str, Any], float]:
    """The position in which a person is asked next, and the seconds until the first board came."""
    began, first = time.perf_counter(), 0.0
    socket.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
    while True:
        message = json.loads(socket.recv(timeout=60))
        if message.get("method") == "game/shown":
            first = first or time.perf_counter() - began
            shown: dict[str, Any] = message["params"]
            if shown["question"] is None or shown["question"]["answerable"]:
                return shown, first


def played(socket: ClientConnection, process: int, ruleset: str, answers: int) -> str:
    """The waits of one game, as a line."""
    shown, begun = ask(socket, "game/start", {"ruleset": ruleset, "seed": 7})
    waits, spent, size = [], cpu(process), 0
    for number in range(answers):
        if shown["question"] is None:
            break
        options = shown["question"]["options"]
        shown, wait = ask(socket, "game/answer", {"at": shown["at"], "key": options[number * 7 % len(options)]["key"]})
        waits.append(wait)
        size = max(size, len(json.dumps(shown)))
    spent = cpu(process) - spent
    median, late = statistics.median(waits), statistics.quantiles(waits, n=20)[-1]
    return (
        f"{ruleset:18} start {begun * 1000:5.0f} ms   answer {median * 1000:4.0f} ms, of twenty the worst "
        f"{late * 1000:4.0f} ms   CPU {spent / len(waits) * 1000:4.0f} ms   {size / 1024:4.0f} KiB"
    )


def main() -> None:
    """Start the server, and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulesets", nargs="*", default=RULESETS)
    parser.add_argument("--answers", type=int, default=40)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        games = str(Path(folder) / "games.sqlite3")
        began = time.perf_counter()
        words = ["studio", "--no-open", "--port", "0", "--games", games]
        server = subprocess.Popen([sys.executable, "-m", "rulewright_tools", *words], stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        link = server.stdout.readline()
        found = re.fullmatch(r"http://(.*)/#token=(.*)\n", link)
        assert found is not None, link
        print(f"the server is there after {time.perf_counter() - began:.2f} s")
        try:
            for number, ruleset in enumerate(given.rulesets):
                address = f"ws://{found[1]}/host?session=benchmark-{number}"
                headers: dict[str, Any] = {"origin": f"http://{found[1]}", "subprotocols": ["rulewright.1", found[2]]}
                with connect(address, max_size=None, **headers) as socket:
                    print(played(socket, server.pid, ruleset, given.answers))
        finally:
            server.terminate()
            server.wait()
    print(f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
