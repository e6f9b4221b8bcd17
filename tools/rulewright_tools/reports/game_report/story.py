"""A sample game in sentences: how it begins, where it turns, how it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import rulewright as rw
from rulewright_tools.reports.game_report.replays import Replay, looks
from rulewright_tools.reports.html.parts import Html, element, paragraphs, section

LITTLE = frozenset({"pieces", "shown"})
"""Kinds of lines that repeat what an answer means."""
LEFT_OUT = LITTLE | {"chance", "values"}
"""Kinds that are left out of a story, but where there is little else, as in games of dice."""
BEGINNING, TURN, END = 10, 22, 14
"""Lines of each part."""
FEW = 60
"""Lines of a game whose dice and numbers belong to the story."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some successive lines of a game."""

    title: str
    lines: tuple[rw.narration.Line, ...]


def sample_game(game: rw.Game, replays: Sequence[Replay], standing: str) -> Html:
    """The part of a page with the interesting lines of a game of usual length."""
    ended = [one for one in replays if one.played.finished]
    if not ended:
        return Html("")
    usual = sorted(ended, key=lambda one: (one.played.decisions, one.played.seed))[len(ended) // 2]
    parts = _parts(game, usual, standing)
    shown = [section(part.title, _paragraphs(part.lines), level=3) for part in parts]
    decisions = usual.played.decisions
    lead = f"One of the games, of usual length ({decisions} decisions), as its log has it; seed {usual.played.seed}."
    return section("A game in sentences", paragraphs([lead]), *shown)


def _parts(game: rw.Game, replay: Replay, standing: str) -> list[Part]:
    lines = _lines(game, replay.played)
    first = next((n for n, line in enumerate(lines) if line.kind == "answer"), 0)
    without = LEFT_OUT if sum(line.kind not in LEFT_OUT for line in lines) >= FEW else LITTLE
    places = [n for n, line in enumerate(lines) if line.kind not in without and n >= first]
    if len(places) <= BEGINNING + TURN + END:
        return [Part("From the first answer to the end", tuple(lines[n] for n in places))]
    turn = _turn(replay, standing)
    number = 0 if turn is None else _line_after(lines, turn)
    at = sum(place < number for place in places) - TURN // 2
    at = min(max(at, BEGINNING), len(places) - END - TURN)
    title = "In the middle" if turn is None else "Where it turns"
    groups = ("It begins", 0, BEGINNING), (title, at, at + TURN), ("It ends", len(places) - END, len(places))
    return [Part(name, tuple(lines[n] for n in places[begin:end])) for name, begin, end in groups]


def _lines(game: rw.Game, played: rw.playing.Played) -> tuple[rw.narration.Line, ...]:
    """The lines of a game as all players read them."""
    state = game.start(seed=played.seed)
    for answer in played.answers:
        state = state.choose(answer)
    return rw.narration.story(game, state, rw.playing.PUBLIC)


def _line_after(lines: Sequence[rw.narration.Line], answers: int) -> int:
    """The number of the line with which so many answers have been given."""
    given = 0
    for number, line in enumerate(lines):
        given += line.entries if line.kind == "answer" else 0
        if given >= answers:
            return number
    return len(lines)


def _turn(replay: Replay, standing: str) -> int | None:
    """The number of answers before the largest change of who is ahead; None if nothing shows that."""
    series = replay.resources.get(standing) or next(iter(replay.resources.values()), None)
    if series is None or len(series[0]) < 2:
        return None
    winner = replay.played.places.index(1) if 1 in replay.played.places else 0
    ahead = [row[winner] - max(value for seat, value in enumerate(row) if seat != winner) for row in series]
    steps = [after - before for before, after in pairwise(ahead)]
    if not any(steps):
        return None
    best = max(range(len(steps)), key=lambda n: (steps[n], n))
    return looks(replay.played.decisions)[best + 1]


def _paragraphs(lines: Sequence[rw.narration.Line]) -> Html:
    """Paragraphs: lines of one speaker after each other are one."""
    return element("ul", *_items(lines), class_="story")


def _items(lines: Sequence[rw.narration.Line]) -> Iterator[Html]:
    for (who, _), group in groupby(lines, key=lambda line: (_speaker(line), line if line.kind == "end" else None)):
        texts = [line.text.removeprefix(f"{who}: ") for line in group]
        text = "; ".join(texts)
        head = (element("b", who), " ") if who else ()
        yield element("li", *head, text.replace("_", " "))


def _speaker(line: rw.narration.Line) -> str:
    who, colon, _ = line.text.partition(": ")
    return who if colon and line.kind in ("answer", "chance") else ""
