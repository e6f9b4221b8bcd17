"""The question of a position, as a page asks it: in words, with its options and what each stands for on the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import rulewright as rw
from rulewright_tools.question_words import question_words
from rulewright_tools.render.picture import Item
from rulewright_tools.render.svg.board import Thing
from rulewright_tools.session.option_choice import Choices
from rulewright_tools.studio.host.game.supplies import HeldPiece, Supplies

REACTION = "react"
"""The name of decisions without a name in the rules: whether a player reacts."""

_ZONE = re.compile(r" in (\w+(?:\[[^\]]*\])?)")
"""The zone in which a piece lies, in the key of an option."""


class Questions:
    """The decisions of one game as data and words for a page."""

    def __init__(self, game: rw.Game) -> None:
        self._game = game
        self.choices = Choices(game)
        self._names = self.choices.names
        self._owners = {u.name: u.keys for u in game.model.universes.values() if u.sort in ("player", "party")}

    def options(
        self, state: rw.State, viewer: int | None, things: Sequence[Thing], supplies: Supplies
    ) -> dict[str, Any]:
        """The options of the decision of a state, for a viewer who may answer, and answers that are refused."""
        decision = state.decision
        assert decision is not None
        return {
            "sort": self.choices.sort(decision),
            "options": self.offered(state, things, supplies),
            "refused": [
                {"key": one.key, "label": rw.characters.printable(self._names.text(one.key))}
                for one in state.refused_answers(viewer)
            ],
        }

    def offered(self, state: rw.State, things: Sequence[Thing], supplies: Supplies) -> list[dict[str, Any]]:
        """The options of the decision of a state, each with the elements that it stands for."""
        decision = state.decision
        assert decision is not None
        found = _Elements(self._game, things, supplies)
        sort, board = self.choices.sort(decision), self.choices.board(decision)
        lines = self._lines(decision) if sort == "other" else {}
        return [
            {
                "key": option.key,
                "label": rw.characters.printable(self._names.text(option.key)),
                "word": option.extra,
                "things": sorted(set(self._things(state, option, sort, board, found, lines)), key=_natural),
            }
            for option in decision.options
        ]

    def _lines(self, decision: rw.Decision) -> Mapping[str, tuple[str, Sequence[str]]]:
        """The places of each option that is a number of them, such as that of a column, with their universe: the choice
        has the name of a printed number of the places."""
        keys = {option.key for option in decision.options if not option.extra}
        for board in self._game.model.boards:
            printed = self._game.model.attribute(board.place, decision.label)
            numbers = [str(value) for value in printed.values] if printed is not None else []
            if keys and all(key.removeprefix("-").isdigit() for key in keys) and keys <= {*numbers}:
                places = list(zip(numbers, self._game.model.keys(board.place), strict=False))
                return {key: (board.place, [place for number, place in places if number == key]) for key in keys}
        return {}

    def head(self, decision: rw.Decision, decision_data: Mapping[str, Any], answers: bool) -> dict[str, Any]:
        """The words of a question for a viewer, in whose view the decision is `decision_data`.

        The options may be a secret of the player to act, and so may the question: only those who may answer learn more
        than what stands in the view.
        """
        who, name = self._names.text(decision_data["who"]), decision_data["name"]
        if answers:
            text = self._names.question(name, who) or self._in_words(
                who, question_words(self._game, self._names, name), self.choices.kind(decision)
            )
        else:
            text = self._names.phrase("{player} is asked", player=who)
        return {
            "who": decision_data["who"],
            "text": rw.characters.printable(text),
            "rule": self._names.name(name.rpartition(".")[0]),
            "cites": list(decision.cites) if answers else [],
        }

    def _in_words(self, who: str, what: str, kind: str) -> str:
        """Words for a decision whose name in the rules, which may be any word, is not always enough to go by."""
        if what == REACTION:
            return self._names.phrase("{player} may react", player=who)
        if len(what) == 1:
            what = kind or what
        if what.endswith(kind):
            kind = ""
        if not kind:
            return self._names.phrase("{player} chooses: {what}", player=who, what=what)
        return self._names.phrase("{player} chooses: {what} ({kind})", player=who, what=what, kind=kind)

    def _things(
        self,
        state: rw.State,
        option: rw.Option,
        sort: str,
        board: rw.view_model.Board | None,
        found: _Elements,
        lines: Mapping[str, tuple[str, Sequence[str]]],
    ) -> Iterable[str]:
        if option.extra:
            return ()
        if option.key in lines:
            universe, places = lines[option.key]
            return (id for place in places for id in found.on_board("place", universe, place))
        if board is not None and sort in ("place", "edge"):
            return found.on_board(sort, board.place, option.key)
        if sort == "piece":
            return found.pieces(option, state.zones_of(option))
        decision = state.decision
        assert decision is not None
        members = [one.key for one in decision.options if not one.extra]
        if any(set(members) <= set(keys) for keys in self._owners.values()):
            return found.holders(option.key)
        return ()


class _Elements:
    """The elements of a page, by what options may stand for."""

    def __init__(self, game: rw.Game, things: Sequence[Thing], supplies: Supplies) -> None:
        self._keys = game.model.keys("Piece")
        self._places: dict[tuple[str, str, str], str] = {
            (thing.kind, thing.universe, thing.key): thing.id for thing in things
        }
        self._lying = [thing for thing in things if thing.kind == "piece"]
        self._supplies = supplies

    def on_board(self, kind: str, universe: str, key: str) -> Iterator[str]:
        """The place or edge of a key, on the map whose places are of a universe."""
        if (kind, universe, key) in self._places:
            yield self._places[kind, universe, key]

    def holders(self, key: str) -> Iterator[str]:
        """The seat or party of a key."""
        if key in self._supplies.ids:
            yield self._supplies.ids[key]

    def pieces(self, option: rw.Option, zones: Sequence[str]) -> list[str]:
        """Pieces that look like the one that an option stands for: in the zones from which is chosen, or in the zone
        that its key names, if anything is seen there; else wherever they are seen."""
        if option.value >= len(self._keys):
            return [*self.holders(option.key)]  # no piece: a player, or what else may be meant
        plain = self._keys[option.value] if option.value >= 0 else ""
        zone_named = _ZONE.search(option.key, len(plain))
        alike = [
            *((thing.id, thing.zone) for thing in self._lying if _looks(plain, thing.key, thing.back)),
            *((held.id, held.item.zone) for held in self._supplies.pieces if _is(plain, held)),
        ]
        lying = zones or ([zone_named[1]] if zone_named is not None else [])
        return [id for id, zone in alike if zone in lying or not lying]


def _is(plain: str, held: HeldPiece) -> bool:
    item: Item = held.item
    return _looks(plain, item.key, item.back)


def _looks(plain: str, key: str, back: bool) -> bool:
    """True if something that lies there may be the piece of a key; without a key it is one that is not seen."""
    if not plain or back:
        return not plain and back
    return key == plain or key.startswith(f"{plain} (")


def _natural(id: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", id)]
