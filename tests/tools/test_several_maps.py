"""Games with several maps: each is drawn everywhere, and what lies on one is on it alone."""

from __future__ import annotations

import pytest

import rulewright as rw
from rulewright_tools.render import drawing
from rulewright_tools.render.picture import Picture
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.svg.board import draw_board
from rulewright_tools.render.theme import palette_of
from rulewright_tools.session.option_choice import Choices

MANIFEST = '{"name": "two", "title": "Two", "rules": ["game.rules"], "seats": {"2": ["anna", "bert"]}}'
RULES = """\
game two
players 2
place Cell
edge Wall
map Field: grid 2 by 3 of Cell, edges Wall
place Bed
edge Hedge
map Garden: grid 2 by 3 of Bed, edges Hedge
place City
edge Road
map Land: graph from "land.json" of City, edges Road
piece Man from "men.json"
    owner: Player
    named "{owner} man"
    begins in pool[owner]
zone on[c: Cell]: set of Man, seen by everyone
zone bed[b: Bed]: set of Man, seen by everyone
zone pool[p: Player]: set of Man, seen by everyone
field built[Wall]: Bool = false
field pawn[Player]: City or none
field road[Road]: Player or none
procedure play
    repeat 2 times
        each p in players
            p chooses man from pool[p]
            p chooses cell from Cell
            move man to on[cell]
            p chooses other from pool[p]
            p chooses plot from Bed
            move other to bed[plot]
            p chooses wall from Wall
            built[wall] = true
            p chooses town from City
            pawn[p] = town
            p chooses way from Road
            road[way] = p
    finish with nobody winning
"""
LAND = '{"shape": "graph", "places": [{"name": "north"}, {"name": "south"}], "edges": [["north", "south"]]}'


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> rw.Game:
    folder = tmp_path_factory.mktemp("two")
    (folder / "ruleset.json").write_text(MANIFEST)
    (folder / "game.rules").write_text(RULES)
    (folder / "land.json").write_text(LAND)
    (folder / "men.json").write_text('{"rows": [{"owner": "anna", "count": 5}, {"owner": "bert", "count": 5}]}')
    return rw.load(folder)


def played(game: rw.Game, *answers: str) -> rw.State:
    state = game.start(seed=1)
    for answer in answers:
        decision = state.decision
        assert decision is not None
        state = state.choose(next(o for o in decision.options if o.key == answer or answer in ("", "any")))
    return state


FIRST = ("any", "(0, 0)", "any", "(1, 2)", "(0, 0)|(0, 1)", "south", "any")


def spots(picture: Picture) -> dict[str, dict[str, list[str]]]:
    return {
        one.place: {spot.key: [item.key for item in spot.items] for spot in one.spots if spot.items}
        for one in picture.maps
    }


def test_what_lies_on_a_map_lies_on_it_alone(game: rw.Game) -> None:
    picture = picture_of(game, played(game, *FIRST), None)
    assert spots(picture) == {
        "Cell": {"(0, 0)": ["anna man"]},
        "Bed": {"(1, 2)": ["anna man"]},
        "City": {"south": ["anna"]},
    }
    assert [[bool(edge.walls) for edge in one.edges].count(True) for one in picture.maps] == [1, 0, 0]
    assert [bool(edge.lines) for one in picture.maps for edge in one.edges].count(True) == 1


@pytest.mark.parametrize("width", [40, 80])
def test_all_are_drawn_in_the_terminal(game: rw.Game, width: int) -> None:
    text = drawing.text(game, played(game, *FIRST), None, width)
    names = [line for line in text.split("\n") if line in ("Field", "Garden", "Land")]
    assert names == ["Field", "Garden", "Land"]
    assert max(map(len, text.split("\n"))) <= width
    assert {"north", "south"} <= set(text.split())


def test_all_are_drawn_as_svg_and_their_elements_have_ids_of_their_own(game: rw.Game) -> None:
    state = played(game, *FIRST)
    picture = picture_of(game, state, None)
    assert {">Field<", ">Garden<", ">Land<"} <= {
        f">{part}<" for part in drawing.svg(game, state, None).split(">") for part in [part.split("<")[0]]
    }
    numbers: dict[tuple[str, str], int] = {}
    for one in game.model.boards:
        numbers |= {(one.place, key): len(numbers) + number for number, key in enumerate(game.model.keys(one.place))}
    board = draw_board(picture, palette_of(game), numbers, {})
    places = [thing for thing in board.things if thing.kind == "place"]
    assert len(places) == len({thing.id for thing in places}) == 6 + 6 + 2
    (lying,) = (thing for thing in board.things if thing.kind == "piece" and thing.zone == "bed[(1, 2)]")
    assert lying.place == f"place-{6 + 5}"


def test_answers_are_marked_and_read_on_the_map_that_is_asked_about(game: rw.Game) -> None:
    choices = Choices(game)
    for answers, board, word, key in (
        (FIRST[:1], "Cell", "1 1", "(1, 1)"),
        (FIRST[:3], "Bed", "1 1", "(1, 1)"),
        (FIRST[:4], "Wall", "0 0 e", "(0, 0)|(0, 1)"),
        (FIRST[:5], "City", "nor", "north"),
    ):
        state = played(game, *answers)
        assert state.decision is not None
        assert choices.universe(state.decision) == board
        found = choices.wanted(state.decision, word, picture_of(game, state, None))
        assert found.option is not None
        assert found.option.key == key
