"""Several persons at one keyboard: what the page is told follows from what the one may know who has said that they sit
there, and while nobody has, from what all may know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from studio_page import Failed, Page
from test_studio_secret_methods import ASKED, Request, everything, hands, homes, page_of, told

import rulewright as rw
from rulewright_tools.studio.host import Catalogue, Host

__all__ = ["homes"]

CARDS = ("jack", "queen", "king")


def leduc(*, options: int = 0, **params: Any) -> Page:
    """A game in which each of two persons holds a card, with so many answers."""
    page = Page()
    page.ask("game/start", ruleset="leduc-poker", players=2, seats=["person", "person"], seed=5, **params)
    for _ in range(options):
        page.ask("game/look")
        page.answer("call")
    return page


def require_covered(page: Page) -> None:
    """Fails if anything that was told last names a card that does not lie open."""
    assert page.question["covered"]
    assert not page.question["answerable"]
    assert page.shown["viewer"]["seat"] is None
    piles = [pile for holder in page.shown["holders"] for pile in holder["piles"]]
    assert all(piece["back"] for pile in piles if pile["name"] == "hand" for piece in pile["pieces"])
    lie_open = {piece["key"].partition(" ")[0] for pile in piles for piece in pile["pieces"] if not piece["back"]}
    assert not any(card in json.dumps([page.shown, page.log]) for card in CARDS if card not in lie_open)


def test_the_first_question_is_covered_too() -> None:
    page = leduc()
    require_covered(page)
    with pytest.raises(Failed, match="first who is asked"):
        page.answer("call")
    page.ask("game/look")
    assert not page.question["covered"]
    assert any(card in json.dumps(page.shown["holders"]) for card in CARDS)


@pytest.mark.parametrize(
    ("method", "params"), [("game/undo", {}), ("game/goto", {"at": 0}), ("game/goto", {"at": 1}), ("game/redo", {})]
)
def test_nothing_lifts_the_cover_but_who_sits_down(method: str, params: dict[str, int]) -> None:
    """The one who was seen last may be gone: their hand stays covered wherever the page goes from there."""
    for answers in (1, 2, 3):
        page = leduc(options=answers)
        require_covered(page)
        if method == "game/redo":
            page.ask("game/undo")
        page.ask(method, **params)
        require_covered(page)
        page.ask("game/redo" if page.shown["at"] < page.shown["last"] else "game/undo")
        require_covered(page)


def test_rules_that_are_read_anew_lift_no_cover(homes: list[Path]) -> None:
    page = page_of(homes[0])
    page.ask("game/start", ruleset="mine", seed=1, seats=["person", "person"])
    assert page.ask("game/reload", variants=["Dear"])["changes"]
    assert page.question["covered"]
    page.ask("game/look")
    page.ask("game/reload", variants=[])
    assert not page.question["covered"]  # it is still the same person
    page.answer("pass")
    told = page.ask("game/reload", variants=["Dear"])
    assert page.question["covered"]
    assert not any(hand in json.dumps([told, page.shown, page.log]) for hand in CARDS)


def test_a_scenario_is_kept_when_nothing_is_hidden_any_more() -> None:
    page = leduc(options=2)
    for look in (False, True):
        if look:
            page.ask("game/look")
        for method, params in (
            ("propose", {}),
            ("text", {"title": "a"}),
            ("keep", {"title": "a", "file": "a/a.rules"}),
        ):
            with pytest.raises(Failed, match="hidden"):
                page.ask(f"scenarios/{method}", **params)
    page.play(20)
    assert page.question is None
    assert page.ask("scenarios/propose")["lines"]
    page.ask("game/start", ruleset="leduc-poker", seats=["person", "person"], viewer="all")
    assert page.ask("scenarios/propose")["lines"]


def test_where_nobody_knows_more_than_another_nothing_is_covered(tmp_path: Path) -> None:
    """A pile that lies face down before all is a secret of the game, and of no seat."""
    (tmp_path / "pile").mkdir()
    (tmp_path / "pile" / "game.rules").write_text(
        'game pile\nplayers 2\npiece Card from "cards.json"\n    name: Text\n    named "{name}"\n    begins in deck\n'
        "zone deck: stack of Card, seen by {}\nzone open: set of Card, seen by everyone\n"
        "procedure play\n    shuffle deck\n    repeat\n        each p in players\n"
        "            p chooses either as deed\n                option wait: do nothing\n"
        "                option turn\n                    forbid none_left: size(deck) is 0\n"
        "                    draw 1 from deck to open\n"
        "end done when size(deck) is 0\n    finish with winner players\n",
        "utf-8",
    )
    (tmp_path / "pile" / "cards.json").write_text(json.dumps({"rows": [{"name": name} for name in CARDS]}), "utf-8")
    manifest = {"name": "pile", "title": "Pile", "rules": ["game.rules"]}
    (tmp_path / "pile" / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    game = rw.load(tmp_path / "pile")
    assert game.has_secrets
    assert not game.has_private_information
    page = Page(Host(Catalogue.of([tmp_path / "pile"])))
    page.ask("game/start", ruleset="pile", seats=["person", "person"])
    for key in ("wait", "turn", "wait"):
        assert page.question["answerable"]
        page.answer(key)
    with pytest.raises(Failed, match="hidden"):
        page.ask("scenarios/propose")


def at_one_keyboard(looks: bool) -> Iterator[Request]:
    """Requests of all methods while nobody has said that they sit there; or by the first one, who then answers."""
    stay = {"game/look", "game/turn"}
    if looks:
        yield "game/look", {}
        yield from ((method, params) for method in ASKED for params in ASKED[method] if not method.startswith("game/"))
        yield "game/whyNot", {"key": "boast"}
        yield "game/hint", {"agent": "mcts:20"}
        yield "game/answer", {"at": 0, "key": "pass"}
    for one in everything(True):
        if one[0] not in stay:
            yield one
        if one[0] == "game/goto":
            yield "game/whyNot", {"key": "boast"}  # whether it is possible follows from a hand


@pytest.mark.parametrize("looks", [False, True])
def test_what_is_told_follows_from_what_all_know_or_who_sits_there(homes: list[Path], looks: bool) -> None:
    """Games that look alike to all, or to the first one, and differ in what others hold."""
    game = rw.load(homes[0] / "mine")
    starts = [game.start(seed) for seed in range(24)]
    seen = [json.dumps(state.history(0)) if looks else "" for state in starts]
    pairs = [
        (0, other) for other in range(1, 24) if seen[other] == seen[0] and hands(starts[other]) != hands(starts[0])
    ]
    sent = []
    for home, seed in zip(homes, pairs[0], strict=True):
        page = page_of(home)
        begun = {"ruleset": "mine", "seed": seed, "seats": ["person", "person"]}
        sent.append(told(page, iter([("game/start", begun), *at_one_keyboard(looks)])))
    for one, other in zip(*sent, strict=True):
        assert one == other
    assert any('"answerable": true' in line for line in sent[0]) == looks
