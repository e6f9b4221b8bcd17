"""A moment in words: the position, what happens in it, and what would be otherwise by neighbours of a clause."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.compiler import OptionValue
from rulewright.diagnostics import RulesetError, Span
from rulewright.engine import Position, Result, State
from rulewright.findings.confirmation.episodes import Episode
from rulewright.findings.confirmation.separation import Separator, counted
from rulewright.findings.mutation.mutants import Mutant
from rulewright.play.game import Game
from rulewright.play.narration import Narrator
from rulewright.play.narration.log_lines import Line
from rulewright.play.narration.words import ARROW, Wording
from rulewright.play.scenarios.recording.recording import Recording, Untold, record
from rulewright.play.scenarios.recording.scenario_lines import Answer, ExpectationWords
from rulewright.syntax import ast, print_expr

FEW = 8
"""So many answers are listed."""

LINES = 4
"""Lines of a scenario about one neighbour."""

SHOWN = 6
"""Neighbours of which a moment shows what they would do, each something else if there are so many."""

PLAYED = 40
"""Neighbours among which they are chosen."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A neighbour of a clause, and what would be otherwise in a moment."""

    mutant: Mutant = field(repr=False)
    rule: str
    clause: str
    """The clause as it would be; empty: without it."""
    instead: tuple[str, ...]
    """The differences that it would make, line by line."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A position, the answers given in it, what follows, and what would follow by neighbours."""

    rule: str
    """``declaration.label`` of the clause that it is about."""
    clause: str
    span: Span
    cites: tuple[str, ...]
    comment: tuple[str, ...]
    """The comment of its author above it, or above its declaration."""
    players: int
    position: tuple[str, ...]
    """The differences from how a game begins, line by line."""
    events: tuple[str, ...]
    """The course of it, line by line."""
    measures: tuple[str, ...]
    """The numbers that neighbours would count otherwise."""
    question: str
    """The question at its end; empty if there is none."""
    unchanged: tuple[str, ...]
    """The values that stay as they are, and would not by a neighbour."""
    alternatives: tuple[Alternative, ...]
    scenario: str
    """The text of a scenario that holds as long as the rules do this; empty if none can say it."""
    game: Game = field(repr=False)
    before: State = field(repr=False)
    after: State = field(repr=False)

    @property
    def over(self) -> bool:
        """True if the game is over then."""
        return self.after.result is not None

    @property
    def choices(self) -> tuple[Alternative, ...]:
        """The other outcomes, each once, by the likeliest neighbour that has it."""
        return tuple({one.instead: one for one in reversed(self.alternatives) if one.instead}.values())[::-1]

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for moments that show the same, whatever else lies about, and with whatever procedure they begin."""
        return self.players, self.rule, self.clause, self.events[1:], self.measures, self.question, self.unchanged

    def data(self) -> dict[str, object]:
        """The moment as plain data."""
        return {
            "rule": self.rule,
            "clause": self.clause,
            "file": self.span.file,
            "line": self.span.line,
            "cites": list(self.cites),
            "comment": list(self.comment),
            "players": self.players,
            "position": list(self.position),
            "events": list(self.events),
            "measures": list(self.measures),
            "question": self.question,
            "unchanged": list(self.unchanged),
            "alternatives": [
                {"rule": one.rule, "clause": one.clause, "instead": list(one.instead)} for one in self.alternatives
            ],
            "scenario": self.scenario,
        }


Parted = tuple[Mutant, Separator]
"""A neighbour that a moment tells apart."""


def moment(
    game: Game,
    episode: Episode,
    step: int,
    main: Mutant,
    parted: Sequence[Parted],
    title: str,
    options: Mapping[str, OptionValue] | None = None,
) -> Moment:
    """A moment in words about the clause that a neighbour changes; `parted` are those that differ in it, the likeliest
    first, `title` that of its scenario, `options` the values of parameters that are not as the rules have them."""
    words = _MomentWords(game)
    first, after = episode.states[0], episode.states[step]
    laid = Position(game.program, 0, ask_chance=True)
    empty = laid.state
    laid.cells = list(episode.cells)
    narrator = Narrator(game, empty, None)
    position = [_as_position(line) for line in narrator.look(laid.state, ())]
    narrator = Narrator(game, laid.state, None)
    events = [words.begins(episode)]
    for at, state in enumerate(episode.states[: step + 1]):
        events += [line.text for line in narrator.look(state)]
        if at < step and 1 < len(episode.answers[at].decision.options) <= FEW:
            events.append(words.question(state) + (SECRETLY if episode.answers[at].decision.secret else ""))
    names = frozenset(name for _, separator in parted for name in separator.measures)
    alternatives, unchanged, lines = list[Alternative](), dict[str, None](), list[tuple[ast.ScenarioLine, int]]()
    for mutant, separator in parted[:PLAYED]:
        found = separator.first_difference(episode)
        if found is None or found.state is None:
            continue
        here, there = episode.states[found.step], words.translated(episode.states[found.step], found.state, separator)
        instead = (*words.differences(here, found.state, there), *words.recounted(here, found.state, separator))
        alternatives.append(Alternative(mutant, mutant.rule, mutant.after, instead))
        lines += [(line, step - found.step) for line in words.kept(found.state, here, there, separator)]
        if found.step == step:
            unchanged.update(dict.fromkeys(words.unchanged(laid.state, here, there)))
        if not separator.seen_alike:
            unchanged.update(dict.fromkeys(words.sight(here, separator)))
    return Moment(
        main.rule, main.before, main.span, main.cites, main.comment, game.players, tuple(position), tuple(events),
        tuple(words.measures(after, names)), words.question(after), tuple(unchanged), _distinct(alternatives),
        _scenario(game, after, title, lines, options or {}), game, first, after,
    )  # fmt: skip


SECRETLY = " (unseen by the others)"


def _as_position(line: Line) -> str:
    """A change from how a game begins, as a part of a position."""
    if line.kind == "pieces":
        return re.sub(rf": .* {ARROW} (.*)$", r": \1", line.text)
    return re.sub(rf" -?\d+ {ARROW} (-?\d+) \([+-]\d+\)", r" \1", line.text).replace(f" {ARROW} ", " is ")


def answered(episode: Episode, step: int, parted: Sequence[Parted]) -> tuple[Episode, int]:
    """The episode up to a rest, and one answer more if a neighbour does not offer a word that is offered there, such as
    `pass`: no line of a scenario but the answer itself expresses that."""
    state = episode.states[step]
    for _, separator in parted[:PLAYED]:
        found = separator.first_difference(episode)
        other = found.state.decision if found is not None and found.step == step and found.state is not None else None
        if state.decision is None or other is None or other.name != state.decision.name:
            continue
        keys = {option.key for option in other.options}
        for option in state.decision.options:
            if option.extra and option.key not in keys:
                try:
                    after = state.choose(option)
                except RulesetError:
                    continue
                answers = (*episode.answers[:step], Answer(state, state.decision, option))
                return replace(episode, answers=answers, states=(*episode.states[: step + 1], after)), step + 1
    return episode, step


def _distinct(alternatives: Sequence[Alternative]) -> tuple[Alternative, ...]:
    """Some of them, those first that do something which none before does."""
    first = list({one.instead: one for one in reversed(alternatives)}.values())[::-1]
    first.sort(key=lambda one: not one.instead)
    return (*first, *(one for one in alternatives if one not in first))[:SHOWN]


class _MomentWords:
    """The words of one game for what differs between two states."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.wording = Wording(game)
        self.lines = ExpectationWords(game.engine)

    def begins(self, episode: Episode) -> str:
        """The procedure with which it begins, and with what."""
        call = self.lines.start(episode.opening.function, episode.opening.args)
        given = (
            [self.wording.text(print_expr(one).strip('"')) for one in call.args] if isinstance(call, ast.Call) else []
        )
        named = f" ({self.wording.several(given)})" if given else ""
        return f"{self.wording.title(episode.opening.function)}{named}"

    def question(self, state: State) -> str:
        """The question of a state, with its answers if they are few."""
        decision = state.decision
        if decision is None:
            return ""
        options = [option.key for option in decision.options]
        return f"{self.wording.text(decision.who)}: {self._asked(decision.name)} – {self._listed(options)}"

    def _asked(self, name: str) -> str:
        rule, _, label = name.rpartition(".")
        return self.wording.title(label if len(label) > 1 else rule or label)

    def _listed(self, keys: Sequence[str]) -> str:
        return self.wording.several([self.wording.text(key) for key in keys], FEW)

    def translated(self, ours: State, theirs: State, separator: Separator) -> State:
        """A state of other rules in the cells of ours, as far as both have the same fields."""
        if separator.same_cells and separator.same_start:
            return theirs
        position = Position(self.game.program, 0, ask_chance=True)
        cells, layouts = theirs.in_order.cells, (ours.engine.layout, theirs.engine.layout)
        position.cells = list(cells if separator.same_cells else ours.in_order.cells)
        if separator.same_cells:
            return position.state
        for one in self.game.program.fields:
            if one.name in separator.alike:
                mine, other = (layout.fields[one.name] for layout in layouts)
                size = mine.count * mine.span
                if (mine.count, mine.span) == (other.count, other.span):
                    position.cells[mine.at : mine.at + size] = cells[other.at : other.at + size]
        return position.state

    def differences(self, ours: State, theirs: State, translated: State) -> Iterator[str]:
        """The differences of another state, in words."""
        yield from self._question(ours, theirs)
        narrator = Narrator(self.game, ours, None)
        changes = [line.text for line in narrator.look(translated, ()) if line.kind not in _ENTRIES]
        yield from changes
        if changes or translated is not theirs:
            return
        for seat, name in enumerate(self.game.seats):
            for line in Narrator(self.game, ours, seat).look(theirs, ()):
                if line.kind not in _ENTRIES:
                    yield f"{self.wording.text(name)} sees: {line.text}"

    def _question(self, ours: State, theirs: State) -> Iterator[str]:
        one, two = ours.decision, theirs.decision
        if one is None or two is None or (one.who, one.name) != (two.who, two.name):
            if one is not None or two is not None:
                yield self.question(theirs) or (
                    "the game is over" if theirs.result is not None else "no question follows"
                )
            elif ours.result is not None and theirs.result is None:
                yield "the game goes on"
            elif ours.result is not None and theirs.result is not None and ours.result != theirs.result:
                yield self._places(theirs.result)
            return
        mine, other = ([option.key for option in decision.options] for decision in (one, two))
        more, fewer = [key for key in other if key not in mine], [key for key in mine if key not in other]
        who = self.wording.text(one.who)
        if more:
            yield f"{who} may answer {self._listed(more)}, too"
        if fewer:
            yield f"{who} may not answer {self._listed(fewer)}"

    def _places(self, result: Result) -> str:
        winners = self.wording.several([self.wording.text(one) for one in result.winners], FEW)
        return f"{winners or 'nobody'} wins" if len(result.winners) < 2 else f"{winners} share the first place"

    def unchanged(self, before: State, ours: State, theirs: State) -> Iterator[str]:
        """The values that another state has changed, and ours has not."""
        names = {one.name for one in self.game.model.fields}
        views = [state.view(None)["fields"] for state in (before, ours, theirs)]
        for subject, (earlier, here, there) in self._fields(names, *views):
            if earlier == here != there:
                yield f"{subject} is {self.wording.value(here)}"

    def _fields(self, names: Container[str], *views: Mapping[str, object]) -> Iterator[tuple[str, list[object]]]:
        """The values of some fields in several views, each with the words for whose they are."""
        for one in self.game.model.fields:
            if one.name in names:
                for keys, values in _values([view.get(one.name) for view in views]):
                    owner = self.wording.member(one.index[0], keys) if len(one.index) == 1 else self.wording.text(keys)
                    title = self.wording.title(one.name)
                    yield (f"{owner}: {title}" if owner else title), values

    def measures(self, state: State, names: Iterable[str]) -> Iterator[str]:
        """The values of some measures."""
        for (name, member), value in counted(state, names).items():
            yield f"{self._counted(name, member)} {value}"

    def recounted(self, ours: State, theirs: State, separator: Separator) -> Iterator[str]:
        """The values of measures that another state counts otherwise."""
        there = separator.counted(theirs)
        for (name, member), value in separator.counted(ours).items():
            if there[name, member] != value:
                yield f"{self._counted(name, member)} {there[name, member]}, not {value}"

    def _counted(self, name: str, member: int | None) -> str:
        """The words for a measure, with what it counts for in front."""
        if member is None:
            return self.wording.title(name)
        query = self.game.engine.compiled.ctx.queries[name]
        universe = query.params[0].ty.universe
        key = self.game.engine.layout.universes[universe].keys[member]
        return f"{self.wording.member(universe, key)}: {self.wording.title(name)}"

    def kept(self, theirs: State, ours: State, translated: State, separator: Separator) -> list[ast.ScenarioLine]:
        """Lines that hold in our state and not in another one; recording leaves out those that do not hold."""
        lines: list[ast.ScenarioLine] = list(self.lines.changes(translated, ours)[:LINES])
        offered = self.lines.offered(ours)
        if offered is not None and _options(theirs) != _options(ours):
            lines.append(offered)
        there = separator.counted(theirs)
        for (name, member), value in separator.counted(ours).items():
            if there[name, member] != value:
                universe = (
                    () if member is None else (self.game.engine.compiled.ctx.queries[name].params[0].ty.universe,)
                )
                given = tuple(self.lines.member(one, member) for one in universe if member is not None)
                left = ast.Call(ast.Name(name), given) if given else ast.Name(name)
                lines.append(ast.SThen((ast.Binary("is", left, self.lines.member("Int", value)),)))
        if not separator.seen_alike:
            lines += self._seen(ours, separator)
        return lines

    def sight(self, state: State, separator: Separator) -> Iterator[str]:
        """Sentences on who sees the pieces in the zones that are open to others in other rules."""
        for zone in self.game.model.zones:
            if zone.name in separator.alike:
                continue
            for seat, name in enumerate(self.game.seats):
                held = state.view(seat)["zones"].get(zone.name, {})
                for keys in state.view(None)["zones"][zone.name].get("values", {}):
                    known = any("key" in piece for piece in held.get("values", {}).get(keys, {}).get("pieces", ()))
                    where = self.wording.zone(zone.name, zone.index, keys.split(", "))
                    yield f"{self.wording.text(name)} {'sees' if known else 'does not see'} what lies in {where}"

    def _seen(self, state: State, separator: Separator) -> Iterator[ast.SSeen]:
        """Lines about who knows what, of the zones that are open to others in other rules."""
        layout = state.engine.layout
        for instance in layout.instances:
            zone = self.game.program.zones[instance.zone]
            if zone.name in separator.alike or zone.is_internal or not state.in_order.cells[instance.at]:
                continue
            where = self.lines.at(zone.name, layout.zone_of[zone.name].index, instance.keys)
            for seat in self.lines.seats:
                yield ast.SSeen(seat, (where,))
                yield ast.SSeen(seat, (where,), hidden=True)


def _options(state: State) -> tuple[str, ...]:
    return tuple(option.key for option in state.decision.options) if state.decision is not None else ()


_ENTRIES = ("answer", "chance", "shown")


def _values(parts: Sequence[object]) -> Iterator[tuple[str, list[object]]]:
    """The values of one field in several views, by their keys."""
    if all(isinstance(part, dict) and "values" in part for part in parts):
        named = [part for part in parts if isinstance(part, dict)]
        for keys in dict.fromkeys(key for part in named for key in part["values"]):
            yield keys, [part["values"].get(keys, part["default"]) for part in named]
    elif not any(isinstance(part, dict) for part in parts):
        yield "", list(parts)


def _scenario(
    game: Game,
    state: State,
    title: str,
    lines: Sequence[tuple[ast.ScenarioLine, int]],
    options: Mapping[str, OptionValue],
) -> str:
    """The scenario of a moment; empty if it cannot be written."""
    try:
        found = record(
            game.ruleset,
            state,
            options={name: str(one).lower() if isinstance(one, bool) else str(one) for name, one in options.items()},
            expected=lines,
        )
    except (Untold, RulesetError):
        return ""
    return found.text(title, _chosen(found))


def _chosen(found: Recording) -> list[int]:
    """The numbers of the lines that are kept: what has changed, what is offered on the way, and what is proposed."""
    return [
        one.number
        for one in found.expectations
        if one.number is not None and (one.is_proposed or one.kind in ("then", "payoff") or _is_short(one.node))
    ]


def _is_short(line: ast.ScenarioLine) -> bool:
    return isinstance(line, ast.SOffered) and isinstance(line.value, ast.SetOf) and len(line.value.items) <= FEW
