"""The words of a prototype: what players may do, from questions and options of the rules, and the rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, groupby

import rulewright as rw
from rulewright_tools.printing.layout import Layout, headed
from rulewright_tools.question_words import question_words

_CALLED = re.compile(r"(?:step )?([a-z_][A-Za-z0-9_]*)")
_GAP = re.compile(r"\s*\{\w+\}")
_SENTENCE = re.compile(r"(?<=[.?!] )\w")
_MAIN = "play"
"""The procedure that is the game."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A question of the rules, with what can be answered and what forbids it."""

    question: str
    options: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """The name of a step."""

    step: str


@dataclass(frozen=True, slots=True)
class Next:
    """The names of parts that are carried out here, in their order."""

    next: tuple[str, ...]


@dataclass(slots=True)
class Part:
    """A part of the player aid: a procedure or a step, in the order in which it is carried out."""

    title: str
    entries: list[Choice | Step | Next] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A section of the rulebook."""

    title: str
    statements: tuple[str, ...]


def rules(layout: Layout) -> tuple[Chapter, ...]:
    """The statements of the rulebook that bind the players, by section."""
    book = layout.game.ruleset.rulebook
    held = [one for one in (book.statements if book is not None else ()) if one.counted]
    return tuple(
        Chapter(headed(section.strip("() ")), tuple(one.statement for one in group))
        for section, group in groupby(held, key=lambda one: one.section)
    )


def aid(layout: Layout) -> tuple[Part, ...]:
    """The course of the game, with the choices that players have in it."""
    return tuple(part for part in _Aid(layout).parts() if part.entries)


def dice(layout: Layout) -> tuple[str, ...]:
    """The dice that the rules name, with their faces."""
    game = layout.game
    contents = rw.contents.contents(game.ruleset, game.players, game.variants)
    texts = [item.text.removeprefix("die ").partition("  @")[0] for item in contents if item.word == "die"]
    found = []
    for name, faces in (text.partition(":")[::2] for text in texts):
        words = (layout.model.keys(face.strip()) or (face.strip(),) for face in faces.split(","))
        found.append(f"{headed(layout.words(name.strip()))}: {layout.names.text(', '.join(chain(*words)))}")
    return tuple(found)


class _Aid:
    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        game = layout.game
        found = rw.contents.contents(game.ruleset, game.players, game.variants)
        self._rules = {item.address: item for item in found if item.word in ("procedure", "effect")}
        self._player = layout.names.phrase("the player")

    def parts(self) -> Iterator[Part]:
        """All procedures with questions to players, in the order in which they are reached."""
        waiting, seen = [_MAIN], set[str]()
        while waiting:
            name = waiting.pop(0)
            if name not in seen and name in self._rules:
                seen.add(name)
                title = self._layout.names.phrase("order of play") if name == _MAIN else self._layout.words(name)
                part, further = Part(headed(title)), list[str]()
                self._entries(self._rules[name].items, part, further)
                yield part
                waiting = [*further, *waiting]

    def _entries(self, items: tuple[rw.contents.Item, ...], part: Part, further: list[str]) -> None:
        for item in items:
            if item.word == "choice":
                if (
                    item.address
                    and not item.text.startswith("chance ")
                    and item.address.rpartition(".")[2] not in self._layout.hides
                ):
                    part.entries.append(self._choice(item))
            elif item.word == "step":
                part.entries.append(Step(headed(self._layout.words(item.text.removeprefix("step ").split(" ")[0]))))
            elif item.word == "callstatement":
                self._call(item.text, part, further)
            self._entries(item.items, part, further)

    def _call(self, text: str, part: Part, further: list[str]) -> None:
        called = _CALLED.match(text)
        if called is None or called[1] not in self._rules:
            return
        name = called[1]
        if self._asks(name, set()) and name not in self._layout.hides:
            title = self._layout.words(name)
            match part.entries[-1:]:
                case [Next(before)]:
                    part.entries[-1] = Next(tuple(dict.fromkeys((*before, title))))
                case _:
                    part.entries.append(Next((title,)))
            further.append(name)

    def _asks(self, name: str, above: set[str]) -> bool:
        """True if a rule, or one that it calls, has a question to players."""
        rule = self._rules.get(name)
        if rule is None or name in above:
            return False
        for _, item in rule.walk():
            if item.word == "choice" and not item.text.startswith("chance "):
                return True
            called = _CALLED.match(item.text) if item.word == "callstatement" else None
            if called is not None and self._asks(called[1], above | {name}):
                return True
        return False

    def _choice(self, item: rw.contents.Item) -> Choice:
        names = self._layout.names
        question = names.question(item.address, self._player)
        if not question:
            what = question_words(self._layout.game, names, item.address)
            question = names.phrase("{player} chooses: {what}", player=headed(self._player), what=what)
        options = tuple(self._option(item.address, one) for one in item.items if one.word == "option")
        barred = dict.fromkeys(names.name(one.address.rpartition(".")[2]) for one in _restrictions(item))
        return Choice(_SENTENCE.sub(lambda found: found[0].upper(), headed(question)), options, tuple(barred))

    def _option(self, question: str, item: rw.contents.Item) -> str:
        """The name of an option, with the words of the log for it where they say more."""
        names = self._layout.names
        key = item.address.rpartition(".")[2]
        name = names.name(key)
        worded = _GAP.sub("", names.answer(question, key) or "").strip()
        return headed(f"{name}: {worded}" if worded and worded.lower() != name.lower() else name)


def _restrictions(item: rw.contents.Item) -> Iterator[rw.contents.Item]:
    """The named restrictions of a choice and of its options, without those of choices within."""
    for one in item.items:
        if one.word == "forbid" and one.text.startswith(f"forbid {one.address.rpartition('.')[2]}:"):
            yield one
        elif one.word != "choice":
            yield from _restrictions(one)


def texts(aids: tuple[Part, ...]) -> Iterator[str]:
    """All texts of the player aid."""
    for part in aids:
        yield part.title
        for entry in part.entries:
            match entry:
                case Step(step):
                    yield step
                case Next(further):
                    yield from further
                case Choice(question, options, barred):
                    yield from (question, *options, *barred)
