"""Matching of the clauses of one ruleset with those of another.

Everything here is the same seen from both sides: comparing b with a finds the pairs of comparing a with b.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rulewright.comparison.diff.clause_tree import Part

Pair = tuple[Part, Part]

_ALIKE = 0.5
"""Clauses that share so much of their words are one clause that has changed."""
_WORD = re.compile(r"\w+|[^\w\s]+")


def common(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Places of a longest common subsequence: of several the first in the order of the alphabet."""
    start = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    return [(k, k) for k in range(start)] + [(start + i, start + j) for i, j in _common(old[start:], new[start:])]


def _common(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    longest = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            here = longest[i + 1][j + 1] + 1 if old[i] == new[j] else 0
            longest[i][j] = max(here, longest[i + 1][j], longest[i][j + 1])
    found: list[tuple[int, int]] = []
    i = j = 0
    while wanted := longest[i][j]:
        for word in sorted(set(old[i:]) & set(new[j:])):
            at, beside = old.index(word, i), new.index(word, j)
            if longest[at + 1][beside + 1] == wanted - 1:
                found.append((at, beside))
                i, j = at + 1, beside + 1
                break
    return found


def align(old: Sequence[Part], new: Sequence[Part], tokens: dict[Part, str]) -> list[Pair]:
    """Clauses of two blocks that stand for each other in the same order: those with a common token, those that agree,
    and between them those that are alike."""

    def key(part: Part) -> str:
        return tokens.get(part) or "\n".join((part.label or "", part.word, *part.lines))

    anchors = common([key(part) for part in old], [key(part) for part in new])
    found: list[tuple[int, int]] = []
    for (a, b), (c, d) in pairwise([(-1, -1), *anchors, (len(old), len(new))]):
        gap = [(i, j) for i in range(a + 1, c) for j in range(b + 1, d)]
        found += [(a, b), *_alike(old, new, [g for g in gap if not old[g[0]].label and not new[g[1]].label])]
    return [(old[i], new[j]) for i, j in found if i >= 0]


def _alike(old: Sequence[Part], new: Sequence[Part], gap: list[tuple[int, int]]) -> list[tuple[int, int]]:
    ranked = sorted((_rank(old, new, i, j), i, j) for i, j in gap if likeness(old[i], new[j]) >= _ALIKE)
    found: list[tuple[int, int]] = []
    for _, i, j in ranked:
        if all((i < a and j < b) or (i > a and j > b) for a, b in found):
            found.append((i, j))
    return sorted(found)


def _rank(old: Sequence[Part], new: Sequence[Part], i: int, j: int) -> tuple[float, list[tuple[str, ...]], int, int]:
    # The likest first; of equals the first in an order that does not ask which side is which.
    return -likeness(old[i], new[j]), sorted([old[i].lines, new[j].lines]), i + j, abs(i - j)


def likeness(old: Part, new: Part) -> float:
    """The share of words that two clauses have in common, from 0 to 1, alone or with all that is below them."""
    if old.word != new.word:
        return 0.0
    return max(_shared([old.wording], [new.wording]), _shared(old.lines[1:], new.lines[1:]))


def _shared(old: Iterable[str], new: Iterable[str]) -> float:
    ours, theirs = (Counter(word for text in side for word in _WORD.findall(text)) for side in (old, new))
    total = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / total if total else 0.0


def same_labels(old: Iterable[Part], new: Iterable[Part]) -> list[Pair]:
    """Labelled clauses that stand for each other, wherever they stand.

    A label is unique, but for binders and options that may be called alike, and rows: of these first those that agree,
    then the likest, then the others in their order.
    """
    ours, theirs = _by_label(old), _by_label(new)
    found: list[Pair] = []
    for label, one in ours.items():
        other = theirs.get(label, [])
        for agree in (_same_lines, _whatever):
            pairs = [(i, j) for i in range(len(one)) for j in range(len(other)) if agree(one[i], other[j])]
            candidates = sorted((_rank(one, other, i, j), i, j) for i, j in pairs)
            gone: set[int] = set()
            taken: set[int] = set()
            for _, i, j in candidates:
                if i not in gone and j not in taken:
                    gone.add(i)
                    taken.add(j)
                    found.append((one[i], other[j]))
            one = [part for i, part in enumerate(one) if i not in gone]
            other = [part for j, part in enumerate(other) if j not in taken]
    return found


def _same_lines(old: Part, new: Part) -> bool:
    return old.word == new.word and old.lines == new.lines


def _whatever(old: Part, new: Part) -> bool:
    return True


def _by_label(parts: Iterable[Part]) -> dict[tuple[str, bool], list[Part]]:
    # A row may be called like an attribute.
    found: dict[tuple[str, bool], list[Part]] = {}
    for part in parts:
        if part.label is not None:
            found.setdefault((part.label, part.word == "row"), []).append(part)
    return found


def tokens(pairs: Iterable[Pair]) -> dict[Part, str]:
    """A word for each pair of labelled clauses, the same from both sides."""
    found: dict[Part, str] = {}
    seen: Counter[str] = Counter()
    for old, new in pairs:
        word = f"\0{old.label} {old.word == 'row'}"
        found[old] = found[new] = f"{word} {seen[word]}"
        seen[word] += 1
    return found
