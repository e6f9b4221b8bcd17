"""A whole prototype: all that a game needs on paper, as the data from which the template typesets it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import rulewright as rw
from rulewright_tools.printing import words
from rulewright_tools.printing.boards import OVERLAP, BoardPicture, boards
from rulewright_tools.printing.components import Components, Group
from rulewright_tools.printing.layout import Layout, headed
from rulewright_tools.printing.sheets import MARGIN, BoardSheet, Paper, Sheet, board_sheets, sheets
from rulewright_tools.printing.tracks import Track, pawns, tracks
from rulewright_tools.render.colours import dark
from rulewright_tools.render.svg.svg_primitives import INK, PAPER


@dataclass(frozen=True, slots=True)
class Wishes:
    """Options of a prototype."""

    paper: Paper = Paper.A4
    backs: bool = True
    ink_saving: bool = False
    parts: tuple[str, ...] = ()
    """The parts that are wanted, see :data:`PARTS`; empty: all."""


PARTS = ("contents", "components", "boards", "aid", "rules")
"""The parts of a prototype."""

_WORDS = ("components", "you also need", "player aid", "rules", "not if", "back")
"""Words of the template, which a ruleset may have otherwise among the phrases of its log."""


class Prototype:
    """The prototype of one game."""

    def __init__(self, game: rw.Game, wishes: Wishes) -> None:
        self.game = game
        self.wishes = wishes
        self.layout = Layout(game)

    def _wants(self, part: str) -> bool:
        return not self.wishes.parts or part in self.wishes.parts

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """All components."""
        pale = self.wishes.ink_saving
        return (*Components(self.layout, pale=pale).groups(), *pawns(self.layout, pale=pale))

    @cached_property
    def boards(self) -> tuple[BoardPicture, ...]:
        """All boards, each as a whole."""
        return boards(self.layout, pale=self.wishes.ink_saving)

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        """The sheets of components."""
        return sheets(self.groups, self.wishes.paper, backs=self.wishes.backs) if self._wants("components") else ()

    @cached_property
    def board_sheets(self) -> tuple[BoardSheet, ...]:
        """The sheets of boards."""
        return board_sheets(self.boards, self.wishes.paper) if self._wants("boards") else ()

    @cached_property
    def tracks(self) -> tuple[Track, ...]:
        """The tracks on which numbers of players are kept."""
        return tracks(self.layout)

    @cached_property
    def contents(self) -> tuple[tuple[str, str], ...]:
        """The list of all that is in the box, each with how many there are."""
        say = self.layout.names.phrase
        rows = [(headed(group.name), str(group.size)) for group in self.groups]
        rows += [(one.name if len(self.boards) > 1 else say("board"), "1") for one in self.boards]
        rows += [(say("track: {name}", name=one.name), "1") for one in self.tracks]
        return tuple((headed(name), count) for name, count in rows)

    def data(self, part: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """All that is typeset as plain data; or with a part of it, and nothing else."""
        manifest, say, wishes = self.game.ruleset.manifest, self.layout.names.phrase, self.wishes
        paper = {"width": wishes.paper.size[0], "height": wishes.paper.size[1]}
        shared: dict[str, Any] = {
            "paper": paper | {"margin": 0 if part is not None else MARGIN},
            "title": self.game.title,
            "pale": wishes.ink_saving,
            "overlap": OVERLAP,
            "boards": [asdict(one) for one in self.boards],
            "words": {name: headed(say(name)) for name in _WORDS},
        }
        if part is not None:
            nothing: dict[str, Any] = dict.fromkeys(("sheets", "board_sheets", "tracks", "aid", "rules"), ())
            return {**shared, "cover": None, **nothing, **part}
        needs = [*self.layout.needs, *words.dice(self.layout)]
        players = say("for {number} players", number=self.game.players)
        cover = {
            "notes": [one for one in (manifest.edition, players, *self.game.variants) if one],
            "about": manifest.about, "contents": self.contents, "needs": needs,
        }  # fmt: skip
        return shared | {
            "cover": cover if self._wants("contents") else None,
            "sheets": [self.sheet_data(one) for one in self.sheets],
            "board_sheets": [asdict(one) for one in self.board_sheets],
            "tracks": [asdict(one) for one in self.tracks] if self._wants("boards") else [],
            "aid": [_part(one) for one in words.aid(self.layout)] if self._wants("aid") else [],
            "rules": [asdict(one) for one in words.rules(self.layout)] if self._wants("rules") else [],
        }

    def sheet_data(self, sheet: Sheet) -> dict[str, Any]:
        """A sheet as plain data, with the colour of what is written on each face."""
        found = asdict(sheet)
        for laid in found["laid"]:
            laid["face"]["ink"] = PAPER if dark(laid["face"]["colour"] or PAPER) else INK
        return found


def _part(part: words.Part) -> dict[str, Any]:
    return {"title": part.title, "entries": [asdict(entry) for entry in part.entries]}
