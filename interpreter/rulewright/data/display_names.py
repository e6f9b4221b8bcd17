"""Words of the rules as players are shown them: an edition may call things otherwise than its rules do."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulewright.data.manifest import Manifest

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TIMES = "\N{MULTIPLICATION SIGN}"
_GAP = re.compile(r"\{(\w+|\d+)\}")


def counted(name: str, count: int) -> str:
    """Some things of one name: ``2 × knight``, but ``A 3 borders (2 ×)``, as two numbers in a row are misread."""
    if count == 1:
        return name
    return f"{name} ({count} {_TIMES})" if any(map(str.isdecimal, name)) else f"{count} {_TIMES} {name}"


class DisplayNames:
    """Puts the words of a ruleset's manifest in the place of those of the rules."""

    def __init__(self, manifest: Manifest) -> None:
        self._words = manifest.words
        self._phrases = manifest.log.phrases
        self._asks = manifest.asks
        self._answers = manifest.log.answers

    def name(self, name: str) -> str:
        """A name of the rules, in words."""
        return self._words.get(name) or name.replace("_", " ")

    def key(self, key: str) -> str:
        """A key of a piece, value or option, word by word."""
        if not self._words:
            return key
        return _WORD.sub(lambda found: self._words.get(found[0], found[0]), key)

    def text(self, key: str) -> str:
        """A key as it stands in a sentence, where nobody has to write it again."""
        return _WORD.sub(lambda found: self.name(found[0]), key)

    def phrase(self, phrase: str, **values: object) -> str:
        """A phrase with its values, which are in braces in it: as the manifest has it, or as it is."""
        return self.filled(phrase, {name: str(value) for name, value in values.items()})

    def question(self, name: str, player: str) -> str:
        """The sentence that the manifest has for a decision, such as ``turn.source``; empty if it has none."""
        return _GAP.sub(lambda gap: player if gap[1] == "player" else gap[0], self._asks.get(name, ""))

    def answer(self, name: str, key: str = "") -> str | None:
        """The words of the manifest for answers to a question, or for one of them alone, with a gap for the answer."""
        return self._answers.get(f"{name} {key}" if key else name)

    def filled(self, phrase: str, values: Mapping[str, str]) -> str:
        """A phrase with its holes filled by values, given by name."""
        return _GAP.sub(lambda gap: values.get(gap[1], gap[0]), self._phrases.get(phrase, phrase))
