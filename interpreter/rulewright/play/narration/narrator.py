"""Narrator: looks at a game and describes what has happened, line by line."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal

from rulewright.compiler.citations import citation_index
from rulewright.diagnostics import RulesetError
from rulewright.engine import (
    AnnouncedLine,
    Note,
    Observer,
    Result,
    State,
    announced_lines,
    moments,
    notes_between,
    ranking_values,
)
from rulewright.engine.runtime.machine import DRAW
from rulewright.ir import model as m
from rulewright.play.game import Game
from rulewright.play.narration.log_lines import Entry, Line, lines
from rulewright.play.narration.piece_changes import piece_changes
from rulewright.play.narration.piece_moves import alike_exchanges, joined
from rulewright.play.narration.words import ARROW, Wording
from rulewright.play.view_model import Field, GameModel

_NO_ENTRY = object()
"""In place of a value that the reader does not see."""

_NOTHING: tuple[object, ...] = (None, 0, False, [], ())
"""Values of fields in which nothing stands."""

_UNSEEN = re.compile(r"back( #\d+)?")
"""The name of a piece in a view of which the reader sees nothing, not even where it lies."""

_WHERE = re.compile(r"( in \w+(\[[^\]]*\])?)?( #\d+)?$")
"""The number at the end of a piece's name in a view, where several are alike."""


def value_changes(
    wording: Wording,
    before: Mapping[str, Any],
    now: Mapping[str, Any],
    hides: Collection[str],
    lasting: Collection[str],
    ground: str,
) -> Iterator[str]:
    """The sentences on all fields of two views, in the order of the rules, but for those that the ruleset hides. That a
    lasting field has nothing in it again is left out, and so is what was under the ground."""
    for field in wording.model.fields:
        if field.name in now["fields"] and field.name not in hides:
            was, now_held = before["fields"].get(field.name, _NO_ENTRY), now["fields"][field.name]
            if was == now_held:
                continue
            changed = _changed(wording.model, field, was, now_held)
            if field.name in lasting:
                changed = {keys: values for keys, values in changed.items() if values[1] not in _NOTHING}
            kind = "land" if field.name == ground else field.type.kind
            yield from sentences(wording, field.name, field.index, kind, changed)


def sentences(
    wording: Wording, name: str, index: tuple[str, ...], kind: str, changed: Mapping[str, tuple[Any, Any]]
) -> Iterator[str]:
    """Sentences on values that have changed, given by their keys with the old value and the new one. Keys with the same
    change share a sentence; what differs only in the last of several keys stands together, as a stock of goods does."""
    together: dict[str, list[str]] = {}
    if kind == "int" and len(index) > 1 and wording.model.universes[index[-1]].sort in ("enum", "player", "party"):
        yield from _by_last_key(wording, name, index, changed)
        return
    for keys, (was, new) in changed.items():
        subject = wording.member(index[0], keys) if len(index) == 1 and keys else wording.text(keys)
        together.setdefault(_change(wording, name, kind, was, new), []).append(subject)
    for change, subjects in together.items():
        yield f"{wording.several(subjects)}: {change}" if any(subjects) else change


def _by_last_key(
    wording: Wording, name: str, index: tuple[str, ...], changed: Mapping[str, tuple[Any, Any]]
) -> Iterator[str]:
    """Sentences on numbers with several keys: ``anna: stock wood, brick 2 → 1 (-1); ore 0 → 3 (+3)``."""
    found: dict[str, dict[str, list[str]]] = {}
    for keys, (was, new) in changed.items():
        subject, _, last = keys.rpartition(", ")
        subject = wording.member(index[0], subject) if len(index) == 2 else wording.text(subject)
        found.setdefault(subject, {}).setdefault(_amount(wording, was, new), []).append(wording.member(index[-1], last))
    together: dict[str, list[str]] = {}
    for subject, amounts in found.items():
        text = "; ".join(f"{wording.several(names)} {amount}" for amount, names in amounts.items())
        together.setdefault(text, []).append(subject)
    for text, subjects in together.items():
        yield f"{wording.several(subjects)}: {wording.title(name)} {text}"


def _amount(wording: Wording, was: Any, now: Any) -> str:
    """The change of a number."""
    if isinstance(was, int) and isinstance(now, int):
        return f"{was} {ARROW} {now} ({now - was:+})"
    return wording.value(now) if was is _NO_ENTRY else f"{wording.value(was)} {ARROW} {wording.value(now)}"


def _change(wording: Wording, name: str, kind: str, was: Any, now: Any) -> str:
    words, value = wording.title(name), wording.value
    if kind == "bool" and was is not _NO_ENTRY:
        return words if now else wording.phrase("no longer {name}", name=words)
    if was is _NO_ENTRY:
        return wording.phrase("{name} is {value}", name=words, value=value(now))
    if kind == "set" and isinstance(was, list | tuple) and isinstance(now, list | tuple):
        more, fewer = [x for x in now if x not in was], [x for x in was if x not in now]
        parts = [wording.phrase("with {values}", values=value(more))] if more else []
        parts += [wording.phrase("without {values}", values=value(fewer))] if fewer else []
        return wording.phrase("{name} now {values}", name=words, values=", ".join(parts))
    if kind == "land":
        return (
            f"{words} {value(now)}"
            if now is not None
            else wording.phrase("no longer {name}", name=f"{words} {value(was)}")
        )
    if kind == "list" or was is None:
        return f"{words} {ARROW} {value(now)}"
    return f"{words} {_amount(wording, was, now)}"


def _changed(model: GameModel, field: Field, was: Any, now: Any) -> dict[str, tuple[Any, Any]]:
    """The values of a field that are not what they were, by their keys."""
    if not field.index:
        return {"": (was, now)}
    if "Piece" in field.index and len(set(model.keys("Piece"))) < len(model.keys("Piece")):
        return _of_alike(was, now)
    found = {}
    unseen = _of_unseen(now) - _of_unseen(was) if "Piece" in field.index else Counter[str]()
    for keys in dict.fromkeys((*_named(was), *_named(now))):
        if "Piece" in field.index and _UNSEEN.fullmatch(keys):
            continue
        old, new = _entry(was, keys), _entry(now, keys)
        if old is not _NO_ENTRY and unseen[json.dumps(old)] and keys not in now["values"]:
            unseen[json.dumps(old)] -= 1  # the piece has gone out of sight, with its value
            continue
        if new is not _NO_ENTRY and old != new:
            found[keys] = old, new
    return found


def _of_unseen(entry: Any) -> Counter[str]:
    """The values of pieces of which the reader sees nothing."""
    values = {} if entry is _NO_ENTRY else entry["values"]
    return Counter(json.dumps(value) for keys, value in values.items() if _UNSEEN.fullmatch(keys))


def _named(entry: Any) -> tuple[str, ...]:
    return () if entry is _NO_ENTRY else (*entry["values"], *entry.get("hidden", ()))


def _entry(entry: Any, keys: str) -> Any:
    if entry is _NO_ENTRY or keys in entry.get("hidden", ()):
        return _NO_ENTRY
    return entry["values"].get(keys, entry["default"])


def _of_alike(was: Any, now: Any) -> dict[str, tuple[Any, Any]]:
    """Changes of keys among which pieces are alike: only the new values, as nothing tells whose they were."""

    def counted(entry: Any) -> Counter[tuple[str, str]]:
        values = {} if entry is _NO_ENTRY else entry["values"]
        seen = ((keys, value) for keys, value in values.items() if not _UNSEEN.fullmatch(keys))
        return Counter((_WHERE.sub("", keys), json.dumps(value)) for keys, value in seen)

    return {keys: (_NO_ENTRY, json.loads(value)) for keys, value in counted(now) - counted(was)}


_KINDS: Mapping[str, Literal["chance", "shown"]] = {"chance": "chance", "rules": "shown"}
"""The kinds of entries that are no answers, by who gives them."""


class Narrator:
    """Looks at the states of one game, in order, with the eyes of one reader.

    Changes are described at each decision, and before each entry of the reader's log: an answer, chance, a line of the
    rules. Hidden decisions of chance in between make no difference.
    """

    def __init__(self, game: Game, state: State, viewer: int | None) -> None:
        self.game = game
        self.viewer = viewer
        self._observer = Observer(state, viewer)
        self._wording = Wording(game)
        self._questions = _questions(game)
        hints = game.ruleset.manifest
        self._hides = {*hints.draw.hides, *hints.log.hides} - {*hints.log.shows}
        self._lasting = _lasting(game)
        self._shown: dict[str, dict[str, Any]] = {}
        entries = self._entries(state)
        self.lines_so_far = tuple(lines(self._wording, entries))
        """The log of the state in which they sit down; its other contents are left out."""
        self._reported: Mapping[str, Any] = self._observer.before
        self._reported_at = self._state = state
        self._side_changes(state)

    def look(self, state: State, notes: Sequence[Note] | None = None) -> tuple[Line, ...]:
        """The lines on all that has happened since they looked last; `notes` are those of the rules, if known."""
        return tuple(lines(self._wording, self.look_closely(state, notes)))

    def look_closely(self, state: State, notes: Sequence[Note] | None = None) -> tuple[Line | Entry, ...]:
        """Look at a state, with each entry of the log by itself."""
        notes = notes_between(self._state, state) if notes is None else notes
        seen, before = self._observer.before, self._state
        entries = self._entries(state)
        found: list[Line | Entry] = [*self._changes(before, seen), *entries] if entries else []
        for line in announced_lines(state, notes, self.viewer):  # what was seen before it stands before it
            found += self._changes(line.moment, line.moment.view(self.viewer))
            if isinstance(line, AnnouncedLine):
                found.append(Line("told", self._wording.line(line.phrase, line.values), line.cites))
        self._state = state
        if state.status != DRAW:
            found += self._changes(state, self._observer.before)
        if state.result is not None and before.result is None:
            found += self._end(state)
        return tuple(found)

    # ------------------------------------------------------------------------------------------ the log

    def answer(self, who: str, name: str, key: str | None) -> str:
        """One entry of the log as a line of its own; empty if a later line describes it."""
        made = self._entry({"who": who, "name": name, "key": key}, 0)
        return next((line.text for line in lines(self._wording, [made])), "")

    def _entries(self, state: State) -> list[Entry]:
        """The entries of the log that the viewer observes anew."""
        found = [entry for entry in self._observer.look(state) if "who" in entry]
        return [self._entry(entry, number) for entry, number in zip(found, self._observer.observed, strict=True)]

    def _entry(self, entry: Mapping[str, Any], number: int) -> Entry:
        who, name, key = entry["who"], entry["name"], entry["key"]
        rule, _, label = name.rpartition(".")
        universe, cites, words = self._questions.get(name, ("", (), ()))
        if key in words and key not in BARE:
            rule, label = "", ""  # the answer names the action
        elif rule == self.game.model.move and len(label) == 1:
            rule, label = "", self._wording.noun(universe)
        hidden = name in self.game.ruleset.manifest.log.hides
        return Entry(_KINDS.get(who, "answer"), who, name, rule, label, universe, key, cites, hidden, number)

    # ------------------------------------------------------------------------------------------ changes

    def _changes(self, state: State, now: Mapping[str, Any]) -> Iterator[Line]:
        """The lines on what has changed since the last description of changes."""
        before, self._reported = self._reported, now
        then, self._reported_at = self._reported_at, state
        if before is now:
            return
        wording, hints = self._wording, self.game.ruleset.manifest
        alike = alike_exchanges(then, state, self.viewer)
        places = joined(self.game.model, before, now)
        moved = piece_changes(wording, places, now, hints.draw.hides, hints.log.hides, alike)
        yield from (Line("pieces", text) for text in moved)
        values = value_changes(wording, before, now, self._hides, self._lasting, hints.draw.ground.field)
        same = all(before[part] == now[part] for part in ("fields", "zones", "regions", "players"))
        yield from (Line("values", text) for text in chain(values, () if same else self._side_changes(state)))
        yield from (Line("regions", text) for text in self._joined(before["regions"], now["regions"]))
        for was, player in zip(before["players"], now["players"], strict=True):
            if player["out"] and not was["out"]:
                out = wording.phrase("{player} is out of the game", player=wording.text(player["seat"]))
                yield Line("players", out)

    def _side_changes(self, state: State) -> Iterator[str]:
        """The changes of what the manifest shows beside the board, and of whose land is what; all may see it."""
        hints, model = self.game.ruleset.manifest.draw, self.game.model
        found: list[str] = []
        for query in model.queries:
            places = (
                {model.board.place} if model.board is not None and query.name in (hints.tint, hints.rim) else set[str]()
            )
            if (query.name not in hints.shows and not places) or query.name in self._hides:
                continue
            if query.index and (len(query.index) > 1 or query.index[0] not in places | self._owners()):
                continue
            before = self._shown.get(query.name, {})
            keys = model.keys(query.index[0]) if query.index else ("",)
            now = {key: _answer(state, query.name, key) for key in keys}
            changed = {key: (before[key], now[key]) for key in keys if key in before and before[key] != now[key]}
            self._shown[query.name] = now
            whole = all(type(value) is int for value in now.values())
            kind = "land" if places else "int" if whole else "entity"
            found += sentences(self._wording, query.name, query.index, kind, changed)
        return iter(found)

    def _owners(self) -> set[str]:
        return {u.name for u in self.game.model.universes.values() if u.sort in ("player", "party")}

    # ------------------------------------------------------------------------------------------ the end

    def _joined(self, before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
        """The regions that have become one."""
        for name, regions in now.items():
            for places in regions:
                parts = [part for part in before.get(name, ()) if set(part) <= set(places)]
                if len(parts) > 1:
                    named = ", ".join("+".join(map(self._wording.text, part)) for part in parts)
                    region = self._wording.title(name.lower())
                    yield self._wording.phrase("{places} become one {region}", places=named, region=region)

    def _end(self, state: State) -> Iterator[Line]:
        assert state.result is not None
        rule, wording = state.result.rule, self._wording
        cites = [c.statement for c in citation_index(self.game.ruleset).citations if c.rule == rule and not c.example]
        text = wording.phrase("the game ends: {rule}", rule=wording.title(rule))
        yield Line("end", text, tuple(dict.fromkeys(cites)))
        values = _reached(wording, state, self.viewer)
        for place, who in state.result.standings:
            named = [_with(wording.text(one), values.pop(one, "")) for one in who]
            yield Line("end", f"{place}. {wording.several(named)}")
        if how := ended(state.result):
            yield Line("end", wording.phrase(how))
        for party, reached in values.items():
            yield Line("end", f"{wording.text(party)}: {reached}")


def ended(result: Result) -> str:
    """The end in words where places do not show it: no player has won, it is a draw, several have won together."""
    first = (*result.winners, *result.parties)
    if not first:
        return "nobody has won"
    return "it is a draw" if result.drawn else "they have won together" if len(first) > 1 else ""


def reached(game: Game, state: State, viewer: int | None) -> dict[str, str]:
    """For each player or party the values by which they were ranked, as far as the viewer may know them:
    ``final score 5, ducats 17``. Empty while the game goes on, or if it was not ranked by values."""
    return _reached(Wording(game), state, viewer)


def _reached(wording: Wording, state: State, viewer: int | None) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for value in ranking_values(state, viewer):
        name = wording.title(value.name) or wording.phrase("value")
        for who, number in value.values:
            found.setdefault(who, []).append(f"{name} {wording.value(number)}")
    if state.result is not None and state.engine.payoffs.pays:
        seats = state.engine.layout.universes["Player"].keys
        for seat, payoff in zip(seats, state.result.payoffs, strict=True):
            found.setdefault(seat, []).append(wording.phrase("payoff {payoff}", payoff=str(payoff)))
    return {who: ", ".join(values) for who, values in found.items()}


def _with(seat: str, values: str) -> str:
    return f"{seat} ({values})" if values else seat


def story(game: Game, state: State, viewer: int | None) -> tuple[Line, ...]:
    """The lines on the whole game up to a state, from before its first rule on. Of a state that its log does not lead
    to (of one that was laid by hand, saved and loaded) only what stands in the log."""
    (first, _), *others = moments(state)
    narrator = Narrator(game, first, viewer)
    later = (one for moment, notes in others for one in narrator.look_closely(moment, notes))
    return (*narrator.lines_so_far, *lines(Wording(game), later))


def _answer(state: State, query: str, key: str) -> Any:
    try:
        return state.ask(query, key) if key else state.ask(query)
    except RulesetError:
        return None  # before the game is laid out, not every query has an answer


def _lasting(game: Game) -> frozenset[str]:
    """The fields that get their first values again when a block is over."""
    code = (i for function in game.program.functions for i in function.code)
    return frozenset(field for i in code if isinstance(i, m.Reset) for field in i.fields)


BARE = frozenset({"yes", "no"})
"""Answers that mean nothing without their question."""


def _questions(game: Game) -> dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Of each question, by its name, the universe from which is chosen, the statements behind it, and the answers that
    are words."""
    return {
        f"{function.name}.{i.label}": (i.universe, i.cites, tuple(extra.key for extra in i.extras))
        for function in game.program.functions
        for i in function.code
        if isinstance(i, m.Choose)
    }


def actions(game: Game, question: str) -> tuple[str, ...]:
    """The answers to a question that are words, if there are no others."""
    universe, _, words = _questions(game).get(question, ("", (), ()))
    return () if universe else words
