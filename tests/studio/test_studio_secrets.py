"""Payloads follow from what their seat may know: games that differ in another hand only send the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations

import pytest
from studio_page import Page

import rulewright as rw
from rulewright_tools.studio.host.game.observer import AUTO
from rulewright_tools.studio.host.game.viewpoint import Viewpoint
from rulewright_tools.studio.host.play.line_of_play import LineOfPlay
from rulewright_tools.studio.host.play.played_game import PlayedGame, table_of
from sampling import sample, thorough


def frames(ruleset: str, seed: int, answers: int) -> tuple[list[str], object, object]:
    """All messages for the first seat while it answers, its history, and all that there is."""
    page = Page()
    sent: list[str] = []
    requests: list[tuple[str, dict[str, object]]] = [
        ("game/start", {"ruleset": ruleset, "seed": seed, "seats": ["person", "first"]})
    ]
    requests += [("game/hint", {"agent": "mcts:20"}), ("game/undo", {}), ("game/redo", {})]
    requests += [("inspect/state", {}), ("inspect/trace", {})]
    requests += [("game/answer", {}), ("inspect/state", {}), ("inspect/trace", {})] * answers
    game = rw.load(ruleset)
    for number, (method, params) in enumerate(requests):
        if method == "game/answer":
            if page.question is None:
                break
            params = {"at": page.shown["at"], "key": page.options[0]}
        for message in page.host.handle({"jsonrpc": "2.0", "id": number, "method": method, "params": params}):
            sent.append(json.dumps(message))
            if "params" in message:
                page.take(message)
        for id in [thing["id"] for thing in page.shown["board"]["things"]][:5]:
            request = {"jsonrpc": "2.0", "id": number, "method": "game/whyNot", "params": {"thing": id}}
            sent += [json.dumps(message) for message in page.host.handle(request)]
        for looks in ("inspect/state", "inspect/trace", "inspect/plan"):
            request = {"jsonrpc": "2.0", "id": number, "method": looks, "params": {}}
            sent += [json.dumps(message) for message in page.host.handle(request)]
    # The same game beside the host, for what the seat has seen and what it has not.
    state = game.start(seed)
    given = 0
    while state.decision is not None and given < answers + 1:
        if state.decision.seat == 0:
            given += 1
            if given > answers:
                break
        state = state.choose(0)
    whole = state.view(None)
    return sent, state.history(0), (whole["zones"], whole["fields"])


@pytest.mark.parametrize(
    ("ruleset", "answers", "seeds"), [("leduc-poker", 1, 40), ("kuhn-poker", 0, 12), ("liars-dice", 0, 30)]
)
def test_games_that_look_alike_send_the_same_bytes(ruleset: str, answers: int, seeds: int) -> None:
    played = [frames(ruleset, seed, answers) for seed in range(seeds)]
    alike = [(one, other) for one, other in combinations(played, 2) if one[1] == other[1] and one[2] != other[2]]
    assert len(alike) > 3  # else nothing would be shown here
    for one, other in alike:
        assert one[0] == other[0]


def positions(ruleset: str, most: int) -> Iterator[tuple[rw.Game, rw.State]]:
    game = rw.load(ruleset)
    state = game.start(7)
    for number in range(most):
        if state.decision is None:
            return
        if number % 5 == 0:
            yield game, state
        state = state.choose(number * 3 % len(state.decision.options))


@pytest.mark.parametrize("ruleset", ["domaine", "kings-and-things", "baron", "leduc-poker"])
def test_worlds_that_a_seat_cannot_tell_apart_look_the_same(ruleset: str) -> None:
    """Positions in the middle of games, against others in which all that is hidden is dealt anew."""
    differ = 0
    for game, state in positions(ruleset, 25):
        for seat in range(game.players):
            world = state.imagine(seat, 11)
            differ += world.view(None) != state.view(None)
            for viewer in (game.seats[seat], AUTO):  # by themselves, and while nobody has said that they sit there
                shown = []
                for one in (state, world):
                    play = LineOfPlay(game, [one], 1, ["person"] * game.players)
                    told = Viewpoint(
                        PlayedGame("game", ruleset, play, {}, viewer, table_of(None, game.players))
                    ).shown()
                    del told["log"], told["statements"]  # a world that is imagined has no log
                    shown.append(json.dumps(told))
                assert shown[0] == shown[1]
    assert differ > 1


BY_THEIR_LOG = ("goofspiel", "liars-dice")
"""Games in which all that is hidden was chosen or drawn for a field: hints follow from the log, which a world that is
imagined has not. Games of them that look alike are compared above."""
HIDING = [
    folder.name
    for folder in rw.shipped_rulesets()
    if rw.load(folder.name).has_secrets and folder.name not in BY_THEIR_LOG
]


def told_of(ruleset: str, game: rw.Game, state: rw.State, seat: int) -> list[str]:
    """All messages for a seat that asks whatever it can about a position, without its log."""
    page = Page()
    play = LineOfPlay(game, [state], 1, ["person", *["random"] * (game.players - 1)])
    page.host._game.look_at(page.host._game.games.begun(ruleset, play, {}, game.seats[seat]))
    viewpoint = page.host._game.now
    viewpoint.shown()
    things = [one.id for one in viewpoint._things] + [one.id for one in viewpoint._supplies.pieces]  # type: ignore[union-attr]
    asked: list[tuple[str, dict[str, object]]] = [
        ("game/whyNot", {"thing": id}) for id in things[:: len(things) // 12 + 1]
    ]
    asked += [("game/whyNot", {"key": key}) for key in ("1", "(0, 0)", "gold", "anna")]
    asked += [("game/undo", {}), ("game/redo", {}), ("game/goto", {"at": 0}), ("game/goto", {"at": 9})]
    asked += [("game/turn", {"seat": game.seats[seat]}), ("game/look", {})]
    asked += [("inspect/state", {"scope": "own"})]
    if state.decision is not None and state.decision.seat == seat:
        asked += [("game/hint", {"agent": agent}) for agent in ("first", "flat:4", "mcts:12")]
    sent = []
    for number, (method, params) in enumerate(asked):
        for message in page.host.handle({"jsonrpc": "2.0", "id": number, "method": method, "params": params}):
            if "params" in message:
                del message["params"]["log"], message["params"]["statements"]
            elif method == "inspect/state" and "result" in message:
                del message["result"]["used"], message["result"]["statements"]  # they follow from the log
            sent.append(f"{method} {params}: {json.dumps(message)}")
    return sent


SLOW = {"kings-and-things", "loewenherz"}
"""Of the large games one is asked each day."""


@pytest.mark.parametrize("ruleset", [pytest.param(one, marks=thorough if one in SLOW else ()) for one in HIDING])
def test_nothing_that_a_seat_asks_tells_it_a_secret(ruleset: str) -> None:
    """Reasons, hints and what was before are the same in worlds that differ for others only."""
    differ = hints = 0
    for game, state in positions(ruleset, sample(11, 60)):
        for seat in range(game.players):
            worlds = (state.imagine(seat, number) for number in range(5, 12))
            world = next((one for one in worlds if one.view(None) != state.view(None)), None)
            if world is None:
                continue
            differ += 1
            hints += state.decision is not None and state.decision.seat == seat
            ours, others = told_of(ruleset, game, state, seat), told_of(ruleset, game, world, seat)
            for one, other in zip(ours, others, strict=True):
                assert one == other
    assert differ
    assert hints


def test_the_seed_is_told_when_it_gives_nothing_away() -> None:
    page = Page()
    page.ask("game/start", ruleset="leduc-poker", seed=3, seats=["person", "first"])
    assert page.shown["seed"] is None
    page.play(20, lambda number, size: 0)
    assert page.shown["result"] is not None
    assert page.shown["seed"] == 3
    page.ask("game/start", ruleset="leduc-poker", seed=3, viewer="all")
    assert page.shown["seed"] == 3


def test_nobody_sees_the_hand_of_who_sat_there_before() -> None:
    """Two people at one page: nothing is shown that not all may know, until the one who is asked sits there."""
    page = Page()
    page.ask("game/start", ruleset="domaine", seed=4, seats=["person", "person"])
    covered = 0
    for _ in range(60):
        if page.question is None:
            break
        if page.question["covered"]:
            covered += 1
            assert not page.question["options"]
            assert page.shown["viewer"]["seat"] is None
            hands = [pile for holder in page.shown["holders"] for pile in holder["piles"] if pile["name"] == "hand"]
            assert hands
            assert all(piece["back"] for pile in hands for piece in pile["pieces"])
            page.ask("game/look")
        assert page.shown["viewer"]["seat"] == page.question["who"]
        page.answer(page.options[0])
    assert covered > 2
