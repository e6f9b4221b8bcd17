"""DAT034: two that look alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject


@lint("DAT034")
def equal_colours(subject: Subject) -> Iterator[Finding]:
    """Two kinds of pieces, or two values of an enum, that the hints for drawing give one colour and nothing else."""
    source = subject.ruleset.manifest.source
    draw = source.value.get("draw") if source is not None and isinstance(source.value, dict) else None
    if source is None or not isinstance(draw, dict) or not isinstance(draw.get("colours"), dict):
        return
    by_attribute = _table(draw, "colour_by")
    kinds = {kind.name for game in subject.games for kind in game.program.kinds} - set(by_attribute)
    families = [tuple(sorted(kinds)), *dict.fromkeys(u.keys for game in subject.games for u in game.program.universes)]
    reported: set[str] = set()
    for family in families:
        first: dict[tuple[str, ...], str] = {}
        for word in family:
            look = _look(draw, word)
            if look is not None and word not in reported and (other := first.setdefault(look, word)) != word:
                reported.add(word)
                message = f"`{other}` and `{word}` have one colour: nobody can tell them apart"
                hint = "give one of them another colour, or a shape or label of its own"
                yield Finding(message, source.span(("draw", "colours", word), key=True), hint)


def _look(draw: Mapping[str, object], word: str) -> tuple[str, ...] | None:
    """The look that hints give to a word; None if they give it no colour."""
    colour = _table(draw, "colours").get(word)
    if not isinstance(colour, str):
        return None
    ground = draw.get("ground")
    tables = [_table(draw, name) for name in ("shapes", "labels", "badges")]
    tables += [_table(ground, name) for name in ("signs", "icons")] if isinstance(ground, dict) else []
    return (_plain(colour), *(str(table.get(word, "")) for table in tables))


def _table(holder: Mapping[str, object], name: str) -> dict[str, object]:
    held = holder.get(name)
    return held if isinstance(held, dict) else {}


def _plain(colour: str) -> str:
    """A colour in one spelling: ``#f00`` is ``#ff0000``."""
    short = len(colour) == 4 and colour.startswith("#")
    return ("#" + "".join(digit * 2 for digit in colour[1:]) if short else colour).lower().replace("gray", "grey")
