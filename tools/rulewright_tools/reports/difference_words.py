"""A difference of two rulesets in words: its lines, what differs in them, what it means, the statements it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import rulewright as rw

_WORD = re.compile(r"\s+|\w+|[^\w\s]")


def shown(found: rw.diff.Comparison, cites: bool) -> tuple[rw.diff.Difference, ...]:
    """The differences to report; those of one declaration together, first those that depend on the number of players:
    they are easily overlooked."""
    several = (*found.differences, *(found.cited if cites else ()))
    places = {name: place for place, name in enumerate(dict.fromkeys(one.declaration for one in several))}
    counted = {one.declaration for one in several if one.players}
    return tuple(sorted(several, key=lambda one: (one.declaration not in counted, places[one.declaration])))


def sides(difference: rw.diff.Difference) -> Iterator[tuple[str, rw.diff.Wording, str]]:
    """The lines of a difference, ``-`` the old wording, ``+`` the new one, ``~`` both, each with what it cites."""
    old, new = difference.old, difference.new
    if old is not None and new is not None and difference.kind in ("moved", "cited"):
        both = (_cites(old), _cites(new))
        yield "~", new, " → ".join(cites or "nothing" for cites in dict.fromkeys(both)) if any(both) else ""
        return
    if old is not None:
        yield "-", old, _cites(old)
    if new is not None:
        yield "+", new, _cites(new)


def _cites(wording: rw.diff.Wording) -> str:
    return " ".join(f"@{id}" for id in wording.cites)


def remarks(difference: rw.diff.Difference) -> str:
    """The meaning of a difference, where it stands, and with how many players."""
    # Where a clause has gone to, its note has already.
    inside = [f"in `{' / '.join(difference.inside)}`"] if difference.inside and difference.kind != "moved" else []
    text = "; ".join([*difference.notes, *inside])
    players = [players_in_words(difference.players)] if difference.players else []
    return ": ".join([*players, text] if text else players)


def emphasis(difference: rw.diff.Difference) -> dict[str, list[tuple[str, bool]]]:
    """The two wordings of a changed clause in words, and for each whether the other side has it not."""
    if difference.kind != "changed" or difference.old is None or difference.new is None:
        return {}
    old, new = (_WORD.findall(wording.text) for wording in (difference.old, difference.new))
    parts: dict[str, list[tuple[str, bool]]] = {"-": [], "+": []}
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for sign, part in (("-", old[a:b]), ("+", new[c:d])):
            if part:
                parts[sign].append(("".join(part), what != "equal"))
    return parts


def statements(found: rw.diff.Comparison, difference: rw.diff.Difference) -> list[tuple[str, str]]:
    """The statements that a difference cites, in the words of each side's rulebook."""
    found_words: dict[str, str] = {}
    for side, wording in ((found.old, difference.old), (found.new, difference.new)):
        for id in wording.cites if wording is not None else ():
            found_words.setdefault(id, side.words(id) or "(not in the index of the rulebook)")
    return list(found_words.items())


def players_in_words(counts: Sequence[int], between: str = "or") -> str:
    """``with 2, 3 or 4 players``."""
    *others, last = map(str, counts)
    some = f"{', '.join(others)} {between} {last}" if others else last
    return f"with {some} players"
