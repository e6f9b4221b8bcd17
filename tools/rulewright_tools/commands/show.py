"""``rulewright show``: what a variant or an edition can change, by its address; and what kind of game it is."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from textwrap import indent
from typing import Annotated

import typer
from rich.text import Text

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, out, plural, print_json
from rulewright_tools.error_boundary import guarded
from rulewright_tools.progress import working
from rulewright_tools.reports import theory_text
from rulewright_tools.vocabulary import named

SCENARIOS = "scenarios"
_WIDEST = 44
"""Longer addresses do not move what stands beside the others."""


class ShowFormat(StrEnum):
    """Formats of contents."""

    TEXT = "text"
    JSON = "json"


@guarded
def show(
    path: arg.Ruleset,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="A declaration, or `declaration.label`, or `scenarios`; without it, all."
        ),
    ] = None,
    players: arg.Players = None,
    variants: arg.Variants = None,
    option: arg.Options = None,
    game_theory: Annotated[bool, named("--game-theory")] = False,
    format: Annotated[ShowFormat, named("--format")] = ShowFormat.TEXT,
) -> Exit:
    """Show what a variant can change: declarations, labels, statements and rows, with the words of such changes.

    The first column is the address with which a change names it: `remove turn.too_dear`, `after turn.move_2`.

    Examples:

      rulewright show tic-tac-toe
      rulewright show my-game turn
      rulewright show my-game scenarios
      rulewright show tic-tac-toe --game-theory
      rulewright show my-game Card --format json
    """
    if game_theory:
        return _theory(path, name, players, variants, option, format)
    if option:
        raise CommandError("--option is for --game-theory: what a variant can change is the same whatever options say")
    ruleset, titles = rw.rulesets.with_variants(path, variants or ())
    found = rw.contents.contents(ruleset, players, titles)
    if name == SCENARIOS and not any(one.address == name for one in found):
        return _scenarios(ruleset, format)
    one = rw.contents.find(found, name) if name is not None else None
    if format is ShowFormat.JSON:
        print_json(
            {"ruleset": ruleset.name, "title": ruleset.title, "items": [_data(i) for i in ([one] if one else found)]}
        )
    elif one is not None:
        _whole(one)
    else:
        _overview(ruleset, found)
    return Exit.FINE


def _scenarios(ruleset: rw.Ruleset, format: ShowFormat) -> Exit:
    """The scenarios of a ruleset and of its bases, by their titles: a scenario may begin `from` one of them."""
    all_of = list(rw.scenarios.planned(ruleset))
    if format is ShowFormat.JSON:
        items = [
            rw.contents.Item("", "scenario", one.title, one.cites, one.span.file, one.span.line, ()) for one in all_of
        ]
        print_json({"ruleset": ruleset.name, "title": ruleset.title, "items": [_data(one) for one in items]})
        return Exit.FINE
    out().print(Text.assemble((ruleset.title, "bold"), f" ({ruleset.name}): {plural(len(all_of), 'scenario')}"))
    files: dict[str, list[str]] = {}
    for one in all_of:
        files.setdefault(one.span.file, []).append(f"  {one.span.line:>4}  {one.title}")
    for file, lines in files.items():
        out().print(Text("\n" + "\n".join((file, *lines))), soft_wrap=True)
    out().print(f"\nOne of them: rulewright test {ruleset.name} --select TITLE", soft_wrap=True)
    return Exit.FINE


def _theory(
    path: str,
    name: str | None,
    players: int | None,
    variants: Sequence[str] | None,
    option: list[str] | None,
    format: ShowFormat,
) -> Exit:
    """The table of game theory."""
    if name is not None:
        raise CommandError("--game-theory is about the whole game; leave the name out")
    with working("looking at the game"):
        game = rw.load(path, players, variants or (), arg.options_of(option))
        found = lab.game_theory(game)
    if format is ShowFormat.JSON:
        names = {"ruleset": game.name, "title": game.title, "variants": list(game.variants)}
        print_json({**names, "parameters": arg.options_of(option), **found.data()})
    else:
        theory_text.theory(game, found)
    return Exit.FINE


def _data(item: rw.contents.Item) -> dict[str, object]:
    return {
        "address": item.address,
        "word": item.word,
        "text": item.text,
        "cites": list(item.cites),
        "file": item.file,
        "line": item.line,
        "changes": list(item.changes),
        "lines": list(item.lines),
        "items": [_data(inner) for inner in item.items],
    }


def _overview(ruleset: rw.Ruleset, items: Sequence[rw.contents.Item]) -> None:
    """All declarations by their kinds."""
    console = out()
    console.print(Text.assemble((ruleset.title, "bold"), f" ({ruleset.name}): what a variant can change"))
    by_word: dict[str, list[rw.contents.Item]] = {}
    for item in items:
        by_word.setdefault(item.word, []).append(item)
    for word, held in by_word.items():
        changes = ", ".join(held[0].changes)
        console.print()
        console.print(Text.assemble((word, "bold"), f"   ({changes})" if changes else ""))
        for item in held:
            inner = [one for _, one in item.walk()][1:]
            _line(f"  {item.text}", _counted(inner), item.cites)
    console.print()
    console.print(f"One of them with all that is in it: rulewright show {ruleset.name} NAME")


def _counted(inner: Sequence[rw.contents.Item]) -> str:
    rows = sum(one.word == "row" for one in inner)
    clauses = sum(one.word != "row" and one.address != "" for one in inner)
    return ", ".join([plural(rows, "row")] * (rows > 0) + [plural(clauses, "clause")] * (clauses > 0))


def _line(text: str, beside: str, cites: Sequence[str]) -> None:
    parts = [text, f"   {beside}" if beside else "", *(f"  @{cite}" for cite in cites)]
    out().print(Text.assemble(parts[0], (parts[1], "cyan"), ("".join(parts[2:]), "dim")), soft_wrap=True)


def _is_block(line: str, item: rw.contents.Item) -> bool:
    """True for a change with statements below its first line."""
    return line.partition("\n")[0] == f"replace {item.address}"


def _whole(item: rw.contents.Item) -> None:
    """An item with all that is in it, each line behind its address."""
    console = out()
    lines = list(item.walk())
    width = max(len(inner.address) for _, inner in lines if len(inner.address) <= _WIDEST) if lines else 0
    for depth, inner in lines:
        cites = "".join(f"  @{cite}" for cite in inner.cites)
        text = Text.assemble((f"{inner.address:<{width}}", "cyan"), "  ", "    " * depth, inner.text, (cites, "dim"))
        console.print(text, soft_wrap=True)
    console.print()
    console.print(f"{item.file}:{item.line}")
    ready = [line for depth, inner in lines for line in inner.lines if depth == 0 or not _is_block(line, inner)]
    if len(lines) > 1 and _is_block("".join(ready[:1]), item):
        del ready[0]  # all that is in it is changed line by line
    if ready:
        console.print()
        console.print("Lines for a variant, with what stands there now:")
        console.print(indent("\n".join(ready), "    "), soft_wrap=True, markup=False, highlight=False)
    words = dict.fromkeys(word for _, inner in lines for word in inner.changes if word not in ("set", "replace"))
    console.print()
    for word in words:
        able = [inner.address for _, inner in lines if word in inner.changes]
        shown = ", ".join(able[:4]) + (" …" if len(able) > 4 else "")
        console.print(Text.assemble((f"{word:<13}", "bold"), shown), soft_wrap=True)
