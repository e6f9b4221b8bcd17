"""No message of the studio, over HTTP or the websockets, tells a path of the computer that it runs on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from studio_page import PATIENCE
from test_studio_server import Server, websockets

import rulewright as rw
import rulewright_tools
from rulewright_tools.studio.host import Catalogue, Host
from rulewright_tools.studio.host.files.path_names import PathNames
from rulewright_tools.studio.host.jobs.job import DONE, RUNS, Changed, Job
from rulewright_tools.studio.host.language.document_names import DocumentNames
from rulewright_tools.studio.host.messages import text_of
from rulewright_tools.studio.server.access import SUBPROTOCOL

BASE = next(path for path in rw.shipped_rulesets() if path.name == "tic-tac-toe")

WRONG: dict[str, Callable[[str], str]] = {
    "syntax": lambda text: text.replace("players 2", "players players 2"),
    "unclosed": lambda text: text.replace(
        "forbid taken: mark[cell] is not none", "forbid taken: mark[cell is not none"
    ),
    "misspelt": lambda text: text.replace("mark[cell] = p", "marc[cell] = p"),
    "twice": lambda text: text + "\nfield mark[Cell]: Player or none = none\n",
    "faulty": lambda text: text.replace("    mark[cell] = p", "    mark[towards(cell, north)] = p"),
    "endless": lambda text: text.replace(
        "    mark[cell] = p", "    repeat\n        mark[cell] = p\n        mark[cell] = none"
    ),
}
"""Rulesets with errors of every kind, as changes of one that has none."""

VARIANTS = {
    "nowhere": 'variant "Nowhere" of no_such_game\n    remove play\n',
    "mistaken": 'variant "Mistaken" of misspelt\n    remove no_such_rule\n',
    "other-name": 'variant "First" of syntax\n    before play\n        tells "First."\n',
    "more": 'variant "More" of misspelt\n    set mark = 3\n',
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "games of mine"
    folder.mkdir()
    for name, change in WRONG.items():
        shutil.copytree(BASE, folder / name)
        rules, manifest = folder / name / "game.rules", folder / name / "ruleset.json"
        text = rules.read_text()
        assert change(text) != text
        rules.write_text(change(text).replace("game tic_tac_toe", f"game {name}"))
        manifest.write_text(manifest.read_text().replace('"tic-tac-toe"', f'"{name}"'))
    for name, text in (("manifest", "{"), ("lacking", '{"name": "lacking", "title": "x", "rules": ["gone.rules"]}')):
        (folder / name).mkdir()
        (folder / name / "ruleset.json").write_text(text)
    (folder / "orphan").mkdir()
    (folder / "orphan" / "ruleset.json").write_text('{"name": "orphan", "title": "x", "extends": "../gone"}')
    for name, text in VARIANTS.items():
        (folder / f"{name}.rules").write_text(text)
    return folder


def paths_of(home: Path) -> list[str]:
    """The paths that nobody may read, whole ones: of the rulesets, of their owner, of the package, of the checkout."""
    packages = [Path(module.__file__ or "").parent for module in (rw, rulewright_tools)]
    whole = [home, home.parent, Path.home(), BASE.parent, Path.cwd(), *packages, *(one.parent for one in packages)]
    return [path.as_posix() for path in whole if len(path.parts) > 1]


def require_no_paths(text: str, home: Path) -> None:
    for path in paths_of(home):
        for form in (path, path.replace(" ", "%20"), json.dumps(path)[1:-1]):
            at = text.find(form)
            assert at < 0, f"{form}: …{text[max(0, at - 200) : at + 200]}…"


class Talk:
    """Somebody who asks for everything, and keeps every text that comes back."""

    def __init__(self, send: Callable[[str], list[str]]) -> None:
        self._send = send
        self.heard: list[str] = []
        self._asked = 0

    def ask(self, method: str, **params: Any) -> Any:
        """The answer, with its error if it is one."""
        self._asked += 1
        request = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}
        self.heard += (said := self._send(json.dumps(request)))
        return next(one for one in map(json.loads, said) if one.get("id") == self._asked)

    def about(self, ruleset: str) -> None:
        """Everything that can be asked about a ruleset and a game of it."""
        self.ask("ruleset", ruleset=ruleset)
        started = self.ask("game/start", ruleset=ruleset, seed=1, seats=["person", "random"])
        files = self.ask("files/list", ruleset=ruleset)["result"]["names"]
        for name in files:
            self.ask("files/read", name=name)
        if "error" in started:
            return
        for key in ("0", "(0, 0)", "(1, 1)"):
            self.ask("game/answer", at=0, key=key)
        every = [one["params"] for one in map(json.loads, self.heard) if one.get("method") == "game/shown"]
        shown = every[-1]
        if shown["question"]:
            self.ask("game/answer", at=shown["at"], key=shown["question"]["options"][0]["key"])
        told = [one for position in every for one in position["board"]["things"] if isinstance(one, dict)]
        for thing in told[-3:]:
            self.ask("game/whyNot", thing=thing["id"])
        for method in ("rules/compare", "inspect/state", "inspect/trace", "game/reload"):
            self.ask(method)
        self.ask("scenarios/propose")
        self.ask("scenarios/keep", title="kept", file=next(one for one in files if one.endswith(".rules")), lines=[0])


class Printing:
    """A runner of jobs that print what commands print about their first word."""

    def start(self, job: Job, changed: Changed) -> None:
        path = next((word for word in job.words[1:] if word.startswith("/")), "")
        file = f"{path}/game.rules" if Path(path).is_dir() else path
        job.state, job.progress = RUNS, {"what": f"checking {path}", "done": 1, "total": 2}
        changed(job)
        package = Path(rw.__file__ or "").parent
        job.text = (
            f"error: {file}: no such file\n{file}:3:4 wrong (see '{path}', {file}:12).\n"
            f"{path}2/game.rules:3 and {package}/engine/machine.py:2 in {Path.home()}/x, {Path.home()}\n"
            f"at file://{file.replace(' ', '%20')} and {path}.\n"
        )
        job.state, job.code = DONE, 2
        changed(job)

    def stop(self, job: Job) -> None:
        """Nothing runs."""


@pytest.mark.parametrize("linked", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_no_message_of_the_host_has_a_path(home: Path, linked: bool) -> None:
    folder = home
    if linked:  # messages name what a link leads to
        folder = home.parent / "linked"
        folder.symlink_to(home)
    rulesets = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    others = [folder / f"{name}.rules" for name in VARIANTS]
    catalogue = Catalogue.of([*rulesets, *others], home=folder)
    host = Host(catalogue, runner=Printing(), limits=lambda: rw.Limits(steps=50_000))
    posted: list[str] = []
    host.jobs.post = lambda message: posted.append(text_of(message))
    talk = Talk(lambda text: [text_of(message) for message in host.handle_text(text)])
    talk.ask("hello", protocol=1)
    for name in (*(path.stem for path in (*rulesets, *others)), "connect-four"):
        talk.about(name)
        for kind in ("test", "examine", "confirm", "simulate", "experiment", "fuzz", "solve"):
            talk.ask("jobs/start", kind=kind, ruleset=name)
    talk.ask("jobs/list")
    require_no_paths("\n".join([*talk.heard, *posted]), home)
    findings = [
        finding
        for message in map(json.loads, talk.heard)
        for told in (message.get("result", {}).get("findings"), message.get("error", {}).get("data"))
        if told and "diagnostics" in told
        for finding in told["diagnostics"]
    ]
    files = {finding["file"] for finding in findings}
    # Files are told by their names, and what a fix changes, too.
    assert {f"{name}/game.rules" for name in WRONG} | {"lacking/ruleset.json", "mistaken/mistaken.rules"} <= files
    edited = {edit["file"] for finding in findings if "fix" in finding for edit in finding["fix"]["edits"]}
    assert edited == {"syntax/game.rules"}
    assert {finding["code"][:3] for finding in findings} >= {"SYN", "REF", "RUN", "DAT", "VAR"}, files


def test_texts_have_names_in_the_place_of_paths(home: Path) -> None:
    one, variant = home / "syntax", home / "more.rules"
    names = PathNames(Catalogue.of([one, variant], shipped=False), folder=home)
    told, places = names.placed(
        f"{one}/game.rules:3:4 wrong, see {one}. In {variant}:More, at {variant}:2, syntax/game.rules:7; "
        f"{one}2/a.rules:1 {one}.rules, /usr/lib/python3/x.py:4 file://{variant.as_posix().replace(' ', '%20')}."
    )
    assert told == (
        "syntax/game.rules:3:4 wrong, see syntax. In more:More, at more/more.rules:2, syntax/game.rules:7; "
        "mine/syntax2/a.rules:1 mine/syntax.rules, x.py:4 more/more.rules."
    ).replace("mine/", told.partition("7; ")[2].partition("syntax2")[0])
    require_no_paths(told, home)
    found = [(told[place.at :][: place.size], place.file, place.line) for place in places]
    assert found == [
        ("syntax/game.rules:3", "syntax/game.rules", 3),
        ("more/more.rules:2", "more/more.rules", 2),
        ("syntax/game.rules:7", "syntax/game.rules", 7),
    ]
    assert names.text("either/or 1/2 http://x.example/a/b") == "either/or 1/2 http://x.example/a/b"


def test_a_finding_comes_back_from_a_page_as_it_was_told(home: Path) -> None:
    """A page gives the findings back when it asks for fixes: they must not name what it may not know."""
    names = DocumentNames(Catalogue.of([home / "misspelt"], shipped=False))
    page = rw.reporting.page_file("REF001")
    assert page is not None
    file = (home / "misspelt" / "game.rules").as_uri()
    finding = {"message": f"see {home}/misspelt/game.rules:2", "codeDescription": {"href": page.as_uri()}, "data": file}
    told = names.for_page({"result": [finding]})["result"][0]
    assert told == {"message": "see misspelt/game.rules:2", "data": "file:///misspelt/game.rules"}
    assert names.for_server(told)["data"] == file


@pytest.fixture
def server(home: Path, tmp_path: Path) -> Iterator[Server]:
    elsewhere = tmp_path / "elsewhere"  # so that messages of commands name whole paths
    elsewhere.mkdir()
    running = Server(elsewhere, str(home / "misspelt"), *(str(home / f"{name}.rules") for name in ("more", "mistaken")))
    yield running
    running.close()


@pytest.mark.thorough
def test_no_byte_of_the_server_has_a_path(home: Path, server: Server) -> None:
    heard: list[str] = []
    with server.connect() as socket:

        def send(text: str) -> list[str]:
            socket.send(text)
            return [until(socket, lambda one: one.get("id") == json.loads(text)["id"], heard)]

        talk = Talk(send)
        for name in ("misspelt", "mistaken"):
            talk.about(name)
        for kind in ("test", "experiment"):
            talk.ask("jobs/start", kind=kind, ruleset="misspelt" if kind == "test" else "more")
            until(socket, lambda one: one.get("method") == "jobs/changed" and ends(one), heard)
    heard += talk.heard
    heard += language(home, server)
    for path in ("/", "/nothing", "/../..", f"/{home.parent}"):
        response = server.get(path)
        heard.append(f"{response.status} {response.reason} {response.headers}")
    require_no_paths("\n".join(heard), home)


def ends(message: Any) -> bool:
    return bool(message["params"]["job"]["state"] not in ("waits", RUNS))


def until(socket: Any, fits: Callable[[Any], bool], heard: list[str]) -> str:
    """The first text that fits; all are kept."""
    while True:
        text = socket.recv(timeout=PATIENCE)
        heard.append(text)
        if fits(json.loads(text)):
            return str(text)


def found_in(text: str, uri: str) -> bool:
    """True if a message tells findings of a file."""
    params = json.loads(text).get("params", {})
    return bool(params.get("uri") == uri and params.get("diagnostics"))


def language(home: Path, server: Server) -> list[str]:
    """All that the language server says of a variant whose ruleset has an error, word by word."""
    heard: list[str] = []
    settings = {"origin": f"http://{server.host}", "subprotocols": [SUBPROTOCOL, server.token], "max_size": None}
    with websockets.connect(f"ws://{server.host}/language", **settings) as socket:
        number = 0

        def ask(method: str, **params: Any) -> Any:
            nonlocal number
            number += 1
            socket.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
            answer = json.loads(until(socket, lambda one: one.get("id") == number and "method" not in one, heard))
            return answer.get("result")

        ask("initialize", processId=None, rootUri="file:///", capabilities={})
        socket.send(json.dumps({"jsonrpc": "2.0", "method": "initialized", "params": {}}))
        for name in ("more/more.rules", "mistaken/mistaken.rules", "misspelt/game.rules"):
            ruleset, _, rest = name.partition("/")
            text = (home / (rest if ruleset == rest.removesuffix(".rules") else name)).read_text()
            uri = {"uri": f"file:///{name}"}
            document = {**uri, "languageId": "rulewright", "version": 0, "text": text}
            socket.send(
                json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}})
            )
            for line, words in [(n, words) for n, words in enumerate(text.splitlines()) if "mark" in words or n < 2][
                :5
            ]:
                place = {"textDocument": uri, "position": {"line": line, "character": words.find("mark") + 1 or 9}}
                for method in ("hover", "definition"):
                    ask(f"textDocument/{method}", **place)
            told = next((text for text in heard if found_in(text, uri["uri"])), "")
            while not told:
                heard.append(text := socket.recv(timeout=PATIENCE))
                told = text if found_in(text, uri["uri"]) else ""
            whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
            found = json.loads(told)["params"]["diagnostics"]
            fixes = ask("textDocument/codeAction", textDocument=uri, range=whole, context={"diagnostics": found})
            if name == "misspelt/game.rules":
                assert [one for one in fixes if "diagnostics" in one], told
            for method in ("codeLens", "documentLink", "documentSymbol", "foldingRange"):
                ask(f"textDocument/{method}", textDocument=uri)
    return heard
