"""A decision in words: what may be answered, what is known of it, and why something may not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import rulewright as rw
from rulewright_tools.console import plural
from rulewright_tools.render.picture import Picture
from rulewright_tools.session.option_choice import Choices

FEW = 12
"""Places and edges up to this number are listed; more are marked on the board and counted."""

ALONE = 8
"""Up to this number each option has a line of its own."""

_COORDINATES = re.compile(r"\([^()]*\)")


class Asking:
    """The prompts and option lists of the decisions of one game."""

    def __init__(self, game: rw.Game, choices: Choices) -> None:
        self._choices = choices
        self._printed = [one for one in game.model.attributes if one.universe == "Piece"]

    def lines(self, decision: rw.Decision, picture: Picture, width: int) -> list[str]:
        """The options as they are offered: many places and edges only in sum, for the board shows them."""
        sort = self._choices.sort(decision)
        members = [option for option in decision.options if not option.extra]
        if sort not in ("place", "edge") or len(members) <= FEW:
            return self._listed(decision.options, decision, picture, width)
        words = [option for option in decision.options if option.extra]
        return [*self._listed(words, decision, picture, width), f"  {self._sum(decision, sort, members)}"]

    def listed(self, decision: rw.Decision, part: str, picture: Picture, width: int) -> list[str]:
        """All options, or those with a word in their key, or in one row of the map."""
        options = [option for option in decision.options if self._concerns(decision, option, part.strip().lower())]
        if not options:
            return [f"No option has {part!r} in it."]
        return self._listed(options, decision, picture, width)

    def _sum(self, decision: rw.Decision, sort: str, members: Sequence[rw.Option]) -> str:
        noun = "place" if sort == "place" else "edge"
        first, lookup = members[0].key, self._choices.lookup(decision)
        if sort == "place":
            example = f"`{_short(first)}`"
            marked = "marked •"
        else:
            place = lookup.ends(first)[0]
            ways = [way for way, key in lookup.at(place) if key == first]
            example = f"`{_short(place)} {ways[0]}`"
            marked = "drawn as thin lines" if lookup.shape in ("grid", "hexes") else "not drawn"
        lists = "`list` shows all"
        if lookup.shape == "grid":
            row = first.strip("(").partition(",")[0]
            lists += f", `list {row}` those in row {row}"
        return f"{plural(len(members), noun)}, {marked}: write {example} for {first}; {lists}."

    def _listed(self, options: Sequence[rw.Option], decision: rw.Decision, picture: Picture, width: int) -> list[str]:
        pieces = self._choices.sort(decision) == "piece"
        texts = {}
        for option in options:
            known = self._known(option, picture) if pieces and not option.extra else ""
            shown = self._choices.names.key(option.key)
            texts[option.index + 1] = f"{shown}   {known}" if known else shown
        if any(option.key.isdigit() for option in decision.options):
            # Where keys are numbers themselves, others would only confuse.
            return ["  " + "  ".join(texts.values())] if texts else []
        return columns(texts, width, ALONE if self._choices.sort(decision) in ("piece", "other") else 0)

    def _known(self, option: rw.Option, picture: Picture) -> str:
        """The values printed on a piece that do not stand in its key, and its place on the map."""
        found = []
        words = option.key.split()
        for printed in self._printed:
            value = printed.values[option.value]
            name = printed.name.replace("_", " ")
            if value is True:
                found.append(name)
            elif isinstance(value, tuple) and value and printed.type.universe in ("Int", "Bool"):
                amounts = [one for one in value if isinstance(one, str)]  # a number for each: `2 wood`
                found += [f"{name} {', '.join(amounts)}"] if amounts else []
            elif isinstance(value, str) or (
                isinstance(value, int) and value is not False and printed.type.low <= value <= printed.type.high
            ):
                found += [f"{name} {value}"] if str(value) not in words else []
        spots = [spot.key for spot in picture.everywhere if any(item.key == option.key for item in spot.items)]
        return ", ".join([*found, *(f"at {place}" for place in spots[:1])])

    def _concerns(self, decision: rw.Decision, option: rw.Option, part: str) -> bool:
        if not part:
            return True
        if part.isdigit() and self._choices.lookup(decision).shape == "grid" and not option.extra:
            return any(place.startswith(f"({part},") for place in option.key.split("|"))
        return part in option.key.lower()


def columns(texts: Mapping[int, str], width: int, alone: int = ALONE) -> list[str]:
    """Numbered options, side by side if they are more than `alone`."""
    if not texts:
        return []
    digits = len(str(max(texts)))
    entries = [f"{number:>{digits + 2}} {text}" for number, text in texts.items()]
    if len(entries) <= alone:
        return entries
    wide = max(map(len, entries)) + 2
    across = max(1, min(width, 120) // wide)
    rows = -(-len(entries) // across)
    return ["".join(entry.ljust(wide) for entry in entries[row::rows]).rstrip() for row in range(rows)]


def statements_of(game: rw.Game) -> dict[str, str]:
    """The statements of the rulebook by their ids, and those of the rulebook of an extended ruleset."""
    return {id: one.statement for id, one in game.ruleset.statements.items()}


def refusal(refused: rw.Refusal, statements: Mapping[str, str]) -> Iterable[str]:
    """The reasons why an option is not offered, with the statements of the rulebook behind them."""
    if not refused.reasons:
        yield "This is possible."
    for reason in refused.reasons:
        yield reason.text if reason.label in ("not_among", "unseen") else f"{reason.text} ({reason.label})"
        for cite in reason.cites:
            yield f"    @{cite}  {statements.get(cite, '')}".rstrip()


def _short(place: str) -> str:
    """A short form of a place: its numbers without their marks."""
    return place.strip("()").replace(",", "") if _COORDINATES.fullmatch(place) else place
