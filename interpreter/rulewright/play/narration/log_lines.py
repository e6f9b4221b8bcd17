"""Entries of the log as lines: what one player has answered, or chance has given, without anything in between is one
line, and of one question it is one list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from rulewright.data.display_names import counted
from rulewright.play.narration.words import Wording

DONE = "done"
"""The answer that ends a choice of several."""

HIDDEN = "(hidden)"
"""In place of an answer that the reader may not know."""


REACTION, PASS = ".react", "pass"
"""The end of the name of a decision whether a player reacts, and the answer of those who do not."""


def has_words(wording: Wording, name: str, universe: str, key: str | None) -> bool:
    """True if there are words for this answer to a question."""
    return _words(wording, name, universe, key) is not None


def answer_words(wording: Wording, name: str, answers: Sequence[tuple[str, str | None]]) -> list[str] | None:
    """Words for answers in a row to one question, each with the universe from which it is chosen; None if the manifest
    has no words for all of them. Several chosen members are listed without the word that ends the choice."""
    if not all(has_words(wording, name, universe, key) for universe, key in answers):
        return None
    if len(answers) > 1 and answers[-1][1] == DONE:
        answers = answers[:-1]
    return [phrase for phrase in _phrases(wording, name, answers) if phrase]


def _phrases(wording: Wording, name: str, answers: Sequence[tuple[str, str | None]]) -> Iterator[str]:
    for words, group in groupby(answers, key=lambda one: _words(wording, name, *one) or ""):
        together = list(group)
        hidden = sum(key is None for _, key in together)
        keys = [counted(wording.phrase(HIDDEN), hidden)] if hidden else []
        keys += [wording.member(universe, key) for universe, key in together if key is not None]
        yield words.replace("{answer}", ", ".join(keys))


def _words(wording: Wording, name: str, universe: str, key: str | None) -> str | None:
    """The words for one answer: its own, or those of its question unless it is an action that interrupts it."""
    own = wording.answer(name, HIDDEN if key is None else key)
    if own is not None:
        return own
    if key is not None and wording.is_rule(key) and key not in wording.model.keys(universe):
        return wording.answer(key)
    if key == PASS and name.endswith(REACTION):
        return wording.phrase("does not react")
    return wording.answer(name)


Kind = Literal["answer", "chance", "shown", "told", "pieces", "values", "regions", "players", "end"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a narration."""

    kind: Kind
    """``answer``, ``chance`` and ``shown`` are entries of the log, ``told`` is a line that the rules write; the others
    are what has changed, or the end."""
    text: str
    cites: tuple[str, ...] = ()
    """The statements of the rulebook behind it, as far as they are known."""
    entries: int = 0
    """The number of entries of the log that it stands for."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the log as the reader hears it."""

    kind: Literal["answer", "chance", "shown"]
    who: str
    name: str
    """The question in the rules, such as ``turn.card``."""
    rule: str
    """The rule that asks."""
    label: str
    """The name of the answer in it."""
    universe: str
    """The universe from which it is chosen, if it is known."""
    key: str | None
    """None: the reader may not know it."""
    cites: tuple[str, ...] = ()
    in_own_words: bool = False
    """True if the rules describe it in their own words: then their line has its number."""
    number: int = 0
    """The number of the answer in the game's log; a hidden answer that is revealed later has two entries."""


_CHANGES = ("pieces", "values", "regions", "players")


def lines(wording: Wording, items: Iterable[Line | Entry]) -> Iterator[Line]:
    """Lines on entries and on what stands between them; a hidden answer that is revealed among them has no own line."""
    waiting, kept = 0, list(items)
    revealed = {one.number for one in kept if isinstance(one, Entry) and one.key is not None}
    kept = [one for one in kept if isinstance(one, Line) or one.key is not None or one.number not in revealed]
    for who, together in groupby(kept, key=_speaker):
        if who is not None:
            found = [one for one in together if isinstance(one, Entry)]
            if found[0].in_own_words:
                waiting += len(found)
                continue
            if (joined := _line(wording, found)) is None:
                waiting += len(found)
                continue
            together = iter((joined,))
        for line in together:
            assert isinstance(line, Line)
            here = waiting if line.kind not in _CHANGES else 0
            yield replace(line, entries=line.entries + here)
            waiting -= here


def _speaker(one: Line | Entry) -> tuple[str, str, bool] | None:
    return (one.kind, one.who, one.in_own_words) if isinstance(one, Entry) else None


def _line(wording: Wording, entries: Sequence[Entry]) -> Line | None:
    """The line on answers in a row; None if a later line describes them."""
    first = entries[0]
    cites = tuple(dict.fromkeys(cite for entry in entries for cite in entry.cites))
    who = wording.text(first.who) if first.kind == "answer" else wording.phrase(first.kind)
    parts, before = [], ""
    for (name, rule, _), group in groupby(
        _named_once(wording, entries), key=lambda one: (one.name, one.rule, one.label)
    ):
        together = list(group)
        if (phrases := answer_words(wording, name, [(entry.universe, entry.key) for entry in together])) is not None:
            parts += phrases
            continue
        parts.append(_part(wording, together, before))
        before = rule
    return Line(first.kind, f"{who}: {', '.join(parts)}", cites, len(entries)) if parts else None


def _named_once(wording: Wording, entries: Sequence[Entry]) -> Iterator[Entry]:
    """Entries without those that only name the rule which asks next: it names itself, or goes by its own name."""
    for entry, after in zip(entries, [*entries[1:], None], strict=True):
        if after is None or entry.key != after.rule or has_words(wording, entry.name, entry.universe, entry.key):
            yield entry
        elif len(after.label) > 1:
            yield replace(entry, label="", rule="")


def _part(wording: Wording, entries: Sequence[Entry], before: str) -> str:
    """The answers to one question, with its name: that of the answer, or, where that is a letter only, that
    of the rule, once for what follows in it."""
    first = entries[0]
    name = first.label if len(first.label) > 1 else "" if before == first.rule else first.rule
    words = wording.title(name) if name else ""
    keys = [wording.member(first.universe, entry.key) for entry in entries if entry.key is not None]
    hidden = len(entries) - len(keys)
    if hidden:
        unknown = wording.phrase("(hidden)")
        keys.insert(0, counted(unknown, hidden))
    if words and not all(words in key.split() or key.startswith(words) for key in keys):
        keys[0] = f"{words} {keys[0]}"
    return ", ".join(keys)
