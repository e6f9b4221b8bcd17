"""Prototypes on paper: what is printed, how often, and whether it fits."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import rulewright as rw
from rulewright_tools.printing import typesetting, words
from rulewright_tools.printing.boards import OVERLAP, cut
from rulewright_tools.printing.prototype import Prototype, Wishes
from rulewright_tools.printing.sheets import ACROSS, DOWN, MARGIN, Paper, Sheet, grids, sheets

from .conftest import RULESETS, Run

SHIPPED = [path.name for path in sorted(RULESETS.iterdir())]
IDENTIFIER = re.compile(r"\w_\w|[a-z]{2}\.[a-z]{2}", re.IGNORECASE)


@cache
def prototype(name: str) -> Prototype:
    """The prototype of a game for the most players."""
    players = max(rw.playing.player_counts(rw.open_ruleset(name)))
    return Prototype(rw.load(name, players), Wishes())


def texts(data: Any) -> Iterator[str]:
    """All texts among the data of a prototype, without pictures and words of the layout."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        yield from (text for key, held in data.items() if key not in APART for text in texts(held))
    elif isinstance(data, (list, tuple)):
        yield from (text for held in data for text in texts(held))


APART = {"picture", "drawing", "colour", "ink", "form", "side", "source"}


@pytest.mark.parametrize("name", SHIPPED)
def test_every_piece_is_printed_once(name: str) -> None:
    """Each declared piece is printed, unless it belongs to nobody; of two that are the faces of one, one token."""
    made = prototype(name)
    model, groups = made.game.model, {group.source: group for group in made.groups}
    keys = model.keys("Piece")
    printed = Counter[str]()
    for kind in model.kinds:
        below = [other for other in model.kinds if other is not kind and set(other.members) < set(kind.members)]
        own = set(kind.members).difference(*(other.members for other in below))
        left_out = sum(keys[piece].startswith("no ") for piece in own)
        paired = bool(made.layout.piece(kind.name).faces)
        sides = sum(2 if paired and one.back else 1 for one in _copies(groups, kind.name))
        assert sides == len(own) - left_out, kind.name
        printed[kind.name] += sides
    assert sum(printed.values()) + sum(key.startswith("no ") for key in keys) == len(keys)


def _copies(groups: dict[str, Any], source: str) -> Iterator[Any]:
    group = groups.get(source)
    for one in group.components if group is not None else ():
        yield from [one] * one.copies


@pytest.mark.parametrize("name", SHIPPED)
def test_sheets_hold_what_groups_count(name: str) -> None:
    """As many faces lie on sheets as are counted; none lies on another, or beyond what can be printed."""
    made = prototype(name)
    for paper in Paper:
        laid_out = sheets(made.groups, paper, backs=True)
        faces = [laid for sheet in laid_out if sheet.side == "face" for laid in sheet.laid]
        assert len(faces) == sum(group.size for group in made.groups)
        assert {tuple(sorted((sheet.width, sheet.height))) for sheet in laid_out} <= {paper.size}
        _within(laid_out)


def _within(laid_out: tuple[Sheet, ...]) -> None:
    for sheet in laid_out:
        assert len({(laid.x, laid.y) for laid in sheet.laid}) == len(sheet.laid)
        for laid in sheet.laid:
            assert MARGIN - 0.01 <= laid.x <= sheet.width - MARGIN - laid.width + 0.01
            assert MARGIN - 0.01 <= laid.y <= sheet.height - MARGIN - laid.height + 0.01


@pytest.mark.parametrize("name", SHIPPED)
def test_no_identifier_is_printed(name: str) -> None:
    found = {text for text in texts(prototype(name).data()) if IDENTIFIER.search(text)}
    assert not found


@pytest.mark.parametrize("name", SHIPPED)
def test_texts_fit_and_bytes_are_equal(name: str) -> None:
    data = prototype(name).data()
    assert [one for one in typesetting.fits(data) if not one["fits"]] == []
    pdf = typesetting.pdf(data)
    assert pdf.startswith(b"%PDF")
    assert pdf == typesetting.pdf(data)


def test_backs_lie_behind_their_faces() -> None:
    made = prototype("leduc-poker")
    faces, backs = (sheet for sheet in made.sheets if sheet.laid[0].form in ("card", "back"))
    assert (faces.side, backs.side) == ("face", "back")
    behind = {(round(backs.width - laid.x - laid.width, 2), laid.y) for laid in backs.laid}
    assert behind == {(round(laid.x, 2), laid.y) for laid in faces.laid}


@pytest.mark.parametrize("name", SHIPPED)
def test_backs_show_no_more_than_the_rules_say(name: str) -> None:
    """Pieces with one text on their backs have one back, whatever kinds below a kind they are of."""
    model, groups = prototype(name).game.model, prototype(name).groups
    kinds = {kind.name for kind in model.kinds}
    backs = [one.back for group in groups if group.source in kinds for one in group.components if one.back is not None]
    hidden = [back for back in backs if not back.picture]
    assert len({back.corner for back in hidden}) == len({(back.corner, back.colour, back.title) for back in hidden})


@pytest.mark.parametrize("size", [(100.0, 100.0), (317.6, 317.6), (900.0, 350.0), (196.0, 283.0)])
@pytest.mark.parametrize("paper", Paper)
def test_sheets_of_a_board_add_up(size: tuple[float, float], paper: Paper) -> None:
    """Parts cover the board, fit their sheets, and each shares a strip with the next."""
    whole = cut(*size, paper.room)
    across, down = (paper.room[1], paper.room[0]) if whole.lying else paper.room
    assert len(whole.pieces) == whole.rows * whole.columns
    for part in whole.pieces:
        assert part.width <= across + 1e-9
        assert part.height <= down + 1e-9
    row = [part for part in whole.pieces if part.row == 0]
    column = [part for part in whole.pieces if part.column == 0]
    assert (row[0].x, column[0].y) == (0, 0)
    assert row[-1].x + row[-1].width == pytest.approx(size[0])
    assert column[-1].y + column[-1].height == pytest.approx(size[1])
    for one, other in itertools.pairwise(row):
        assert one.x + one.width - other.x == pytest.approx(OVERLAP)
    for one, other in itertools.pairwise(column):
        assert one.y + one.height - other.y == pytest.approx(OVERLAP)


def test_counts_follow_the_layout() -> None:
    """Tokens are as many as the layout, or the parameter that it names, says; two faces make one token."""
    counts = {(name, group.source): group.size for name in ("domaine", "othello", "kings-and-things", "baron", "hex")
              for group in prototype(name).groups}  # fmt: skip
    assert counts["domaine", "walled"] == 100 == int(prototype("domaine").game.parameters["border_markers"])
    assert counts["othello", "disc"] == 64
    assert counts["kings-and-things", "Hero"] == 11
    assert counts["baron", "chip"] == 20
    assert counts["hex", "stone"] == 2 * 61
    disc = next(group for group in prototype("othello").groups if group.source == "disc")
    assert [(one.face.title, one.back and one.back.title) for one in disc.components] == [("Black", "White")]


def test_grids_hold_what_tabletops_take() -> None:
    made = prototype("domaine")
    card = next(group for group in made.groups if group.source == "Card")
    (grid,) = grids(card)
    assert grid.backs is not None
    assert (len(grid.titles), len(grid.faces.laid), len(grid.backs.laid)) == (60, 61, 60)  # the last place shows a back
    assert grid.faces.laid[-1].form == "back"
    knights = next(group for group in prototype("carolus-magnus").groups if group.source == "Knight")
    pages = list(grids(knights))
    assert sum(len(one.titles) for one in pages) == 200
    assert all(one.columns <= ACROSS and one.rows <= DOWN for one in pages)


MARKET = {
    "ruleset.json": {
        "name": "market", "title": "Market", "rules": ["game.rules"],
        "draw": {"print": {
            "pieces": {"Card": {"corner": "price", "icons": {"price": "star"}, "lines": {"price": "Costs {price}."}}},
            "tokens": {"coins": {"count": 7, "name": "coin"}}, "tracks": {"coins": 0}, "needs": ["a bag"],
        }},
    },
    "cards.json": {"rows": [
        {"name": "red tent", "price": 2, "text": "Take one coin from each player on your left.", "count": 3},
        {"name": "well", "price": 0, "text": "Nothing happens when this is played, as it seems.", "count": 1},
    ]},
}  # fmt: skip
RULES = """\
game market
players 2

piece Card from "cards.json"
    name: Text
    price: 0..9
    text: Text
    named "{name}"
    back shows "stall"
    begins in deck
zone deck: stack of Card, seen by {}
zone hand[p: Player]: set of Card, seen by p
field coins[Player]: 0..40 = 0

procedure play
    shuffle deck
    each p in players
        draw 2 from deck to hand[p]
        p chooses sold from hand[p]
            forbid too_cheap: sold.price is 0 and count(c in hand[p] where c.price > 0) > 0
        coins[p] += sold.price
    finish ranking p in players by coins[p]
"""


def test_cards_with_text_and_a_layout(tmp_path: Path) -> None:
    for name, data in MARKET.items():
        (tmp_path / name).write_text(json.dumps(data), "utf-8")
    (tmp_path / "game.rules").write_text(RULES, "utf-8")
    made = Prototype(rw.load(tmp_path), Wishes())
    (cards, coins) = made.groups
    tent, well = cards.components
    assert (tent.copies, tent.face.title, tent.face.corner) == (3, "Red tent", "2")
    assert tent.face.lines == ("Take one coin from each player on your left.", "Costs 2.")
    assert tent.face.picture.count("<path") == 2  # a star for each coin of its price
    assert (well.face.lines, well.face.picture) == (("Nothing happens when this is played, as it seems.",), "")
    assert tent.back is not None
    assert (tent.back, tent.back.corner, tent.back.title) == (well.back, "Stall", "Market")
    assert (coins.name, coins.size, made.layout.needs) == ("Coin", 7, ("a bag",))
    assert not made.tracks
    (part,) = words.aid(made.layout)
    assert part.entries == [words.Choice("The player chooses: sold", (), ("too cheap",))]
    data = made.data()
    assert all(one["fits"] for one in typesetting.fits(data))
    assert {one.code for one in rw.check(rw.open_ruleset(tmp_path))} == set()  # no rule needs to read a text


def test_the_player_aid_asks_in_the_words_of_the_ruleset() -> None:
    parts = {part.title: part for part in words.aid(prototype("domaine").layout)}
    deed = next(entry for entry in parts["Turn"].entries if isinstance(entry, words.Choice))
    assert deed.question == "Does the player play a card, or sell one?"
    assert deed.options == ("Sell", "Play")


def test_the_command(run: Run, tmp_path: Path) -> None:
    made = [tmp_path / "one.pdf", tmp_path / "two.pdf", tmp_path / "letter.pdf"]
    for path, more in zip(made, ([], [], ["--paper", "letter", "--ink-saving", "--no-backs"]), strict=True):
        done = run("print", "leduc-poker", "--output", str(path), *more)
        assert (done.code, done.out) == (0, "")
    one, two, letter = (path.read_bytes() for path in made)
    assert one == two != letter
    folder = tmp_path / "tabletop"
    assert run("print", "leduc-poker", "--format", "tabletop", "-o", str(folder)).code == 0
    index = json.loads((folder / "index.json").read_text("utf-8"))
    assert {path.name for path in folder.iterdir()} == {"index.json", *_named(index)}
    card = next(entry for entry in index if entry.get("faces") == "card.png")
    assert (card["count"], card["titles"].count("Jack")) == (6, 2)
    with Image.open(BytesIO((folder / "card.png").read_bytes())) as picture:
        assert max(picture.size) <= 4096


def _named(index: list[dict[str, Any]]) -> set[str]:
    return {entry[key] for entry in index for key in ("faces", "backs", "board") if key in entry}


def test_wrong_words_are_one_error(run: Run, tmp_path: Path) -> None:
    for more, message in (
        (["--output", str(tmp_path / "no" / "one.pdf")], "there is no folder"),
        (["--output", str(tmp_path), "--format", "tabletop", "--select", "aid"], "--select is for paper"),
        (["--output", str(tmp_path / "a.pdf"), "--players", "9"], "9"),
    ):
        done = run("print", "kuhn-poker", *more)
        assert done.code == 2
        assert message in done.err
