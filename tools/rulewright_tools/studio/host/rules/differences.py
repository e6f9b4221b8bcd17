"""Differences of the rules of a game from others, clause by clause, as data for a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import rulewright as rw
from rulewright_tools.reports.difference_words import emphasis, remarks, sides, statements
from rulewright_tools.studio.host.files.folder import Folder

Against = Literal["rules", "opened"]
"""The other side: the rules without variants and parameters, or as they were when the page had them first."""

MOST = 300
"""The number of differences that are listed; of more than that only the number is given."""


def differences(
    folder: Folder, game: rw.Game, options: Mapping[str, str], opened: rw.Ruleset | None
) -> Iterator[dict[str, Any]]:
    """Comparisons of the rules of a game, each with another side; only those that find something, and the first."""
    side = rw.diff.Side(game.ruleset, game.variants, options, game.players)
    if game.variants or options:
        plain = rw.diff.Side(game.ruleset, players=game.players)
        yield _comparison_data(folder, "rules", rw.compare(plain, side))
    elif game.ruleset.base is not None:
        yield _comparison_data(folder, "rules", rw.compare(side))
    if opened is not None and (before := _as_before(side, opened)) is not None:
        found = rw.compare(before, side)
        if not found.equal:
            yield _comparison_data(folder, "opened", found)


def _as_before(side: rw.diff.Side, opened: rw.Ruleset) -> rw.diff.Side | None:
    """The choices of a game in the rules as they were, as far as these know them; None if they cannot be compared."""
    setup = rw.playing.setup_choices(opened)
    if side.players not in setup.players:
        return None
    known = {one.name for one in setup.parameters}
    variants = tuple(title for title in side.variants if title in setup.variants)
    options = {name: value for name, value in side.options.items() if name in known}
    return rw.diff.Side(opened, variants, options, side.players)


def _comparison_data(folder: Folder, against: Against, found: rw.diff.Comparison) -> dict[str, Any]:
    first = found.differences[:MOST]
    return {
        "against": against,
        "number": len(found.differences),
        "differences": [_difference(folder, one) for one in first],
        "statements": dict(sorted(pair for one in first for pair in statements(found, one))),
    }


def _difference(folder: Folder, difference: rw.diff.Difference) -> dict[str, Any]:
    words = emphasis(difference)
    return {
        "kind": difference.kind,
        "address": difference.address,
        "remark": remarks(difference),
        "lines": [
            {
                "sign": sign,
                "words": [
                    {"text": text, "differs": differs} for text, differs in words.get(sign, [(wording.text, False)])
                ],
                "below": list(wording.below),
                "cites": list(wording.cites),
                "file": folder.name_of(Path(wording.span.file)),
                "line": wording.span.line,
            }
            for sign, wording, _ in sides(difference)
        ],
    }
