"""Findings of a run so far: each violation once, how often it was seen, and which ones are accepted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.fuzzing.failures import KINDS, Found, FuzzArgumentError, Key
from rulewright.fuzzing.search.portion_search import Harvest

ACCEPTED = "accepted.txt"
"""The file of a corpus that names accepted findings: one key a line, and comments after `#`."""


def key_of(label: str) -> Key:
    """The key that is written like ``error/RUN007/turn``; an error if there is no such kind."""
    word, _, name = label.strip().partition("/")
    for kind in KINDS:
        if kind == word and name:
            return kind, name.replace("/", " ")
    if word in KINDS:
        raise FuzzArgumentError(f"`{label}` names no finding: nothing follows `{word}/`")
    guess = did_you_mean(word, KINDS)
    raise FuzzArgumentError(
        f"`{label}` names no finding: it must begin with {listing(KINDS)}{'; ' + guess if guess else ''}"
    )


def accepted_in(folder: Path | None) -> list[Key]:
    """The keys that the file of a corpus accepts."""
    file = folder / ACCEPTED if folder is not None else None
    if file is None or not file.is_file():
        return []
    found = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        label = line.partition("#")[0].strip()
        if label:
            try:
                found.append(key_of(label))
            except FuzzArgumentError as error:
                raise FuzzArgumentError(f"{file}:{number}: {error}") from error
    return found


class Findings:
    """The findings of one run."""

    def __init__(self, seed: int, accepted: Iterable[Key]) -> None:
        self.seed = seed
        self.accepted = frozenset(accepted)
        self.seen: Counter[Key] = Counter()
        """In how many games there was each trouble."""
        self.found: dict[Key, Found] = {}
        """The first game with each trouble that is not accepted."""

    def take(self, harvest: Harvest, games: int) -> Found | None:
        """Add what a portion has found, before which so many games were played; the trouble if it is new."""
        self.seen.update(harvest.seen)
        one = harvest.found
        if one is None or one.trouble.key in self.known:
            return None
        self.found[one.trouble.key] = replace(one, seed=self.seed, game=games + one.game if one.game else 0)
        return self.found[one.trouble.key]

    @property
    def known(self) -> frozenset[Key]:
        """All that need not be found again."""
        return self.accepted.union(self.found)
