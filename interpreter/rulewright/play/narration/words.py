"""Names of fields, zones, values and pieces as they stand in a narration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.data.display_names import DisplayNames, counted
from rulewright.play.game import Game
from rulewright.play.view_model import Zone

ARROW = "\N{RIGHTWARDS ARROW}"

MOST = 6
"""Names that are listed before the others are only counted."""


class Wording:
    """The words of one game."""

    def __init__(self, game: Game) -> None:
        self.model = game.model
        self._names = DisplayNames(game.ruleset.manifest)
        self._rules = frozenset(function.name for function in game.program.functions)
        self._hidden_in: dict[str, frozenset[str]] = {}

    def title(self, name: str) -> str:
        """A name of the rules as words."""
        return self._names.name(name)

    def text(self, key: str) -> str:
        """A key of the rules as words; a team is called by its members."""
        return "+".join(map(self._names.text, self.model.teams.get(key, (key,))))

    def phrase(self, phrase: str, **values: object) -> str:
        """One of the phrases of this package, with its values."""
        return self._names.phrase(phrase, **values)

    def line(self, phrase: str, values: Sequence[str | Sequence[tuple[str, str]]]) -> str:
        """A line of the log by the rules, with its values."""
        words = (
            self.text(one)
            if isinstance(one, str)
            else self.value(tuple(number + self.text(key) for number, key in one))
            for one in values
        )
        return self._names.filled(phrase, {str(number): word for number, word in enumerate(words, start=1)})

    def member(self, universe: str, key: str) -> str:
        """A key of a universe; a place that is only a number is called ``province 5``."""
        found = self.model.universes.get(universe)
        bare = found is not None and found.sort in ("place", "merged") and key[:1].isdigit()
        return f"{self.title(universe.lower())} {key}" if bare else self.text(key)

    def noun(self, universe: str) -> str:
        """The kind of thing that is chosen from a universe; empty for numbers."""
        return "" if universe in ("", "Int", "Bool", "Piece") else universe.lower()

    def answer(self, name: str, key: str = "") -> str | None:
        """The words of the manifest for answers to a question, or for one of them alone; None if it has none."""
        return self._names.answer(name, key)

    def is_rule(self, name: str) -> bool:
        """True for the name of a rule that does something."""
        return name in self._rules

    def several(self, names: Sequence[str], most: int = MOST) -> str:
        """Some names, of many only the first and how many more there are."""
        if len(names) <= most:
            return ", ".join(names)
        return self.phrase(
            "{names} and {number} more", names=", ".join(names[: most - 2]), number=len(names) - most + 2
        )

    def value(self, value: Any) -> str:
        """A value of a view."""
        if isinstance(value, Mapping):
            return self.phrase("{count} (hidden)", count=value.get("count", "?"))
        if isinstance(value, list | tuple):
            return self.several([self.value(one) for one in value]) or self.phrase("nothing")
        if isinstance(value, bool):
            return self.phrase("yes" if value else "no")
        return self.phrase("none") if value is None else self.text(str(value))

    def pieces(self, name: str, count: int) -> str:
        """Some pieces of one name."""
        return counted(name, count)

    def hidden_in(self, zone: Zone) -> frozenset[str]:
        """The keys, as words, of pieces that may lie hidden in a zone."""
        if zone.name not in self._hidden_in:
            names = zone.covered or zone.kinds
            kinds = [kind for kind in self.model.kinds if kind.name in names or not names]
            keys = self.model.keys("Piece")
            self._hidden_in[zone.name] = frozenset(self.text(keys[n]) for kind in kinds for n in kind.members)
        return self._hidden_in[zone.name]

    def zone(self, name: str, index: Sequence[str], keys: Sequence[str]) -> str:
        """A zone: ``deck``, ``hand of blue``, ``on (5, 6)``."""
        owners: list[str] = []
        rest: list[str] = []
        for universe, key in zip(index, keys, strict=False):
            (owners if self.model.universes[universe].sort in ("player", "party") else rest).append(self.text(key))
        words = self.title(name)
        if owners:
            words = self.phrase("{zone} of {owner}", zone=words, owner=", ".join(owners))
        return " ".join([words, *rest])
