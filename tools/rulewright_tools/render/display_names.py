"""Words of the rules as players are shown them: an edition may call things otherwise than its rules do."""

from __future__ import annotations

import re

import rulewright as rw

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class DisplayNames:
    """Puts the words of a ruleset's manifest in the place of those of the rules."""

    def __init__(self, game: rw.Game) -> None:
        self._words = game.ruleset.manifest.words

    def name(self, name: str) -> str:
        """A name of the rules, in words."""
        return self._words.get(name) or name.replace("_", " ")

    def key(self, key: str) -> str:
        """A key of a piece, value or option, word by word."""
        if not self._words:
            return key
        return _WORD.sub(lambda found: self._words.get(found[0], found[0]), key)


__all__ = ["DisplayNames"]
