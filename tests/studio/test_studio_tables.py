"""Tables: pages that come by links to one game, each with the rights of its link and the eyes of its seat only."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from studio_page import METHODS, Failed, Page, counted_keys, require_valid
from test_studio_messages import FITTING
from test_studio_secret_methods import homes  # noqa: F401

import rulewright as rw
from rulewright_tools.studio.host import Catalogue, Games, Host, Link, MemoryStore, Role, Saved
from rulewright_tools.studio.host.game.observer import AUTO
from rulewright_tools.studio.host.messages import ErrorCode, Refused
from rulewright_tools.studio.host.rights import RIGHTS
from sampling import sample


class FailingStore(MemoryStore):
    """A store on a disk that may be full."""

    is_full = False

    def put(self, name: str, saved: Saved, summary: Saved, events: Sequence[Saved]) -> None:
        if self.is_full:
            raise Refused(ErrorCode.NOT_NOW, "games cannot be kept: the disk is full")
        super().put(name, saved, summary, events)


class Guests:
    """The pages of a table: the owner's, and those that have come by links. After each request all are told."""

    def __init__(self, ruleset: str, seats: Sequence[str], linked: Sequence[str], **start: Any) -> None:
        self.catalogue, self.store = start.pop("catalogue", None) or Catalogue.of([]), FailingStore()
        self.games = Games(self.catalogue, self.store, lambda: start.get("seed", 1))
        self.pages: dict[str, Page] = {"owner": Page(Host(self.catalogue, self.games))}
        self.sent: dict[str, list[str]] = {}
        """All that each page was sent."""
        if (play := start.get("play")) is None:
            self.ask("owner", "game/start", ruleset=ruleset, seats=list(seats), **start)
        else:
            game = self.games.begun(ruleset, play, {}, AUTO)
            game.table.seed_known = True  # else all would be dealt anew with the first link
            self.pages["owner"].host._game.look_at(game)
            self.tell()
        self.name = self.pages["owner"].shown["game"]
        for seat in linked:
            self.invite(to="seat", seat=seat)
        self.invite(to="onlooker")

    def invite(self, **params: Any) -> str:
        """Give somebody a link; returns its key."""
        links = self.ask("owner", "table/invite", **params)["links"]
        (key,) = (one["key"] for one in links if (one["to"], one["seat"]) == (params["to"], params.get("seat")))
        self.come(params.get("seat", params["to"]), key)
        return str(key)

    def come(self, who: str, key: str) -> None:
        """Let somebody come by a link."""
        game = self.games.opened(self.name)
        page = self.pages[who] = Page(Host(self.catalogue, self.games, link=game.table.links[key]))
        assert list(page.host.open(self.name)) == []
        self.hear(who, list(page.host.show_again()))
        self.tell()

    def ask(self, who: str, method: str, **params: Any) -> Any:
        page = self.pages[who]
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        first, *others = page.host.handle(request)
        require_valid(first, method)
        self.sent.setdefault(who, []).append(json.dumps(first))
        self.hear(who, others)
        self.tell()
        if "error" in first:
            raise Failed(first["error"])
        return first["result"]

    def tell(self) -> None:
        for who, page in self.pages.items():
            self.hear(who, list(page.host.news()))

    def hear(self, who: str, messages: list[Any]) -> None:
        for message in messages:
            require_valid(message)
            self.sent.setdefault(who, []).append(json.dumps(message))
            self.pages[who].take(message)

    def answer(self, who: str, number: int = 0) -> None:
        page = self.pages[who]
        self.ask(who, "game/answer", at=page.shown["at"], key=page.options[number % len(page.options)])

    def asked(self) -> list[str]:
        """All pages that may answer, the covered ones too."""
        found = []
        for who, page in self.pages.items():
            if page.question is not None and page.question["covered"]:
                self.ask(who, "game/look")
            if page.question is not None and page.question["answerable"]:
                found.append(who)
        return found

    def play(self, most: int, draw: random.Random) -> None:
        """Let pages answer in any order."""
        for _ in range(most):
            asked = self.asked()
            if not asked:
                return
            self.answer(draw.choice(asked), draw.randrange(99))


# ---------------------------------------------------------------------------------------------- rights


def test_the_rights_are_those_of_all_methods() -> None:
    assert set(RIGHTS) == set(METHODS)
    for roles in RIGHTS.values():
        assert Role.OWNER in roles
        assert Role.ONLOOKER not in roles or roles == frozenset(Role)
    files = [
        name for name in RIGHTS if name.partition("/")[0] in ("files", "jobs", "rules", "scenarios", "inspect", "games")
    ]
    assert files
    assert all(RIGHTS[name] == {Role.OWNER} for name in files)


@pytest.mark.parametrize("role", [Role.HOST, Role.SEAT, Role.ONLOOKER])
def test_every_method_with_every_link(role: Role) -> None:
    """A method that a link does not allow is refused before anything of it is read, and changes nothing."""
    for method in sorted(METHODS):
        table = Guests("tic-tac-toe", ["person", "person"], ["o"], seed=1)
        key = "" if role != Role.HOST else table.ask("owner", "table/invite", to="host")["links"][0]["key"]
        if key:
            table.come("host", key)
        who = {Role.HOST: "host", Role.SEAT: "o", Role.ONLOOKER: "onlooker"}[role]
        known = METHODS[method]["properties"]["params"]["properties"]
        params = {name: FITTING[name] for name in known}
        before = json.dumps(table.games.opened(table.name).saved())
        (message, *_) = table.pages[who].host.handle({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        refused = "does not allow" in message.get("error", {}).get("message", "")
        assert refused == (role not in RIGHTS[method]), (method, message)
        if refused:
            assert json.dumps(table.games.opened(table.name).saved()) == before


def test_a_guest_knows_of_no_files_and_no_other_games() -> None:
    seat = rw.load("baron", players=2).seats[1]
    table = Guests("baron", ["person"] * 2, [seat], seed=3, players=2)
    hello = table.ask(seat, "hello", protocol=1)
    assert (hello["rulesets"], hello["opens"], hello["role"], hello["game"]) == ([], None, "seat", table.name)
    told = table.ask(seat, "game/whyNot", key="nonsense")
    assert all(reason["rule"] is None or "file" not in reason["rule"] for reason in told["reasons"])


def test_a_link_that_was_taken_back_does_not_hold() -> None:
    table = Guests("tic-tac-toe", ["person", "person"], ["o"], seed=1)
    (old,) = (one["key"] for one in table.ask("owner", "table/links")["links"] if one["to"] == "seat")
    links = table.ask("owner", "table/invite", to="seat", seat="o", anew=True)["links"]
    assert old not in {one["key"] for one in links}
    assert table.ask("owner", "table/revoke", to="seat", seat="o")["links"] == [
        one for one in links if one["to"] != "seat"
    ]
    assert table.pages["owner"].table["people"][1]["linked"] is False


# ---------------------------------------------------------------------------------------------- playing together


@pytest.mark.parametrize("ruleset", ["goofspiel", "carolus-magnus", "kings-and-things"])
def test_all_see_one_game_whoever_answers(ruleset: str) -> None:
    """Also where several decide at once, in any order: the game is what the answers make in the order of the rules."""
    players = {"goofspiel": 2, "carolus-magnus": 4, "kings-and-things": 4}[ruleset]
    seats = rw.load(ruleset, players=players).seats
    for seed in range(sample(2, 30)):
        table = Guests(ruleset, ["person"] * players, seats[1:], seed=seed, players=players)
        table.play(60, random.Random(seed))
        end = table.games.opened(table.name).play.end
        again = rw.load(ruleset, players=players).start(table.games.opened(table.name).play.seed)
        for entry in end.log:
            if entry.who in seats:
                again = again.choose(entry.key, by=entry.who)
        assert again.in_order == end.in_order
        shown = {who: page.shown for who, page in table.pages.items()}
        assert len({json.dumps(page["result"] is None) for page in shown.values()}) == 1
        for who, page in table.pages.items():
            fresh = Page(Host(table.catalogue, table.games, link=page.host._game.link))
            list(fresh.host.open(table.name))
            for message in fresh.host.show_again():
                fresh.take(message)
            if not (page.shown["question"] or {}).get("covered") and who != "owner":
                assert fresh.shown["board"] == page.shown["board"]
                assert fresh.log == page.log


def test_answers_at_the_same_time() -> None:
    """An answer to a question that was shown before others answered theirs counts; twice it counts once."""
    first, second = rw.load("goofspiel").seats
    table = Guests("goofspiel", ["person"] * 2, [first, second], seed=4)
    at = {who: page.shown["at"] for who, page in table.pages.items()}
    table.ask(second, "game/answer", at=at[second], key=table.pages[second].options[2])
    people = {one["seat"]: one for one in table.pages[first].table["people"]}
    assert (people[second]["answered"], people[first]["answered"], people[first]["asked"]) == (True, False, True)
    key = table.pages[first].options[1]
    for _ in range(2):
        table.ask(first, "game/answer", at=at[first], key=key)
    with pytest.raises(Failed, match="gone on"):
        table.ask(first, "game/answer", at=at[first], key=table.pages[first].options[0])
    log = table.games.opened(table.name).play.end.log
    assert [entry.who for entry in log if entry.who != "chance"] == [first, second]


def test_a_seat_answers_for_itself_only() -> None:
    table = Guests("tic-tac-toe", ["person", "person"], ["x", "o"], seed=1)
    with pytest.raises(Failed, match="it is x who is asked"):
        table.ask("o", "game/answer", at=0, key="(0, 0)")
    with pytest.raises(Failed, match="it is x who is asked"):
        table.ask("owner", "game/answer", at=0, key="(0, 0)")
    table.answer("x")
    assert table.asked() == ["o"]
    with pytest.raises(Failed, match="another person"):
        table.ask("o", "table/person", seat="x", name="Eve")
    table.ask("o", "table/person", seat="o", name="Olga", colour="#102030")
    person = table.pages["x"].table["people"][1]
    assert (person["name"], person["colour"], person["pages"], person["linked"]) == ("Olga", "#102030", 1, True)


def test_all_see_how_many_pages_look_with_the_eyes_of_a_seat() -> None:
    """Also of one that an agent plays for a while: who has the link, as its host has, looks on."""
    table = Guests("tic-tac-toe", ["person", "person"], ["o"], seed=1)
    (key,) = (one["key"] for one in table.ask("owner", "table/links")["links"] if one["to"] == "seat")
    link = table.games.opened(table.name).table.links[key]

    def pages() -> set[tuple[int, ...]]:
        return {tuple(one["pages"] for one in page.table["people"]) for page in table.pages.values()}

    assert pages() == {(1, 1)}
    second = Page(Host(table.catalogue, table.games, link=link))
    assert list(second.host.open(table.name)) == []
    list(second.host.show_again())
    table.tell()
    assert pages() == {(1, 2)}
    table.ask("owner", "table/seat", seat="o", kind="first")
    assert pages() == {(1, 2)}
    second.host.leave()
    table.tell()
    assert pages() == {(1, 1)}


def test_pages_look_back_each_for_itself() -> None:
    table = Guests("connect-four", ["person", "person"], ["yellow"], seed=1)
    for who in ("owner", "yellow", "owner", "yellow"):
        table.answer(who, 3)
    table.ask("yellow", "game/goto", at=1)
    assert [table.pages[who].shown["at"] for who in ("owner", "yellow", "onlooker")] == [4, 1, 4]
    table.answer("owner", 2)
    assert [table.pages[who].shown["at"] for who in ("owner", "yellow", "onlooker")] == [5, 1, 5]
    assert table.pages["yellow"].shown["last"] == 5
    table.ask("yellow", "game/redo")
    table.ask("yellow", "game/goto", at=5)
    table.answer("yellow", 1)
    assert table.pages["onlooker"].shown["at"] == 6


def test_others_agree_before_something_is_taken_back() -> None:
    table = Guests("connect-four", ["person", "person"], ["yellow"], seed=1)
    for who in ("owner", "yellow", "owner"):
        table.answer(who, 3)
    table.ask("owner", "game/undo")
    with pytest.raises(Failed, match="must agree"):
        table.answer("owner", 2)
    assert table.ask("owner", "table/takeBack", at=table.pages["owner"].shown["at"]) == {"done": False}
    asked = table.pages["yellow"].table["take_back"]
    assert (asked["by"], asked["at"], asked["waits_for"]) == ("red", 2, ["yellow"])
    with pytest.raises(Failed, match="does not allow"):
        table.ask("onlooker", "table/agree", agrees=True, at=2)
    table.ask("yellow", "table/agree", agrees=False, at=2)
    assert table.pages["owner"].table["take_back"] is None
    assert table.pages["yellow"].shown["last"] == 3
    table.ask("owner", "table/takeBack", at=2)
    table.ask("yellow", "table/agree", agrees=True, at=2)
    assert {page.shown["last"] for page in table.pages.values()} == {2}
    table.answer("owner", 0)
    table.ask("owner", "table/settle", free=True)
    table.ask("yellow", "game/goto", at=1)
    assert table.ask("yellow", "table/takeBack", at=1) == {"done": True}


def test_an_agent_takes_a_seat_and_gives_it_back() -> None:
    table = Guests("connect-four", ["person", "person"], ["yellow"], seed=1)
    table.answer("owner", 3)
    table.ask("owner", "table/seat", seat="yellow", kind="first")
    assert table.pages["yellow"].shown["at"] == 2
    assert table.pages["yellow"].table["seats"] == []
    table.answer("owner", 3)
    assert table.pages["onlooker"].shown["at"] == 4
    table.ask("owner", "table/seat", seat="yellow", kind="person")
    table.answer("owner", 3)
    assert table.asked() == ["yellow"]
    with pytest.raises(Failed, match="nobody is called"):
        table.ask("owner", "table/seat", seat="yellow", kind="pipe:touch x")


def test_a_rematch_turns_the_seats() -> None:
    table = Guests("tic-tac-toe", ["person", "person"], ["o"], seed=1)
    table.ask("o", "table/person", seat="o", name="Olga")
    table.ask("owner", "table/settle", questions=["Was it long?", "Again?"])
    with pytest.raises(Failed, match="not over"):
        table.ask("owner", "table/rematch")
    table.play(9, random.Random(2))
    table.ask("o", "table/feedback", answers=[2, 5], text="quick")
    assert table.pages["o"].table["given"]
    kept = [one for one in table.store.events[table.name] if one["event"] == "feedback"]
    assert [(one["who"], one["answers"], one["text"]) for one in kept] == [
        ("o", {"Was it long?": 2, "Again?": 5}, "quick")
    ]
    again = table.ask("owner", "table/rematch")["game"]
    moved = table.pages["o"].moved
    assert moved["game"] == again
    link = table.games.opened(again).table.links[moved["key"]]
    assert (link.to, link.seat) == (Role.SEAT, 0)
    assert [one.name for one in table.games.opened(again).table.people] == ["Olga", ""]


def test_nothing_is_told_that_is_not_kept() -> None:
    table = Guests("connect-four", ["person", "person"], ["yellow"], seed=1)
    table.answer("owner", 3)
    table.store.is_full = True
    before = {who: len(sent) for who, sent in table.sent.items()}
    with pytest.raises(Failed, match="disk is full"):
        table.answer("yellow", 2)
    assert all(len(table.sent[who]) == count for who, count in before.items() if who != "yellow")
    assert len(table.sent["yellow"]) == before["yellow"] + 1
    table.store.is_full = False
    table.answer("yellow", 2)
    assert {page.shown["at"] for page in table.pages.values()} == {2}


# ---------------------------------------------------------------------------------------------- secrets


def test_the_host_sees_its_own_seat_only_unless_all_are_told() -> None:
    first, second = rw.load("kuhn-poker").seats
    table = Guests("kuhn-poker", ["person", "person"], [second], viewer="all")
    assert table.pages["owner"].shown["viewer"]["seat"] == first
    assert table.pages[second].table["sees_all"] is False  # all is dealt anew when the first one is invited
    with pytest.raises(Failed, match="stays hidden"):
        table.ask("owner", "inspect/state", scope="all")
    with pytest.raises(Failed, match="hidden"):
        table.ask("owner", "scenarios/propose")
    assert table.pages["owner"].shown["seed"] is None
    table.ask("owner", "table/settle", sees_all=True)
    assert table.pages["owner"].shown["viewer"] == {"word": "all", "seat": None}
    assert table.pages[second].table["sees_all"] is True
    table.ask("owner", "table/settle", sees_all=False)
    assert table.pages["owner"].shown["viewer"]["seat"] == first
    assert table.pages[second].table["sees_all"] is True  # it was seen


def test_who_knows_the_seed_is_told() -> None:
    second = rw.load("carolus-magnus", players=2).seats[1]
    drawn = Guests("carolus-magnus", ["person", "person"], [second], players=2)
    assert drawn.pages[second].table["seed_known"] is False
    assert {page.shown["seed"] for page in drawn.pages.values()} == {None}
    chosen = Guests("carolus-magnus", ["person", "person"], [second], players=2, seed=5)
    assert chosen.pages[second].table["seed_known"] is True
    ended = Guests("tic-tac-toe", ["person", "person"], ["o"])
    ended.play(9, random.Random(1))
    assert None not in {page.shown["seed"] for page in ended.pages.values()}


TWINS = [("kuhn-poker", 2, 12), ("leduc-poker", 2, 60), ("liars-dice", 2, 60), ("goofspiel", 2, 4)]


@pytest.mark.parametrize(("ruleset", "players", "seeds"), TWINS)
def test_twin_games_send_each_page_the_same_bytes(ruleset: str, players: int, seeds: int) -> None:
    """Games that look alike to a page, whatever lies in other hands, decks and the seed: every frame is the same."""
    rules = rw.load(ruleset, players=players)
    seen: dict[tuple[int, str], list[int]] = {}
    for seed in range(seeds):
        start = rules.start(seed)
        for seat in range(-1, players):
            view = json.dumps(start.view(rw.playing.PUBLIC if seat < 0 else seat))
            seen.setdefault((seat, view), []).append(seed)
    pairs = [(seat, alike[0], alike[-1]) for (seat, _), alike in seen.items() if len(alike) > 1]
    assert pairs or ruleset == "goofspiel"
    for seat, *twins in pairs[: sample(4, 40)]:
        sent = []
        for seed in twins:
            with counted_keys():
                table = Guests(ruleset, ["person"] * players, rules.seats, seed=seed, players=players)
            who = "onlooker" if seat < 0 else rules.seats[seat]
            for method, params in (
                ("game/whyNot", {"key": "boast"}),
                ("game/undo", {}),
                ("game/show", {}),
                ("table/takeBack", {"at": 0}),
                ("table/feedback", {"answers": [], "text": "well"}),
            ):
                with suppress(Failed):
                    table.ask(who, method, **params)
            if rules.start(seed).seat == seat:
                table.ask(who, "game/answer", at=0, key=table.pages[who].options[0])
            sent.append(table.sent[who])
        assert sent[0] == sent[1]


def test_links_cannot_be_guessed() -> None:
    keys = {Link.drawn(Role.SEAT, 0).key for _ in range(50)}
    assert len(keys) == 50
    assert min(map(len, keys)) >= 24


def test_all_see_what_changed_rules_change(tmp_path: Path) -> None:
    """The owner changes the rules in the middle: each page is told once, as far as its eyes see a difference."""
    folder = tmp_path / "own"
    shutil.copytree(rw.rulesets.find_rulesets("tic-tac-toe")[0], folder)
    catalogue = Catalogue.of([folder], shipped=False, home=tmp_path)
    table = Guests("own", ["person", "person"], ["o"], seed=1, catalogue=catalogue)
    table.answer("owner")
    rules = folder / "game.rules"
    text = rules.read_text("utf-8")
    rules.write_text(text + "\nfield weight: 0..9 = 3\n", "utf-8")
    assert table.ask("owner", "game/reload")["kept"]
    assert table.pages["owner"].shown["changes"] is None
    assert any("weight" in line for line in table.pages["o"].seen[-1]["changes"])
    table.answer("o")
    assert table.pages["onlooker"].shown["changes"] is None


def test_lists_of_games_have_pictures_that_all_may_see() -> None:
    table = Guests("connect-four", ["person", "person"], ["yellow"], seed=1)
    table.answer("owner", 3)
    table.pages["owner"].host.take_picture()
    (listed,) = table.ask("owner", "games/list")["games"]
    assert "<svg" in listed["picture"]
    assert (listed["answers"], listed["asks"], listed["over"]) == (1, ["yellow"], False)
