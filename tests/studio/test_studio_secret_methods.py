"""Every method of the protocol tells a seat the same in two games that differ in another hand only.

Each method of the schema has its requests here: a new one without them fails the test.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from studio_page import METHODS, Page, counted_keys

import rulewright as rw
from rulewright_tools.studio.host import PROTOCOL, Catalogue, Games, Host, MemoryStore
from rulewright_tools.studio.host.jobs.job import DONE, Changed, Job
from sampling import sample

Request = tuple[str, dict[str, Any]]

TEXT = 'scenario "kept"\n    players anna, bert\n    start play\n'
RULES = """\
game kuhn_poker
players 2

param ante = 1

piece Card from "cards.json"
    rank: 1..9
    name: Text
    named "{name}"
    begins in deck

zone deck: stack of Card, seen by {}
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
field stake[Player]: 0..99 = 0

procedure play
    shuffle deck
    each p in players
        stake[p] = ante
        draw 1 from deck to hand[p]
    repeat
        each p in players
            open(p)

procedure open(p: Player)
    p chooses either as opening
        option pass: do nothing
        option bet_one: stake[p] += 1
        option boast
            forbid weak: strength(p) < 3
            stake[p] += 2

query strength(p: Player) -> Int = max(c.rank for c in hand[p])

end enough for p in players when stake[p] > 50
    finish with winner p
"""
VARIANT = 'variant "Dear" of kuhn_poker\n    set ante = 2\n'

ASKED: Mapping[str, list[dict[str, Any]]] = {
    "hello": [{"protocol": PROTOCOL}],
    "ruleset": [{"ruleset": "mine"}],
    "cancel": [{}],
    "game/start": [],  # with these all begins
    "game/whyNot": [{"key": "pass"}, {"key": "call"}, {"key": "king"}, {"thing": "held-1"}, {"thing": "holder-1"}],
    "game/hint": [{"agent": "mcts:20"}, {"agent": "flat:4"}, {"agent": "first"}],
    "game/turn": [{"seat": "anna"}, {"seat": "bert"}],
    "game/look": [{}],
    "game/forced": [{"on": True}, {"on": False}],
    "game/show": [{}],
    "game/answer": [{"at": 0, "key": "king"}, {"at": 0, "key": "pass"}, {"at": 2, "key": "bet_one"}],
    "game/undo": [{}],
    "game/redo": [{}],
    "game/goto": [{"at": 1}, {"at": 7}, {"at": 0}],
    "game/line": [{"line": 0}, {"line": 1}],
    "game/continue": [{"steps": 1}],
    "games/copy": [{"label": "evening"}],
    "games/list": [{}],
    "games/open": [{"game": "mine-1"}, {"game": "morning"}],
    "games/delete": [{"game": "mine-2"}, {"game": "morning"}],
    "table/settle": [{"label": "evening", "questions": ["Was it long?"]}],
    "table/person": [{"seat": "anna", "name": "Anna", "colour": "#a0b1c2"}, {"seat": "bert", "name": "Bert"}],
    "table/takeBack": [{"at": 0}, {"at": 1}],
    "table/agree": [{"agrees": True, "at": 0}, {"agrees": False, "at": 1}],
    "table/rematch": [{}],
    "table/feedback": [{"answers": [3], "text": "well"}],
    "table/links": [{}],
    "table/invite": [{"to": "onlooker"}],
    "table/revoke": [{"to": "onlooker"}],
    "table/seat": [{"seat": "nobody", "kind": "person"}, {"seat": "bert", "kind": "nothing"}],
    "game/reload": [{}, {"variants": ["Dear"]}, {"options": {"bet": "2"}}],
    "rules/compare": [{}],
    "files/list": [{"ruleset": "mine"}],
    "files/read": [{"name": "mine/scenarios/hands.rules"}],
    "files/write": [{"name": "mine/more.md", "text": "more"}],
    "files/newVariant": [{"ruleset": "mine", "name": "dearer"}],
    "files/takeVariant": [{"name": "Dearer!", "text": 'variant "Dearer" of kuhn_poker\n    set ante = 3\n'}],
    "jobs/start": [
        {"kind": kind, "ruleset": "mine", "players": 2}
        for kind in ("test", "examine", "confirm", "simulate", "fuzz", "solve")
    ],
    "jobs/moments": [{"job": 3}],
    "jobs/curves": [{"job": 3}],
    "jobs/keep": [{"job": 3, "number": 0}],
    "jobs/write": [{"job": 3, "number": 0, "choice": 0}],
    "jobs/list": [{}],
    "jobs/stop": [{"id": 1}],
    "inspect/state": [{}, {"scope": "own"}],
    "inspect/plan": [{}, {"rule": "play"}],
    "inspect/trace": [{}],
    "inspect/statements": [{"section": "Deal"}, {"section": "Cards"}],
    "scenarios/propose": [{}, {"from": 1}],
    "scenarios/text": [{"title": "as it was"}],
    "scenarios/keep": [{"title": "as it was", "file": "mine/scenarios/hands.rules"}],
    "game/open": [],  # see below: what is opened differs itself
}


ELSEWHERE = {
    "game/start",
    "game/open",
    "game/look",
    "game/turn",
    "game/continue",
    "table/seat",
    "table/rematch",
    "table/agree",
}
ELSEWHERE |= {"games/list"}
NOT_ALWAYS = {
    "auto": ELSEWHERE,
    "anna": {*ELSEWHERE, "game/undo", "game/redo"},
    "public": {*ELSEWHERE, "game/undo", "game/redo", "game/hint", "game/answer", "game/line"},
}
"""Methods that are refused in some of the games below, or that another test looks at."""


def found_moment(folder: Path) -> dict[str, Any]:
    """A moment about the first line of the rules, as a command finds it; it is about no game that is played here."""
    rules = folder / "game.rules"
    edit = {"file": str(rules), "above": 0, "old": RULES.split("\n")[:1], "new": ["game kuhn_poker  # or another"]}
    words: dict[str, Any] = {name: [] for name in ("comment", "position", "events", "measures", "unchanged", "boards")}
    about = {"rule": "kuhn_poker", "clause": "game kuhn_poker", "file": str(rules), "line": 1, "statements": {}}
    choices = [{"clause": "game kuhn_poker", "instead": ["another game"], "edit": edit}]
    scenario = 'scenario "found"\n    players anna, bert\n    start play\n'
    return {**words, **about, "question": "", "over": False, "choices": choices, "scenario": scenario}


class Done:
    """Runs no job, but says that it is done."""

    def start(self, job: Job, changed: Changed) -> None:
        """Say that it is done."""
        job.state, job.text, job.code = DONE, f"{job.shown}\n", 0
        if job.words[0] == "confirm":
            job.found.append(found_moment(Path(job.words[1])))
        changed(job)

    def stop(self, job: Job) -> None:
        """Do nothing: it is done."""


@pytest.fixture
def homes(tmp_path: Path) -> list[Path]:
    """Two folders with the same rules."""
    made = []
    for name in ("one", "other"):
        folder = tmp_path / name / "mine"
        shutil.copytree(rw.rulesets.find_rulesets("kuhn-poker")[0], folder)
        (folder / "scenarios").mkdir(exist_ok=True)
        (folder / "scenarios" / "hands.rules").write_text(TEXT, "utf-8")
        (folder / "dear.rules").write_text(VARIANT, "utf-8")
        (folder / "game.rules").write_text(RULES, "utf-8")
        manifest = json.loads((folder / "ruleset.json").read_text("utf-8"))
        manifest["seats"] = {"2": ["anna", "bert"]}
        manifest["variants"] = ["dear.rules"]
        manifest["scenarios"] = ["scenarios/hands.rules"]
        (folder / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
        made.append(tmp_path / name)
    return made


def page_of(home: Path) -> Page:
    catalogue = Catalogue.of([home / "mine"], shipped=False, home=home)
    return Page(Host(catalogue, Games(catalogue, MemoryStore(), lambda: 1), runner=Done()))


def told(page: Page, requests: Iterator[Request]) -> list[str]:
    """All that is sent for some requests, each with its method. How far an agent is that thinks is left out, as that
    hangs on the time it takes; what it has found in the end is not."""
    sent: list[str] = []

    def hear(message: Mapping[str, Any]) -> None:
        sent.append(json.dumps(message))

    page.host.jobs.post = hear
    for number, (method, params) in enumerate(requests):
        if method == "games/list":
            continue  # with the times of changes
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        with counted_keys():
            sent += [f"{method}: {json.dumps(message)}" for message in page.host.handle(request)]
    return sent


def everything(all_too: bool) -> Iterator[Request]:
    """Requests of all methods, in an order in which most of them can be carried out, before and after an answer."""
    looks = [name for name in ASKED if not name.startswith(("game/", "games/", "table/", "files/", "jobs/"))]
    looks += ["game/whyNot", "game/hint", "game/turn", "game/look", "table/links"]
    for method in ASKED:
        if method == "game/line":
            yield "game/answer", {"at": 0, "key": "bet_one"}  # the line that is left is another one from now on
        for params in ASKED[method]:
            yield method, params
            for look in looks if method in ("game/answer", "games/open") else ():
                yield from ((look, asked) for asked in ASKED[look])
    if all_too:
        yield "inspect/state", {"scope": "all"}


def alike(home: Path, most: int) -> list[tuple[int, int]]:
    """Pairs of seeds whose games look alike to the first seat, and differ in the other hand."""
    game = rw.load(home / "mine")
    found: dict[str, list[int]] = {}
    for seed in range(24):
        found.setdefault(json.dumps(game.start(seed).history(0)), []).append(seed)
    pairs = []
    for seeds in found.values():
        first = seeds[0]
        hands = game.start(first).view(None)["zones"]["hand"]
        pairs += [(first, seed) for seed in seeds[1:] if game.start(seed).view(None)["zones"]["hand"] != hands][:1]
    return pairs[:most]


def test_every_method_has_its_requests() -> None:
    assert set(ASKED) == set(METHODS)
    assert [name for name, asked in ASKED.items() if not asked] == ["game/start", "game/open"]


@pytest.mark.parametrize(
    ("seats", "viewer"),
    [
        (["person", "first"], "auto"),
        pytest.param(["person", "person"], "anna", marks=pytest.mark.thorough),
        pytest.param(["first", "first"], "public", marks=pytest.mark.thorough),
    ],
)
def test_all_methods_tell_the_same_in_games_that_look_alike(homes: list[Path], seats: list[str], viewer: str) -> None:
    """`inspect/state` may have everything shown to who plays alone, after a question: not so with others."""
    pairs = alike(homes[0], sample(1, 3))
    assert pairs
    done = {"scenarios/propose", "scenarios/text", "scenarios/keep"}  # they would tell what is hidden
    for seeds in pairs:
        sent = []
        for home, seed in zip(homes, seeds, strict=True):
            start = {"ruleset": "mine", "seed": seed, "seats": seats, "viewer": viewer}
            page = page_of(home)
            found = told(page, iter([("game/start", start)]))
            sent.append(found[1:] + told(page, everything(len(seats) == seats.count("person"))))
        for one, other in zip(*sent, strict=True):
            assert one == other
        done |= {line.partition(": ")[0] for line in sent[0] if '"result": {' in line}
    # Of what is always refused nothing would be shown; a file that is written for the first pair is there for the next.
    assert set(ASKED) - done <= NOT_ALWAYS[viewer]


def opened(kind: str, card: str, home: Path) -> dict[str, Any]:
    """A position to be opened in which somebody else has one card or another."""
    rest = "jack" if card == "king" else "king"
    text = (
        'scenario "a"\n    players anna, bert\n    start play\n'
        f'    chance: deck = ["queen", "{card}", "{rest}"]\n    then strength(bert) is 9\n'
    )
    if kind == "text":
        return {"ruleset": "mine", "text": text}
    if kind == "file":
        (home / "mine" / "scenarios" / "hands.rules").write_text(text, "utf-8")
        return {"file": "mine/scenarios/hands.rules", "line": 5}
    game = rw.load(home / "mine")
    wanted = {"anna": "queen", "bert": card}
    seed = next(seed for seed in range(99) if hands(game.start(seed)) == wanted)
    (home / "mine" / "evening.json").write_text(json.dumps(game.start(seed).save()), "utf-8")
    return {"file": "mine/evening.json"}


def hands(state: rw.State) -> dict[str, str]:
    values = state.view(None)["zones"]["hand"]["values"]
    return {seat: zone["pieces"][0]["key"] for seat, zone in values.items()}


@pytest.mark.parametrize(
    "kind",
    ["text", pytest.param("file", marks=pytest.mark.thorough), pytest.param("save", marks=pytest.mark.thorough)],
)
def test_positions_that_are_opened_tell_a_seat_nothing_else(homes: list[Path], kind: str) -> None:
    sent = []
    for home, card in zip(homes, ("king", "jack"), strict=True):
        params = {**opened(kind, card, home), "seats": ["person", "person"], "viewer": "anna"}
        page = page_of(home)
        begun = [line.partition(": ")[2] for line in told(page, iter([("game/open", params)]))]
        assert "error" not in json.loads(begun[0]), begun
        others = (one for one in everything(True) if one[0] not in ("files/read", "scenarios/keep", "rules/compare"))
        sent.append(begun + told(page, others))
    for one, other in zip(*sent, strict=True):
        assert one == other
