"""Secrets at tables: twin games that differ in what a seat cannot know send its page, and onlookers, the same bytes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise, zip_longest
from typing import Any

import pytest
from studio_page import Failed, counted_keys
from test_studio_tables import Guests

import rulewright as rw
from rulewright_tools.studio.host.play.line_of_play import LineOfPlay, begun
from rulewright_tools.studio.host.play.played_game import PlayedGame
from sampling import sample, thorough

GAMES = [
    ("goofspiel", 2, 2),
    ("liars-dice", 2, 2),
    ("baron", 4, 6),
    ("carolus-magnus", 4, 6),
    ("domaine", 4, 12),
    pytest.param("loewenherz", 4, 12, marks=thorough),
    ("kings-and-things", 4, 12),
]
"""Each with its players, and the least number of answers in which its twins stay alike."""

SEEDS = (7351946820, 8264913750)
"""Seeds of chance that is to come, by which they are found wherever they are told."""


@pytest.fixture(autouse=True)
def _same_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists of games tell when something last happened. Messages are compared with the schema by other tests."""
    monkeypatch.setattr("time.time_ns", lambda: 0)
    monkeypatch.setattr("test_studio_tables.require_valid", lambda message, method="": None)


class Seated(Guests):
    """A table in the middle of a game: links for all seats but the last one, which the owner plays, and for onlookers;
    the pages of one seat, of the owner and of an onlooker."""

    def __init__(self, ruleset: str, state: rw.State, game: rw.Game, seat: int, seed: int) -> None:
        self.rules, self.seat = game, seat
        self.watched = ["onlooker", "owner" if seat == game.players - 1 else game.seats[seat]]
        people = ["person"] * game.players
        super().__init__(ruleset, people, game.seats[:-1], play=LineOfPlay(game, [state], seed, people))
        self.sent.clear()  # the owner has seen the seed as long as there were no guests; in the game it is another one
        for who in self.watched:
            self.ask(who, "game/show")

    def come(self, who: str, key: str) -> None:
        """Only pages come that are watched."""
        if who in self.watched:
            super().come(who, key)

    @property
    def game(self) -> PlayedGame:
        return self.games.opened(self.name)

    def turn(self, seat: int) -> rw.State | None:
        return self.game.play.end.turn_of(seat)

    def give(self, seat: int, key: str | None) -> None:
        """Give the answer of a seat, if there is one; pages are told what is new to them."""
        state = self.turn(seat)
        if key is not None and state is not None:
            self.game.answer(self.game.play.last, key, state)
        self.tell()


def is_alike(one: rw.State, other: rw.State, seat: int) -> bool:
    """True if a seat cannot tell two positions apart that come after others which it could not."""
    return one.view(seat) == other.view(seat) and one.log_for(seat) == other.log_for(seat)


Answers = tuple[str | None, str | None]


def twin_answers(one: Seated, other: Seated, seat: int, draw: random.Random) -> Answers | None:
    """Answers of a seat to two games after which the watched seat cannot tell them apart: different ones, or one to one
    game only, if there are such; None if there are none."""
    states = one.turn(seat), other.turn(seat)
    ends = one.game.play.end, other.game.play.end
    keys = [[one.key for one in state.decision.options] if state and state.decision else [] for state in states]
    common = [key for key in keys[0] if key in keys[1]]
    pairs: list[Answers] = [(key, key) for key in draw.sample(common, min(4, len(common)))]
    if seat != one.seat:
        drawn = [[draw.choice(some) for some in keys if some] for _ in range(4)]
        unlike = [(pair[0], pair[1]) for pair in drawn if len({*pair}) == 2]
        pairs = [*((key, None) for key in keys[0][:2]), *((None, key) for key in keys[1][-1:]), *unlike, *pairs]
    for pair in pairs:
        after = [
            end if key is None or state is None else state.choose(key)
            for key, state, end in zip(pair, states, ends, strict=True)
        ]
        if is_alike(after[0], after[1], one.seat) and after[0].result is None:  # with the result the seed is told
            return pair
    return None


def requests(table: Seated, who: str, draw: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """All that a page may ask without changing the game."""
    page = table.pages[who]
    things = [thing["id"] for thing in page.shown["board"]["things"]]
    things += [piece["id"] for holder in page.shown["holders"] for pile in holder["piles"] for piece in pile["pieces"]]
    yield from (("game/whyNot", {"thing": id}) for id in draw.sample(things, min(5, len(things))))
    yield from (("game/whyNot", {"key": key}) for key in ("1", "(0, 0)", "gold", "nonsense"))
    yield from (
        ("game/undo", {}),
        ("game/undo", {}),
        ("game/redo", {}),
        ("game/goto", {"at": 0}),
        ("game/goto", {"at": 9}),
    )
    yield from (("game/show", {}), ("game/goto", {"at": page.shown["last"]}))
    yield from (("game/turn", {"seat": table.rules.seats[table.seat]}), ("game/look", {}), ("game/hint", {}))
    yield from (("inspect/state", {}), ("inspect/trace", {}), ("inspect/state", {"scope": "all"}))
    yield from (("scenarios/propose", {}), ("table/links", {}), ("games/list", {}), ("game/line", {"line": 0}))
    yield from (("table/takeBack", {"at": 0}), ("table/agree", {"agrees": False, "at": 0}))


def middles(game: rw.Game, seed: int, answers: list[int]) -> Iterator[rw.State]:
    """Positions of a game after so many answers."""
    draw, state = random.Random(seed), game.start(seed)
    for before, after in pairwise([0, *answers]):
        for _ in range(after - before):
            if state.decision is None:
                return
            state = state.choose(draw.randrange(len(state.decision.options)))
        if state.decision is not None:
            yield state


def twins(game: rw.Game, state: rw.State, seat: int) -> tuple[rw.State, rw.State] | None:
    """Two worlds that a seat cannot tell apart: others hold something else, or where nothing is hidden chance brings
    something else; None if none are found."""
    first, *others = (state.imagine(seat, number) for number in range(11, 20))
    unlike = [one for one in others if one.view(None) != first.view(None)] + [one for one in others if one != first]
    return (first, unlike[0]) if unlike else None


def ask_everything(tables: tuple[Seated, Seated], draw: random.Random) -> None:
    """Let the watched pages ask all that they can."""
    one, other = tables
    for who in one.watched:
        for method, params in list(requests(one, who, draw)):
            for table in tables:
                with suppress(Failed):
                    table.ask(who, method, **params)
            assert one.sent[who][-1] == other.sent[who][-1], (who, method, params)


@pytest.mark.parametrize(("ruleset", "players", "least"), GAMES)
def test_twin_games_send_a_seat_the_same_bytes(ruleset: str, players: int, least: int) -> None:
    """Two worlds that a seat cannot tell apart go on, with other answers of others where it hears nothing of them."""
    game, draw = rw.load(ruleset, players=players), random.Random(3)
    pairs = answers = 0
    for state in middles(game, 5, [0, 1, 3] if players < 3 else [30, *sample(0, 1) * [90, 200, 500]]):
        for seat in range(players):
            if (worlds := twins(game, state, seat)) is None:
                continue
            with counted_keys():
                one = Seated(ruleset, worlds[0], game, seat, SEEDS[0])
            with counted_keys():
                other = Seated(ruleset, worlds[1], game, seat, SEEDS[1])
            pairs += 1
            for number in range(sample(6, 30)):
                if number % 3 == 0:
                    ask_everything((one, other), random.Random(number))
                decision = one.game.play.end.decision
                if decision is None or decision.seat is None:
                    break
                if (keys := twin_answers(one, other, decision.seat, draw)) is None:
                    break
                one.give(decision.seat, keys[0])
                other.give(decision.seat, keys[1])
                answers += 1
                for who in one.watched:
                    for frames in zip_longest(one.sent[who], other.sent[who]):
                        assert frames[0] == frames[1], (who, keys)
    assert pairs >= players
    assert answers >= least


@pytest.mark.parametrize(("ruleset", "players"), [("kings-and-things", 4), ("domaine", 4)])
def test_frames_name_no_piece_that_was_not_seen(ruleset: str, players: int) -> None:
    """Sixty answers at a table: a page is sent names of pieces that its seat has seen only, and nobody the seed."""
    game, draw = rw.load(ruleset, players=players), random.Random(2)
    people, owned = ["person"] * players, game.seats[-1]
    table = Guests(ruleset, people, game.seats[:-1], play=begun(game, SEEDS[0], people))
    faces = {key for key in game.model.keys("Piece") if re.search("[ _]", key)}
    faces -= {one for one in faces for other in faces if one != other and one in other}
    found = re.compile("|".join(re.escape(one).replace("_", "[ _]").replace(r"\ ", "[ _]") for one in faces))
    viewers = {"onlooker": rw.playing.PUBLIC, **{seat: number for number, seat in enumerate(game.seats)}}
    read, seen = dict.fromkeys(viewers, 0), {who: set[str]() for who in viewers}

    def faces_in(text: str) -> set[str]:
        return {one.replace(" ", "_") for one in found.findall(text)}

    for _ in range(60):
        end = table.games.opened(table.name).play.end
        for who, viewer in viewers.items():
            seen[who] |= faces_in(f"{end.view(viewer)} {end.log_for(viewer)}")
            frames = table.sent["owner" if who == owned else who]
            for frame in frames[read[who] :]:
                assert faces_in(frame) <= seen[who]
                assert str(SEEDS[0]) not in frame
            read[who] = len(frames)
        assert end.decision is not None
        table.answer("owner" if end.decision.who == owned else end.decision.who, draw.randrange(99))
    hidden = faces_in(str(table.games.opened(table.name).play.end.view(None)))
    assert all(hidden - known for known in seen.values())
