"""The language server knows types, who calls whom, and what a position lies in."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from .lsp_client import Client, asked, cut, places


@pytest.mark.parametrize(
    ("marked", "found"),
    [
        ("forbid just_chosen: sto^ne is", [("game.rules", 16, "Stone")]),
        ("    la^st = stone", [("game.rules", 16, "Stone")]),
        ("move peb^ble to", [("game.rules", 10, "Pebble")]),
        ("sum(pebble.wor^th", []),
        ("pebble.wor^th for pebble", []),
        ("in ha^nd[p])", [("game.rules", 10, "Pebble")]),
        ("col^our: Colour", [("game.rules", 8, "Colour")]),
        ("enum Colour: gr^ey", [("game.rules", 8, "Colour")]),
        ("every(^s in Stone where s is not last", [("game.rules", 16, "Stone")]),
    ],
)
def test_go_to_type(client: Client, game: Path, marked: str, found: list[tuple[str, int, str]]) -> None:
    assert places(client.request("textDocument/typeDefinition", asked(game, marked))) == found


def prepared(client: Client, game: Path, marked: str) -> dict[str, Any]:
    (item,) = client.request("textDocument/prepareCallHierarchy", asked(game, marked))
    assert isinstance(item, dict)
    return item


def test_who_calls_a_procedure(client: Client, game: Path) -> None:
    """A mention, as in `after turn`, is no call."""
    item = prepared(client, game, "            tu^rn(p)")
    assert (item["name"], item["detail"], item["selectionRange"]["start"]["line"]) == ("turn", "procedure", 36)
    calls = client.request("callHierarchy/incomingCalls", {"item": item})
    assert [call["from"]["name"] for call in calls] == [
        "play",
        "the stone chosen last is refused",
        "unless there are pebbles nowhere else",
        "who has pebbles of more worth wins",
        "in a deep pond a stone may be chosen again",
    ]
    (where,) = calls[0]["fromRanges"]
    assert cut(game.read_text("utf-8"), where) == "turn"


def test_what_a_procedure_calls(client: Client, game: Path) -> None:
    calls = client.request("callHierarchy/outgoingCalls", {"item": prepared(client, game, "procedure pl^ay")})
    assert [(call["to"]["name"], call["to"]["detail"]) for call in calls] == [
        ("setup", "procedure"),
        ("turn", "procedure"),
    ]


def test_only_what_is_called_has_calls(client: Client, game: Path) -> None:
    assert client.request("textDocument/prepareCallHierarchy", asked(game, "fie^ld last")) is None
    assert client.request("textDocument/prepareCallHierarchy", asked(game, "field la^st")) is None


def test_ever_wider_selections(client: Client, game: Path) -> None:
    text = game.read_text("utf-8")
    about = asked(game, "is not last has on[^s] is empty)\n")
    found = client.request(
        "textDocument/selectionRange", {"textDocument": about["textDocument"], "positions": [about["position"]]}
    )
    chain, at = [], found[0]
    while at is not None:
        chain.append(at["range"])
        at = at.get("parent")
    assert [cut(text, where) for where in chain[:4]] == [
        "s",
        "on[s]",
        "on[s] is empty",
        "every(s in Stone where s is not last has on[s] is empty)",
    ]
    lines = [(where["start"]["line"] + 1, where["end"]["line"] + 1) for where in chain]
    assert lines[-4:] == [(39, 40), (38, 40), (37, 43), (1, text.count("\n") + 1)]
    for inner, outer in itertools.pairwise(chain):
        assert (outer["start"]["line"], outer["start"]["character"]) <= (
            inner["start"]["line"],
            inner["start"]["character"],
        )
