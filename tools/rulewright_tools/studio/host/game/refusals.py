"""The reasons why something cannot be chosen, with the statements of the rulebook and the lines of the rules."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import rulewright as rw
from rulewright_tools.render.svg.board import Thing
from rulewright_tools.studio.host.game.supplies import HeldPiece

NO_CANDIDATE = "not_among"


def refusal_of(game: rw.Game, state: rw.State, viewer: int | None, key: str) -> dict[str, Any]:
    """The reasons that a viewer may know why a key is not offered; none if it is."""
    found = state.why_not(key, viewer)
    statements = game.ruleset.statements
    return {
        "key": found.key,
        "allowed": found.allowed,
        "reasons": [
            {
                "text": rw.characters.printable(reason.text),
                "label": reason.label,
                "cites": [
                    {"id": cite, "statement": statements[cite].statement if cite in statements else ""}
                    for cite in reason.cites
                ],
                "rule": {"file": reason.rule.file, "line": reason.rule.line} if reason.rule is not None else None,
            }
            for reason in found.reasons
        ],
    }


def keys_meant(
    sort: str,
    universes: Collection[str],
    id: str,
    things: Sequence[Thing],
    held: Sequence[HeldPiece],
    holders: dict[str, str],
) -> list[str]:
    """The keys that an element of the page may stand for in a question, the likeliest first; `universes` are those of
    the places of maps in the question."""
    by_id = {thing.id: thing for thing in things}
    if (thing := by_id.get(id)) is not None:
        if sort == "place" and thing.place:
            thing = by_id[thing.place]
        if sort == "piece" and thing.kind == "place":
            return [key for one in things if one.place == id for key in _piece_keys(one.key, one.zone)]
        if thing.kind == "piece":
            return _piece_keys(thing.key, thing.zone)
        elsewhere = universes and thing.universe not in universes  # a place of another map may have the same key
        return [f"{thing.universe} {thing.key}" if elsewhere else thing.key]
    for piece in held:
        if piece.id == id:
            return _piece_keys("" if piece.item.back else piece.item.key, piece.item.zone)
    return [key for key, holder in holders.items() if holder == id]


def _piece_keys(key: str, zone: str) -> list[str]:
    """A piece by the words that may name it in a question: its key, with its zone if others have the same key."""
    plain = key.partition(" (")[0] if key.endswith(")") else key
    return [f"{plain} in {zone}", plain] if plain and zone else [plain] if plain else []


def is_candidate(refusal: dict[str, Any]) -> bool:
    """False if something could never be an answer to the question."""
    return all(reason["label"] != NO_CANDIDATE for reason in refusal["reasons"])
