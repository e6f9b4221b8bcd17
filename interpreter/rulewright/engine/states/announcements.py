"""The lines that rules announce (``is_line``), as a player may read them, and the states between which they were made.

Nothing is kept of them while a game is played: the last step is played again with a log of the announcements. Noted
are the cells and the frame of the moment, in which the values are evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import replace
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine.faults import Fault
from rulewright.engine.hidden_information.observations.history import origin_of, played_again
from rulewright.engine.hidden_information.piece_words import seen_pieces
from rulewright.engine.hidden_information.visibility import known_faces, seen
from rulewright.engine.runtime.canonical_form import frames
from rulewright.engine.runtime.machine import INSIDE, Engine
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.query_calls import by_key, readable
from rulewright.engine.runtime.records import RULES, Mode
from rulewright.engine.states.state import State, advance
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.knowledge.kept_results import lines_of_all

Note = tuple[str, int, list[int], list[int], int]
"""A line as a run notes it: function, instruction, cells, stack, base of the frame."""


Word = str | tuple[tuple[str, str], ...]
"""A name or number; of a keyed value those names that have something, each behind its number."""


@dataclass(frozen=True, slots=True)
class AnnouncedLine:
    """A line as a player hears it."""

    phrase: str
    """The line with its gaps numbered: ``{1} builds in {2}``; so an edition can say it in other words."""
    values: tuple[Word, ...]
    """The words in the gaps, in their order."""
    cites: tuple[str, ...]
    moment: State
    """The state in which it was announced, in the middle of the rules: no question is pending in it."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A moment in which a player still knows what lies somewhere unseen, and after which not."""

    moment: State


def notes_between(before: State, after: State) -> list[Note]:
    """The lines that were announced between a state and a later one."""
    if not tells_anything(before.engine):
        return []
    found: list[Note] = []
    state = copy(before)
    state.mode = replace(before.mode, announcements=found, fired=None, watch=None)
    try:
        for entry in after.log[len(before.log) :]:
            if entry.who != RULES and state.decision is not None and state.decision.who == entry.who:
                state = state.choose(entry.key)
    except RulesetError:
        return []  # the one state has not come of the other
    return found


def announced_lines(state: Position, notes: Iterable[Note], player: int | None) -> list[AnnouncedLine | Glimpse]:
    """Lines as a player (by number) may read them; None reads all. Of a piece that they do not see only is given
    what kind of thing it is. Between them stand the moments that all know of after which something is forgotten."""
    engine = state.engine
    public = engine.once("public lines", lines_of_all)
    found: list[AnnouncedLine | Glimpse] = []
    last: tuple[State, int] | None = None
    for note in notes:
        name, pc, cells, stack, base = note
        i = engine.program.functions[engine.compiled.ctx.functions[name]].code[pc]
        is_line, calls = isinstance(i, m.Tell), list(_calls(engine, stack, base))
        if player is not None and not (public.is_public if is_line else public.seen)((name, pc), calls):
            continue
        moment = State.at_rest(engine, cells, Mode(), None)
        now = _out_of_sight(moment, player)
        found += _before(last, now)
        last = moment, now
        if isinstance(i, m.Tell):
            try:
                found.append(AnnouncedLine(numbered(i.words), _values(engine, i, note, player), i.cites, moment))
            except (Fault, RulesetError, *INSIDE):
                continue  # a value that cannot be worked out is no mistake of the game
    return found + _before(last, _out_of_sight(state, player))


def _before(last: tuple[State, int] | None, now: int) -> list[AnnouncedLine | Glimpse]:
    """The last moment, if something that was known in it is not any more."""
    return [Glimpse(last[0])] if last is not None and last[1] & ~now else []


def _out_of_sight(state: Position, player: int | None) -> int:
    """The pieces of which a player knows in which zone they lie though they see nothing of it."""
    if player is None:
        return 0
    engine, found = state.engine, 0
    for number in engine.compiled.ctx.uncounted:
        instance = engine.layout.instances[number]
        declared = engine.program.zones[instance.zone]
        facets = seen(state, declared, player).rows[number - engine.layout.zones[declared.name].first]
        if not facets:
            found |= known_faces(state, instance, facets, player)
    return found


def _calls(engine: Engine, stack: list[int], base: int) -> Iterator[tuple[str, int]]:
    """The calls that are on the stack below a frame, by function and instruction."""
    for frame in frames(engine, stack):
        if frame.base >= base:
            return
        yield engine.program.functions[frame.function].name, frame.pc


def tells_anything(engine: Engine) -> bool:
    """True if the rules announce anything at all."""
    return engine.once(
        "tells anything", lambda program: any(isinstance(i, m.Tell) for f in program.functions for i in f.code)
    )


def numbered(words: tuple[str, ...]) -> str:
    """The words of a line with numbered gaps between them."""
    return words[0] + "".join(f"{{{number}}}{part}" for number, part in enumerate(words[1:], start=1))


def _values(engine: Engine, i: m.Tell, note: Note, player: int | None) -> tuple[Word, ...]:
    name, pc, cells, stack, base = note
    found = []
    for at, ty in enumerate(i.types):
        raw = _value(engine, i, name, pc, at)(cells, engine.registers(base), stack, base)
        found.append(_word(engine, i, at, ty, raw, cells, player))
    return tuple(found)


def _value(engine: Engine, i: m.Tell, name: str, pc: int, at: int) -> Callable[..., Any]:
    """A function for one value of a line, made once."""
    made: dict[tuple[str, int, int], Callable[..., Any]] = engine.cache("values of lines")

    if (name, pc, at) not in made:
        function, value = engine.compiled.ctx.functions[name], i.values[at]
        made[name, pc, at] = engine.compiled.in_frame(function, -1, lambda x, scope: x.value(value, scope))
    return made[name, pc, at]


def _word(engine: Engine, i: m.Tell, at: int, ty: m.Ty, raw: Any, cells: list[int], player: int | None) -> Word:
    if ty.keys:
        held = by_key(engine, ty, raw).items()
        return tuple((f"{number} " if ty.universe == "Int" else "", key) for key, number in held if number)
    if ty.universe == "Piece" and raw >= 0 and player is not None:
        then = Position.at_rest(engine, cells, Mode(), None)
        if raw not in seen_pieces(then, player):
            return i.kinds[at] or "piece"
    value = readable(engine, ty, raw)
    return "none" if value is None else str(value)


def moments(state: State) -> tuple[tuple[State, list[Note]], ...]:
    """The states through which a game has come to this one, each with the lines that rules have announced on the way to
    it, found by playing its log again. The first is that before any rule was carried out. Of a state without the whole
    of its log only itself."""
    played: list[tuple[State, list[Note]]] = played_again(state, advance)
    if not played:
        return ((state, []),)
    return (State.at_rest(state.engine, list(origin_of(state).cells), Mode(True), None), []), *played
