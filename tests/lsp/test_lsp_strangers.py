"""Texts of strangers in help: they are nothing but text, whatever they look like to who draws Markdown."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.navigation.hover import code, code_block, prose
from sampling import sample

from .lsp_client import Client, asked

markdown_it = pytest.importorskip("markdown_it")

PARTS = [
    "![i](http://e.example/x.png)", "[a](http://x)", "<img src=x>", "http://x.example/", "WWW.x.example", "a@b.example",
    "`", "``", "```", "[a]: http://x", "[a]", "![a][a]", " ", "*", "_", "**x**", "# h", "- x", "1. x", "2)", "> q",
    "---", "===", "    x", "| a | b |", "|---|---|", "&lt;", "&#60;", "\\", "~~x~~", "~~~", "<http://x>", "<!-- x", "ftp://x",
    "mailto:a@b.c", "\t", "\n", "+", "=", "<script>", "](http://x)", "!", "\u2028", "_www.x.example", "$x$", "](",
]  # fmt: skip
PLAIN = {"paragraph_open", "paragraph_close", "inline", "text", "text_special", "softbreak"}


def kinds(text: str) -> set[str]:
    """The kinds of all that a text of Markdown consists of."""

    def inside(tokens: list[Any]) -> Iterator[str]:
        for token in tokens:
            yield token.type
            yield from inside(token.children or [])

    return {*inside(markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text))}


def test_whatever_is_written_is_text() -> None:
    draw = random.Random(5)
    for _ in range(sample(1_500, 50_000)):
        text = "".join(draw.choice(PARTS) for _ in range(draw.randrange(1, 7)))
        shown = "\n".join(map(prose, text.split("\n")))
        assert kinds(shown) <= PLAIN, text
        assert "://" not in shown.replace("\\://", ""), text  # many draw a link where no brackets are
        assert "www." not in shown.lower(), text
        assert kinds(f"a {code(text)} b") == PLAIN - {"text_special", "softbreak"} | {"code_inline"}, text
        assert kinds(code_block(*text.split("\n"))) == {"fence"}, text
    assert prose("Each player draws 2 cards (3 with 4 players).") == "Each player draws 2 cards (3 with 4 players)."
    assert code("points") == "`points`"


def test_help_of_what_a_stranger_has_written(client: Client, game: Path) -> None:
    """In comments above a declaration, and in the words of what it cites and is changed by."""
    text = game.read_text("utf-8")
    evil = "".join(f"# {part}\n" for part in PARTS if part.isprintable())
    text = text.replace("query points", f"{evil}query points")
    client.change(game, text, wait=False)
    found = client.request("textDocument/hover", asked(game, "query poi^nts", text))["contents"]["value"]
    assert "e.example/x.png" in found
    assert kinds(found) <= PLAIN | {"fence", "code_inline"}
