"""The one place that guesses what was meant by a misspelt word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

from rulewright.foundation import limits

_LONGEST = 80
_NUMBER = re.compile(r"\d+")
_NEAR = 3
"""Beyond the names that are looked through whole, only those are that have this length more or less."""


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` is most likely a misspelling of, or None if nothing comes near.

    The order of `candidates` does not matter, so sets and dictionaries may be passed.
    """
    if not word or len(word) > _LONGEST:
        return None
    return _suggested(word, frozenset(candidates))


@lru_cache(maxsize=256)
def _suggested(word: str, candidates: frozenset[str]) -> str | None:
    folded: dict[str, str] = {}
    for candidate in sorted(candidates):
        folded.setdefault(_fold(candidate), candidate)
    if (same := folded.get(_fold(word))) is not None:
        return same if same != word else None
    found = _closest(_fold(word), _likely(_fold(word), list(folded)))
    return folded[found] if found is not None else None


def _likely(word: str, names: list[str]) -> list[str]:
    """Of very many names those that are as long as the word and begin or end like it: comparing takes long."""
    if len(names) <= limits.GUESSED:
        return names
    like = [n for n in names if abs(len(n) - len(word)) <= _NEAR and (n[:1] == word[:1] or n[-2:] == word[-2:])]
    like.sort(key=lambda n: (-_shared(n, word) - _shared(n[::-1], word[::-1]), n))
    return sorted(like[: limits.GUESSED])


def _shared(one: str, other: str) -> int:
    """The number of equal letters at the beginning."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _closest(word: str, names: list[str]) -> str | None:
    # Short words have little to compare: one wrong letter of three is already a third.
    cutoff = 0.5 if len(word) <= 4 else 0.65
    found = get_close_matches(word, names, n=1, cutoff=cutoff)
    return found[0] if found else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """``did you mean `purple`?``, or an empty string: made for :attr:`Diagnostic.hint`."""
    found = suggest(word, candidates)
    return f"did you mean `{found}`?" if found else ""


def did_you_mean_key(key: str, keys: Iterable[str]) -> str:
    """Advice for a key that does not exist: one with the numbers it has, else some with its words, or with one of them;
    of a number no spelling can be guessed."""
    keys, numbers, words = list(dict.fromkeys(keys)), _NUMBER.findall(key), _NUMBER.sub("", key)
    if found := did_you_mean(key, (k for k in keys if _NUMBER.findall(k) == numbers)):
        return found
    alike = [k for k in keys if numbers and _NUMBER.sub("", k) == words]
    shared = [k for k in keys if not set(words.split()).isdisjoint(k.split())]
    alike = alike or [k for k in shared if set(words.split()) <= set(k.split())] or shared
    alike = alike or list({_NUMBER.sub("", k): k for k in keys[::-1]}.values())[::-1]  # one of each kind
    return f"there is {listing(alike, 4)}" if alike else ""


def listing(words: Iterable[str], most: int = 12) -> str:
    """```a`, `b` and `c```: words for a sentence, in the order given, cut off after `most`."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) > most:
        quoted = [*quoted[:most], f"{len(quoted) - most} more"]
    return quoted[0] if len(quoted) == 1 else " and ".join((", ".join(quoted[:-1]), quoted[-1])) if quoted else "none"


def _fold(word: str) -> str:
    return word.lower().replace("-", "_").replace(" ", "_")
