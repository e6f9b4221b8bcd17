"""Rules that can be played and say something else than was meant are told in an editor after a pause."""

from __future__ import annotations

from pathlib import Path

from .lsp_client import Client

POORER = """variant "Poorer" of pond
    add query bounty(p: Player) -> Int = size(hand[p])
    replace query points(p: Player) -> Int = bounty(p) / 1000 rounded down
"""


def test_a_variant_of_a_ruleset_is_examined_while_it_is_open(client: Client, folder: Path) -> None:
    path = folder / "pond" / "variants" / "deep-pond.rules"
    text = path.read_text("utf-8")
    client.open(path)
    try:
        client.change(path, f"{text}\n{POORER}", wait=False)
        client.until_codes(path.as_uri(), {"VAR411", "EXM111"})
        (finding,) = (one for one in client.diagnostics[path.as_uri()] if one["code"] == "EXM111")
        assert finding["severity"] == 2
        assert finding["range"]["start"]["line"] == len(text.split("\n")) + 2
    finally:
        client.change(path, text, wait=False)
        client.until(path.as_uri())
        client.close(path)


def test_a_game_is_examined_while_it_is_open(client: Client, game: Path) -> None:
    text = game.read_text("utf-8")
    slip = text.replace("sum(pebble.worth for pebble in hand[p])", "size(hand[p]) / 1000 rounded down")
    assert slip != text
    client.change(game, slip, wait=False)
    while "EXM111" not in {one["code"] for one in client.diagnostics.get(game.as_uri(), ())}:
        client._take()
