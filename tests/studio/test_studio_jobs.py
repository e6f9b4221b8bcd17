"""Jobs: commands that run beside the game, told while they run, stopped, and never others than a page may have run."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from studio_page import PATIENCE, SCHEMA, Failed, Page, printed, require_valid
from test_studio_server import Server

import rulewright as rw
from rulewright_tools.studio.host import Catalogue, Host, Message
from rulewright_tools.studio.host.jobs.commands import KINDS
from rulewright_tools.studio.host.jobs.job import DONE, STOPPED, Changed, Job, is_taken

VARIANT = """variant "First piece" of tic_tac_toe
    before play
        tells "Another game."
"""


class Recorded:
    """A runner that only notes what it is told to do."""

    def __init__(self) -> None:
        self.started: list[tuple[Job, Changed]] = []

    def start(self, job: Job, changed: Changed) -> None:
        self.started.append((job, changed))

    def stop(self, job: Job) -> None:
        job.state = STOPPED


@pytest.fixture
def home(tmp_path: Path) -> Path:
    shutil.copytree(next(path for path in rw.shipped_rulesets() if path.name == "tic-tac-toe"), tmp_path / "mine")
    (tmp_path / "first.rules").write_text(VARIANT)
    return tmp_path


def test_a_job_is_a_command_that_can_be_repeated(home: Path) -> None:
    runner = Recorded()
    page = Page(Host(Catalogue.of([home / "mine"], home=home), runner=runner))
    page.ask("jobs/start", kind="simulate", ruleset="mine", games=5, seats=[" mcts: 10", "random"], players=2)
    page.ask("jobs/start", kind="experiment", ruleset="first", games=7)
    page.ask("jobs/start", kind="fuzz", ruleset="first", seconds=3, variants=["First piece"])
    page.ask("jobs/start", kind="examine", ruleset="first", seconds=5, players=2)
    page.ask("jobs/start", kind="confirm", ruleset="first", seconds=5)
    assert [job["command"] for job in page.ask("jobs/list")["jobs"]] == [
        "rulewright simulate mine --games 5 --seats mcts:10,random --players 2 --jobs 1",
        "rulewright experiment mine first --games 7 --jobs 1",
        'rulewright fuzz first --time 3 --variant "First piece" --jobs 1',
        "rulewright examine first --time 5 --players 2",
        "rulewright confirm first --time 5",
    ]
    assert runner.started[0][0].words[1] == str((home / "mine").absolute())


def test_an_experiment_compares_what_is_chosen_with_the_rules_without_it(home: Path) -> None:
    runner = Recorded()
    page = Page(Host(Catalogue.of([], home=home), runner=runner))
    chosen = {"variants": ["Short reign"], "options": {"knights_per_turn": "2"}}
    page.ask("jobs/start", kind="experiment", ruleset="carolus-magnus", games=7, **chosen)
    page.ask("jobs/start", kind="experiment", ruleset="first", games=7, variants=["First piece"])
    told = [job["command"] for job in page.ask("jobs/list")["jobs"]]
    assert told == [
        'rulewright experiment carolus-magnus --variant "Short reign" --set knights_per_turn=2 --games 7 --jobs 1',
        'rulewright experiment mine first --variant "First piece" --games 7 --jobs 1',
    ]
    for (job, _), set_to in zip(runner.started, (":Short reign:knights_per_turn=2", ":First piece"), strict=True):
        job.state, one = DONE, job.words[1]
        other = (job.words[2] if Path(job.words[2]).exists() else one) + set_to
        job.text = f"A {one}\nB {other}\nIn {other}, as in {one}.\nFiles of {home}/other stay as they are\n"
    names = (("carolus-magnus", "carolus-magnus:Short reign:knights_per_turn=2"), ("mine", "first:First piece"))
    for job, (old, new) in zip(page.ask("jobs/list")["jobs"], names, strict=True):
        lines = printed(job).splitlines()
        assert lines[:3] == [f"A {old}", f"B {new}", f"In {new}, as in {old}."]
        assert lines[3] == "Files of other stay as they are"


@pytest.mark.parametrize(
    "params",
    [
        {"kind": "mutate"},
        {"ruleset": "/etc"},
        {"kind": "experiment"},
        {"kind": "experiment", "against": "../mine"},
        {"seats": ["learnt:/etc/passwd"]},
        {"seats": ["pipe:rm"]},
        {"seats": ["mcts:10,learnt:x"]},
        {"seats": ["mcts:10:learnt:x"]},
        {"seats": ["mcts:10: learnt:x"]},
        {"seats": ["mcts:10:mast:\u2003learnt :x/3"]},
        {"seats": ["mcts:10:\nlearnt:x"]},
        {"seats": ["alphabeta:4:learnt:x"]},
        {"seats": ["random", " learnt:x"]},
        {"variants": ["x:/elsewhere/private.rules:y"], "kind": "experiment", "ruleset": "first"},
        {"variants": ["First piece:/elsewhere/private.rules"], "kind": "experiment", "ruleset": "first"},
        {"variants": ["first piece"], "ruleset": "first"},
        {"options": {"size": "3\x00"}},
        {"variants": ["x.rules"]},
        {"variants": ["--output"]},
        {"options": {"--output": "x"}},
        {"kind": "experiment", "options": {"size": "3:x.rules"}},
        {"games": 0},
    ],
)
def test_nothing_else_is_run(home: Path, params: dict[str, Any]) -> None:
    runner = Recorded()
    page = Page(Host(Catalogue.of([home / "mine"], home=home), runner=runner))
    with pytest.raises(Failed):
        page.ask("jobs/start", **{"kind": "simulate", "ruleset": "mine", **params})
    assert not runner.started


def test_places_are_named_and_paths_are_not(home: Path) -> None:
    runner = Recorded()
    page = Page(Host(Catalogue.of([home / "mine"], home=home), runner=runner))
    page.ask("jobs/start", kind="test", ruleset="mine")
    ((job, _),) = runner.started
    job.state, job.code = DONE, 1
    job.text = f"é {home}/mine/game.rules:12: wrong\nmine/scenarios/rows.rules:3 and elsewhere/x.rules:4\n"
    (told,) = page.ask("jobs/list")["jobs"]
    assert told["pieces"] == [
        {"text": "é ", "place": None},
        {"text": "mine/game.rules:12", "place": {"file": "mine/game.rules", "line": 12, "opens": False}},
        {"text": ": wrong\n", "place": None},
        {
            "text": "mine/scenarios/rows.rules:3",
            "place": {"file": "mine/scenarios/rows.rules", "line": 3, "opens": True},
        },
        {"text": " and elsewhere/x.rules:4\n", "place": None},
    ]
    assert (told["verdict"], told["stories"]) == ("something was found", [])


def test_scenarios_in_what_is_printed_can_be_opened(home: Path) -> None:
    runner = Recorded()
    page = Page(Host(Catalogue.of([home / "mine"], home=home), runner=runner))
    page.ask("jobs/start", kind="fuzz", ruleset="mine")
    ((job, _),) = runner.started
    scenario = 'scenario "a breaks b"  @X-1\n    start play\n    when x: cell = (1, 1)\n'
    job.state, job.code, job.text = DONE, 1, f"STORY  something\n\n{scenario}\n  in 2 decisions\n"
    assert page.ask("jobs/list")["jobs"][0]["stories"] == [{"title": "a breaks b", "text": scenario}]


def test_a_page_offers_the_jobs_that_there_are(home: Path) -> None:
    page = Page(Host(Catalogue.of([home / "mine"], home=home), runner=Recorded()))
    kinds = {one["kind"]: one for one in page.ask("jobs/list")["kinds"]}
    assert list(kinds) == SCHEMA["$defs"]["jobKind"]["enum"] == list(KINDS)
    assert kinds["test"]["takes"] == []
    assert "against" in kinds["experiment"]["takes"]


def test_what_an_experiment_finds_comes_as_data(home: Path) -> None:
    runner = Recorded()
    page = Page(Host(Catalogue.of([home / "mine"], home=home), runner=runner))
    page.ask("jobs/start", kind="experiment", ruleset="mine", against="first")
    ((job, _),) = runner.started
    differences = [{"sure": True, "text": f"shorter by {home}/mine"}]
    assert is_taken(json.dumps({"found": {"findings": differences}}), job)
    assert page.ask("jobs/list")["jobs"][0]["findings"] == [{"sure": True, "text": "shorter by mine"}]


class Talk:
    """A page at the websocket."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.last, self.changed = socket, 0, list[Message]()

    def ask(self, method: str, **params: Any) -> Any:
        self.last += 1
        self.socket.send(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}))
        while (message := self.heard()).get("id") != self.last:
            pass
        return message["result"]

    def heard(self) -> Message:
        message: Message = json.loads(self.socket.recv(timeout=PATIENCE))
        require_valid(message)
        if message.get("method") == "jobs/changed":
            self.changed.append(message["params"]["job"])
        return message

    def until(self, state: str) -> Message:
        while not self.changed or self.changed[-1]["state"] != state:
            self.heard()
        return self.changed[-1]


@pytest.fixture
def page(home: Path) -> Iterator[Talk]:
    server = Server(home, str(home / "mine"))
    with server.connect() as socket:
        yield Talk(socket)
    server.close()


def test_a_job_runs_beside_the_game(page: Talk) -> None:
    page.ask("jobs/start", kind="test", ruleset="mine")
    page.ask("game/start", ruleset="mine", seed=1)
    done = page.until("done")
    assert done["code"] == 0
    assert "2 scenarios, all passed" in printed(done)
    page.ask("jobs/start", kind="experiment", ruleset="first", games=20)
    assert "differ" in printed(page.until("runs")) + printed(page.until("done"))


def test_a_job_is_stopped_at_once(page: Talk) -> None:
    id = page.ask("jobs/start", kind="fuzz", ruleset="mine", seconds=600)["id"]
    while not page.changed or page.changed[-1]["progress"] is None:
        page.heard()
    begun = time.monotonic()
    page.ask("jobs/stop", id=id)
    assert page.until("stopped")["id"] == id
    assert time.monotonic() - begun < 30
